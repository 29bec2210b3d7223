import { Kysely } from 'kysely';
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { ProblemError } from '../../http/problem-error.ts';
import { storageReason } from '../../operations/storage-problem.ts';
import { migrate, migrations, migrationTable, migrationTables, requireKnown } from '../migrations/migrate.ts';
import { userVersion } from '../migrations/0001-document-identity.ts';
import { stepsBeforeKysely } from '../migrations/sqlite-before-kysely.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';
import type { SomeRows, StateSnapshot } from './snapshot-rows.ts';
import { tableOrder } from '../tables/table-order.ts';

/** At start, waits for other programs to finish. Later, a waiting request would block all others. */
const openingWaitMs = 5000;
const runningWaitMs = 250;

/**
 * Opens the file of a state database, creates it if missing, and migrates it. A damaged file is moved aside
 * and kept, and replaced by a new one. Before a migration the file is copied to `state-before-NAME.db`.
 * @returns `damage`: the message for users if an earlier file was moved aside
 * @throws ProblemError `state-unavailable` for a newer version; SQLite's own error if the file is busy, not
 * permitted, or on a full or failing disk. Nothing is changed then.
 */
export async function openSqliteFile(
  file: string,
): Promise<{ readonly sql: DatabaseSync; readonly damage?: string }> {
  refuseLink(file);
  const found = await open(file);
  const damage = 'damage' in found ? putAside(file, found.damage) : undefined;
  const sql = 'sql' in found ? found.sql : await create(file);
  sql.exec(`pragma busy_timeout = ${runningWaitMs}`);
  return { sql, ...(damage !== undefined && { damage }) };
}

/** A folder of another person may link to any database of this account, which would be migrated and written to. */
function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ProblemError(
      'state-unavailable',
      `\`${file}\` is a link, which Belvedere does not follow. Put the file itself in its place, or remove the link.`,
    );
}

/**
 * Opens the file read-only, beside the server that has it open; undefined if there is none of the current
 * version.
 */
export function openSqliteFileReadOnly(file: string): DatabaseSync | undefined {
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(file, { readOnly: true, timeout: openingWaitMs });
    if (pendingIn(sql).length > 0) throw new RangeError('another version');
    return sql;
  } catch {
    sql?.close();
    return undefined;
  }
}

/** Takes a snapshot of the file beside the process that has it open. @throws ProblemError */
export function openSqliteSnapshot(file: string): StateSnapshot {
  const sql = new DatabaseSync(file, { readOnly: true, timeout: openingWaitMs });
  try {
    // The first read begins the snapshot.
    sql.exec('begin');
    const migration = appliedIn(sql).at(-1);
    if (migration === undefined) throw notCurrent(file);
    return { migration, lines: () => linesOf(sql), close: async () => sql.close() };
  } catch (error) {
    sql.close();
    throw error;
  }
}

function notCurrent(file: string): ProblemError {
  return new ProblemError(
    'state-unavailable',
    `${file} was written by an old Belvedere. Start Belvedere on this folder once, then try again.`,
  );
}

const rowsPerTurn = 200;

async function* linesOf(sql: DatabaseSync): AsyncGenerator<string> {
  const tables = tablesOf(sql);
  const references = sql
    .prepare(
      `select t.name as name, f."table" as target
       from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table'`,
    )
    .all()
    .map(({ name, target }) => [String(name), String(target)] as const);
  for (const table of tableOrder(tables, references)) {
    yield JSON.stringify({ table });
    let count = 0;
    for (const row of sql.prepare(`select * from "${table}" order by 1`).iterate()) {
      yield JSON.stringify(row);
      // Reading is synchronous, and requests wait meanwhile.
      if (++count % rowsPerTurn === 0) await new Promise(resolve => setImmediate(resolve));
    }
  }
}

function tablesOf(sql: DatabaseSync): string[] {
  return sql
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~'")
    .all()
    .map(({ name }) => String(name))
    .filter(name => !migrationTables.has(name));
}

/**
 * Creates a file with these rows, at the version of a migration: all of it, or nothing.
 * @throws ProblemError `state-unavailable` if there is a file already, or the migration is not known
 */
