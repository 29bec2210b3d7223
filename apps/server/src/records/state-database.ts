import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ProblemError } from '../problems.ts';

/** What happened, what is not finished, and what is somebody's own: revisions, the bin, drafts, views. Documents themselves are files. */
export interface StateDatabase {
  readonly sql: DatabaseSync;
  close(): void;
}

/** Each made once, in order; one that was released is never changed, another is put after it. */
const migrations: readonly string[] = [
  `create table revision (number integer primary key, file text not null, at text not null, origin text not null, message text not null, hash text not null, text text not null) strict;
   create index revision_of_file on revision (file, number);
   create table draft (dashboard text primary key, text text not null, base text not null, version integer not null, at text not null) strict;
   create table binned (number integer primary key, dashboard text not null, title text not null, at text not null, files text not null) strict;`,
  'alter table draft rename column dashboard to document',
  `create table favourite (owner text not null, dashboard text not null, at text not null, primary key (owner, dashboard)) strict;
   create table recent (owner text not null, dashboard text not null, at text not null, state text, primary key (owner, dashboard)) strict;
   create table view (owner text not null, dashboard text not null, name text not null, at text not null, state text not null, primary key (owner, dashboard, name)) strict;`,
  `create table note (id integer primary key, dashboard text not null, start text not null, below text, text text not null, at text not null) strict;
   create index note_of_dashboard on note (dashboard, start);`,
  'create table session (hash text primary key, created integer not null, used integer not null) strict',
];

/**
 * Opens the state database, makes it if there is none, and brings it up to date. What is written is on the disk when a call returns.
 * One that is damaged is put aside under another name and a new one begun: documents are not in it.
 */
export async function openStateDatabase(folder: string): Promise<StateDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'state.db');
  let sql = opened(file);
  if (!sql) {
    const aside = `${file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
    for (const end of ['', '-wal', '-shm']) await rename(file + end, aside + end).catch(() => {});
    console.error(`${file} is damaged; it was put aside as ${path.basename(aside)}, and history begins anew.`);
    sql = opened(file);
  }
  if (!sql) throw new Error(`${file} cannot be opened.`);
  return { sql, close: () => sql.close() };
}

/** The state database as it is, to be read beside whoever has it open; undefined where there is none of today's version. Nothing is written, made or put aside. */
export function lookIntoStateDatabase(folder: string): StateDatabase | undefined {
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(path.join(folder, 'state.db'), { readOnly: true, timeout: 5000 });
    const { user_version: version } = sql.prepare('pragma user_version').get() as { user_version: number };
    if (version !== migrations.length) throw new RangeError(`version ${version}`);
    const found = sql;
    return { sql: found, close: () => found.close() };
  } catch {
    sql?.close();
    return undefined;
  }
}

function opened(file: string): DatabaseSync | undefined {
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(file, { timeout: 5000 });
    sql.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    const [check] = Object.values(sql.prepare('pragma quick_check(1)').get()!);
    if (check !== 'ok') throw new Error(String(check));
    const { user_version: version } = sql.prepare('pragma user_version').get() as { user_version: number };
    if (version > migrations.length) throw new ProblemError('state-unavailable', `${file} was written by a newer Belvedere. Update Belvedere to open this folder.`);
    migrations.slice(version).forEach((migration, i) => sql!.exec(`begin immediate; ${migration}; pragma user_version = ${version + i + 1}; commit`));
    return sql;
  } catch (error) {
    sql?.close();
    if (error instanceof ProblemError) throw error;
    return undefined;
  }
}
