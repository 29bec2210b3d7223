import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of what users chose to hear of a dashboard's comments, and of the alerts they muted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const columns = [
    `document_id ${text} not null references document (id) on delete cascade`,
    `user_id ${text} not null references "user" (id) on delete cascade`,
    `choice ${text} not null`,
    'primary key (document_id, user_id)',
  ];
  await sql.raw(`create table notification_choice (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index notification_choice_user on notification_choice (user_id)').execute(db);
}
