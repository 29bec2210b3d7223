import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of public links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const columns = [
    `id ${text} primary key`,
    `secret_hash ${text} not null`,
    `document_id ${text} not null references document (id) on delete cascade`,
    `name ${text} not null`,
    `view ${text} not null`,
    `passphrase_hash ${text}`,
    `most_opens ${whole}`,
    `opens ${whole} not null default 0`,
    `opened_at ${text}`,
    `created_by ${text} not null references "user" (id) on delete cascade`,
    `created_at ${text} not null`,
    `expires_at ${text} not null`,
    'unique (secret_hash)',
  ];
  await sql.raw(`create table public_link (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index public_link_document on public_link (document_id)').execute(db);
  await sql.raw('create index public_link_user on public_link (created_by)').execute(db);
}
