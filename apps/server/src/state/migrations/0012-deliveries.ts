import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of channels, of messages with their files, and of deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const tables = {
    channel: [
      `id ${text} primary key`,
      `name ${text} not null unique`,
      `kind ${text} not null`,
      `settings ${text} not null`,
      `secret ${text} not null`,
      `limits ${text} not null`,
      `created_by ${text} references "user" (id) on delete set null`,
      `created_at ${text} not null`,
    ],
    message: [
      `id ${text} primary key`,
      `kind ${text} not null`,
      `about ${text} not null`,
      `key ${text} not null unique`,
      `content ${text} not null`,
      `at ${text} not null`,
    ],
    message_file: [
      `message_id ${text} not null references message (id) on delete cascade`,
      `position ${whole} not null`,
      `name ${text} not null`,
      `type ${text} not null`,
      `is_inline ${whole} not null`,
      `alt ${text}`,
      `width ${whole}`,
      `base64 ${text} not null`,
      'primary key (message_id, position)',
    ],
    delivery: [
      `id ${text} primary key`,
      `message_id ${text} not null references message (id) on delete cascade`,
      `user_id ${text}`,
      `channel ${text}`,
      `channel_id ${text}`,
      `address ${text}`,
      `leader_id ${text}`,
      `state ${text} not null`,
      `attempts ${whole} not null`,
      `round ${whole} not null`,
      `reason ${text}`,
      `created_at ${text} not null`,
      `changed_at ${text} not null`,
      `tried_at ${text}`,
      `next_at ${text}`,
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  for (const [name, columns] of [
    ['channel_user', 'channel (created_by)'],
    ['message_at', 'message (at)'],
    ['delivery_message', 'delivery (message_id)'],
    ['delivery_state', 'delivery (state, next_at)'],
    ['delivery_channel', 'delivery (channel_id, state, changed_at)'],
    ['delivery_leader', 'delivery (leader_id)'],
    ['delivery_created', 'delivery (created_at, id)'],
  ])
    await sql.raw(`create index ${name} on ${columns}`).execute(db);
}
