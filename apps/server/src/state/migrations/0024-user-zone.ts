import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds to users the time zone that they chose; null for that of their browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table "user" add column zone ${wordsOf(db).text}`).execute(db);
}
