import type { StateDatabase } from '../database/state-database.ts';

export interface TrashedFile {
  readonly file: string;
  readonly text: string;
}

export interface TrashedDashboard {
  readonly number: number;
  readonly documentId: string;
  readonly dashboard: string;
  readonly title: string;
  readonly at: string;
}

const keptDays = 30;

/** Deleted dashboards, kept for 30 days. */
export class Trash {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async put(
    documentId: string,
    dashboard: string,
    title: string,
    files: readonly TrashedFile[],
  ): Promise<number> {
    const { number } = await this.#state.db
      .insertInto('trash')
      .values({
        document_id: documentId,
        dashboard,
        title,
        at: new Date().toISOString(),
        files: JSON.stringify(files),
      })
      .returning('number')
      .executeTakeFirstOrThrow();
    return number;
  }

  /** Newest first. */
  async all(): Promise<TrashedDashboard[]> {
    return this.#state.db
      .selectFrom('trash')
      .select(['number', 'document_id as documentId', 'dashboard', 'title', 'at'])
      .orderBy('number', 'desc')
      .execute();
  }

  /** Returns the documents whose 30 days have passed. */
  async expired(now: number): Promise<readonly { readonly number: number; readonly documentId: string }[]> {
    const before = new Date(now - keptDays * 86_400_000).toISOString();
    return this.#state.db
      .selectFrom('trash')
      .select(['number', 'document_id as documentId'])
      .where('at', '<', before)
      .orderBy('number', 'desc')
      .execute();
  }

  async find(number: number): Promise<
    | {
        readonly documentId: string;
        readonly dashboard: string;
        readonly files: readonly TrashedFile[];
      }
    | undefined
  > {
    const found = await this.#state.db
      .selectFrom('trash')
      .select(['document_id', 'dashboard', 'files'])
      .where('number', '=', number)
      .executeTakeFirst();
    return (
      found && {
        documentId: found.document_id,
        dashboard: found.dashboard,
        files: JSON.parse(found.files) as TrashedFile[],
      }
    );
  }

  async forget(number: number): Promise<void> {
    await this.#state.db.deleteFrom('trash').where('number', '=', number).execute();
  }
}
