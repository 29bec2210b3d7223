import { Kysely, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { diskError } from '../../operations/disk-errors.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { problemOfStorage, storageProblem, storageReason } from '../../operations/storage-problem.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';
import type { Notifications } from './notifications.ts';
import { openPostgres, openPostgresReadOnly } from './postgres.ts';
import { openSqliteFile, openSqliteFileReadOnly } from './sqlite-file.ts';
import type { Tables } from '../tables/tables.ts';
import { withProblems } from './with-problems.ts';

/**
 * The database of everything that Belvedere remembers beside the workspace's files: revisions, the trash,
 * drafts, views, sessions. It is a SQLite file or a PostgreSQL database, with the same tables.
 * A change is on disk when its promise resolves. All calls fail with ProblemError `state-unavailable` if the
 * disk or the database fails.
 */
export class StateDatabase {
  readonly #root: Kysely<Tables>;
  readonly #transaction = new AsyncLocalStorage<RunningTransaction>();
  readonly #mayWrite: () => void;
  readonly #end: () => Promise<void>;
  /** Why an earlier database was moved aside when this one was opened, if it was. */
  readonly damage?: string;
  /** Messages between the servers that use it; undefined for a file, which one server uses. */
  readonly notifications?: Notifications;

  /** @param mayWrite called before each change; throws if this process may no longer write */
  constructor(
    db: Kysely<Tables>,
    mayWrite: () => void,
    end: () => Promise<void>,
    { damage, notifications }: Pick<StateDatabase, 'damage' | 'notifications'> = {},
  ) {
    this.#root = db.withPlugin(checkedWrites(mayWrite));
    this.#mayWrite = mayWrite;
    this.#end = end;
    if (damage !== undefined) this.damage = damage;
    if (notifications) this.notifications = notifications;
  }

  /** Runs queries: in the current transaction, if the caller runs in one. */
  get db(): Kysely<Tables> {
    return this.#transaction.getStore()?.db ?? this.#root;
  }

  /**
   * Runs all of `work` or rolls back. Everything that `work` calls and awaits takes part, and a nested
   * transaction joins the outer one.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()) return work();
    this.#mayWrite();
    const afterCommit: (() => void)[] = [];
    const result = await this.#root
      .transaction()
      .execute(db => this.#transaction.run({ db, afterCommit }, work));
    for (const next of afterCommit) next();
    return result;
  }

  /** Calls a function once what was changed is visible to others: at once, or after the current transaction. */
  afterCommit(next: () => void): void {
    const running = this.#transaction.getStore();
    if (running) running.afterCommit.push(next);
    else next();
  }

  async close(): Promise<void> {
    await this.notifications?.close();
    await this.#end();
  }
}

interface RunningTransaction {
  readonly db: Kysely<Tables>;
  readonly afterCommit: (() => void)[];
}

/** Where the state is kept: in a folder, or in a PostgreSQL database beside it. */
export interface StateLocation {
  /** The folder of the instance's own records. Created if missing. */
  readonly folder: string;
  /** A `postgres:` address. */
  readonly url?: string | undefined;
}

/**
 * Opens the state database, creates it if missing, and migrates it after making a copy. A damaged file is
 * moved aside and kept, and replaced by a new one.
 * @param mayWrite called before each change; throws if this process may no longer write
 * @throws ProblemError `state-unavailable` if it is busy, not permitted, not reachable, on a full or failing
 * disk, or of a newer version; nothing is changed then
 */
export async function openStateDatabase(
  { folder, url }: StateLocation,
  mayWrite: () => void = () => {},
): Promise<StateDatabase> {
  if (url !== undefined) {
    const { db, end, notifications } = await openPostgres(url, folder);
    return new StateDatabase(db, mayWrite, end, { notifications });
  }
  const file = path.join(folder, 'state.db');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { sql, damage } = await openSqliteFile(file);
    return onSqlite(sql, folder, mayWrite, damage);
  } catch (error) {
    throw problemOf(error, folder, `Could not open \`${file}\``);
  }
}

/**
 * Opens the state database for reading, beside the server that has it open; undefined if there is none of the
 * current version.
 * @throws ProblemError `state-unavailable` if a PostgreSQL database cannot be reached
 */
export async function openStateDatabaseReadOnly({
  folder,
  url,
}: StateLocation): Promise<StateDatabase | undefined> {
  if (url !== undefined) {
    const opened = await openPostgresReadOnly(url);
    return opened && new StateDatabase(opened.db, () => {}, opened.end);
  }
  const sql = openSqliteFileReadOnly(path.join(folder, 'state.db'));
  return sql && onSqlite(sql, folder, () => {});
}

function onSqlite(sql: DatabaseSync, folder: string, mayWrite: () => void, damage?: string): StateDatabase {
  const db = new Kysely<Tables>({
    dialect: withProblems(nodeSqliteDialect(sql), error => problemOf(error, folder)),
  });
  const end = async () => {
    await db.destroy();
    // Kysely closes only what it has used.
    if (sql.isOpen) sql.close();
  };
  return new StateDatabase(db, mayWrite, end, damage === undefined ? {} : { damage });
}

function checkedWrites(mayWrite: () => void): KyselyPlugin {
  const writing: ReadonlySet<RootOperationNode['kind']> = new Set([
    'InsertQueryNode',
    'UpdateQueryNode',
    'DeleteQueryNode',
    'RawNode',
  ]);
  return {
    transformQuery: ({ node }) => {
      if (writing.has(node.kind)) mayWrite();
      return node;
    },
    transformResult: async ({ result }) => result,
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
