import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds to grants how many rows of a table an export may have; null for no limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table access_grant add column export_rows ${wordsOf(db).whole}`).execute(db);
}
