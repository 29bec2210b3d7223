import { randomBytes } from 'node:crypto';
import { ProblemError } from '../../http/problems.ts';
import type { QueryContext } from '../query-context.ts';

/** What a query is for. It names documents and sources, never filters, values or statements. */
export interface QuerySubject {
  readonly kind: 'model' | 'sql' | 'export';
  readonly source: string;
  readonly model?: string;
}

/** A query that runs, or waits for its turn. */
export interface RunningQuery extends QuerySubject {
  readonly id: string;
  readonly userId: string;
  readonly userName: string;
  /** A dashboard's ID, or that of a draft or an exploration. */
  readonly dashboard?: string;
  readonly tile?: string;
  /** ms since 1970. */
  readonly since: number;
  /** ms since 1970; undefined while it waits. */
  readonly startedAt?: number;
  /** Rows that an export has read so far. */
  readonly rows?: number;
}

type Listed = { -readonly [K in keyof RunningQuery]: RunningQuery[K] };

interface Cancellable {
  readonly query: Listed;
  readonly cancel: () => void;
}

/** Reports the progress of one query. */
export interface QueryProgress {
  /** Aborts when an admin cancels the query. */
  readonly signal: AbortSignal;
  waits(): void;
  starts(): void;
  addRows(count: number): void;
}

/** All queries that run or wait, so that an admin can see and cancel them. */
export class RunningQueries {
  readonly #open = new Map<string, Cancellable>();

  /** Lists the queries, the oldest first. */
  list(): readonly RunningQuery[] {
    return Array.from(this.#open.values(), ({ query }) => ({ ...query }));
  }

  /** Returns the query that it cancels; undefined if it has ended. */
  cancel(id: string): RunningQuery | undefined {
    const found = this.#open.get(id);
    found?.cancel();
    return found && { ...found.query };
  }

  /**
   * Lists a query while `work` runs.
   * @param onCancel called at once when an admin cancels it
   * @throws ProblemError `cancelled-by-admin` if one does
   */
  async track<T>(
    { caller, dashboard, tile }: Pick<QueryContext, 'caller' | 'dashboard' | 'tile'>,
    subject: QuerySubject,
    work: (progress: QueryProgress) => Promise<T>,
    onCancel: () => void = () => {},
  ): Promise<T> {
    const controller = new AbortController();
    const query: Listed = {
      ...subject,
      id: randomBytes(12).toString('hex'),
      userId: caller.userId,
      userName: caller.name,
      since: Date.now(),
      ...(dashboard !== undefined && { dashboard }),
      ...(tile !== undefined && { tile }),
    };
    const cancel = () => {
      onCancel();
      controller.abort();
    };
    this.#open.set(query.id, { query, cancel });
    try {
      return await work({
        signal: controller.signal,
        waits: () => delete query.startedAt,
        starts: () => (query.startedAt = Date.now()),
        addRows: count => (query.rows = (query.rows ?? 0) + count),
      });
    } catch (error) {
      throw controller.signal.aborted ? cancelledByAdmin() : error;
    } finally {
      this.#open.delete(query.id);
    }
  }
}

function cancelledByAdmin(): ProblemError {
  return new ProblemError('cancelled-by-admin', 'An admin cancelled it. You can run it again.');
}
