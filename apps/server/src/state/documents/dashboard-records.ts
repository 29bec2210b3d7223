import { dashboardAt } from './document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

const dayMs = 86_400_000;
/** A dashboard that no user opened for so long is unused. */
export const unusedDays = 90;
/** Days of use are kept a little longer, which shows since when they are counted. */
const keptDays = 120;

/** What is recorded about a dashboard. */
export interface DashboardRecordRow {
  readonly ownerId?: string;
  readonly verification?: {
    readonly revision: string;
    readonly byId?: string;
    readonly at: string;
    readonly until: string;
  };
  /** On how many days it was opened in the last seven days, summed over all users. */
  readonly views: number;
  /** The last day, in UTC, on which a user opened it. */
  readonly lastDay?: string;
}

export interface DashboardRecordRows {
  /** By the dashboard's ID. */
  readonly records: ReadonlyMap<string, DashboardRecordRow>;
  /** The first day on which any dashboard was opened, of the days that are kept. */
  readonly firstDay?: string;
}

/** Owners and verifications of dashboards, and the days on which users opened them. */
export class DashboardRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /**
   * @param now wall-clock time, ms
   * @param file the file of the only dashboard that is wanted
   */
  async all(now: number, file?: string): Promise<DashboardRecordRows> {
    const { db } = this.#state;
    const [documents, uses, first] = await Promise.all([
      db
        .selectFrom('document')
        .leftJoin('dashboard_verification as verification', 'verification.document_id', 'document.id')
        .select(['document.id', 'document.path', 'document.owner_id'])
        .select(['verification.revision', 'verification.by_id', 'verification.at', 'verification.until'])
        .select(({ selectFrom }) =>
          selectFrom('dashboard_use')
            .select(({ fn }) => fn.max('dashboard_use.day').as('last'))
            .whereRef('dashboard_use.document_id', '=', 'document.id')
            .as('last'),
        )
        .where('document.kind', '=', 'dashboard')
        .where('document.deleted_at', 'is', null)
        .$if(file !== undefined, query => query.where('document.path', '=', file!))
        .execute(),
      db
        .selectFrom('dashboard_use')
        .select(['document_id', ({ fn }) => fn.countAll<number>().as('views')])
        .where('day', '>', dayBefore(now, 7))
        .groupBy('document_id')
        .execute(),
      db
        .selectFrom('dashboard_use')
        .select(({ fn }) => fn.min('day').as('day'))
        .executeTakeFirst(),
    ]);
    const viewsOf = new Map(uses.map(use => [use.document_id, Number(use.views)]));
    const records = documents.flatMap((row): [string, DashboardRecordRow][] => {
      const dashboard = dashboardAt(row.path);
      if (dashboard === undefined) return [];
      const record = {
        ...(row.owner_id !== null && { ownerId: row.owner_id }),
        ...(row.revision !== null && {
          verification: {
            revision: row.revision,
            at: row.at!,
            until: row.until!,
            ...(row.by_id !== null && { byId: row.by_id }),
          },
        }),
        views: viewsOf.get(row.id) ?? 0,
        ...(row.last !== null && { lastDay: row.last }),
      };
      return [[dashboard, record]];
    });
    return { records: new Map(records), ...(first?.day && { firstDay: first.day }) };
  }

  async setOwner(documentId: string, userId: string): Promise<void> {
    await this.#state.db
      .updateTable('document')
      .set({ owner_id: userId })
      .where('id', '=', documentId)
      .execute();
  }

  async verify(
    documentId: string,
    verification: {
      readonly revision: string;
      readonly byId: string;
      readonly at: Date;
      readonly until: Date;
    },
  ): Promise<void> {
    const values = {
      revision: verification.revision,
      by_id: verification.byId,
      at: verification.at.toISOString(),
      until: verification.until.toISOString(),
    };
    await this.#state.db
      .insertInto('dashboard_verification')
      .values({ document_id: documentId, ...values })
      .onConflict(conflict => conflict.column('document_id').doUpdateSet(values))
      .execute();
  }

  async unverify(documentId: string): Promise<void> {
    await this.#state.db.deleteFrom('dashboard_verification').where('document_id', '=', documentId).execute();
  }

  /** Counts a user once a day. @param now wall-clock time, ms */
  async countUse(documentId: string, userId: string, now: number): Promise<void> {
    await this.#state.db
      .insertInto('dashboard_use')
      .values({ document_id: documentId, user_id: userId, day: dayBefore(now, 0) })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }

  /** Deletes days of use that no count needs. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    await this.#state.db.deleteFrom('dashboard_use').where('day', '<', dayBefore(now, keptDays)).execute();
  }
}

/** Returns the day, in UTC, so many days before a time. */
export function dayBefore(now: number, days: number): string {
  return new Date(now - days * dayMs).toISOString().slice(0, 10);
}
