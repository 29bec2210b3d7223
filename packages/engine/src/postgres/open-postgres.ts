import { postgres, SqlError, type FunctionCall, type Statement } from '@belvedere/sql';
import pg from 'pg';
import { EngineError, refuseCancelled } from '../result.ts';
import {
  connectMs,
  maxConnections,
  stopMs,
  type Connection,
  type DatabaseEngine,
} from '../database/connection.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { guardSocket } from '../database/guard-socket.ts';
import { resultsFrom, type Limits, type RowReceiver } from '../database/collect-rows.ts';
import { authoritiesFor } from '../database/verified-tls.ts';
import { reasons, refusedFunctions, valuesFor } from './refused-functions.ts';
import { listTables } from './list-tables.ts';
import { asEngineError } from './postgres-errors.ts';
import { asTexts, readRows, socketOf } from './read-rows.ts';
import { serverFacts } from './server-facts.ts';

/** Settings of every session: read-only, with fixed formats of times and numbers. */
const session =
  "set default_transaction_read_only = on; set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1; set standard_conforming_strings = on; set client_encoding = 'UTF8'";

/** The driver reads missing options from environment variables. None of these is intended for this server. */
class OwnClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    Object.assign((this as unknown as { readonly connectionParameters: object }).connectionParameters, {
      options: undefined,
      replication: undefined,
    });
  }
}

/** A read-only engine for PostgreSQL with streamed results. */
export function openPostgres(connection: Connection): DatabaseEngine {
  const config: pg.ClientConfig = {
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    // A function, because the driver would replace an empty text by `PGPASSWORD` or an entry of `~/.pgpass`.
    password: () => connection.password,
    ssl: connection.tls === 'off' ? false : { rejectUnauthorized: true, ca: authoritiesFor(connection.tls) },
    connectionTimeoutMillis: connectMs,
    application_name: 'belvedere',
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, Client: OwnClient, max: maxConnections, idleTimeoutMillis: 60_000 });
  /**
   * Separate connections for custom SQL. If a statement manages to change its session, no other statement is
   * affected.
   */
  const apart = new pg.Pool({
    ...config,
    Client: OwnClient,
    max: maxConnections,
    idleTimeoutMillis: 10_000,
  });
  // The pool replaces a broken idle connection when needed.
  for (const one of [pool, apart]) one.on('error', () => {});
  const prepared = new WeakMap<pg.PoolClient, number>();
  let running = 0;

  return {
    dialect: postgres,
    ...resultsFrom(fetchRows),
    check: () => serverFacts(queryRows, connection),
    tables: () => listTables(queryRows, connection.schemas),
    tableName: (schema, table) => `${postgres.quote(schema)}.${postgres.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: async () => void (await Promise.all([pool.end(), apart.end()])),
  };

  /** Runs a statement and passes its result to the receiver. Resolves when the last row has been consumed. */
  async function fetchRows(statement: Statement, options: Limits, receiver: RowReceiver): Promise<void> {
    refuseCancelled(options.signal);
    const client = await connect(statement.custom ? apart : pool);
    running++;
    let isBroken = false;
    const onError = () => (isBroken = true);
    client.on('error', onError);
    let unguard = () => {};
    try {
      await runWithLimits(options, watch => {
        unguard = guardSocket(socketOf(client), watch.received);
        return {
          result: statement.custom
            ? runApart(client, statement, statement.custom, options, watch, receiver)
            : prepare(client, options.timeoutMs).then(() => readRows(client, statement, watch, receiver)),
          stop: () => {
            // The cancellation may arrive after the statement has ended and would then hit the connection's
            // next statement. So the connection is not reused.
            isBroken = true;
            return cancel(client);
          },
          cut: () => {
            isBroken = true;
            socketOf(client).destroy();
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
      client.release(isBroken);
    }
  }

  async function prepare(client: pg.PoolClient, timeoutMs: number): Promise<void> {
    if (prepared.get(client) === timeoutMs) return;
    if (!prepared.has(client)) await client.query(session);
    await client.query(timeLimit(timeoutMs));
    prepared.set(client, timeoutMs);
  }

  async function connect(from: pg.Pool = pool): Promise<pg.PoolClient> {
    try {
      return await from.connect();
    } catch (error) {
      throw asEngineError(error, connection);
    }
  }

  /** Cancels a statement in the server, through another connection. */
  async function cancel(client: pg.PoolClient): Promise<void> {
    const other = new OwnClient(config);
    other.on('error', () => {});
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [
      (client as unknown as { processID: number }).processID,
    ]);
    await other.end();
  }

  async function queryRows(text: string, values: unknown[] = []): Promise<(string | null)[][]> {
    const client = await connect();
    const timer = setTimeout(() => socketOf(client).destroy(), 30_000);
    let isBroken = false;
    const onError = () => (isBroken = true);
    client.on('error', onError);
    try {
      return (await client.query<(string | null)[]>({ text, values, rowMode: 'array', types: asTexts })).rows;
    } catch (error) {
      isBroken = true;
      throw asEngineError(error, connection);
    } finally {
      clearTimeout(timer);
      client.off('error', onError);
      client.release(isBroken);
    }
  }
}

/**
 * Runs custom SQL from a known session state, in a read-only transaction that is rolled back. First it
 * queries the server whether the statement calls functions that may do more than compute a value. That
 * query takes the transaction's first snapshot, so the transaction stays read-only.
 */
async function runApart(
  client: pg.PoolClient,
  statement: Statement,
  calls: readonly FunctionCall[],
  { timeoutMs }: Limits,
  watch: Watch,
  receiver: RowReceiver,
): Promise<void> {
  await client.query(`${session}; ${timeLimit(timeoutMs)}`);
  await client.query('begin transaction read only');
  const {
    rows: [refused],
  } = await client.query<[string, string]>({
    text: refusedFunctions,
    values: valuesFor(calls),
    rowMode: 'array',
  });
  if (refused) {
    const [name, reason] = refused;
    throw new SqlError(`The function \`${name}\` is not allowed: ${reasons[reason]}.`);
  }
  await readRows(client, statement, watch, receiver);
}

/** Resets the session's settings and releases its locks. @returns whether the server did so */
async function reset(client: pg.PoolClient): Promise<boolean> {
  const timer = setTimeout(() => socketOf(client).destroy(), stopMs);
  try {
    await client.query('rollback');
    await client.query('discard all');
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Slightly longer than our own time limit, so that the server stops by itself if this process has died. */
const timeLimit = (timeoutMs: number) => `set statement_timeout = ${Math.round(timeoutMs + 500)}`;
