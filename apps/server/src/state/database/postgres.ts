import { Kysely, PostgresDialect } from 'kysely';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { ProblemError } from '../../http/problem-error.ts';
import { problemOfStorage, storageProblem } from '../../operations/storage-problem.ts';
import { migrate, migrations, migrationTable, migrationTables, requireKnown } from '../migrations/migrate.ts';
import { Notifications } from './notifications.ts';
import type { SomeRows, StateSnapshot } from './snapshot-rows.ts';
import { tableOrder } from '../tables/table-order.ts';
import type { Tables } from '../tables/tables.ts';
import { storable, withProblems } from './with-problems.ts';

/**
 * All tables are in one schema, so that Belvedere can share a database with other programs, and several
 * workspaces can share one database.
 */
const usualSchema = 'belvedere';
const maxConnections = 8;
const connectMs = 5_000;
const statementMs = 30_000;

interface OpenedPostgres {
  readonly db: Kysely<Tables>;
  readonly end: () => Promise<void>;
}

/**
 * Opens the state database on PostgreSQL, creates its schema if missing, and migrates it. Before a migration
 * all rows are copied to `state-before-NAME.jsonl.gz`.
 * @param url a `postgres:` address with its login; `?schema=` names the schema, which is created if missing
 * @param folder for the copies
 * @throws ProblemError `state-unavailable` if the database cannot be reached or is of a newer version
 */
export async function openPostgres(
  url: string,
  folder: string,
): Promise<OpenedPostgres & { readonly notifications: Notifications }> {
  const { pool, schema, config } = poolFor(url);
  const dialect = withProblems(new PostgresDialect({ pool }), problemOf);
  const db = new Kysely<Tables>({ dialect });
  try {
    await createSchema(pool, schema);
    const applied = await appliedIn(pool, schema);
    for (const name of applied) requireKnown(name);
    const next = Object.keys(migrations).find(name => !applied.includes(name));
    if (next !== undefined && applied.length > 0) await copyBefore(pool, schema, folder, next);
    if (next !== undefined) await migrate(new Kysely<unknown>({ dialect }), { schema });
    const notifications = new Notifications(config, { channel: schema, name: config.application_name });
    return { db, notifications, end: () => db.destroy() };
  } catch (error) {
    await pool.end();
    throw problemOf(error);
  }
}

/**
 * Opens the state database for reading, beside the server that uses it. Changes nothing; undefined if its
 * version is not the current one.
 * @throws ProblemError `state-unavailable` if the database cannot be reached
 */
export async function openPostgresReadOnly(url: string): Promise<OpenedPostgres | undefined> {
  const { pool, schema } = poolFor(url);
  try {
    const applied = await appliedIn(pool, schema);
    if (applied.join() !== Object.keys(migrations).join()) {
      await pool.end();
      return undefined;
    }
  } catch (error) {
    await pool.end();
    throw problemOf(error);
  }
  const db = new Kysely<Tables>({ dialect: withProblems(new PostgresDialect({ pool }), problemOf) });
  return { db, end: () => db.destroy() };
}

/** Takes a snapshot beside the server that uses the database. @throws ProblemError */
export async function openPostgresSnapshot(url: string): Promise<StateSnapshot | undefined> {
  const { pool, schema } = poolFor(url);
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end();
    throw problemOf(error);
  });
  const close = async () => {
    client.release();
    await pool.end();
  };
  try {
    // The first query of a transaction takes its snapshot.
    await client.query('begin isolation level repeatable read read only');
    const [migration] = (await appliedIn(client, schema)).slice(-1);
    if (migration !== undefined)
      return { migration, lines: () => singleLines(linesOf(client, schema)), close };
    await close();
    return undefined;
  } catch (error) {
    await close();
    throw problemOf(error);
  }
}

async function* singleLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield* piece.trimEnd().split('\n');
}

/**
 * Creates the tables of a migration with these rows: all of it, or nothing.
 * @throws ProblemError `state-unavailable` if there are tables already, or the migration is not known
 */
export async function restorePostgres(
  url: string,
  migration: string,
  restored: AsyncIterable<SomeRows>,
): Promise<void> {
  requireKnown(migration);
  const { pool, schema } = poolFor(url);
  try {
    await createSchema(pool, schema);
    if ((await appliedIn(pool, schema)).length > 0)
      throw new ProblemError(
        'state-unavailable',
        `The schema \`${schema}\` has a state database already. Name an empty one with \`?schema=\`.`,
      );
    await migrate(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), { schema, to: migration });
    await insertRows(pool, schema, restored).catch(async (error: unknown) => {
      // The schema was empty before.
      await pool.query(`drop schema ${pg.escapeIdentifier(schema)} cascade`);
      throw error;
    });
  } catch (error) {
    throw problemOf(error);
  } finally {
    await pool.end();
  }
}

