import type { StateDatabase } from './state-database.ts';

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

  of(document: string): Draft | undefined {
    return this.#state.get<Draft>('select text, base, version, at from draft where document = ?', document);
  }

  /**
   * Saves a draft unless another change came first. @param after the version that was changed; 0 for a new
   * draft
   */
  put(document: string, text: string, base: string, after: number): Draft | undefined {
    const draft = { text, base, version: after + 1, at: new Date().toISOString() };
    const { changes } =
      after === 0
        ? this.#state.run(
            'insert or ignore into draft (document, text, base, version, at) values (?, ?, ?, ?, ?)',
            document,
            text,
            base,
            draft.version,
            draft.at,
          )
        : this.#state.run(
            'update draft set text = ?, base = ?, version = ?, at = ? where document = ? and version = ?',
            text,
            base,
            draft.version,
            draft.at,
            document,
            after,
          );
    return Number(changes) === 1 ? draft : undefined;
  }

  drop(document: string): void {
    this.#state.run('delete from draft where document = ?', document);
  }

  /** Deletes old drafts whose documents have a prefix, such as those without a file. */
  dropOld(prefix: string, before: Date): void {
    this.#state.run(
      'delete from draft where substr(document, 1, length(?)) = ? and at < ?',
      prefix,
      prefix,
      before.toISOString(),
    );
  }

  /** Makes the same change to a draft and to its base, so that what was typed stays the difference. */
  rewrite(document: string, change: (text: string) => string): void {
    const draft = this.of(document);
    if (!draft) return;
    const [text, base] = [change(draft.text), change(draft.base)];
    this.#state.run('update draft set text = ?, base = ? where document = ?', text, base, document);
  }

  rename(from: string, to: string): void {
    this.#state.run('update or replace draft set document = ? where document = ?', to, from);
  }
}
