import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of access tokens, and marks users that are programs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run(`alter table "user" add column is_service ${whole} not null default 0`);
  await run(
    `create table access_token (id ${text} primary key, user_id ${text} not null references "user" (id) on delete cascade, name ${text} not null, token_hash ${text} not null, scope ${text} not null, created_by ${text} not null, created_at ${text} not null, expires_at ${text} not null, last_used_at ${text}, unique (token_hash)) ${strict}`,
  );
  await run('create index access_token_user on access_token (user_id)');
}
