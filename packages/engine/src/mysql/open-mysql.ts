import { mariadb, mysql, mysqlSession, SqlError, type FunctionCall, type Statement } from '@belvedere/sql';
import type { DataType } from '@belvedere/model';
import {
  createConnection,
  createPool,
  type Connection as MySqlConnection,
  type ConnectionOptions,
  type PoolConnection,
} from 'mysql2';
import { connect as connectSocket, type Socket } from 'node:net';
import { EngineError, refuseCancelled } from '../result.ts';
import {
  connectMs,
  maxConnections,
  stopMs,
  type Connection,
  type DatabaseEngine,
  type DatabaseTable,
  type ServerFacts,
  type TakeRow,
} from '../database/connection.ts';
import { refusals, unreachable, versionFrom } from '../database/connection-errors.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { guardSocket } from '../database/guard-socket.ts';
import { keysByTable, withDeclaredKeys } from '../database/declared-keys.ts';
import { resultsFrom, type Limits, type ObservedColumn } from '../database/collect-rows.ts';
import { authoritiesFor, certificateError } from '../database/verified-tls.ts';
import { isHarmless } from './harmless-functions.ts';

type Row = (string | null)[];

/**
 * The driver passes Node only the socket, without a host name. For a server configured by IP address, Node
 * then expects a certificate of `localhost`. Node reads a socket's host name from `_host`.
 */
function namedSocket({ host, port }: Connection): Socket {
  return Object.assign(connectSocket({ host, port, keepAlive: true, noDelay: true }), { _host: host });
}

/**
 * A read-only engine for MySQL 8 or MariaDB with streamed results. The version reported at the first check
 * tells which of the two it is.
 */
