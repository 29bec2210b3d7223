import type { AlertState, StateName, Verdict } from '@belvedere/alert';
import type { Kysely } from 'kysely';
import { wordsOf } from '../migrations/column-types.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** One group of an alert as of its last check. */
export interface GroupState {
  readonly group: string;
  readonly label: string;
  readonly state: AlertState;
  readonly verdict: Verdict;
}

export interface AlertChange {
  readonly group: string;
  readonly label: string;
  readonly at: number;
  readonly from: StateName;
  readonly to: StateName;
  readonly verdict: Verdict;
  /** What the alert watched then (`watchKey`); set by the store. */
  readonly watch?: string;
}

/** Why an alert does not run. */
export type StopReason = 'no-owner' | 'unknown-owner' | 'disabled-owner' | 'no-access';

export interface AlertCheck {
  /** When it was checked first; set by the store. */
  readonly begunAt?: number;
  readonly checkedAt: number;
  readonly watched: string;
  readonly stopped?: StopReason;
  readonly problem?: string;
  readonly measure?: WatchedMeasure;
}

/** How the values of an alert are named and written. */
interface WatchedMeasure {
  readonly label: string;
  readonly format?: string;
  readonly unit?: string;
}

export interface Snooze {
  readonly until: number;
  /** The ID of the user. */
  readonly by: string;
}

/** All that is recorded about an alert, but its history. */
export interface AlertRecord {
  readonly check?: AlertCheck;
  readonly snooze?: Snooze;
  readonly groups: readonly GroupState[];
}

/** Changes are kept this long. */
const keptMs = 90 * 86_400_000;
const rowsAtOnce = 50;

/** The states of alerts. They refer to the alert's identity, and so follow it. Times are ms since 1970. */
export class AlertStates {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#state.transaction(work);
  }

  /** Calls a function once the changes of the current transaction are visible to others. */
  afterCommit(next: () => void): void {
    this.#state.afterCommit(next);
  }

  /**
   * Waits until no other server is recording a check of the alert, and keeps others from it up to the end of
   * the transaction: two at once would both send a message about the same change.
   */
  async lock(documentId: string): Promise<void> {
    const { db } = this.#state;
    // On SQLite, transactions follow each other.
    if (wordsOf(db as Kysely<unknown>).isPostgres)
      await db.selectFrom('document').select('id').where('id', '=', documentId).forNoKeyUpdate().execute();
  }

  async of(documentId: string): Promise<AlertRecord> {
    return (await this.#records(documentId)).get(documentId) ?? { groups: [] };
  }

  /** All alerts that have a record, by the ID of their document. */
  all(): Promise<ReadonlyMap<string, AlertRecord>> {
    return this.#records();
  }

  async #records(documentId?: string): Promise<ReadonlyMap<string, AlertRecord>> {
    const { db } = this.#state;
    const [checks, snoozes, states] = await Promise.all([
      db
        .selectFrom('alert_check')
        .selectAll()
        .$if(documentId !== undefined, query => query.where('document_id', '=', documentId!))
        .execute(),
      db
        .selectFrom('alert_snooze')
        .selectAll()
        .$if(documentId !== undefined, query => query.where('document_id', '=', documentId!))
        .execute(),
      db
        .selectFrom('alert_state')
        .selectAll()
        .$if(documentId !== undefined, query => query.where('document_id', '=', documentId!))
        .orderBy('group_key')
        .execute(),
    ]);
    const records = new Map<string, { check?: AlertCheck; snooze?: Snooze; groups: GroupState[] }>();
    const recordOf = (id: string) => {
      const record = records.get(id) ?? { groups: [] };
      records.set(id, record);
      return record;
    };
    for (const { document_id, begun_at, checked_at, watched, stopped, problem, measure } of checks)
      recordOf(document_id).check = {
        begunAt: Number(begun_at),
        checkedAt: Number(checked_at),
        watched,
        ...(stopped !== null && { stopped: stopped as StopReason }),
        ...(problem !== null && { problem }),
        ...(measure !== null && { measure: JSON.parse(measure) as WatchedMeasure }),
      };
    for (const { document_id, until, by_id } of snoozes)
      recordOf(document_id).snooze = { until: Number(until), by: by_id };
    for (const { document_id, group_key, label, record } of states)
      recordOf(document_id).groups.push({
        group: group_key,
        label,
        ...(JSON.parse(record) as Pick<GroupState, 'state' | 'verdict'>),
      });
    return records;
  }

  /**
   * Replaces what is recorded of a check. Groups that are not among `groups` are forgotten.
   * @param watch what the alert watches (`watchKey`)
   */
  async save(
    documentId: string,
    check: AlertCheck,
    groups: readonly GroupState[],
    changes: readonly AlertChange[],
    watch: string,
  ): Promise<void> {
    const { db } = this.#state;
    const row = {
      checked_at: check.checkedAt,
      watched: check.watched,
      stopped: check.stopped ?? null,
      problem: check.problem ?? null,
      measure: check.measure ? JSON.stringify(check.measure) : null,
    };
    await db
      .insertInto('alert_check')
      .values({ document_id: documentId, begun_at: check.checkedAt, ...row })
      .onConflict(conflict => conflict.column('document_id').doUpdateSet(row))
      .execute();
    await db.deleteFrom('alert_state').where('document_id', '=', documentId).execute();
    for (const some of batches(groups))
      await db
        .insertInto('alert_state')
        .values(
          some.map(({ group, label, state, verdict }) => ({
            document_id: documentId,
            group_key: group,
            label,
            state: state.state,
            record: JSON.stringify({ state, verdict }),
          })),
        )
        .execute();
    for (const some of batches(changes))
      await db
        .insertInto('alert_change')
        .values(
          some.map(({ group, label, at, from, to, verdict }) => ({
            document_id: documentId,
            group_key: group,
            label,
            at,
            from_state: from,
            to_state: to,
            detail: JSON.stringify(verdict),
            watch,
          })),
        )
        .execute();
  }

  /** Forgets the groups of an alert, so that it starts over if it comes back. */
  async forgetGroups(documentId: string): Promise<void> {
    await this.#state.db.deleteFrom('alert_state').where('document_id', '=', documentId).execute();
  }

  /** The newest changes of an alert, newest first. */
  async changesOf(documentId: string, limit: number): Promise<AlertChange[]> {
    const rows = await this.#state.db
      .selectFrom('alert_change')
      .selectAll()
      .where('document_id', '=', documentId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ group_key, label, at, from_state, to_state, detail, watch }) => ({
      group: group_key,
      label,
      at: Number(at),
      from: from_state as StateName,
      to: to_state as StateName,
      verdict: JSON.parse(detail) as Verdict,
      ...(watch !== null && { watch }),
    }));
  }

  /** Sets until when an alert sends no messages, or ends the snooze. */
  async snooze(documentId: string, snooze: Snooze | undefined): Promise<void> {
    await this.#state.transaction(async () => {
      await this.#state.db.deleteFrom('alert_snooze').where('document_id', '=', documentId).execute();
      if (snooze)
        await this.#state.db
          .insertInto('alert_snooze')
          .values({ document_id: documentId, until: snooze.until, by_id: snooze.by })
          .execute();
    });
  }

  /** Deletes old changes, and snoozes that have ended. @param now ms since 1970 */
  async prune(now: number): Promise<void> {
    const { db } = this.#state;
    await db
      .deleteFrom('alert_change')
      .where('at', '<', now - keptMs)
      .execute();
    await db
      .deleteFrom('alert_snooze')
      .where('until', '<', now - keptMs)
      .execute();
  }
}

function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, i) =>
    all.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  );
}
