/** A text that was changed in this browser and not saved yet. */
export interface LocalDraft {
  readonly text: string;
  /** The text that it was begun from, and that text's hash; none for a document without a file. */
  readonly base: string;
  readonly baseHash?: string | undefined;
  readonly version: number;
}

const keyOf = (id: string) => `belvedere:draft:${id}`;

/** Returns the draft of a document; undefined if there is none, or the browser keeps nothing. */
export function readLocalDraft(id: string): LocalDraft | undefined {
  try {
    const value = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null') as LocalDraft | null;
    return typeof value?.text === 'string' && typeof value.base === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeLocalDraft(id: string, draft: LocalDraft): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still edits and saves.
  }
}

export function dropLocalDraft(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // As above.
  }
}
