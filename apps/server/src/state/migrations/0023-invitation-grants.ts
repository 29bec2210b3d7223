import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the table of what is shared with a person once they accept their invitation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, strict } = wordsOf(db);
  const columns = [
    `invitation_id ${text} not null references invitation (id) on delete cascade`,
    `object_kind ${text} not null`,
    `object_id ${text} not null`,
    `level ${text} not null`,
    'primary key (invitation_id, object_kind, object_id)',
  ];
  await sql.raw(`create table invitation_grant (${columns.join(', ')}) ${strict}`).execute(db);
  await sql
    .raw('create index invitation_grant_object on invitation_grant (object_kind, object_id)')
    .execute(db);
}
