import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of alerts' checks, the states of their groups, and the changes of these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, counter, strict } = wordsOf(db);
  const document = `document_id ${text} not null references document (id) on delete cascade`;
  const tables = {
    alert_check: [
      document,
      `begun_at ${whole} not null`,
      `checked_at ${whole} not null`,
      `watched ${text} not null`,
      `stopped ${text}`,
      `problem ${text}`,
      `measure ${text}`,
      'primary key (document_id)',
    ],
    alert_snooze: [
      document,
      `until ${whole} not null`,
      `by_id ${text} not null`,
      'primary key (document_id)',
    ],
    alert_state: [
      document,
      `group_key ${text} not null`,
      `label ${text} not null`,
      `state ${text} not null`,
      `record ${text} not null`,
      'primary key (document_id, group_key)',
    ],
    alert_change: [
      `id ${counter}`,
      document,
      `group_key ${text} not null`,
      `label ${text} not null`,
      `at ${whole} not null`,
      `from_state ${text} not null`,
      `to_state ${text} not null`,
      `detail ${text} not null`,
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index alert_change_document on alert_change (document_id, id)').execute(db);
  await sql.raw('create index alert_change_at on alert_change (at)').execute(db);
}
