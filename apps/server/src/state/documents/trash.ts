import type { StateDatabase } from '../database/state-database.ts';
import type { DocumentIdKind } from './document-ids.ts';

export interface TrashedFile {
  readonly file: string;
  readonly text: string;
}

/** The kinds of documents that can be in the trash. */
export type TrashedKind = Extract<DocumentIdKind, 'dashboard' | 'model' | 'alert' | 'report'>;

export interface TrashedDocument {
  readonly number: number;
  readonly documentId: string;
  readonly kind: TrashedKind;
  /** Its ID, or a model's name. */
  readonly name: string;
  readonly title: string;
  readonly at: string;
}

interface NewTrashedDocument {
  readonly documentId: string;
  readonly name: string;
  readonly title: string;
  readonly files: readonly TrashedFile[];
}

/** Deleted documents with their files. */
export class Trash {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async put({ documentId, name, title, files }: NewTrashedDocument): Promise<number> {
    const { number } = await this.#state.db
      .insertInto('trash')
      .values({
        document_id: documentId,
        name,
        title,
        at: new Date().toISOString(),
        files: JSON.stringify(files),
      })
      .returning('number')
      .executeTakeFirstOrThrow();
    return number;
  }

  /** Newest first. */
  async all(): Promise<TrashedDocument[]> {
    const rows = await this.#documents().orderBy('number', 'desc').execute();
    return rows.map(row => ({ ...row, kind: row.kind as TrashedKind }));
  }

  /** Returns the documents that were deleted before a time. */
  async deletedBefore(
    time: Date,
  ): Promise<readonly { readonly number: number; readonly documentId: string }[]> {
    return this.#state.db
      .selectFrom('trash')
      .select(['number', 'document_id as documentId'])
      .where('at', '<', time.toISOString())
      .orderBy('number', 'desc')
      .execute();
  }

  async find(
    number: number,
  ): Promise<(TrashedDocument & { readonly files: readonly TrashedFile[] }) | undefined> {
    const found = await this.#documents()
      .select('trash.files')
      .where('trash.number', '=', number)
      .executeTakeFirst();
    return (
      found && {
        ...found,
        kind: found.kind as TrashedKind,
        files: JSON.parse(found.files) as TrashedFile[],
      }
    );
  }

  async forget(number: number): Promise<void> {
    await this.#state.db.deleteFrom('trash').where('number', '=', number).execute();
  }

  #documents() {
    return this.#state.db
      .selectFrom('trash')
      .innerJoin('document', 'document.id', 'trash.document_id')
      .select([
        'trash.number',
        'trash.document_id as documentId',
        'document.kind',
        'trash.name',
        'trash.title',
        'trash.at',
      ]);
  }
}
