import { DuckDBInstance } from '@duckdb/node-api';
import { openDatabase, openDuckDb, type QueryResult, type Engine } from '@belvedere/engine';
import { buildModel, type Column, type DataType, type Model, type TableModelFile } from '@belvedere/model';
import { planQuery, type Query } from '@belvedere/query';
import { writeSql, type Statement } from '@belvedere/sql';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'mysql2/promise';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startClickHouse } from '../servers/start-clickhouse.ts';
import { startMariaDb } from '../servers/start-mariadb.ts';
import { hasMySql, startMySql } from '../servers/start-mysql.ts';
import type { TestServer } from '../servers/server-programs.ts';
import { startPostgres } from '../servers/start-postgres.ts';

export type Cell = string | number | boolean | null;

/**
 * A table as a test states it. Dates and times are milliseconds on a clock without a zone, instants
 * milliseconds since 1970 UTC.
 */
export interface StatedTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly unique?: readonly string[];
}

/** One of the engines with the stated tables in it. */
export interface LoadedEngine {
  readonly name: EngineName;
  readonly engine: Engine;
  readonly tableName: (table: string) => string;
  /** How a workspace would reach it; nothing of DuckDB, which needs no server. */
  readonly server?: {
    readonly kind: 'postgres' | 'mysql' | 'clickhouse';
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
    readonly password: string;
  };
  /** Sends a query that no user of a dashboard could send. */
  readonly keeper: (sql: string) => Promise<unknown>;
  close(): Promise<void>;
}

type EngineName = 'DuckDB' | 'PostgreSQL' | 'MariaDB' | 'MySQL' | 'ClickHouse';

export const databaseKinds = {
  PostgreSQL: 'postgres',
  MariaDB: 'mariadb',
  MySQL: 'mysql',
  ClickHouse: 'clickhouse',
} as const;

/** The engines there are on this machine: all but MySQL are on each. */
export const engineNames = (['DuckDB', 'PostgreSQL', 'MariaDB', 'MySQL', 'ClickHouse'] as const).filter(
  name => name !== 'MySQL' || hasMySql,
);

/**
 * Starts every engine and fills it with the same tables; on ClickHouse each table is spread over two shards.
 */
export function loadEngines(tables: readonly StatedTable[]): Promise<LoadedEngine[]> {
  return Promise.all(engineNames.map(name => loaders[name](tables)));
}

export function modelOf(
  file: Omit<TableModelFile, 'version'>,
  tables: readonly StatedTable[],
  name = 'model',
): Model {
  const { model, problems } = buildModel(
    name,
    { version: 1, ...file },
    tables.map(({ name: table, columns, unique }) => ({ name: table, columns, ...(unique && { unique }) })),
  );
  if (problems.length > 0) throw new Error(problems.map(problem => problem.message).join('\n'));
  return model!;
}

export function statementFor(
  question: Query,
  model: Model,
  zone: string,
  { engine, tableName }: LoadedEngine,
): Statement {
  return writeSql(planQuery(question, model, zone), engine.dialect, tableName);
}

export function ask(question: Query, model: Model, zone: string, loaded: LoadedEngine): Promise<QueryResult> {
  return loaded.engine.run(statementFor(question, model, zone, loaded), {
    as: question.kind === 'cells' ? 'numbers' : 'values',
    timeoutMs: 30_000,
    maxRows: 100_000,
  });
}

const pad = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

function literal(
  value: Cell,
  type: DataType,
  dialect: { text: (value: string) => string; boolean: (value: boolean) => string },
): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return dialect.boolean(value);
  if (type === 'date') return `'${pad(Number(value)).slice(0, 10)}'`;
  if (type === 'time' || type === 'instant') return `'${pad(Number(value)).slice(0, 19)}'`;
  return typeof value === 'number' || type === 'integer' || type === 'decimal'
    ? String(value)
    : dialect.text(value);
}

function inserts(
  table: StatedTable,
  rows: StatedTable['rows'],
  into: string,
  dialect: { text: (value: string) => string; boolean: (value: boolean) => string },
): string[] {
  const statements: string[] = [];
  for (let start = 0; start < rows.length; start += 2000) {
    const values = rows
      .slice(start, start + 2000)
      .map(row => `(${row.map((value, i) => literal(value, table.columns[i]!.type, dialect)).join(', ')})`);
    statements.push(`insert into ${into} values ${values.join(', ')}`);
  }
  return statements;
}

