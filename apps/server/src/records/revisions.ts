import { createHash } from 'node:crypto';
import type { StateDatabase } from './state-database.ts';

/** How a text came to be the document's: saved here, or changed on the disk by something else. */
type Origin = 'saved' | 'disk';

export interface Revision {
  readonly number: number;
  readonly at: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hash: string;
}

/** What names a text: the base that a save is made on. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const columns = 'number, at, origin, message, hash';
const keptWholeDays = 90;

/** Every text that was a document's, for as long as it is kept: all of them for 90 days, then the last of each day. */
export class Revisions {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
    this.#prune();
  }

  add(file: string, text: string, origin: Origin, message = ''): Revision {
    const revision = { at: new Date().toISOString(), origin, message, hash: textHash(text) };
    const { lastInsertRowid } = this.#state.sql.prepare('insert into revision (file, at, origin, message, hash, text) values (?, ?, ?, ?, ?, ?)').run(file, revision.at, origin, message, revision.hash, text);
    return { number: Number(lastInsertRowid), ...revision };
  }

  isLatest(file: string, text: string): boolean {
    const latest = this.#state.sql.prepare('select hash from revision where file = ? order by number desc limit 1').get(file) as { hash: string } | undefined;
    return latest?.hash === textHash(text);
  }

  /** Remembers what stands on the disk where that is news; all of it or nothing. */
  noteOnDisk(texts: Iterable<readonly [file: string, text: string]>): void {
    const { sql } = this.#state;
    const news = [...texts].filter(([file, text]) => !this.isLatest(file, text));
    if (news.length === 0) return;
    sql.exec('begin immediate');
    for (const [file, text] of news) this.add(file, text, 'disk');
    sql.exec('commit');
  }

  /** The newest first. */
  of(file: string, limit = 200): Revision[] {
    return this.#state.sql.prepare(`select ${columns} from revision where file = ? order by number desc limit ?`).all(file, limit) as unknown as Revision[];
  }

  text(file: string, number: number): (Revision & { readonly text: string }) | undefined {
    return this.#state.sql.prepare(`select ${columns}, text from revision where file = ? and number = ?`).get(file, number) as (Revision & { text: string }) | undefined;
  }

  textOf(file: string, hash: string): string | undefined {
    return (this.#state.sql.prepare('select text from revision where file = ? and hash = ? order by number desc limit 1').get(file, hash) as { text: string } | undefined)?.text;
  }

  /** History goes with the file. */
  rename(from: string, to: string): void {
    this.#state.sql.prepare('update revision set file = ? where file = ?').run(to, from);
  }

  #prune(): void {
    const before = new Date(Date.now() - keptWholeDays * 86_400_000).toISOString();
    this.#state.sql.prepare('delete from revision where at < ? and number not in (select max(number) from revision group by file, substr(at, 1, 10))').run(before);
  }
}
