import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Adds the owners of documents, and creates the tables of verifications and of days of use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const user = 'references "user" (id) on delete';
  const document = `document_id ${text} not null references document (id) on delete cascade`;
  await sql.raw(`alter table document add column owner_id ${text} ${user} set null`).execute(db);
  // The author of a dashboard gets the right to manage it from themselves.
  await sql
    .raw(
      `update document set owner_id = (
        select min(subject_id) from access_grant
        join "user" on "user".id = subject_id
        where object_kind = 'dashboard' and object_id = document.id
          and subject_kind = 'user' and created_by = subject_id and level = 'manage'
      ) where kind = 'dashboard'`,
    )
    .execute(db);
  const tables = {
    dashboard_verification: [
      document,
      `revision ${text} not null`,
      `by_id ${text} ${user} set null`,
      `at ${text} not null`,
      `until ${text} not null`,
      'primary key (document_id)',
    ],
    dashboard_use: [
      document,
      `user_id ${text} not null ${user} cascade`,
      `day ${text} not null`,
      'primary key (document_id, user_id, day)',
    ],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index dashboard_use_day on dashboard_use (day)').execute(db);
  await sql.raw('create index dashboard_use_document on dashboard_use (document_id, day)').execute(db);
  await sql.raw('create index dashboard_use_user on dashboard_use (user_id)').execute(db);
  await sql.raw('create index dashboard_verification_user on dashboard_verification (by_id)').execute(db);
  await sql.raw('create index document_owner on document (owner_id)').execute(db);
}