function create(
  table: StatedTable,
  into: string,
  quote: (name: string) => string,
  types: Readonly<Record<DataType, string>>,
): string {
  return `create table ${into} (${table.columns.map(({ name, type }) => `${quote(name)} ${types[type]}`).join(', ')})`;
}

async function loadDuckDb(tables: readonly StatedTable[]): Promise<LoadedEngine> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-duckdb-'));
  const engine = openDuckDb({
    tablesFolder: folder,
    spillFolder: path.join(folder, 'spill'),
    memoryBytes: 2 ** 30,
    threads: 2,
    codedRows: Infinity,
    patientRows: Infinity,
    codedBytes: 0,
  });
  const file = path.join(folder, 'all.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const types = {
    integer: 'bigint',
    decimal: 'decimal(18, 4)',
    number: 'double',
    text: 'varchar',
    boolean: 'boolean',
    date: 'date',
    time: 'timestamp',
    instant: 'timestamptz',
    other: 'json',
  };
  for (const table of tables) {
    await connection.run(create(table, `"${table.name}"`, engine.dialect.quote, types));
    for (const statement of inserts(table, table.rows, `"${table.name}"`, engine.dialect))
      await connection.run(statement);
  }
  connection.closeSync();
  instance.closeSync();
  await engine.attach('all', file);
  return {
    name: 'DuckDB',
    engine,
    tableName: table => `"all"."main"."${table}"`,
    keeper: () => Promise.resolve(),
    close: async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function loadPostgres(tables: readonly StatedTable[]): Promise<LoadedEngine> {
  const server = await startPostgres();
  const database = `loaded_${process.pid}`;
  const login = { host: server.host, port: server.port, user: server.user, password: server.password };
  const first = new pg.Client({ ...login, database: server.database });
  await first.connect();
  await first.query(`create database ${database}`);
  const keeper = new pg.Client({ ...login, database });
  // Stopped by a test, the server ends before its last connection.
  keeper.on('error', () => {});
  first.on('error', () => {});
  await keeper.connect();
  const engine = await openDatabase('postgres', { ...login, database, tls: 'off' });
  const types = {
    integer: 'bigint',
    decimal: 'numeric(18, 4)',
    number: 'double precision',
    text: 'text',
    boolean: 'boolean',
    date: 'date',
    time: 'timestamp',
    instant: 'timestamptz',
    other: 'json',
  };
  await keeper.query("set timezone = 'UTC'");
  for (const table of tables) {
    await keeper.query(create(table, `"${table.name}"`, engine.dialect.quote, types));
    for (const statement of inserts(table, table.rows, `"${table.name}"`, engine.dialect))
      await keeper.query(statement);
    for (const key of table.unique ?? [])
      await keeper.query(
        `alter table "${table.name}" alter "${key}" set not null; create unique index on "${table.name}" ("${key}")`,
      );
  }
  return {
    name: 'PostgreSQL',
    engine,
    tableName: table => `"public"."${table}"`,
    server: { kind: 'postgres', ...login, database },
    keeper: sql => keeper.query(sql),
    close: async () => {
      await engine.close();
      await keeper.end();
      await first.query(`drop database ${database} with (force)`);
      await first.end();
      await server.stop();
    },
  };
}

export const loadMariaDb = async (tables: readonly StatedTable[]) =>
  loadMySqlOf('MariaDB', await startMariaDb(), tables);
export const loadMySql = async (tables: readonly StatedTable[]) =>
  loadMySqlOf('MySQL', await startMySql(), tables);

async function loadMySqlOf(
  name: 'MariaDB' | 'MySQL',
  server: TestServer,
  tables: readonly StatedTable[],
): Promise<LoadedEngine> {
  const engine = await openDatabase(databaseKinds[name], { ...server, tls: 'off' });
  const byBytes = name === 'MySQL' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin';
  const keeper = await createConnection({
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.user,
    password: server.password,
    charset: 'utf8mb4',
  });
  await keeper.query("set session sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '+00:00'");
  const types = {
    integer: 'bigint null',
    decimal: 'decimal(18, 4) null',
    number: 'double null',
    text: 'text character set utf8mb4 null',
    boolean: 'tinyint(1) null',
    date: 'date null',
    time: 'datetime null',
    instant: 'timestamp null',
    other: 'json null',
  };
  const schema = `loaded_${process.pid}`;
  await keeper.query(`drop database if exists ${schema}`);
  await keeper.query(`create database ${schema} character set utf8mb4`);
  for (const table of tables) {
    await keeper.query(create(table, `${schema}."${table.name}"`, engine.dialect.quote, types));
    for (const statement of inserts(table, table.rows, `${schema}."${table.name}"`, engine.dialect))
      await keeper.query(statement);
    for (const key of table.unique ?? []) {
      const isText = table.columns.find(column => column.name === key)!.type === 'text';
      const alter = (collation: string) =>
        keeper.query(
          `alter table ${schema}."${table.name}" modify "${key}" ${isText ? `varchar(200) character set utf8mb4 ${collation}` : 'bigint'} not null, add unique index ("${key}")`,
        );
      // Some databases treat keys that differ only in case or accents as equal unless told otherwise.
      await alter('').catch(() => alter(`collate ${byBytes}`));
    }
  }
  return {
    name,
    engine,
    tableName: table => `"${schema}"."${table}"`,
    server: {
      kind: 'mysql',
      host: server.host,
      port: server.port,
      user: server.user,
      password: server.password,
      database: schema,
    },
    keeper: sql => keeper.query(sql),
    close: async () => {
      await engine.close();
      await keeper.query(`drop database ${schema}`);
      await keeper.end();
      await server.stop();
    },
  };
}

export async function loadClickHouse(tables: readonly StatedTable[], shards = 2): Promise<LoadedEngine> {
  const cluster = await startClickHouse(shards);
  const engine = await openDatabase('clickhouse', { ...cluster, tls: 'off' });
  const run = async (port: number, sql: string) => {
    const response = await fetch(`http://${cluster.host}:${port}/`, { method: 'POST', body: sql });
    const said = await response.text();
    if (!response.ok) throw new Error(`${said}\n${sql.slice(0, 500)}`);
  };
  const types = {
    integer: 'Nullable(Int64)',
    decimal: 'Nullable(Decimal(18, 4))',
    number: 'Nullable(Float64)',
    text: 'Nullable(String)',
    boolean: 'Nullable(UInt8)',
    date: 'Nullable(Date)',
    time: "Nullable(DateTime('UTC'))",
    instant: "Nullable(DateTime('UTC'))",
    other: 'Nullable(String)',
  };
  for (const table of tables) {
    for (const [shard, port] of cluster.shards.entries()) {
      await run(
        port,
        `${create(table, `default.\`${table.name}_local\``, engine.dialect.quote, types)} engine = MergeTree order by tuple()`,
      );
      const mine = table.rows.filter((_, i) => i % cluster.shards.length === shard);
      for (const statement of inserts(table, mine, `default.\`${table.name}_local\``, engine.dialect))
        await run(port, statement);
    }
    for (const port of cluster.shards)
      await run(
        port,
        `create table default.\`${table.name}\` as default.\`${table.name}_local\` engine = Distributed(shards, default, \`${table.name}_local\`, rand())`,
      );
  }
  return {
    name: 'ClickHouse',
    engine,
    tableName: table => `\`default\`.\`${table}\``,
    server: {
      kind: 'clickhouse',
      host: cluster.host,
      port: cluster.port,
      user: cluster.user,
      password: cluster.password,
      database: 'default',
    },
    keeper: sql => run(cluster.port, sql),
    close: async () => {
      await engine.close();
      await cluster.stop();
    },
  };
}

const loaders: Readonly<Record<EngineName, (tables: readonly StatedTable[]) => Promise<LoadedEngine>>> = {
  DuckDB: loadDuckDb,
  PostgreSQL: loadPostgres,
  MariaDB: loadMariaDb,
  MySQL: loadMySql,
  ClickHouse: loadClickHouse,
};

/** The databases of this machine, each with a function that fills it. */
export const databases = engineNames.flatMap(name =>
  name === 'DuckDB' ? [] : [[name, loaders[name]] as const],
);
