import { sql, type Kysely } from 'kysely';

/** Finds the messages about one alert or report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index message_about on message (about, at)').execute(db);
}