async function insertRows(pool: pg.Pool, schema: string, restored: AsyncIterable<SomeRows>): Promise<void> {
  const client = await pool.connect();
  const named = (table: string) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
  try {
    await client.query('begin');
    for await (const { table, rows } of restored) {
      if (migrationTables.has(table)) continue;
      const columns = Object.keys(rows[0]!).map(name => pg.escapeIdentifier(name));
      await client.query(
        `insert into ${named(table)} (${columns.join(', ')}) overriding system value
         select ${columns.join(', ')} from json_populate_recordset(null::${named(table)}, $1)`,
        // Databases of SQLite may have texts with NUL, from before it was replaced.
        [JSON.stringify(rows, (_, value) => storable(value))],
      );
    }
    const { rows: counters } = await client.query(
      `select table_name as "table", column_name as "column" from information_schema.columns
       where table_schema = $1 and is_identity = 'YES'`,
      [schema],
    );
    for (const { table, column } of counters as readonly {
      readonly table: string;
      readonly column: string;
    }[])
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${pg.escapeIdentifier(column)}), 0) + 1, false)
         from ${named(table)}`,
        [named(table), column],
      );
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

function poolFor(url: string): {
  readonly pool: pg.Pool;
  readonly schema: string;
  /** Of further connections. */
  readonly config: pg.ClientConfig & { readonly application_name: string };
} {
  const address = new URL(url);
  const schema = address.searchParams.get('schema') ?? usualSchema;
  address.searchParams.delete('schema');
  const config = {
    connectionString: address.href,
    // Tells the changes of this server from those of others.
    application_name: `belvedere ${randomUUID()}`,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...config,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    options: `-c search_path=${pg.escapeIdentifier(schema)}`,
    // Counts and keys are 64-bit integers, which the driver would return as text.
    types: { getTypeParser: (id, format) => (id === int8 ? Number : pg.types.getTypeParser(id, format)) },
  });
  // The pool replaces a broken connection when needed. One that breaks while it is in use fails its queries.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return { pool, schema, config };
}

const int8 = pg.types.builtins.INT8;

/** Creates a schema if it is missing. PostgreSQL's `if not exists` needs the right to create it even if it is there. */
async function createSchema(pool: pg.Pool, schema: string): Promise<void> {
  const { rowCount } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rowCount === 1) return;
  await pool
    .query(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
    .catch((error: { readonly code?: string }) => {
      // Another server created it at the same moment.
      if (error.code !== '23505') throw error;
    });
}

async function appliedIn(pool: pg.Pool | pg.PoolClient, schema: string): Promise<readonly string[]> {
  const { rows: there } = await pool.query('select to_regclass($1) is not null as "isThere"', [
    `${pg.escapeIdentifier(schema)}.${migrationTable}`,
  ]);
  if (!(there[0] as { isThere: boolean }).isThere) return [];
  const { rows } = await pool.query(
    `select name from ${pg.escapeIdentifier(schema)}.${migrationTable} order by name`,
  );
  return rows.map(({ name }) => String(name));
}

/** Copies all tables as lines of JSON, in one snapshot. The first line of each table names it. */
/** Exported for its test only. */
export async function copyBefore(
  pool: pg.Pool,
  schema: string,
  folder: string,
  migration: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copy = path.join(folder, `state-before-${migration}.jsonl.gz`);
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await pipeline(
      Readable.from(linesOf(client, schema)),
      createGzip(),
      createWriteStream(`${copy}.part`, { mode: 0o600 }),
    );
    await client.query('commit');
  } catch (error) {
    await rm(`${copy}.part`, { force: true });
    throw error;
  } finally {
    client.release();
  }
  const handle = await open(`${copy}.part`, 'r');
  await handle.sync();
  await handle.close();
  await rename(`${copy}.part`, copy);
}

const rowsAtOnce = 1000;

async function* linesOf(client: pg.PoolClient, schema: string): AsyncGenerator<string> {
  const { rows } = await client.query(
    `select table_name as "table", column_name as "first" from information_schema.columns
     where table_schema = $1 and ordinal_position = 1`,
    [schema],
  );
  const tables = new Map(
    (rows as readonly { readonly table: string; readonly first: string }[]).map(({ table, first }) => [
      table,
      first,
    ]),
  );
  const { rows: references } = await client.query(
    `select c.relname as "from", f.relname as "to" from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     join pg_namespace n on n.oid = k.connamespace where k.contype = 'f' and n.nspname = $1`,
    [schema],
  );
  const order = tableOrder(
    [...tables.keys()],
    (references as readonly { readonly from: string; readonly to: string }[]).map(({ from, to }) => [
      from,
      to,
    ]),
  );
  for (const table of order) {
    yield `${JSON.stringify({ table })}\n`;
    const name = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`;
    // By keys, so that a row comes after those of its table that it refers to.
    await client.query(
      `declare all_rows cursor for select to_json(t)::text as line from ${name} t
       order by t.${client.escapeIdentifier(tables.get(table)!)}`,
    );
    for (;;) {
      const fetched = await client.query(`fetch ${rowsAtOnce} from all_rows`);
      if (fetched.rows.length === 0) break;
      yield fetched.rows.map(({ line }) => `${String(line)}\n`).join('');
    }
    await client.query('close all_rows');
  }
}

/** PostgreSQL's codes of a server that is down, starting, full, or refuses the login (its Appendix A). */
const unreachable = /^(08|28|3D|53|57P)/;
const network: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
]);

function problemOf(error: unknown): unknown {
  if (error instanceof ProblemError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === '53100') return problemOfStorage('disk-full', undefined, error);
  if (code === '25006') return problemOfStorage('read-only', undefined, error);
  if (code === '42501') return problemOfStorage('no-permission', undefined, error);
  const isGone =
    network.has(code) ||
    unreachable.test(code) ||
    /^(Connection terminated|timeout exceeded|The server does not support SSL)/.test(error.message);
  if (isGone) return problemOfStorage('unreachable', undefined, error);
  return storageProblem(error) ?? error;
}
