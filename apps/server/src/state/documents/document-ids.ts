import { randomUUID } from 'node:crypto';
import type { StateDatabase } from '../database/state-database.ts';

export type DocumentIdKind = 'dashboard' | 'model' | 'translation' | 'exploration' | 'alert' | 'report';

/**
 * The identities of the workspace's documents. Favourites, views, drafts, revisions and notes refer to a
 * document's ID, so that they follow it when it is moved, and stay with it in the trash.
 */
export class DocumentIds {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Returns the ID of the document in use at a path; undefined if nothing has been recorded about it. */
  async find(path: string): Promise<string | undefined> {
    const found = await this.#state.db
      .selectFrom('document')
      .select('id')
      .where('path', '=', path)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return found?.id;
  }

  /** Returns the ID of the document in use at a path. Gives it one if it has none. */
  async of(kind: DocumentIdKind, path: string): Promise<string> {
    const known = await this.find(path);
    if (known !== undefined) return known;
    await this.#state.db
      .insertInto('document')
      .values({ id: randomUUID(), kind, path, deleted_at: null })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    return (await this.find(path))!;
  }

  /** Returns the paths of all documents in use, by ID. */
  async paths(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#state.db
      .selectFrom('document')
      .select(['id', 'path'])
      .where('deleted_at', 'is', null)
      .execute();
    return new Map(rows.map(({ id, path }) => [id, path]));
  }

  /** Returns the path of the document in use that was moved from a path; undefined if none was. */
  async movedFrom(path: string): Promise<string | undefined> {
    const found = await this.#state.db
      .selectFrom('former_path')
      .innerJoin('document', 'document.id', 'former_path.document_id')
      .select('document.path')
      .where('former_path.path', '=', path)
      .where('document.deleted_at', 'is', null)
      .executeTakeFirst();
    return found?.path;
  }

  /** Moves a document. One that had the new path before gives it up, with its records. */
  async move(from: string, to: string): Promise<void> {
    if (from === to) return;
    await this.retire(to);
    const id = await this.find(from);
    await this.#state.db.deleteFrom('former_path').where('path', 'in', [from, to]).execute();
    if (id !== undefined)
      await this.#state.db.insertInto('former_path').values({ path: from, document_id: id }).execute();
    await this.#state.db
      .updateTable('document')
      .set({ path: to })
      .where('path', '=', from)
      .where('deleted_at', 'is', null)
      .execute();
  }

  /** Takes a document out of use, so that its path is free. Its records are kept until it is deleted. */
  async retire(path: string): Promise<void> {
    await this.#state.db
      .updateTable('document')
      .set({ deleted_at: new Date().toISOString() })
      .where('path', '=', path)
      .where('deleted_at', 'is', null)
      .execute();
  }

  /** Takes a retired document into use again at its path. One that has the path now gives it up. */
  async restore(id: string, path: string): Promise<void> {
    await this.retire(path);
    await this.#state.db
      .updateTable('document')
      .set({ deleted_at: null, path })
      .where('id', '=', id)
      .execute();
  }

  /** Deletes a document and all records about it. */
  async delete(id: string): Promise<void> {
    await this.#state.db.deleteFrom('document').where('id', '=', id).execute();
  }

  /** Deletes documents that were retired before a time and are not in the trash. */
  async deleteRetired(before: Date): Promise<void> {
    await this.#state.db
      .deleteFrom('document')
      .where('deleted_at', '<', before.toISOString())
      .where('id', 'not in', query => query.selectFrom('trash').select('document_id'))
      .execute();
  }
}

/** Returns the ID of the dashboard whose file has a path; undefined for other files. */
export function dashboardAt(path: string): string | undefined {
  return /^dashboards\/(.+)\.ya?ml$/.exec(path)?.[1];
}
