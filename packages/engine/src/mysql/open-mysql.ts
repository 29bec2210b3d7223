import { mariadb, mysql, type Statement } from '@belvedere/sql';
import type { PoolConnection } from 'mysql2';
import { resultsFrom, type Limits, type RowReceiver } from '../database/collect-rows.ts';
import { versionFrom } from '../database/connection-errors.ts';
import type { Connection, DatabaseEngine, ServerFacts } from '../database/connection.ts';
import { guardSocket } from '../database/guard-socket.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { EngineError, refuseCancelled } from '../result.ts';
import { refuseUnknownFunctions } from './harmless-functions.ts';
import { listTables } from './list-tables.ts';
import { MySqlConnections, socketOf } from './mysql-connections.ts';
import { asEngineError } from './mysql-errors.ts';
import { MySqlSessions, resetSession } from './mysql-sessions.ts';
import { allRows, readRows, type Row } from './read-rows.ts';

const listingMs = 30_000;

/**
 * A read-only engine for MySQL 8 or MariaDB with streamed results. The version reported at the first check
 * tells which of the two it is.
 */
export function openMySql(connection: Connection, kind: 'mysql' | 'mariadb'): DatabaseEngine {
  const dialect = kind === 'mariadb' ? mariadb : mysql;
  const connections = new MySqlConnections(connection);
  const sessions = new MySqlSessions(kind);
  let running = 0;

  return {
    dialect,
    ...resultsFrom(fetchRows),
    check: () => serverFacts(queryRows, connection),
    tables: () => listTables(connection, queryRows),
    tableName: (schema, table) => `${dialect.quote(schema)}.${dialect.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: () => connections.close(),
  };

  /** Runs a statement and passes its result to the receiver. Resolves when the last row has been consumed. */
  async function fetchRows(statement: Statement, options: Limits, receiver: RowReceiver): Promise<void> {
    refuseCancelled(options.signal);
    const client = await connections.get(statement.custom ? 'custom SQL' : 'queries');
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
        const rowsRead = runStatement(client, statement, options, watch, receiver);
        return {
          result: Promise.race([rowsRead, broken.promise]),
          stop: () => {
            // The cancellation may arrive after the statement has ended and would then hit the connection's
            // next statement. So the connection is not reused.
            isBroken = true;
            return connections.kill(client);
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
      isBroken ||= statement.custom !== undefined && !(await resetSession(client));
      running--;
      client.off('error', onError);
      if (isBroken) client.destroy();
      else client.release();
    }
  }

  /**
   * Custom SQL runs from a known session state, in a read-only transaction that is rolled back. Statements with
   * calls that may do more than compute a value are refused.
   */
  async function runStatement(
    client: PoolConnection,
    statement: Statement,
    { timeoutMs }: Limits,
    watch: Watch,
    receiver: RowReceiver,
  ): Promise<void> {
    if (statement.custom) {
      await sessions.beginCustom(client, timeoutMs);
      await refuseUnknownFunctions(statement.custom, sql => allRows(client, sql));
    } else await sessions.prepare(client, timeoutMs);
    await readRows(client, statement, watch, receiver);
  }

  async function queryRows(text: string): Promise<Row[]> {
    const client = await connections.get();
    const timer = setTimeout(() => client.destroy(), listingMs);
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

async function serverFacts(
  queryRows: (text: string) => Promise<readonly Row[]>,
  connection: Connection,
): Promise<ServerFacts> {
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
