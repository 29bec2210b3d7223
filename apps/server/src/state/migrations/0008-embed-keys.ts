import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of keys for embedding, and of the dashboards that some of them are limited to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const key = [
    `id ${text} primary key`,
    `name ${text} not null`,
    `secret ${text} not null`,
    `origins ${text} not null`,
    `is_limited ${whole} not null`,
    `created_by ${text} not null references "user" (id) on delete cascade`,
    `created_at ${text} not null`,
    `used_at ${text}`,
  ];
  await sql.raw(`create table embed_key (${key.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index embed_key_user on embed_key (created_by)').execute(db);
  const dashboard = [
    `key_id ${text} not null references embed_key (id) on delete cascade`,
    `document_id ${text} not null references document (id) on delete cascade`,
    'primary key (key_id, document_id)',
  ];
  await sql.raw(`create table embed_key_dashboard (${dashboard.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index embed_key_document on embed_key_dashboard (document_id)').execute(db);
}
