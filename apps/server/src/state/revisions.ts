import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { StateDatabase } from './state-database.ts';

/** How a text became the document's: saved here, or changed on disk by another program. */
type Origin = 'saved' | 'disk';

export interface Revision {
  readonly number: number;
  readonly at: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hash: string;
}

/** Returns the hash that identifies a text, such as the base of a save. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const columns = 'number, at, origin, message, hash';
const keptWholeDays = 90;
const batchRows = 500;

/** Earlier texts of documents: all of the last 90 days, then the last of each day. */
export class Revisions {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  add(file: string, text: string, origin: Origin, message = ''): Revision {
    const revision = { at: new Date().toISOString(), origin, message, hash: textHash(text) };
    const { lastInsertRowid } = this.#state.run(
      'insert into revision (file, at, origin, message, hash, text) values (?, ?, ?, ?, ?, ?)',
      file,
      revision.at,
      origin,
      message,
      revision.hash,
      text,
    );
    return { number: Number(lastInsertRowid), ...revision };
  }

  isLatest(file: string, text: string): boolean {
    const latest = this.#state.get<{ hash: string }>(
      'select hash from revision where file = ? order by number desc limit 1',
      file,
    );
    return latest?.hash === textHash(text);
  }

  /** Saves the texts on disk that are new, all or none of them. */
  noteOnDisk(texts: Iterable<readonly [file: string, text: string]>): void {
    const news = [...texts].filter(([file, text]) => !this.isLatest(file, text));
    if (news.length === 0) return;
    this.#state.transaction(() => {
      for (const [file, text] of news) this.add(file, text, 'disk');
    });
  }

  /** Newest first. */
  of(file: string, limit = 200): Revision[] {
    return this.#state.all<Revision>(
      `select ${columns} from revision where file = ? order by number desc limit ?`,
      file,
      limit,
    );
  }

  text(file: string, number: number): (Revision & { readonly text: string }) | undefined {
    return this.#state.get<Revision & { text: string }>(
      `select ${columns}, text from revision where file = ? and number = ?`,
      file,
      number,
    );
  }

  textOf(file: string, hash: string): string | undefined {
    return this.#state.get<{ text: string }>(
      'select text from revision where file = ? and hash = ? order by number desc limit 1',
      file,
      hash,
    )?.text;
  }

  /** Moves the history of a renamed file. */
  rename(from: string, to: string): void {
    this.#state.run('update revision set file = ? where file = ?', to, from);
  }

  drop(file: string): void {
    this.#state.run('delete from revision where file = ?', file);
  }

  /**
   * Thins out revisions older than 90 days, in batches of some hundreds, so that requests are served in
   * between.
   */
  async prune(now: number): Promise<void> {
    const before = new Date(now - keptWholeDays * 86_400_000).toISOString();
    const nextOfFile =
      'select at from revision as next where next.file = revision.file and next.number > revision.number order by next.number limit 1';
    for (let after = 0; ; await turn()) {
      const batch = this.#state.all<{ number: number }>(
        'select number from revision where number > ? order by number limit ?',
        after,
        batchRows,
      );
      if (batch.length === 0) return;
      const last = batch.at(-1)!.number;
      this.#state.run(
        `delete from revision where number > ? and number <= ? and at < ? and substr(at, 1, 10) = substr((${nextOfFile}), 1, 10)`,
        after,
        last,
        before,
      );
      after = last;
    }
  }
}
