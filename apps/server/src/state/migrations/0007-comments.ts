import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of comments, and gives event notes authors. Local mode has no user records to refer to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, counter, strict } = wordsOf(db);
  const tables = {
    comment: [
      `id ${counter}`,
      `document_id ${text} not null references document (id) on delete cascade`,
      `parent_id ${whole} references comment (id) on delete cascade`,
      `tile ${text}`,
      `anchor ${text}`,
      `state ${text}`,
      `author_id ${text} not null`,
      `body ${text} not null`,
      `mentions ${text} not null`,
      `created_at ${text} not null`,
      `edited_at ${text}`,
      `deleted_at ${text}`,
      `resolved_at ${text}`,
      `resolved_by ${text}`,
    ],
    comment_read: [
      `user_id ${text} not null`,
      `document_id ${text} not null references document (id) on delete cascade`,
      `read_to ${whole} not null`,
      'primary key (user_id, document_id)',
    ],
    inbox: [
      `user_id ${text} not null references "user" (id) on delete cascade`,
      `comment_id ${whole} not null references comment (id) on delete cascade`,
      `reason ${text} not null`,
      `at ${text} not null`,
      `read_at ${text}`,
      `mailed_at ${text}`,
      'primary key (user_id, comment_id)',
    ],
    inbox_mail: [
      `user_id ${text} primary key references "user" (id) on delete cascade`,
      `is_off ${whole} not null default 0`,
      `sent_at ${text}`,
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index comment_document on comment (document_id, id)').execute(db);
  await sql.raw('create index comment_parent on comment (parent_id)').execute(db);
  await sql.raw('create index comment_read_document on comment_read (document_id)').execute(db);
  await sql.raw('create index inbox_comment on inbox (comment_id)').execute(db);
  await sql.raw(`alter table event_note add column author_id ${text}`).execute(db);
}
