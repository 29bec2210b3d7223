import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of the paths that documents had before they were moved, so that links to them are followed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const columns = [
    `path ${text} primary key`,
    `document_id ${text} not null references document (id) on delete cascade`,
  ];
  await sql.raw(`create table former_path (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index former_path_document on former_path (document_id)').execute(db);
}
