import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { StateDatabase } from '../database/state-database.ts';

/** How a text became the document's: saved here, or changed on disk by another program. */
type Origin = 'saved' | 'disk';

export interface Revision {
  readonly number: number;
  readonly at: string;
  readonly origin: Origin;
  readonly message: string;
  readonly hash: string;
  /** The name of the user who saved it, while the account exists. */
  readonly author?: string;
}

/** What is said of a text that is saved. */
export interface RevisionNote {
  readonly message?: string;
  /** The ID of the user who saves it. */
  readonly authorId?: string | undefined;
}

/** Returns the hash that identifies a text, such as the base of a save. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const batchRows = 500;

/** Earlier texts of documents: all of the history's retention, then the last of each day. */
export class Revisions {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async add(
    documentId: string,
    text: string,
    origin: Origin,
    { message = '', authorId }: RevisionNote = {},
  ): Promise<Revision> {
    const revision = { at: new Date().toISOString(), origin, message, hash: textHash(text) };
    const { number } = await this.#state.db
      .insertInto('revision')
      .values({ document_id: documentId, ...revision, text, author_id: authorId ?? null })
      .returning('number')
      .executeTakeFirstOrThrow();
    return { number, ...revision };
  }

  async isLatest(documentId: string, text: string): Promise<boolean> {
    const latest = await this.#state.db
      .selectFrom('revision')
      .select('hash')
      .where('document_id', '=', documentId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return latest?.hash === textHash(text);
  }

  /** Returns the hash of the newest text of each document in use, by its path. */
  async latestHashes(): Promise<ReadonlyMap<string, string>> {
    const newest = this.#state.db
      .selectFrom('revision')
      .select(({ fn }) => fn.max('number').as('number'))
      .groupBy('document_id');
    const rows = await this.#state.db
      .selectFrom('revision')
      .innerJoin('document', 'document.id', 'revision.document_id')
      .select(['document.path', 'revision.hash'])
      .where('document.deleted_at', 'is', null)
      .where('revision.number', 'in', newest)
      .execute();
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  }

  /** Newest first. @param before the number of the revision after which the list continues */
  async of(
    documentId: string,
    { before, limit = 200 }: { readonly before?: number | undefined; readonly limit?: number } = {},
  ): Promise<Revision[]> {
    const rows = await this.#withAuthors()
      .where('document_id', '=', documentId)
      .$if(before !== undefined, query => query.where('number', '<', before!))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map(revisionFrom);
  }

  async text(
    documentId: string,
    number: number,
  ): Promise<(Revision & { readonly text: string }) | undefined> {
    const row = await this.#withAuthors()
      .select('revision.text')
      .where('document_id', '=', documentId)
      .where('number', '=', number)
      .executeTakeFirst();
    return row && { ...revisionFrom(row), text: row.text };
  }

  #withAuthors() {
    return this.#state.db
      .selectFrom('revision')
      .leftJoin('user', 'user.id', 'revision.author_id')
      .select([
        'revision.number',
        'revision.at',
        'revision.origin',
        'revision.message',
        'revision.hash',
        'user.name as author',
      ]);
  }

  async textOf(documentId: string, hash: string): Promise<string | undefined> {
    const found = await this.#state.db
      .selectFrom('revision')
      .select('text')
      .where('document_id', '=', documentId)
      .where('hash', '=', hash)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return found?.text;
  }

  /**
   * Thins out revisions from before a time to the last of each day, in batches of some hundreds, so that
   * requests are served in between.
   */
  async prune(earlierThan: Date): Promise<void> {
    const before = earlierThan.toISOString();
    for (let after = 0; ; await turn()) {
      const batch = await this.#state.db
        .selectFrom('revision')
        .select('number')
        .where('number', '>', after)
        .orderBy('number')
        .limit(batchRows)
        .execute();
      const last = batch.at(-1)?.number;
      if (last === undefined) return;
      const dayOfNext = sql<string>`(select substr(next.at, 1, 10) from revision as next
        where next.document_id = revision.document_id and next.number > revision.number
        order by next.number limit 1)`;
      await this.#state.db
        .deleteFrom('revision')
        .where('number', '>', after)
        .where('number', '<=', last)
        .where('at', '<', before)
        .where(sql`substr(revision.at, 1, 10)`, '=', dayOfNext)
        .execute();
      after = last;
    }
  }
}

function revisionFrom({
  number,
  at,
  origin,
  message,
  hash,
  author,
}: Omit<Revision, 'origin' | 'author'> & {
  readonly origin: string;
  readonly author: string | null;
}): Revision {
  return { number, at, origin: origin as Origin, message, hash, ...(author !== null && { author }) };
}
