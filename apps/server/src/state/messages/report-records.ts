import type { ReportOutcome, ReportReason } from '@belvedere/api';
import type { StateDatabase } from '../database/state-database.ts';

const keptMs = 400 * 86_400_000;

/** What a run of a report came to. */
export interface ReportRun {
  /** Its due time, ms since 1970. */
  readonly due: number;
  readonly started: string;
  readonly ended: string;
  readonly outcome: ReportOutcome;
  readonly reason?: ReportReason;
  /** The message of an error. */
  readonly detail?: string;
  readonly recipients: number;
  readonly left: readonly { readonly recipient: string; readonly reason: string }[];
}

/** The runs of reports, and who has unsubscribed from them. */
export class ReportRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Records a run. A further try replaces the one before. */
  async record(documentId: string, run: ReportRun): Promise<void> {
    const values = {
      started_at: run.started,
      ended_at: run.ended,
      outcome: run.outcome,
      reason: run.reason ?? null,
      detail: run.detail ?? null,
      recipients: run.recipients,
      left_out: JSON.stringify(run.left),
    };
    await this.#state.db
      .insertInto('report_run')
      .values({ document_id: documentId, due_at: run.due, ...values })
      .onConflict(conflict => conflict.columns(['document_id', 'due_at']).doUpdateSet(values))
      .execute();
  }

  /** Returns the run of one due time. */
  async at(documentId: string, due: number): Promise<ReportRun | undefined> {
    const row = await this.#state.db
      .selectFrom('report_run')
      .selectAll()
      .where('document_id', '=', documentId)
      .where('due_at', '=', due)
      .executeTakeFirst();
    return row && runOf(row);
  }

  /** Returns the last runs of a report, the newest first. */
  async history(documentId: string, limit: number): Promise<ReportRun[]> {
    const rows = await this.#state.db
      .selectFrom('report_run')
      .selectAll()
      .where('document_id', '=', documentId)
      .orderBy('due_at', 'desc')
      .limit(limit)
      .execute();
    return rows.map(runOf);
  }

  /** Returns the last run of each report, by the path of its file. */
  async last(): Promise<ReadonlyMap<string, ReportRun>> {
    const rows = await this.#state.db
      .selectFrom('report_run as run')
      .innerJoin('document', 'document.id', 'run.document_id')
      .selectAll('run')
      .select('document.path')
      .where('document.deleted_at', 'is', null)
      .where('run.due_at', '=', ({ selectFrom }) =>
        selectFrom('report_run as newer')
          .select(({ fn }) => fn.max('newer.due_at').as('newest'))
          .whereRef('newer.document_id', '=', 'run.document_id'),
      )
      .execute();
    return new Map(rows.map(row => [row.path, runOf(row)]));
  }

  async unsubscribe(documentId: string, userId: string, at: Date): Promise<void> {
    await this.#state.db
      .insertInto('report_unsubscription')
      .values({ document_id: documentId, user_id: userId, at: at.toISOString() })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }

  async resubscribe(documentId: string, userId: string): Promise<void> {
    await this.#state.db
      .deleteFrom('report_unsubscription')
      .where('document_id', '=', documentId)
      .where('user_id', '=', userId)
      .execute();
  }

  /** Returns the IDs of the users who have unsubscribed from a report. */
  async unsubscribed(documentId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#state.db
      .selectFrom('report_unsubscription')
      .select('user_id')
      .where('document_id', '=', documentId)
      .execute();
    return new Set(rows.map(row => row.user_id));
  }

  /** Returns the paths of the reports that a user has unsubscribed from. */
  async unsubscribedBy(userId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#state.db
      .selectFrom('report_unsubscription')
      .innerJoin('document', 'document.id', 'report_unsubscription.document_id')
      .select('document.path')
      .where('user_id', '=', userId)
      .execute();
    return new Set(rows.map(row => row.path));
  }

  /** Deletes old runs. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    await this.#state.db
      .deleteFrom('report_run')
      .where('due_at', '<', now - keptMs)
      .execute();
  }
}

function runOf(row: {
  readonly due_at: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: ReportOutcome;
  readonly reason: ReportReason | null;
  readonly detail: string | null;
  readonly recipients: number;
  readonly left_out: string;
}): ReportRun {
  return {
    due: Number(row.due_at),
    started: row.started_at,
    ended: row.ended_at,
    outcome: row.outcome,
    ...(row.reason && { reason: row.reason }),
    ...(row.detail && { detail: row.detail }),
    recipients: Number(row.recipients),
    left: JSON.parse(row.left_out) as ReportRun['left'],
  };
}
