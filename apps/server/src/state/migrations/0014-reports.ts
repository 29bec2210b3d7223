import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of reports: their runs, and who has unsubscribed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const document = `document_id ${text} not null references document (id) on delete cascade`;
  const tables = {
    report_run: [
      document,
      `due_at ${whole} not null`,
      `started_at ${text} not null`,
      `ended_at ${text} not null`,
      `outcome ${text} not null`,
      `reason ${text}`,
      `detail ${text}`,
      `recipients ${whole} not null`,
      `left_out ${text} not null`,
      'primary key (document_id, due_at)',
    ],
    report_unsubscription: [
      document,
      `user_id ${text} not null references "user" (id) on delete cascade`,
      `at ${text} not null`,
      'primary key (document_id, user_id)',
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index report_unsubscription_user on report_unsubscription (user_id)').execute(db);
}
