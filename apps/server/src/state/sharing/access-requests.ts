import { randomUUID } from 'node:crypto';
import { dashboardAt } from '../documents/document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

const dayMs = 86_400_000;
/** After it was declined, the same request is ignored this long. */
const declinedDays = 7;
/** Requests without an answer are deleted after this time. */
const openDays = 90;
/** Of one user. */
const maxOpen = 20;

export interface AccessRequestRecord {
  readonly id: string;
  /** The ID of the dashboard, where it is now. */
  readonly dashboard: string;
  readonly userId: string;
  readonly message: string;
  readonly at: string;
}

/** Requests for access. They refer to their dashboard's identity, and so follow it. */
export class AccessRequests {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /**
   * Adds a request, or gives an open one another message. Does nothing if it was declined lately, or the user
   * has many open ones. @param now wall-clock time, ms
   */
  async add(documentId: string, userId: string, message: string, now: number): Promise<void> {
    const { db } = this.#state;
    const { count } = await db
      .selectFrom('access_request')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('declined_at', 'is', null)
      .where('document_id', '!=', documentId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxOpen) return;
    const at = new Date(now).toISOString();
    await db
      .insertInto('access_request')
      .values({ id: randomUUID(), document_id: documentId, user_id: userId, message, at, declined_at: null })
      .onConflict(conflict =>
        conflict
          .columns(['document_id', 'user_id'])
          .doUpdateSet({ message, at, declined_at: null })
          .where(({ or, eb }) =>
            or([
              eb('access_request.declined_at', 'is', null),
              eb('access_request.declined_at', '<', daysBefore(now, declinedDays)),
            ]),
          ),
      )
      .execute();
  }

  /** The open requests, the newest first; without those for dashboards in the trash. */
  async open(): Promise<AccessRequestRecord[]> {
    const rows = await this.#state.db
      .selectFrom('access_request')
      .innerJoin('document', 'document.id', 'access_request.document_id')
      .selectAll('access_request')
      .select('document.path')
      .where('access_request.declined_at', 'is', null)
      .where('document.deleted_at', 'is', null)
      .orderBy('access_request.at', 'desc')
      .execute();
    return rows.flatMap(({ id, path, user_id, message, at }) => {
      const dashboard = dashboardAt(path);
      return dashboard === undefined ? [] : [{ id, dashboard, userId: user_id, message, at }];
    });
  }

  async decline(id: string, now: number): Promise<void> {
    await this.#state.db
      .updateTable('access_request')
      .set({ declined_at: new Date(now).toISOString() })
      .where('id', '=', id)
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('access_request').where('id', '=', id).execute();
  }

  /** Deletes old requests. @param now wall-clock time, ms */
  async prune(now: number): Promise<void> {
    await this.#state.db
      .deleteFrom('access_request')
      .where(({ or, eb }) =>
        or([eb('at', '<', daysBefore(now, openDays)), eb('declined_at', '<', daysBefore(now, declinedDays))]),
      )
      .execute();
  }
}

const daysBefore = (now: number, days: number) => new Date(now - days * dayMs).toISOString();
