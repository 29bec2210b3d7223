import type { StateDatabase } from '../database/state-database.ts';

/** The unsaved text of a document. */
export interface Draft {
  readonly text: string;
  /** The text on which the draft is based, or with which it was last merged. */
  readonly base: string;
  /** Counts the draft's changes, so that two windows do not overwrite each other. */
  readonly version: number;
  readonly at: string;
}

/** Drafts, one per document, kept across crashes until they are saved or discarded. */
export class Drafts {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async of(documentId: string): Promise<Draft | undefined> {
    return this.#state.db
      .selectFrom('draft')
      .select(['text', 'base', 'version', 'at'])
      .where('document_id', '=', documentId)
      .executeTakeFirst();
  }

  /**
   * Saves a draft unless another change came first. @param after the version that was changed; 0 for a new
   * draft
   */
  async put(documentId: string, text: string, base: string, after: number): Promise<Draft | undefined> {
    const draft = { text, base, version: after + 1, at: new Date().toISOString() };
    const { db } = this.#state;
    if (after === 0) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('draft')
        .values({ document_id: documentId, ...draft })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n ? draft : undefined;
    }
    const { numUpdatedRows } = await db
      .updateTable('draft')
      .set(draft)
      .where('document_id', '=', documentId)
      .where('version', '=', after)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? draft : undefined;
  }

  async drop(documentId: string): Promise<void> {
    await this.#state.db.deleteFrom('draft').where('document_id', '=', documentId).execute();
  }

  /** Deletes explorations that were not changed since a time. */
  async dropExplorations(before: Date): Promise<void> {
    const old = this.#state.db
      .selectFrom('draft')
      .select('document_id')
      .where('at', '<', before.toISOString());
    await this.#state.db
      .deleteFrom('document')
      .where('kind', '=', 'exploration')
      .where('id', 'in', old)
      .execute();
  }

  /** Makes the same change to a draft and to its base, so that what was typed stays the difference. */
  async rewrite(documentId: string, change: (text: string) => string): Promise<void> {
    const draft = await this.of(documentId);
    if (!draft) return;
    await this.#state.db
      .updateTable('draft')
      .set({ text: change(draft.text), base: change(draft.base) })
      .where('document_id', '=', documentId)
      .execute();
  }
}