export async function restoreSqliteFile(
  file: string,
  migration: string,
  restored: AsyncIterable<SomeRows>,
): Promise<void> {
  if (existsSync(file)) throw new ProblemError('state-unavailable', `${file} exists already.`);
  requireKnown(migration);
  await createFile(file, async sql => {
    await migrate(kyselyOn(sql), { to: migration });
    sql.exec('pragma foreign_keys = off; begin');
    const tables = new Set(tablesOf(sql));
    for await (const { table, rows } of restored) {
      // The migrator keeps its own notes.
      if (migrationTables.has(table)) continue;
      if (!tables.has(table)) throw new RangeError(`The state database has no table \`${table}\`.`);
      for (const row of rows) {
        const columns = Object.keys(row).map(name => `"${name.replaceAll('"', '""')}"`);
        sql
          .prepare(
            `insert into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
          )
          .run(...(Object.values(row) as SQLInputValue[]));
      }
    }
    sql.exec('commit');
    const [broken] = sql.prepare('pragma foreign_key_check').all();
    if (broken)
      throw new RangeError(`Rows of \`${String(broken['table'])}\` refer to rows that are missing.`);
  });
}

/** @returns the open database, its damage, or neither if there is none yet */
async function open(
  file: string,
): Promise<{ readonly sql: DatabaseSync } | { readonly damage: string } | Record<never, never>> {
  const size = sizeOf(file);
  // `create` only ever puts a complete database here. An empty file, or a log without a file, is therefore
  // left over from a damaged one.
  if (size === 0) return { damage: 'is empty' };
  if (size === undefined)
    return (sizeOf(`${file}-wal`) ?? 0) > 0 ? { damage: 'is gone, and its log is there' } : {};
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(file, { timeout: openingWaitMs });
    const [check] = Object.values(sql.prepare('pragma quick_check(1)').get()!);
    if (check !== 'ok') return closed(sql, { damage: `is damaged: ${String(check)}` });
    refuseNewer(sql, file);
    if (columnsOf(sql) !== (await expectedColumns(sql)))
      return closed(sql, { damage: 'is missing some of its tables' });
    sql.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    // Reports a busy or read-only database now rather than at the first save.
    sql.exec('begin immediate; rollback');
    const [next] = pendingIn(sql);
    if (next !== undefined) {
      copyBefore(sql, file, next);
      for (let version = versionOf(sql); version < stepsBeforeKysely.length; version++)
        sql.exec(
          `begin immediate; ${stepsBeforeKysely[version]}; pragma user_version = ${version + 1}; commit`,
        );
      await migrate(kyselyOn(sql));
    }
    return { sql };
  } catch (error) {
    sql?.close();
    if (storageReason(error) === 'damaged') return { damage: `is damaged: ${(error as Error).message}` };
    throw error;
  }
}

function closed<T>(sql: DatabaseSync, outcome: T): T {
  sql.close();
  return outcome;
}

function kyselyOn(sql: DatabaseSync): Kysely<unknown> {
  return new Kysely({ dialect: nodeSqliteDialect(sql) });
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

/** Creates the database elsewhere and renames it into place, so that an empty file always means damage. */
async function create(file: string): Promise<DatabaseSync> {
  await createFile(file, sql => migrate(kyselyOn(sql)));
  const made = await open(file);
  if (!('sql' in made)) throw new Error(`${file} was just created and is damaged.`);
  return made.sql;
}

async function createFile(file: string, fill: (sql: DatabaseSync) => Promise<void>): Promise<void> {
  const draft = `${file}.new`;
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  const sql = new DatabaseSync(draft, { timeout: openingWaitMs });
  try {
    // Safe without a synchronous journal, since the file only counts once it is renamed into place.
    sql.exec('pragma journal_mode = memory; pragma synchronous = off');
    await fill(sql);
  } finally {
    sql.close();
  }
  sync(draft);
  renameSync(draft, file);
  sync(path.dirname(file));
}

/** Copies the database as it is before its migration, so that an earlier Belvedere could open it again. */
function copyBefore(sql: DatabaseSync, file: string, migration: string): void {
  const copy = path.join(path.dirname(file), `state-before-${migration}.db`);
  // A copy that was interrupted lies at the other name, and is replaced.
  rmSync(`${copy}.part`, { force: true });
  if (existsSync(copy)) return;
  sql.prepare('vacuum into ?').run(`${copy}.part`);
  sync(`${copy}.part`);
  renameSync(`${copy}.part`, copy);
  sync(path.dirname(file));
}

/** @returns the message for users */
function putAside(file: string, damage: string): string {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  for (const end of ['', '-wal', '-shm'])
    if (sizeOf(file + end) !== undefined) renameSync(file + end, aside + end);
  sync(path.dirname(file));
  const kept = `It is kept as ${path.basename(aside)}; history, drafts, favourites and views start empty`;
  return `${file} ${damage}. ${kept}. Dashboards are not affected.`;
}

function sync(fileOrFolder: string): void {
  const handle = openSync(fileOrFolder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems cannot sync folders.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  } finally {
    closeSync(handle);
  }
}

function refuseNewer(sql: DatabaseSync, file: string): void {
  const isNewer =
    versionOf(sql) > userVersion || appliedIn(sql).some(name => !Object.hasOwn(migrations, name));
  if (isNewer)
    throw new ProblemError(
      'state-unavailable',
      `${file} was written by a newer Belvedere. Update Belvedere to open this folder.`,
    );
}

/** Returns the names of applied migrations, in their order. */
function appliedIn(sql: DatabaseSync): readonly string[] {
  const isThere = sql
    .prepare("select 1 from sqlite_master where type = 'table' and name = ?")
    .get(migrationTable);
  if (!isThere) return [];
  const rows = sql.prepare(`select name from ${migrationTable} order by name`).all();
  return rows.map(({ name }) => String(name));
}

function pendingIn(sql: DatabaseSync): readonly string[] {
  const applied = appliedIn(sql);
  return Object.keys(migrations).filter(name => !applied.includes(name));
}

/** Returns the names of all tables and their columns as one text. */
function columnsOf(sql: DatabaseSync): string {
  const from = "sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'";
  const rows = sql.prepare(`select t.name as name, c.name as part from ${from} order by 1, 2`).all();
  return JSON.stringify(
    rows.filter(({ name }) => !migrationTables.has(String(name)) && name !== 'sqlite_sequence'),
  );
}

/** Returns the columns that a database of this one's version has. */
async function expectedColumns(sql: DatabaseSync): Promise<string> {
  const [version, newest] = [versionOf(sql), appliedIn(sql).at(-1)];
  const fresh = new DatabaseSync(':memory:');
  try {
    if (newest === undefined) for (const step of stepsBeforeKysely.slice(0, version)) fresh.exec(step);
    else await migrate(kyselyOn(fresh), { to: newest });
    return columnsOf(fresh);
  } finally {
    fresh.close();
  }
}

function versionOf(sql: DatabaseSync): number {
  return (sql.prepare('pragma user_version').get() as { user_version: number }).user_version;
}
