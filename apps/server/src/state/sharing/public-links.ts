import type { GuestView } from '@belvedere/api';
import { dashboardAt, type DocumentIds } from '../documents/document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** Links that have expired are listed this long. */
const listedMs = 30 * 86_400_000;

/** A link as requests need it. */
export interface LinkRecord {
  readonly id: string;
  /** A SHA-256; the secret itself is not stored. */
  readonly hash: string;
  /** The ID of the dashboard, where it is now. */
  readonly dashboard: string;
  readonly name: string;
  readonly view: GuestView;
  readonly passphraseHash?: string;
  readonly maxOpens?: number;
  readonly opens: number;
  readonly openedAt?: string;
  /** The ID of the user who created it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The public links in the state database. They refer to their dashboard's identity, and so follow it. */
export class PublicLinkRecords {
  readonly #state: StateDatabase;
  readonly #ids: DocumentIds;

  constructor(state: StateDatabase, ids: DocumentIds) {
    this.#state = state;
    this.#ids = ids;
  }

  /** The newest first; without those to dashboards in the trash. */
  async all(): Promise<LinkRecord[]> {
    const rows = await this.#state.db
      .selectFrom('public_link')
      .innerJoin('document', 'document.id', 'public_link.document_id')
      .selectAll('public_link')
      .select('document.path')
      .where('document.deleted_at', 'is', null)
      .orderBy('public_link.created_at', 'desc')
      .execute();
    return rows.flatMap(row => {
      const dashboard = dashboardAt(row.path);
      if (dashboard === undefined) return [];
      return {
        id: row.id,
        hash: row.secret_hash,
        dashboard,
        name: row.name,
        view: JSON.parse(row.view) as GuestView,
        ...(row.passphrase_hash !== null && { passphraseHash: row.passphrase_hash }),
        ...(row.most_opens !== null && { maxOpens: row.most_opens }),
        opens: row.opens,
        ...(row.opened_at !== null && { openedAt: row.opened_at }),
        createdBy: row.created_by,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      };
    });
  }

  /** @param file the dashboard's file in the workspace */
  async add(link: LinkRecord, file: string): Promise<void> {
    await this.#state.db
      .insertInto('public_link')
      .values({
        id: link.id,
        secret_hash: link.hash,
        document_id: await this.#ids.of('dashboard', file),
        name: link.name,
        view: JSON.stringify(link.view),
        passphrase_hash: link.passphraseHash ?? null,
        most_opens: link.maxOpens ?? null,
        opens: 0,
        opened_at: null,
        created_by: link.createdBy,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
      })
      .execute();
  }

  /** Counts openings. @returns the openings so far; undefined if these are more than allowed */
  async countOpenings(id: string, count: number, at: string): Promise<number | undefined> {
    const row = await this.#state.db
      .updateTable('public_link')
      .set(({ eb }) => ({ opens: eb('opens', '+', count), opened_at: at }))
      .where('id', '=', id)
      .where(({ or, eb, ref }) =>
        or([eb('most_opens', 'is', null), eb(eb('opens', '+', count), '<=', ref('most_opens'))]),
      )
      .returning('opens')
      .executeTakeFirst();
    return row?.opens;
  }

  async setExpiry(id: string, expiresAt: string): Promise<void> {
    await this.#state.db
      .updateTable('public_link')
      .set({ expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('public_link').where('id', '=', id).execute();
  }

  /** Deletes links that expired a month ago. */
  async prune(now: Date): Promise<void> {
    const before = new Date(now.getTime() - listedMs).toISOString();
    await this.#state.db.deleteFrom('public_link').where('expires_at', '<=', before).execute();
  }
}
