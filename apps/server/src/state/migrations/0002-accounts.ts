import { sql, type Kysely } from 'kysely';
import { wordsOf, type Words } from './column-types.ts';

/**
 * Creates the tables of team mode. `user`, `session`, `account` and `verification` are those that better-auth
 * expects. Times are ISO texts and booleans are 0 or 1, on both databases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const words = wordsOf(db);
  for (const [name, columns] of Object.entries(tables(words)))
    await sql.raw(`create table "${name}" (${columns.join(', ')}) ${words.strict}`).execute(db);
  for (const [name, columns] of Object.entries(indexes))
    await sql.raw(`create index ${name} on ${columns}`).execute(db);
}

function tables({ text, whole, counter }: Words): Readonly<Record<string, readonly string[]>> {
  const id = `id ${text} primary key`;
  const required = (...names: readonly string[]) => names.map(name => `${name} ${text} not null`);
  const optional = (...names: readonly string[]) => names.map(name => `${name} ${text}`);
  const userId = `user_id ${text} not null references "user" (id) on delete cascade`;
  const groupId = `group_id ${text} not null references user_group (id) on delete cascade`;
  return {
    user: [
      id,
      ...required('name', 'email', 'created_at', 'updated_at', 'role', 'attributes'),
      `email_verified ${whole} not null`,
      ...optional('image', 'disabled_at', 'last_seen_at'),
      'unique (email)',
    ],
    session: [
      id,
      userId,
      ...required('token', 'created_at', 'updated_at', 'expires_at'),
      ...optional('ip_address', 'user_agent', 'confirmed_at'),
      'unique (token)',
    ],
    account: [
      id,
      userId,
      ...required('account_id', 'provider_id', 'created_at', 'updated_at'),
      ...optional('access_token', 'refresh_token', 'id_token', 'access_token_expires_at'),
      ...optional('refresh_token_expires_at', 'scope', 'password'),
    ],
    verification: [id, ...required('identifier', 'value', 'expires_at', 'created_at', 'updated_at')],
    user_group: [id, ...required('name', 'attributes'), 'unique (name)'],
    membership: [userId, groupId, 'primary key (user_id, group_id)'],
    invitation: [
      id,
      ...required('email', 'role', 'groups', 'token_hash', 'created_by', 'created_at', 'expires_at'),
      ...optional('accepted_at'),
      'unique (token_hash)',
    ],
    password_reset: [`token_hash ${text} primary key`, userId, ...required('expires_at')],
    access_grant: [
      ...required('subject_kind', 'subject_id', 'object_kind', 'object_id', 'level', 'created_by', 'at'),
      'primary key (subject_kind, subject_id, object_kind, object_id)',
    ],
    audit: [
      `id ${counter}`,
      ...required('at', 'action', 'outcome'),
      ...optional('actor', 'actor_id', 'address', 'object', 'detail'),
    ],
  };
}

const indexes: Readonly<Record<string, string>> = {
  session_user_id_idx: 'session (user_id)',
  account_user_id_idx: 'account (user_id)',
  verification_identifier_idx: 'verification (identifier)',
  membership_group: 'membership (group_id)',
  access_grant_object: 'access_grant (object_kind, object_id)',
  audit_at: 'audit (at)',
};
