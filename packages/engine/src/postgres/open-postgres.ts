import { postgres, SqlError, type FunctionCall, type Statement } from '@belvedere/sql';
import type { DataType } from '@belvedere/model';
import pg from 'pg';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import Cursor from 'pg-cursor';
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
import { keysByTable, withDeclaredKeys, type KeyColumn } from '../database/declared-keys.ts';
import { resultsFrom, type Limits, type ObservedColumn } from '../database/collect-rows.ts';
import { authoritiesFor, certificateError } from '../database/verified-tls.ts';
import { refusedFunctions, valuesFor } from './refused-functions.ts';

/** The driver collects this many rows per batch; fewer if rows are large. */
const rowsAtOnce = 5_000;
const firstRows = 500;
const bytesAtOnce = 8 * 2 ** 20;

/** Settings of every session: read-only, with fixed formats of times and numbers. */
const session =
  "set default_transaction_read_only = on; set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1; set standard_conforming_strings = on; set client_encoding = 'UTF8'";

/** Values stay texts as received, because the driver's parsers lose digits and time zones. */
const asTexts = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

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
    ...resultsFrom(ended),
    check,
    tables,
    tableName: (schema, table) => `${postgres.quote(schema)}.${postgres.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: async () => void (await Promise.all([pool.end(), apart.end()])),
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
    const onError = () => (isBroken = true);
    client.on('error', onError);
    let unguard = () => {};
    try {
      await runWithLimits(options, watch => {
        unguard = guardSocket(socketOf(client), watch.received);
        return {
          result: statement.custom
            ? runApart(client, statement, statement.custom, options, watch, begin, addRow)
            : prepare(client, options.timeoutMs).then(() => read(client, statement, watch, begin, addRow)),
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
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
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
      const [name, isVolatile] = refused;
      const why =
        isVolatile === 'true'
          ? 'it is `volatile`, so it may change data. If it only reads, declare it `stable`'
          : 'it runs SQL from a text argument';
      throw new SqlError(`The function \`${name}\` is not allowed: ${why}.`);
    }
    await read(client, statement, watch, begin, addRow);
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

  async function connect(from: pg.Pool = pool): Promise<pg.PoolClient> {
    try {
      return await from.connect();
    } catch (error) {
      throw asEngineError(error, connection);
    }
  }

  async function read(
    client: pg.PoolClient,
    statement: Statement,
    watch: Watch,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    const { connection: wire } = client as unknown as { connection: EventEmitter };
    const socket = socketOf(client);
    wire.on('dataRow', watch.onData);
    const cursor = client.query(
      new Cursor<(string | null)[]>(statement.text, [...statement.parameters], {
        rowMode: 'array',
        types: asTexts,
      }),
    );
    let wanted = firstRows;
    try {
      for (;;) {
        const before = socket.bytesRead;
        const { rows, fields } = await nextRows(cursor, wanted);
        watch.emptied();
        begin(
          statement.columns ??
            fields.map(field => ({ name: field.name, type: typeNames.get(field.dataTypeID) ?? 'other' })),
        );
        for (const row of rows) {
          const added = addRow(row);
          if (added) await watch.held(added);
        }
        if (rows.length < wanted) break;
        wanted = Math.max(
          1,
          Math.min(
            rowsAtOnce,
            Math.floor((bytesAtOnce * rows.length) / Math.max(1, socket.bytesRead - before)),
          ),
        );
      }
      await cursor.close();
    } finally {
      wire.off('dataRow', watch.onData);
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

  async function check(): Promise<ServerFacts> {
    const rows = await queryRows(`
      select current_setting('server_version'), (select rolsuper from pg_roles where rolname = current_user)::text,
        exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and has_table_privilege(c.oid, 'insert, update, delete, truncate'))::text,
        exists (select from pg_roles where rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend') and pg_has_role(oid, 'member'))::text`);
    const [version, isSuper, mayWrite, mayReach] = rows[0] ?? [];
    const login = `The user \`${connection.user}\``;
    const warnings =
      isSuper === 'true'
        ? [
            `${login} is a superuser and could read the server's own files. Use a user with only the SELECT privilege.`,
          ]
        : [
            ...(mayWrite === 'true'
              ? [`${login} can change data. Use a user with only the SELECT privilege.`]
              : []),
            ...(mayReach === 'true'
              ? [
                  `${login} can access the server's files, programs or other sessions. Use a user with only the SELECT privilege.`,
                ]
              : []),
          ];
    return { version: `PostgreSQL ${versionFrom(version, connection, 'PostgreSQL')}`, warnings };
  }

  async function tables(): Promise<readonly DatabaseTable[]> {
    const wanted = connection.schemas;
    const rows = await queryRows(
      `select n.nspname, c.relname, c.relkind::text, c.reltuples::bigint::text, a.attname, format_type(a.atttypid, null), coalesce(ty.typtype::text, ''),
        exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1 and i.indkey[0] = a.attnum and i.indpred is null and a.attnotnull)::text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type ty on ty.oid = a.atttypid
      where c.relkind in ('r', 'v', 'm', 'p', 'f') and has_table_privilege(c.oid, 'select') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' ${wanted ? 'and n.nspname = any ($1)' : ''}
      order by n.nspname, c.relname, a.attnum`,
      wanted ? [[...wanted]] : [],
    );
    const keys = keysByTable(await declaredKeys());
    return grouped(rows).map(table => ({
      ...table,
      ...withDeclaredKeys(keys.get(JSON.stringify([table.schema, table.name]))),
    }));
  }

  /** Keys of whole tables: those of partitions repeat them. */
  async function declaredKeys(): Promise<KeyColumn[]> {
    const rows = await queryRows(
      `select n.nspname, c.relname, k.conname, a.attname, rn.nspname, rc.relname, ra.attname
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
        cross join lateral unnest(k.conkey) with ordinality u(num, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num
        left join pg_class rc on rc.oid = k.confrelid left join pg_namespace rn on rn.oid = rc.relnamespace
        left join pg_attribute ra on ra.attrelid = k.confrelid and ra.attnum = k.confkey[u.place]
      where k.contype in ('p', 'u', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and has_table_privilege(c.oid, 'select') and (k.contype <> 'f' or has_table_privilege(rc.oid, 'select'))
        and not exists (select 1 from pg_inherits i where i.inhrelid in (c.oid, rc.oid))
      order by n.nspname, c.relname, k.conname, u.place`,
    );
    return rows.map(([schema, table, constraint, column, toSchema, toTable, toColumn]) => ({
      schema: schema!,
      table: table!,
      constraint: constraint!,
      column: column!,
      ...(toColumn && { refers: { schema: toSchema!, table: toTable!, column: toColumn } }),
    }));
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

/** Slightly longer than our own time limit, so that the server stops by itself if this process has died. */
const timeLimit = (timeoutMs: number) => `set statement_timeout = ${Math.round(timeoutMs + 500)}`;

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function nextRows(
  cursor: Cursor<(string | null)[]>,
  wanted: number,
): Promise<{ rows: (string | null)[][]; fields: { name: string; dataTypeID: number }[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(wanted, (error, rows, result) =>
      error
        ? reject(error)
        : resolve({
            rows,
            fields:
              (result as unknown as { fields?: { name: string; dataTypeID: number }[] } | undefined)
                ?.fields ?? [],
          }),
    );
  });
}

function grouped(rows: readonly (string | null)[][]): DatabaseTable[] {
  const tables = new Map<
    string,
    {
      schema: string;
      name: string;
      isView: boolean;
      estimatedRows?: number;
      columns: { name: string; type: DataType }[];
      unique: string[];
    }
  >();
  for (const [schema, name, kind, estimate, column, type, typeKind, isUnique] of rows) {
    const key = JSON.stringify([schema, name]);
    const table = tables.get(key) ?? {
      schema: schema!,
      name: name!,
      isView: kind === 'v',
      ...(Number(estimate) >= 0 && kind !== 'v' && { estimatedRows: Number(estimate) }),
      columns: [],
      unique: [],
    };
    table.columns.push({ name: column!, type: typeKind === 'e' ? 'text' : (types[type!] ?? 'other') });
    if (isUnique === 'true') table.unique.push(column!);
    tables.set(key, table);
  }
  return [...tables.values()];
}

const types: Readonly<Record<string, DataType>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  date: 'date',
  'timestamp without time zone': 'time',
  'timestamp with time zone': 'instant',
  text: 'text',
  'character varying': 'text',
  character: 'text',
  '"char"': 'text',
  name: 'text',
  uuid: 'text',
  citext: 'text',
  'time without time zone': 'text',
  inet: 'text',
  cidr: 'text',
  money: 'text',
};
const typeNames = new Map<number, DataType>([
  [20, 'integer'],
  [21, 'integer'],
  [23, 'integer'],
  [1700, 'decimal'],
  [700, 'number'],
  [701, 'number'],
  [16, 'boolean'],
  [1082, 'date'],
  [1114, 'time'],
  [1184, 'instant'],
  [25, 'text'],
  [1043, 'text'],
  [1042, 'text'],
  [2950, 'text'],
]);

/** By SQLSTATE. */
const refusalOf = { '28P01': 'login', '28000': 'origin', '3D000': 'database', '53300': 'full' } as const;

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { code = '', message, severity } = error as { code?: string; message: string; severity?: string };
  const refused = refusals(connection);
  if (Object.hasOwn(refusalOf, code)) return refused[refusalOf[code as keyof typeof refusalOf]](error);
  if (code === '57014')
    return new EngineError(
      'query-timeout',
      'The server stopped the query: it timed out, or was cancelled on the server.',
      { cause: error },
    );
  // Affects a single table; the source stays available.
  if (code === '42501')
    return new EngineError(
      'query-failed',
      `The user lacks the permission to read this. ${sentence(message)}`,
      {
        cause: error,
      },
    );
  if (code === '42P01' || code === '3F000')
    return new EngineError('table-gone', sentence(message), { cause: error });
  if (code === '42703') return new EngineError('column-gone', sentence(message), { cause: error });
  // A statement has parameters without values. The connection is fine.
  if (code === '08P01' && severity === 'ERROR')
    return new EngineError('query-failed', sentence(message), { cause: error });
  // SQLSTATEs contain a digit; codes such as EPIPE do not.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57P'))
    return new EngineError('query-failed', sentence(message), { cause: error });
  if (/does not support SSL/.test(message)) return refused.plain(error);
  // The server requires a password, and none was configured.
  if (/password must be a/i.test(message)) return refused.login(error);
  return certificateError(message, connection.host, error) ?? unreachable(connection, 'PostgreSQL', error);
}

const sentence = (text: string) =>
  `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
