import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ProblemError } from '../problem-error.ts';
import { diskError } from '../disk-errors.ts';
import { problemOfStorage, storageProblem, storageReason } from '../storage-problem.ts';
import { migrations } from './migrations.ts';

/**
 * The database of revisions, the trash, drafts, views and sessions; documents themselves are files.
 * Every writing call is on disk when it returns. All calls throw ProblemError `state-unavailable` if the disk
 * or the database fails.
 */
export interface StateDatabase {
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  run(
    sql: string,
    ...values: readonly SQLInputValue[]
  ): { readonly changes: number; readonly lastInsertRowid: number };
  /** Runs all of `work` or rolls back. A nested transaction joins the outer one. */
  transaction<T>(work: () => T): T;
  /** Why an earlier database was moved aside when this one was opened, if it was. */
  readonly damage?: string;
  close(): void;
}

/** At start, waits for other programs to finish. Later, a waiting request would block all others. */
const openingWaitMs = 5000;
const runningWaitMs = 250;

/**
 * Opens the state database, creates it if missing, and migrates it. A damaged database is moved aside and
 * kept, and replaced by a new one.
 * @param mayWrite called before each change; throws if this process may no longer write
 * @throws ProblemError `state-unavailable` if it is busy, not permitted, on a full or failing disk, or of a
 * newer version; nothing is changed then
 */
export async function openStateDatabase(
  folder: string,
  mayWrite: () => void = () => {},
): Promise<StateDatabase> {
  const file = path.join(folder, 'state.db');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = open(file);
    const damage = 'damage' in found ? putAside(file, found.damage) : undefined;
    const sql = 'sql' in found ? found.sql : create(file);
    sql.exec(`pragma busy_timeout = ${runningWaitMs}`);
    return { ...callsOf(sql, folder, mayWrite), ...(damage !== undefined && { damage }) };
  } catch (error) {
    throw problemOf(error, folder, `Could not open \`${file}\``);
  }
}

/**
 * Opens the state database read-only, beside the server that has it open; undefined if there is none of the
 * current version.
 */
export function openStateDatabaseReadOnly(folder: string): StateDatabase | undefined {
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(path.join(folder, 'state.db'), { readOnly: true, timeout: openingWaitMs });
    if (versionOf(sql) !== migrations.length) throw new RangeError('another version');
    return callsOf(sql, folder, () => {});
  } catch {
    sql?.close();
    return undefined;
  }
}

function callsOf(sql: DatabaseSync, folder: string, mayWrite: () => void): StateDatabase {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string) => {
    const known = prepared.get(text) ?? sql.prepare(text);
    prepared.set(text, known);
    return known;
  };
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw problemOf(error, folder);
    }
  };
  return {
    all: <Row>(text: string, ...values: readonly SQLInputValue[]) =>
      attempt(() => statement(text).all(...values) as Row[]),
    get: <Row>(text: string, ...values: readonly SQLInputValue[]) =>
      attempt(() => statement(text).get(...values) as Row | undefined),
    run: (text, ...values) => {
      mayWrite();
      const { changes, lastInsertRowid } = attempt(() => statement(text).run(...values));
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    transaction: work => {
      if (sql.isTransaction) return work();
      mayWrite();
      attempt(() => sql.exec('begin immediate'));
      try {
        const done = work();
        attempt(() => sql.exec('commit'));
        return done;
      } catch (error) {
        // SQLite rolls back by itself if the disk is full. A transaction left open would discard later
        // changes when the process ends.
        if (sql.isTransaction) sql.exec('rollback');
        throw error;
      }
    },
    close: () => sql.close(),
  };
}

/**
 * SQLite's I/O errors do not always say that the disk is full, for example if a shared-memory file cannot
 * grow. Checking the disk does.
 */
function problemOf(error: unknown, folder: string, what?: string): unknown {
  if (error instanceof ProblemError) return error;
  const reason = storageReason(error);
  const isVague =
    reason === 'disk-failed' ||
    (reason === 'no-permission' && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR');
  const known = isVague ? diskError(folder) : undefined;
  return known ? problemOfStorage(known, what, error) : (storageProblem(error, what) ?? error);
}

/** @returns the open database, its damage, or neither if there is none yet */
function open(
  file: string,
): { readonly sql: DatabaseSync } | { readonly damage: string } | Record<never, never> {
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
    const version = versionOf(sql);
    if (version > migrations.length)
      throw new ProblemError(
        'state-unavailable',
        `${file} was written by a newer Belvedere. Update Belvedere to open this folder.`,
      );
    const columns = columnsOf(sql);
    if (columns !== columnsOfVersion(version))
      return closed(sql, { damage: 'is missing some of its tables' });
    sql.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    // Reports a busy or read-only database now rather than at the first save.
    sql.exec('begin immediate; rollback');
    migrate(sql, version);
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

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

/** Creates the database elsewhere and renames it into place, so that an empty file always means damage. */
function create(file: string): DatabaseSync {
  const draft = `${file}.new`;
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
  const sql = new DatabaseSync(draft, { timeout: openingWaitMs });
  try {
    // Safe without a journal, since the file only counts once it is renamed into place.
    sql.exec('pragma journal_mode = off; pragma synchronous = off');
    migrate(sql, 0);
  } finally {
    sql.close();
  }
  sync(draft);
  renameSync(draft, file);
  sync(path.dirname(file));
  const made = open(file);
  if (!('sql' in made)) throw new Error(`${file} was just created and is damaged.`);
  return made.sql;
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

/** Returns the names of all tables and their columns as one text. */
function columnsOf(sql: DatabaseSync): string {
  const from = "sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'";
  return JSON.stringify(
    sql.prepare(`select t.name as name, c.name as part from ${from} order by 1, 2`).all(),
  );
}

function columnsOfVersion(version: number): string {
  const sql = new DatabaseSync(':memory:');
  try {
    migrate(sql, 0, version);
    return columnsOf(sql);
  } finally {
    sql.close();
  }
}

function versionOf(sql: DatabaseSync): number {
  return (sql.prepare('pragma user_version').get() as { user_version: number }).user_version;
}

function migrate(sql: DatabaseSync, version: number, to = migrations.length): void {
  migrations.slice(version, to).forEach((migration, i) => {
    sql.exec(`begin immediate; ${migration}; pragma user_version = ${version + i + 1}; commit`);
  });
}
