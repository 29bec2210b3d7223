import { mariadb, mysql, mysqlSession, type FunctionCall, type Statement } from '@belvedere/sql';
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
  type ServerFacts,
  type TakeRow,
} from '../database/connection.ts';
import { versionFrom } from '../database/connection-errors.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { guardSocket } from '../database/guard-socket.ts';
import { resultsFrom, type Limits, type ObservedColumn } from '../database/collect-rows.ts';
import { authoritiesFor } from '../database/verified-tls.ts';
import { refuseUnknownFunctions } from './harmless-functions.ts';
import { listTables } from './list-tables.ts';
import { asEngineError } from './mysql-errors.ts';
import { allRows, readRows, type Row } from './read-rows.ts';

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
    tables: () => listTables(connection, queryRows),
    tableName: (schema, table) => `${dialect.quote(schema)}.${dialect.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: async () =>
      void (await Promise.all(
        [pool, apart].map(one => new Promise<void>(resolve => one.end(() => resolve()))),
      )),
  };

  /** Runs a statement and passes its rows to `addRow`. Resolves when the last row has been consumed. */
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
          : prepare(client, options.timeoutMs).then(() => readRows(client, statement, watch, begin, addRow));
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
      await allRows(client, mysqlSession);
      await allRows(client, 'set session transaction read only');
    }
    await allRows(client, timeLimit(timeoutMs));
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
      await allRows(client, text);
    await refuseUnknownFunctions(calls, sql => allRows(client, sql));
    await readRows(client, statement, watch, begin, addRow);
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

  async function queryRows(text: string): Promise<Row[]> {
    const client = await connect();
    const timer = setTimeout(() => client.destroy(), 30_000);
    try {
      const result = await allRows(client, text);
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
