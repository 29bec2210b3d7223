import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds to revisions the user who saved them; null for texts from before, and of other programs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table revision add column author_id ${wordsOf(db).text}`).execute(db);
}
