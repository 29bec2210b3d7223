import type { Level, ObjectKind } from '@belvedere/api';
import { dashboardAt, type DocumentIds } from '../documents/document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

export type SubjectKind = 'user' | 'group' | 'everyone';

/** What is shared with whom, with the objects as the workspace names them. */
export interface Grant {
  readonly subjectKind: SubjectKind;
  /** A user's or group's ID; empty for everyone. */
  readonly subjectId: string;
  readonly objectKind: ObjectKind;
  /** A dashboard's ID, a model's or source's name, a folder's path. */
  readonly object: string;
  readonly level: Level;
  /** How many rows of a table an export may have; any number if absent. */
  readonly exportRows?: number | undefined;
}

/**
 * Grants in the state database. Those of dashboards and models refer to the document's identity, so that they
 * follow it when it moves; a folder's follow when it is renamed.
 */
export class Grants {
  readonly #state: StateDatabase;
  readonly #ids: DocumentIds;

  constructor(state: StateDatabase, ids: DocumentIds) {
    this.#state = state;
    this.#ids = ids;
  }

  /** Returns all grants on objects in use; those of documents in the trash wait there. */
  async all(): Promise<Grant[]> {
    const rows = await this.#state.db
      .selectFrom('access_grant')
      .leftJoin('document', 'document.id', 'access_grant.object_id')
      .select([
        'access_grant.subject_kind as subjectKind',
        'access_grant.subject_id as subjectId',
        'access_grant.object_kind as objectKind',
        'access_grant.object_id as objectId',
        'access_grant.level',
        'access_grant.export_rows as exportRows',
        'document.path',
        'document.deleted_at as deletedAt',
      ])
      .execute();
    return rows.flatMap((row): Grant[] => {
      const { subjectKind, subjectId, objectKind, objectId, level, exportRows, path, deletedAt } = row;
      const object = isDocument(objectKind)
        ? path !== null && deletedAt === null
          ? nameAt(objectKind, path)
          : undefined
        : objectId;
      const limit = exportRows === null ? {} : { exportRows };
      return object === undefined ? [] : [{ subjectKind, subjectId, objectKind, object, level, ...limit }];
    });
  }

  /**
   * @param file the file of a dashboard or model
   * @param level null to stop sharing
   * @param exportRows null for no limit; undefined to leave it
   */
  async put(
    { subjectKind, subjectId, objectKind, object }: Omit<Grant, 'level' | 'exportRows'>,
    file: string | undefined,
    level: Level | null,
    by: string,
    exportRows?: number | null,
  ): Promise<void> {
    const objectId = await this.identify(objectKind, object, file);
    const key = {
      subject_kind: subjectKind,
      subject_id: subjectId,
      object_kind: objectKind,
      object_id: objectId,
    };
    const { db } = this.#state;
    if (level === null) {
      await db
        .deleteFrom('access_grant')
        .where(({ and }) => and(key))
        .execute();
      return;
    }
    const at = new Date().toISOString();
    await db
      .insertInto('access_grant')
      .values({ ...key, level, export_rows: exportRows ?? null, created_by: by, at })
      .onConflict(conflict =>
        conflict.columns(['subject_kind', 'subject_id', 'object_kind', 'object_id']).doUpdateSet({
          level,
          created_by: by,
          at,
          ...(exportRows !== undefined && { export_rows: exportRows }),
        }),
      )
      .execute();
  }

  /**
   * Returns how grants refer to an object: by a document's identity, or by its name.
   *
   * @param file the file of a dashboard or model
   */
  async identify(objectKind: ObjectKind, object: string, file: string | undefined): Promise<string> {
    return isDocument(objectKind) && file !== undefined ? this.#ids.of(objectKind, file) : object;
  }

  /** Returns who gets an object once they accept their invitation, by e-mail address. */
  invited(
    objectKind: ObjectKind,
    objectId: string,
    now: Date,
  ): Promise<{ readonly email: string; readonly level: Level }[]> {
    return this.#state.db
      .selectFrom('invitation_grant')
      .innerJoin('invitation', 'invitation.id', 'invitation_grant.invitation_id')
      .select(['invitation.email', 'invitation_grant.level'])
      .where('object_kind', '=', objectKind)
      .where('object_id', '=', objectId)
      .where('accepted_at', 'is', null)
      .where('expires_at', '>', now.toISOString())
      .orderBy('invitation.email')
      .execute();
  }

  /** Returns the documents, in use or in the trash, that a user may manage by a grant of their own. */
  async managedBy(userId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#state.db
      .selectFrom('access_grant')
      .select('object_id as id')
      .where('subject_kind', '=', 'user')
      .where('subject_id', '=', userId)
      .where('level', '=', 'manage')
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Lets the grants of a folder and of those in it follow to another path. */
  async moveFolder(from: string, to: string): Promise<void> {
    await this.#state.transaction(async () => {
      const rows = await this.#state.db
        .selectFrom('access_grant')
        .selectAll()
        .where('object_kind', '=', 'folder')
        .execute();
      for (const row of rows) {
        if (row.object_id !== from && !row.object_id.startsWith(`${from}/`)) continue;
        const moved = `${to}${row.object_id.slice(from.length)}`;
        const key = {
          subject_kind: row.subject_kind,
          subject_id: row.subject_id,
          object_kind: row.object_kind,
        };
        const where = (id: string) =>
          this.#state.db.deleteFrom('access_grant').where(({ and }) => and({ ...key, object_id: id }));
        await where(moved).execute();
        await where(row.object_id).execute();
        await this.#state.db
          .insertInto('access_grant')
          .values({ ...row, object_id: moved })
          .execute();
      }
      const promised = await this.#state.db
        .selectFrom('invitation_grant')
        .selectAll()
        .where('object_kind', '=', 'folder')
        .execute();
      for (const { invitation_id, object_id } of promised)
        if (object_id === from || object_id.startsWith(`${from}/`))
          await this.#state.db
            .updateTable('invitation_grant')
            .set({ object_id: `${to}${object_id.slice(from.length)}` })
            .where('invitation_id', '=', invitation_id)
            .where('object_kind', '=', 'folder')
            .where('object_id', '=', object_id)
            .execute();
    });
  }
}

const isDocument = (kind: ObjectKind): kind is 'dashboard' | 'model' =>
  kind === 'dashboard' || kind === 'model';

function nameAt(kind: 'dashboard' | 'model', path: string): string | undefined {
  if (kind === 'dashboard') return dashboardAt(path);
  return /^models\/([^/]+)\.ya?ml$/.exec(path)?.[1];
}
