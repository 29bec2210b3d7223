import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds to access tokens what those of assistants have, whose users signed in; null for all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = wordsOf(db);
  for (const name of ['client', 'client_hash', 'family_hash', 'refresh_hash', 'access_expires_at'])
    await sql.raw(`alter table access_token add column ${name} ${text}`).execute(db);
}
