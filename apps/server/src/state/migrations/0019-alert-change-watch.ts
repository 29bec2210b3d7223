import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds to changes of alerts what the alert watched then; null for changes from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table alert_change add column watch ${wordsOf(db).text}`).execute(db);
}
