import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of requests for access to dashboards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const columns = [
    `id ${text} not null`,
    `document_id ${text} not null references document (id) on delete cascade`,
    `user_id ${text} not null references "user" (id) on delete cascade`,
    `message ${text} not null`,
    `at ${text} not null`,
    `declined_at ${text}`,
    'primary key (document_id, user_id)',
    'unique (id)',
  ];
  await sql.raw(`create table access_request (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index access_request_user on access_request (user_id)').execute(db);
}
