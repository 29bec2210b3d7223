import { sql, type Kysely } from 'kysely';

/** The trash holds documents of all kinds: what named a dashboard names any of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trash rename column dashboard to name`.execute(db);
}
