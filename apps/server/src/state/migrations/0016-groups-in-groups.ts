import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of groups that contain groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const group = (column: string) => `${column} ${text} not null references user_group (id) on delete cascade`;
  const columns = [group('outer_id'), group('inner_id'), 'primary key (outer_id, inner_id)'];
  await sql.raw(`create table group_in_group (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index group_in_group_inner on group_in_group (inner_id)').execute(db);
}
