import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of sign-in providers and of changes of e-mail addresses that are not confirmed yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const userId = `user_id ${text} not null references "user" (id) on delete cascade`;
  const tables = {
    provider_identity: [
      `id ${text} primary key`,
      `issuer ${text} not null`,
      `subject ${text} not null`,
      userId,
      `provider ${text} not null`,
      `email ${text}`,
      `created_at ${text} not null`,
      `used_at ${text} not null`,
      'unique (issuer, subject)',
    ],
    email_change: [
      `token_hash ${text} primary key`,
      userId,
      `email ${text} not null`,
      `expires_at ${text} not null`,
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table "${name}" (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index provider_identity_user on provider_identity (user_id)').execute(db);
}
