import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of second factors and passkeys, and of the settings of team mode. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const userId = `user_id ${text} not null references "user" (id) on delete cascade`;
  const tables: Readonly<Record<string, readonly string[]>> = {
    totp: [
      `user_id ${text} primary key references "user" (id) on delete cascade`,
      `key ${text} not null`,
      `last_step ${whole} not null`,
      `at ${text} not null`,
    ],
    backup_code: [userId, `hash ${text} not null`, 'primary key (user_id, hash)'],
    passkey: [
      `id ${text} primary key`,
      userId,
      `credential_id ${text} not null`,
      `public_key ${text} not null`,
      `counter ${whole} not null`,
      `transports ${text} not null`,
      `name ${text} not null`,
      `at ${text} not null`,
      `used_at ${text}`,
      'unique (credential_id)',
    ],
    team_setting: [`name ${text} primary key`, `value ${text} not null`],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index passkey_user on passkey (user_id)').execute(db);
}
