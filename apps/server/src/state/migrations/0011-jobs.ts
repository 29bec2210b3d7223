import { sql, type Kysely } from 'kysely';
import { wordsOf } from './column-types.ts';

/** Creates the tables of jobs and of what is scheduled. Times are in ms since 1970. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, whole, strict } = wordsOf(db);
  const tables = {
    job: [
      `id ${text} primary key`,
      `kind ${text} not null`,
      `object ${text} not null`,
      `key ${text} not null unique`,
      `due_at ${whole} not null`,
      `run_at ${whole} not null`,
      `state ${text} not null`,
      `attempt ${whole} not null`,
      `locked_by ${text}`,
      `locked_until ${whole}`,
      `queued_at ${whole} not null`,
      `started_at ${whole}`,
      `ended_at ${whole}`,
      `detail ${text}`,
      `error ${text}`,
    ],
    schedule: [
      `kind ${text} not null`,
      `object ${text} not null`,
      `seen_to ${whole} not null`,
      'primary key (kind, object)',
    ],
    paused_jobs: [`kind ${text} primary key`],
  };
  for (const [name, columns] of Object.entries(tables))
    await sql.raw(`create table ${name} (${columns.join(', ')}) ${strict}`).execute(db);
  await sql.raw('create index job_next on job (state, kind, run_at)').execute(db);
  await sql.raw('create index job_object on job (kind, object, queued_at)').execute(db);
  await sql.raw('create index job_ended on job (ended_at)').execute(db);
}
