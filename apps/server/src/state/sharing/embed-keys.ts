import { dashboardAt, type DocumentIds } from '../documents/document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** A key as requests need it. */
export interface EmbedKeyRecord {
  readonly id: string;
  readonly name: string;
  /** Sealed with the instance's secret. */
  readonly sealedSecret: string;
  readonly origins: readonly string[];
  /** The IDs of the dashboards it is limited to, where they are now; undefined for all dashboards. */
  readonly dashboards?: readonly string[];
  /** The ID of the user who created it. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly usedAt?: string;
}

/** The keys for embedding in the state database. They refer to dashboards' identities, and so follow them. */
export class EmbedKeyRecords {
  readonly #state: StateDatabase;
  readonly #ids: DocumentIds;

  constructor(state: StateDatabase, ids: DocumentIds) {
    this.#state = state;
    this.#ids = ids;
  }

  /** The newest first. Dashboards in the trash are left out: a key of none but those shows nothing. */
  async all(): Promise<EmbedKeyRecord[]> {
    const { db } = this.#state;
    const keys = await db.selectFrom('embed_key').selectAll().orderBy('created_at', 'desc').execute();
    const rows = await db
      .selectFrom('embed_key_dashboard')
      .innerJoin('document', 'document.id', 'embed_key_dashboard.document_id')
      .select(['embed_key_dashboard.key_id', 'document.path'])
      .where('document.deleted_at', 'is', null)
      .execute();
    const paths = Map.groupBy(rows, row => row.key_id);
    return keys.map(key => ({
      id: key.id,
      name: key.name,
      sealedSecret: key.secret,
      origins: JSON.parse(key.origins) as string[],
      ...(key.is_limited === 1 && {
        dashboards: (paths.get(key.id) ?? []).flatMap(({ path }) => dashboardAt(path) ?? []),
      }),
      createdBy: key.created_by,
      createdAt: key.created_at,
      ...(key.used_at !== null && { usedAt: key.used_at }),
    }));
  }

  /** @param files the files of the dashboards that it is limited to, in the workspace */
  async add(key: EmbedKeyRecord, files: readonly string[]): Promise<void> {
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      await db
        .insertInto('embed_key')
        .values({
          id: key.id,
          name: key.name,
          secret: key.sealedSecret,
          origins: JSON.stringify(key.origins),
          is_limited: key.dashboards === undefined ? 0 : 1,
          created_by: key.createdBy,
          created_at: key.createdAt,
          used_at: null,
        })
        .execute();
      for (const file of new Set(files))
        await db
          .insertInto('embed_key_dashboard')
          .values({ key_id: key.id, document_id: await this.#ids.of('dashboard', file) })
          .execute();
    });
  }

  async setUsed(id: string, at: string): Promise<void> {
    await this.#state.db.updateTable('embed_key').set({ used_at: at }).where('id', '=', id).execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('embed_key').where('id', '=', id).execute();
  }
}
