import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of access tokens, and marks users that are programs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run(`alter table "user" add column is_service ${whole} not null default 0`);
  const columns = [
    `id ${text} primary key`,
    `user_id ${text} not null references "user" (id) on delete cascade`,
    ...['name', 'token_hash', 'scope', 'created_by', 'created_at', 'expires_at'].map(
      name => `${name} ${text} not null`,
    ),
    `last_used_at ${text}`,
    'unique (token_hash)',
  ];
  await run(`create table access_token (${columns.join(', ')}) ${strict}`);
  await run('create index access_token_user on access_token (user_id)');
}
