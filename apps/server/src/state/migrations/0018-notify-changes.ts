import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** The tables of which servers keep rows in memory, and the changes that they must know of. */
const followed: Readonly<Record<string, string>> = {
  // Not the time at which a user was last seen, which changes each minute.
  user: 'insert or delete or update of name, email, role, disabled_at, attributes',
  user_group: 'insert or delete or update',
  membership: 'insert or delete or update',
  group_in_group: 'insert or delete or update',
  totp: 'insert or delete',
  passkey: 'insert or delete',
  provider_identity: 'insert or delete',
  document: 'delete or update of path, deleted_at',
  access_grant: 'insert or delete or update',
  access_token: 'insert or delete or update of token_hash, scope, expires_at',
  session: 'delete or update of token',
  team_setting: 'insert or delete or update',
  public_link: 'insert or delete or update of expires_at',
  embed_key: 'insert or delete or update of secret, origins',
  channel: 'insert or delete or update',
  paused_jobs: 'insert or delete or update',
};

/**
 * Lets PostgreSQL tell all servers when a table has changed of which they keep records in memory, once the
 * change is committed. The channel is named as the schema. A SQLite file has one server only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!wordsOf(db).isPostgres) return;
  await sql
    .raw(
      `create function notify_change() returns trigger language plpgsql as $$
       begin
         perform pg_notify(tg_table_schema, json_build_object(
           'from', current_setting('application_name'), 'table', tg_table_name)::text);
         return null;
       end $$`,
    )
    .execute(db);
  for (const [table, changes] of Object.entries(followed))
    await sql
      .raw(
        `create trigger notify_change after ${changes} on "${table}"
         for each statement execute procedure notify_change()`,
      )
      .execute(db);
}