export function openMySql(connection: Connection, kind: 'mysql' | 'mariadb'): DatabaseEngine {
  const dialect = kind === 'mariadb' ? mariadb : mysql;
  const config: ConnectionOptions = {
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    password: connection.password,
    ...(connection.tls !== 'off' && {
      ssl: { rejectUnauthorized: true, verifyIdentity: true, ca: authoritiesFor(connection.tls) },
      stream: () => namedSocket(connection),
    }),
    connectTimeout: connectMs,
    charset: 'utf8mb4',
    multipleStatements: false,
    rowsAsArray: true,
    // Never send a local file to a server that requests one.
    flags: ['-LOCAL_FILES'],
    // Values stay texts as received. They are UTF-8, as requested, even if the server declares a computed
    // value as bytes.
    typeCast: (field: { string(encoding: string): string | null }) => field.string('utf8'),
  };
  const pool = createPool({
    ...config,
    connectionLimit: maxConnections,
    maxIdle: maxConnections,
    idleTimeout: 60_000,
    enableKeepAlive: true,
  });
  /**
   * Separate connections for custom SQL. If a statement manages to change its session, no other statement is
   * affected.
   */
  const apart = createPool({
    ...config,
    connectionLimit: maxConnections,
    maxIdle: maxConnections,
    idleTimeout: 10_000,
    enableKeepAlive: true,
  });
  const prepared = new WeakMap<MySqlConnection, number>();
  let running = 0;

  return {
    dialect,
    ...resultsFrom(ended),
    check,
    tables,
    tableName: (schema, table) => `${dialect.quote(schema)}.${dialect.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: async () =>
      void (await Promise.all(
        [pool, apart].map(one => new Promise<void>(resolve => one.end(() => resolve()))),
      )),
  };

  /** Runs a statement and passes its rows to `take`. Resolves when the last row has been consumed. */
  async function ended(
    statement: Statement,
    options: Limits,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    refuseCancelled(options.signal);
    const client = await connect(statement.custom ? apart : pool);
    running++;
    let isBroken = false;
    let unguard = () => {};
    // A connection that broke while idle emits an error event to its next user, and the query does not fail
    // by itself.
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    const onError = (error: Error) => {
      isBroken = true;
      broken.reject(error);
    };
    client.on('error', onError);
    try {
      await runWithLimits(options, watch => {
        unguard = guardSocket(socketOf(client), watch.received);
        const rowsAdded = statement.custom
          ? runApart(client, statement, statement.custom, options, watch, begin, addRow)
          : prepare(client, options.timeoutMs).then(() => read(client, statement, watch, begin, addRow));
        return {
          result: Promise.race([rowsAdded, broken.promise]),
          stop: () => {
            // The cancellation may arrive after the statement has ended and would then hit the connection's
            // next statement. So the connection is not reused.
            isBroken = true;
            return kill(client);
          },
          cut: () => {
            isBroken = true;
            client.destroy();
          },
        };
      });
    } catch (error) {
      // An error of our own leaves unread rows on the connection.
      isBroken ||= error instanceof EngineError;
      const known = asEngineError(error, connection);
      isBroken ||= known.code === 'source-unreachable';
      throw known;
    } finally {
      unguard();
      isBroken ||= statement.custom !== undefined && !(await reset(client));
      running--;
      client.off('error', onError);
      if (isBroken) client.destroy();
      else client.release();
    }
  }

  async function prepare(client: PoolConnection, timeoutMs: number): Promise<void> {
    const known = prepared.get(core(client));
    if (known === timeoutMs) return;
    if (known === undefined) {
      await rows(client, mysqlSession);
      await rows(client, 'set session transaction read only');
    }
    await rows(client, timeLimit(timeoutMs));
    prepared.set(core(client), timeoutMs);
  }

  /** Slightly longer than our own time limit, so that the server stops by itself if this process has died. */
  function timeLimit(timeoutMs: number): string {
    const seconds = (timeoutMs + 500) / 1000;
    return kind === 'mariadb'
      ? `set session max_statement_time = ${seconds}`
      : `set session max_execution_time = ${Math.round(seconds * 1000)}`;
  }

  /**
   * Runs custom SQL from a known session state, in a read-only transaction that is rolled back. Refuses
   * statements with calls that may do more than compute a value.
   */
  async function runApart(
    client: PoolConnection,
    statement: Statement,
    calls: readonly FunctionCall[],
    { timeoutMs }: Limits,
    watch: Watch,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    // A reset session uses the server's default character set.
    for (const text of [
      'set names utf8mb4',
      mysqlSession,
      'set session transaction read only',
      timeLimit(timeoutMs),
      'start transaction read only',
    ])
      await rows(client, text);
    const unknown = calls.filter(
      ({ schema, name, isQuoted }) => schema !== undefined || !isHarmless(name, isQuoted),
    );
    for (const { schema, name } of unknown) {
      const literal = (text: string) => `convert(x'${Buffer.from(text).toString('hex')}' using utf8mb4)`;
      // A stored function that declares itself read-only, like PostgreSQL's stable functions.
      const [found] = await rows(
        client,
        `select sql_data_access from information_schema.routines where routine_type = 'FUNCTION' and routine_name = ${literal(name)} and routine_schema = ${schema === undefined ? 'database()' : literal(schema)}`,
      );
      if (found?.[0] === 'READS SQL DATA' || found?.[0] === 'NO SQL') continue;
      const why = found
        ? 'it is not declared read-only. If it is, declare it `reads sql data` or `no sql`'
        : 'it is not a known read-only function';
      throw new SqlError(`The function \`${name}\` is not allowed: ${why}.`);
    }
    await read(client, statement, watch, begin, addRow);
  }

  /** Resets the session's settings and releases its locks. @returns whether the server did so */
  function reset(client: PoolConnection): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(false), stopMs);
      core(client).reset(error => {
        clearTimeout(timer);
        resolve(!error);
      });
    });
  }

  function connect(from = pool): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      from.getConnection((error, client) =>
        error ? reject(asEngineError(error, connection)) : resolve(client),
      );
    });
  }

  function read(
    client: PoolConnection,
    statement: Statement,
    watch: Watch,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      let hasBegun = false;
      let last: Promise<void> | undefined;
      const fail = (error: unknown) => {
        isOver = true;
        reject(error as Error);
      };
      const query = client.query({ sql: statement.text, rowsAsArray: true });
      query.on(
        'fields',
        (fields: readonly { name: string; columnType?: number; columnLength?: number }[]) => {
          watch.onData();
          hasBegun = true;
          begin(
            statement.columns ??
              (fields ?? []).map(field => ({
                name: field.name,
                type: wireTypes[field.columnType ?? -1] ?? 'text',
              })),
          );
        },
      );
      query.on('result', (row: unknown) => {
        if (isOver) return;
        watch.onData();
        watch.emptied();
        try {
          const added = addRow(row as Row);
          if (!added) return;
          client.pause();
          last = watch.held(added).then(() => client.resume(), fail);
        } catch (error) {
          fail(error);
        }
      });
      query.on('error', fail);
      query.on('end', () =>
        hasBegun
          ? void Promise.resolve(last).then(resolve)
          : fail(new EngineError('query-failed', 'The server sent no result.')),
      );
    });
  }

  /** Cancels a statement in the server, through another connection. */
  function kill(client: PoolConnection): Promise<void> {
    return new Promise((resolve, reject) => {
      const other = createConnection(config);
      other.on('error', reject);
      other.query(`kill query ${Number(client.threadId)}`, error => {
        other.destroy();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async function check(): Promise<ServerFacts> {
    const [row = []] = await queryRows('select version()');
    const version = versionFrom(row[0], connection, 'MySQL or MariaDB');
    const grants = await queryRows('show grants');
    const mayWrite = grants.some(([grant]) =>
      /GRANT (ALL|.*\b(INSERT|UPDATE|DELETE|DROP|SUPER|FILE)\b)/i.test(grant ?? ''),
    );
    return {
      version: /mariadb/i.test(version) ? `MariaDB ${version}` : `MySQL ${version}`,
      warnings: mayWrite
        ? [`The user \`${connection.user}\` can change data. Use a user with only the SELECT privilege.`]
        : [],
    };
  }

  async function tables(): Promise<readonly DatabaseTable[]> {
    const wanted = connection.schemas ?? [connection.database];
    const inSchemas = `in (${wanted.map(schema => `x'${Buffer.from(schema).toString('hex')}'`).join(', ')})`;
    const columns = await queryRows(
      `select table_schema, table_name, column_name, data_type, column_type, collation_name from information_schema.columns where binary table_schema ${inSchemas} order by table_schema, table_name, ordinal_position`,
    );
    const kinds = await queryRows(
      `select table_schema, table_name, table_type, table_rows from information_schema.tables where binary table_schema ${inSchemas}`,
    );
    const keys = await queryRows(
      `select table_schema, table_name, max(column_name) from information_schema.statistics where non_unique = 0 and nullable <> 'YES' and binary table_schema ${inSchemas} group by table_schema, table_name, index_name having count(*) = 1`,
    );
    const keyColumns = await queryRows(
      `select table_schema, table_name, constraint_name, column_name,
        referenced_table_schema, referenced_table_name, referenced_column_name
      from information_schema.key_column_usage where binary table_schema ${inSchemas}
      order by table_schema, table_name, constraint_name, ordinal_position`,
    );
    const declared = keysByTable(
      keyColumns.map(([schema, table, constraint, column, toSchema, toTable, toColumn]) => ({
        schema: schema!,
        table: table!,
        constraint: constraint!,
        column: column!,
        ...(toColumn && { refers: { schema: toSchema!, table: toTable!, column: toColumn } }),
      })),
    );
    const found = new Map<
      string,
      {
        schema: string;
        name: string;
        isView: boolean;
        estimatedRows?: number;
        columns: { name: string; type: DataType; collation?: string }[];
        unique: string[];
      }
    >();
    for (const [schema, name, kind, estimate] of kinds)
      found.set(JSON.stringify([schema, name]), {
        schema: schema!,
        name: name!,
        isView: /VIEW/.test(kind ?? ''),
        ...(estimate !== null && { estimatedRows: Number(estimate) }),
        columns: [],
        unique: [],
      });
    for (const [schema, name, column, type, full, collation] of columns)
      found.get(JSON.stringify([schema, name]))?.columns.push({
        name: column!,
        type:
          full === 'tinyint(1)' || full === 'bit(1)' ? 'boolean' : (types[type!.toLowerCase()] ?? 'other'),
        ...(collation && { collation }),
      });
    for (const [schema, name, column] of keys)
      found.get(JSON.stringify([schema, name]))?.unique.push(column!);
    return [...found.values()]
      .filter(table => table.columns.length > 0)
      .map(table => ({
        ...table,
        ...withDeclaredKeys(declared.get(JSON.stringify([table.schema, table.name]))),
      }));
  }

  async function queryRows(text: string): Promise<Row[]> {
    const client = await connect();
    const timer = setTimeout(() => client.destroy(), 30_000);
    try {
      const result = await rows(client, text);
      client.release();
      return result;
    } catch (error) {
      client.destroy();
      throw asEngineError(error, connection);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The connection behind a pool's handle. The pool creates a new handle each time. */
function core(client: PoolConnection): MySqlConnection {
  return (client as unknown as { connection?: MySqlConnection }).connection ?? client;
}

function socketOf(client: PoolConnection): Socket {
  return (core(client) as unknown as { stream: Socket }).stream;
}

function rows(client: PoolConnection, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    client.query({ sql, rowsAsArray: true }, (error, result) =>
      error ? reject(error) : resolve(result as unknown as Row[]),
    );
  });
}

const types: Readonly<Record<string, DataType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  bigint: 'integer',
  year: 'integer',
  decimal: 'decimal',
  float: 'number',
  double: 'number',
  date: 'date',
  datetime: 'time',
  timestamp: 'instant',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  enum: 'text',
  set: 'text',
  time: 'text',
  uuid: 'text',
  inet4: 'text',
  inet6: 'text',
};
const wireTypes: Readonly<Record<number, DataType>> = {
  0: 'decimal',
  1: 'integer',
  2: 'integer',
  3: 'integer',
  4: 'number',
  5: 'number',
  7: 'instant',
  8: 'integer',
  9: 'integer',
  10: 'date',
  12: 'time',
  13: 'integer',
  246: 'decimal',
};

/** @see https://mariadb.com/kb/en/mariadb-error-code-reference/ */
function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { errno = 0, code = '', message } = error as { errno?: number; code?: string; message: string };
  const with_ = (kind: EngineError['code'], words: string) => new EngineError(kind, words, { cause: error });
  const refused = refusals(connection);
  switch (errno) {
    case 1045:
    case 1698:
      return refused.login(error);
    case 1130:
      return refused.origin(error);
    case 1044:
    case 1049:
      return refused.database(error);
    case 1142:
    case 1143:
      // Affects a single table; the source stays available.
      return with_('query-failed', `The user lacks the permission to read this. ${message}`);
    case 1040:
    case 1203:
      return refused.full(error);
    case 1317:
    case 1969:
    case 3024:
      return with_(
        'query-timeout',
        'The server stopped the query: it timed out, or was cancelled on the server.',
      );
    case 1146:
    case 1051:
      return with_('table-gone', `${message}.`);
    case 1054:
      return with_('column-gone', `${message}.`);
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return refused.plain(error);
  const trouble = certificateError(message, connection.host, error);
  if (trouble) return trouble;
  // Codes from 2000 are client errors; codes from 3000 are the server's again (MySQL 8).
  if (
    errno > 1000 &&
    (errno < 2000 || errno >= 3000) &&
    !code.startsWith('PROTOCOL') &&
    errno !== 1053 &&
    errno !== 1152 &&
    errno !== 1158
  )
    return with_('query-failed', `${message}.`);
  return unreachable(connection, 'MySQL or MariaDB', error);
}
