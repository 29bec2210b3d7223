import type { Kysely, Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import { wordsOf } from '../migrations/column-types.ts';
import type { StateDatabase } from '../database/state-database.ts';
import type { Tables } from '../tables/tables.ts';
import type { JobState } from '../tables/job-tables.ts';

/** Work that runs at a time, once. Times in ms since 1970. */
export interface JobRecord {
  readonly id: string;
  readonly kind: string;
  readonly object: string;
  readonly key: string;
  readonly dueAt: number;
  readonly runAt: number;
  readonly state: JobState;
  /** Tries so far, the running one included. */
  readonly attempt: number;
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly detail?: string;
  readonly error?: string;
}

export type NewJob = Pick<JobRecord, 'kind' | 'object' | 'key' | 'dueAt'> & {
  /** The time of the first try; `dueAt` by default. */
  readonly runAt?: number;
};

/** How a try of a job ended. */
export type TryEnd =
  | { readonly state: 'done'; readonly detail?: string | undefined }
  | { readonly state: 'given-up'; readonly error: string }
  | { readonly state: 'cancelled' }
  /** Runs again later. `isCounted`: the try has failed and counts as one. */
  | {
      readonly state: 'queued';
      readonly runAt: number;
      readonly isCounted: boolean;
      readonly detail?: string | undefined;
      readonly error?: string | undefined;
    };

export interface WaitingJobs {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  /** The time of the next try of all. */
  readonly nextAt: number | undefined;
}

const maxTextLength = 2000;

/** The jobs in the state database, and up to when schedules have become jobs. */
export class JobRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Adds a job unless there is one with its key. @returns whether it is new */
  async add({ kind, object, key, dueAt, runAt = dueAt }: NewJob, now: number): Promise<boolean> {
    const added = await this.#state.db
      .insertInto('job')
      .values({
        id: randomUUID(),
        kind,
        object,
        key,
        due_at: dueAt,
        run_at: runAt,
        state: 'queued',
        attempt: 0,
        locked_by: null,
        locked_until: null,
        queued_at: now,
        started_at: null,
        ended_at: null,
        detail: null,
        error: null,
      })
      .onConflict(conflict => conflict.column('key').doNothing())
      .returning('id')
      .executeTakeFirst();
    return added !== undefined;
  }

  /**
   * Takes jobs of a kind that are due, or whose process has not been heard of: each is taken by one process.
   *
   * @param limit how many
   * @param lease the process, and until when it may be believed to run them
   * @param own jobs that this process still runs, whatever their lease says
   */
  async claim(
    kind: string,
    limit: number,
    lease: { readonly by: string; readonly now: number; readonly until: number },
    own: readonly string[],
  ): Promise<JobRecord[]> {
    const { db } = this.#state;
    const { by, now, until } = lease;
    const { isPostgres } = wordsOf(db as Kysely<unknown>);
    const due = db
      .selectFrom('job')
      .select('id')
      .where('kind', '=', kind)
      .where(({ or, and, eb }) =>
        or([
          and([eb('state', '=', 'queued'), eb('run_at', '<=', now)]),
          and([eb('state', '=', 'running'), eb('locked_until', '<', now)]),
        ]),
      )
      .$if(own.length > 0, query => query.where('id', 'not in', [...own]))
      .orderBy('run_at')
      .limit(limit)
      .$if(isPostgres, query => query.forUpdate().skipLocked());
    const rows = await db
      .updateTable('job')
      .set(({ eb }) => ({
        state: 'running',
        locked_by: by,
        locked_until: until,
        started_at: now,
        attempt: eb('attempt', '+', 1),
      }))
      .where('id', 'in', due)
      .returningAll()
      .execute();
    return rows.map(recordOf).toSorted((a, b) => a.runAt - b.runAt);
  }

  /** Extends the leases of running jobs. @returns those that are still this process's */
  async renew(ids: readonly string[], by: string, until: number): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#state.db
      .updateTable('job')
      .set({ locked_until: until })
      .where('id', 'in', [...ids])
      .where('locked_by', '=', by)
      .where('state', '=', 'running')
      .returning('id')
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Ends a try. Does nothing if another process has taken the job since. */
  async endTry(id: string, by: string, end: TryEnd, now: number): Promise<void> {
    const isOver = end.state !== 'queued';
    await this.#state.db
      .updateTable('job')
      .set(({ eb }) => ({
        state: end.state,
        locked_by: null,
        locked_until: null,
        detail: 'detail' in end ? shortened(end.detail) : null,
        error: 'error' in end ? shortened(end.error) : null,
        ...(isOver
          ? { ended_at: now }
          : { run_at: end.runAt, ...(!end.isCounted && { attempt: eb('attempt', '-', 1) }) }),
      }))
      .where('id', '=', id)
      .where('locked_by', '=', by)
      .execute();
  }

  /** Records what a running job is doing. */
  async progress(id: string, by: string, detail: string): Promise<void> {
    await this.#state.db
      .updateTable('job')
      .set({ detail: shortened(detail) })
      .where('id', '=', id)
      .where('locked_by', '=', by)
      .execute();
  }

  /** Frees the jobs of processes that no longer run, for a database that only one process has open. */
  async releaseOthers(by: string, now: number): Promise<void> {
    await this.#state.db
      .updateTable('job')
      .set({ locked_until: now - 1 })
      .where('state', '=', 'running')
      .where('locked_by', '!=', by)
      .execute();
  }

  /** Cancels a job that waits. @returns the job, if there was one */
  async cancelQueued(id: string, now: number): Promise<JobRecord | undefined> {
    const row = await this.#state.db
      .updateTable('job')
      .set({ state: 'cancelled', ended_at: now })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .returningAll()
      .executeTakeFirst();
    return row && recordOf(row);
  }

  /**
   * Deletes the jobs of an object that were due before a time and have not begun. They wait while a kind is
   * paused, or while all of its places are taken.
   */
  async deleteUnbegun(kind: string, object: string, dueBefore: number): Promise<void> {
    await this.#state.db
      .deleteFrom('job')
      .where('kind', '=', kind)
      .where('object', '=', object)
      .where('state', '=', 'queued')
      .where('attempt', '=', 0)
      .where('due_at', '<', dueBefore)
      .execute();
  }

  /** Queues a job again that was given up or cancelled. @returns whether there was one */
  async retry(id: string, now: number): Promise<boolean> {
    const row = await this.#state.db
      .updateTable('job')
      .set({ state: 'queued', run_at: now, attempt: 0, ended_at: null })
      .where('id', '=', id)
      .where('state', 'in', ['given-up', 'cancelled'])
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async find(id: string): Promise<JobRecord | undefined> {
    const row = await this.#state.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
    return row && recordOf(row);
  }

  /** The newest first. */
  async list(
    only: {
      readonly kind?: string | undefined;
      readonly state?: JobState | undefined;
      readonly object?: string;
    },
    limit: number,
    after?: readonly [queuedAt: number, id: string],
  ): Promise<JobRecord[]> {
    const { kind, state, object } = only;
    let query = this.#state.db.selectFrom('job').selectAll();
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (state !== undefined) query = query.where('state', '=', state);
    if (object !== undefined) query = query.where('object', '=', object);
    if (after)
      query = query.where(({ or, and, eb }) =>
        or([eb('queued_at', '<', after[0]), and([eb('queued_at', '=', after[0]), eb('id', '>', after[1])])]),
      );
    const rows = await query.orderBy('queued_at', 'desc').orderBy('id').limit(limit).execute();
    return rows.map(recordOf);
  }

  /** Counts the jobs that wait or run, by kind. */
  async waiting(): Promise<WaitingJobs[]> {
    const rows = await this.#state.db
      .selectFrom('job')
      .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count'), fn.min('run_at').as('next')])
      .where('state', 'in', ['queued', 'running'])
      .groupBy(['kind', 'state'])
      .execute();
    return [...new Set(rows.map(({ kind }) => kind))].toSorted().map(kind => {
      const of = (state: JobState) => rows.find(row => row.kind === kind && row.state === state);
      return {
        kind,
        queued: Number(of('queued')?.count ?? 0),
        running: Number(of('running')?.count ?? 0),
        nextAt: of('queued')?.next ?? undefined,
      };
    });
  }

  /** Deletes jobs of a kind, or of all kinds, that ended before a time. */
  async deleteEnded(before: number, kind?: string): Promise<void> {
    await this.#state.db
      .deleteFrom('job')
      .where('ended_at', '<', before)
      .$if(kind !== undefined, query => query.where('kind', '=', kind!))
      .execute();
  }

  /** Up to when the schedules of a kind have become jobs, by object. */
  async seenTo(kind: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#state.db
      .selectFrom('schedule')
      .select(['object', 'seen_to'])
      .where('kind', '=', kind)
      .execute();
    return new Map(rows.map(row => [row.object, row.seen_to]));
  }

  async markSeen(kind: string, object: string, seenTo: number): Promise<void> {
    await this.#state.db
      .insertInto('schedule')
      .values({ kind, object, seen_to: seenTo })
      .onConflict(conflict => conflict.columns(['kind', 'object']).doUpdateSet({ seen_to: seenTo }))
      .execute();
  }

  async forgetSchedule(kind: string, object: string): Promise<void> {
    await this.#state.db
      .deleteFrom('schedule')
      .where('kind', '=', kind)
      .where('object', '=', object)
      .execute();
  }

  async pausedKinds(): Promise<ReadonlySet<string>> {
    const rows = await this.#state.db.selectFrom('paused_jobs').select('kind').execute();
    return new Set(rows.map(({ kind }) => kind));
  }

  async setPaused(kind: string, isPaused: boolean): Promise<void> {
    if (isPaused)
      await this.#state.db
        .insertInto('paused_jobs')
        .values({ kind })
        .onConflict(conflict => conflict.doNothing())
        .execute();
    else await this.#state.db.deleteFrom('paused_jobs').where('kind', '=', kind).execute();
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#state.transaction(work);
  }

  afterCommit(next: () => void): void {
    this.#state.afterCommit(next);
  }
}

const shortened = (text: string | undefined) => text?.slice(0, maxTextLength) ?? null;

function recordOf(row: Selectable<Tables['job']>): JobRecord {
  return {
    id: row.id,
    kind: row.kind,
    object: row.object,
    key: row.key,
    dueAt: row.due_at,
    runAt: row.run_at,
    state: row.state,
    attempt: row.attempt,
    queuedAt: row.queued_at,
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.detail !== null && { detail: row.detail }),
    ...(row.error !== null && { error: row.error }),
  };
}
