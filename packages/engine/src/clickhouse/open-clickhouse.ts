import { clickhouse, SqlError, type FunctionCall, type Statement } from '@belvedere/sql';
import type { DataType } from '@belvedere/model';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import type { Readable } from 'node:stream';
import { EngineError } from '../result.ts';
import {
  connectMs,
  maxConnections,
  type Connection,
  type DatabaseEngine,
  type DatabaseTable,
  type ServerFacts,
  type TakeRow,
} from '../database/connection.ts';
import { refusals, unreachable, versionFrom } from '../database/connection-errors.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { resultsFrom, type Limits, type ObservedColumn } from '../database/collect-rows.ts';
import { authoritiesFor, certificateError } from '../database/verified-tls.ts';
import { unknownIn, type ServerNames } from './harmless-functions.ts';
import { rowsOfTsv } from './rows-of-tsv.ts';

/** Minimum interval between two lookups of the server's functions. */
const namesMs = 10_000;

/**
 * An engine for ClickHouse 18.16 or newer, a single server or the entry point of a cluster. Aggregations of a
 * Distributed table run on its shards.
 */
export function openClickHouse(
  connection: Connection,
  times: 'moments' | 'wall clock' = 'moments',
): DatabaseEngine {
  const client: ClickHouseClient = createClient({
    url: `${connection.tls === 'off' ? 'http' : 'https'}://${connection.host.includes(':') ? `[${connection.host}]` : connection.host}:${connection.port}`,
    username: connection.user,
    password: connection.password,
    database: connection.database,
    application: 'belvedere',
    max_open_connections: maxConnections,
    request_timeout: 11 * 60_000,
    compression: { response: true, request: false },
    log: { level: ClickHouseLogLevel.OFF },
    ...(connection.tls !== 'off' && {
      tls: { ca_cert: Buffer.from(authoritiesFor(connection.tls).join('\n')) },
    }),
  });
  let running = 0;
  let names: ServerNames | undefined;
  let completionFieldAt = 0;

  return {
    dialect: clickhouse,
    ...resultsFrom(ended, 0),
    check,
    tables,
    tableName: (schema, table) => `${clickhouse.quote(schema)}.${clickhouse.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: () => client.close(),
  };

  /** Runs a statement and passes its rows to `take`. Resolves when the last row has been consumed. */
  async function ended(
    statement: Statement,
    options: Limits,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    const id = crypto.randomUUID();
    const cut = new AbortController();
    running++;
    try {
      await runWithLimits(options, watch => ({
        result: refuseUnknown(statement.custom ?? []).then(() =>
          read(statement, id, options, cut.signal, watch, begin, addRow),
        ),
        stop: () =>
          client.command({ query: `kill query where query_id = '${id}' async` }).then(() => cut.abort()),
        cut: () => cut.abort(),
      }));
    } catch (error) {
      throw asEngineError(error, connection);
    } finally {
      running--;
    }
  }

  async function read(
    statement: Statement,
    id: string,
    options: Limits,
    signal: AbortSignal,
    watch: Watch,
    begin: (columns: readonly ObservedColumn[]) => void,
    addRow: TakeRow,
  ): Promise<void> {
    const { stream } = await client.exec({
      query: `${statement.text}\nformat TabSeparatedWithNamesAndTypes`,
      query_id: id,
      abort_signal: signal,
      clickhouse_settings: {
        readonly: '2',
        max_execution_time: Math.ceil(options.timeoutMs / 1000),
        // Unmatched joins return null instead of 0 or an empty text.
        join_use_nulls: 1,
        distributed_product_mode: 'global',
        // Statements may contain a zone's clock changes many times.
        max_query_size: '16777216',
        max_ast_elements: '1000000',
        max_expanded_ast_elements: '1000000',
        // An unavailable shard is an error, because partial figures would be wrong.
        skip_unavailable_shards: 0,
        // Otherwise the server appends an error during the query as the last line of the result.
        wait_end_of_query: 1,
      },
    });
    const columns = await header(stream, watch);
    watch.onData();
    begin(
      statement.columns ??
        columns.names.map((name, i) => ({ name, type: typeOfClickHouse(columns.types[i] ?? '') })),
    );
    for await (const row of columns.rows) {
      watch.emptied();
      const added = addRow(row);
      if (added) await watch.held(added);
      watch.onData();
    }
  }

  /**
   * Allows only the server's own functions in custom SQL, and none that access files or other machines.
   * Connections have no session, so no state is left behind.
   * @throws SqlError
   */
  async function refuseUnknown(calls: readonly FunctionCall[]): Promise<void> {
    if (calls.length === 0) return;
    let unknown = names ? unknownIn(calls, names) : calls;
    // Functions may have been added since the last lookup.
    if (!names || (unknown.length > 0 && performance.now() > completionFieldAt + namesMs)) {
      names = await namesOfServer();
      completionFieldAt = performance.now();
      unknown = unknownIn(calls, names);
    }
    for (const { name } of unknown) {
      const isView =
        (
          await queryRows(
            `select 1 from system.tables where name = ${clickhouse.text(name)} and engine = 'View' and name not in (select name from system.table_functions)`,
          )
        ).length > 0;
      // A parameterised view is called like a function.
      if (!isView) throw new SqlError(`\`${name}\` is not allowed: it is not a known read-only function.`);
    }
  }

  async function namesOfServer(): Promise<ServerNames> {
    const lower = (rows: readonly Row[]) => new Set(rows.map(([name]) => name!.toLowerCase()));
    const hasOrigin =
      (
        await queryRows(
          "select name from system.columns where database = 'system' and table = 'functions' and name = 'origin'",
        )
      ).length > 0;
    const own = `select name, is_aggregate from system.functions${hasOrigin ? " where toString(origin) <> 'ExecutableUserDefined'" : ''}`;
    const [found, types] = await Promise.all([
      queryRows(own),
      queryRows('select name from system.data_type_families'),
    ]);
    return {
      functions: lower(found),
      aggregates: lower(found.filter(([, isAggregate]) => isAggregate === '1')),
      types: lower(types),
    };
  }

  async function check(): Promise<ServerFacts> {
    // Any HTTP server may have responded, so check the version.
    const [[version, mode] = []] = await queryRows(
      "select version(), (select toString(value) from system.settings where name = 'readonly')",
    );
    return {
      version: `ClickHouse ${versionFrom(version, connection, 'ClickHouse')}`,
      warnings:
        mode === '0'
          ? [
              `The user \`${connection.user}\` can change data. Use a read-only user (profile with readonly = 2).`,
            ]
          : [],
    };
  }

  async function tables(): Promise<readonly DatabaseTable[]> {
    const schemas = connection.schemas ?? [connection.database];
    const inSchemas = `in (${schemas.map(clickhouse.text).join(', ')})`;
    const rows = await queryRows(
      `select database, table, name, type from system.columns where database ${inSchemas}`,
    );
    const kinds = new Map(
      (await queryRows(`select database, name, engine from system.tables where database ${inSchemas}`)).map(
        ([database, name, engine]) => [JSON.stringify([database, name]), engine ?? ''],
      ),
    );
    const found = new Map<
      string,
      { schema: string; name: string; isView: boolean; columns: { name: string; type: DataType }[] }
    >();
    for (const [schema, name, column, type] of rows) {
      const key = JSON.stringify([schema, name]);
      const table = found.get(key) ?? {
        schema: schema!,
        name: name!,
        isView: /View/.test(kinds.get(key) ?? ''),
        columns: [],
      };
      const columnType = typeOfClickHouse(type!);
      table.columns.push({
        name: column!,
        type: columnType === 'instant' && times === 'wall clock' ? 'time' : columnType,
      });
      found.set(key, table);
    }
    return [...found.values()].filter(table => !table.name.startsWith('.inner'));
  }

  async function queryRows(query: string): Promise<Row[]> {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(), connectMs * 2);
    try {
      const { stream } = await client.exec({
        query: `${query} format TabSeparated`,
        abort_signal: cut.signal,
      });
      return await Array.fromAsync(rowsOfTsv(stream as Readable));
    } catch (error) {
      throw asEngineError(error, connection);
    } finally {
      clearTimeout(timer);
    }
  }
}

type Row = (string | null)[];

async function header(
  stream: unknown,
  watch: Watch,
): Promise<{ names: string[]; types: string[]; rows: AsyncGenerator<Row> }> {
  const rows = rowsOfTsv(stream as Readable, watch.received);
  const names = await rows.next();
  const types = await rows.next();
  if (names.done || types.done)
    throw new EngineError('source-unreachable', 'The server closed the connection before it sent a result.');
  return { names: names.value.map(String), types: types.value.map(String), rows };
}

/**
 * Old versions have no type between a date and an instant: a DateTime is an instant, whatever zone it is
 * displayed in.
 */
export function typeOfClickHouse(full: string): DataType {
  const type = full.replace(/^(LowCardinality|Nullable)\((.*)\)$/, '$2').replace(/^Nullable\((.*)\)$/, '$1');
  if (/^U?Int\d+$/.test(type)) return 'integer';
  if (type.startsWith('Float')) return 'number';
  if (type.startsWith('Decimal')) return 'decimal';
  if (/^(String|FixedString|Enum|UUID|IPv)/.test(type)) return 'text';
  if (/^Date(32)?$/.test(type)) return 'date';
  if (type.startsWith('DateTime')) return 'instant';
  return type === 'Bool' ? 'boolean' : 'other';
}

/** Old versions send only a message; newer ones also an error code. */
function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { message, code } = error as { message: string; code?: string };
  const [, ownCode, words] =
    /^Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::\w*Exception: )?([\s\S]*?)(?:, e\.what\(\)|$)/.exec(
      message,
    ) ?? [];
  const number = Number(ownCode ?? code);
  const refused = refusals(connection);
  const detail = (words ?? message).trim().slice(0, 500);
  const with_ = (kind: EngineError['code'], text: string) => new EngineError(kind, text, { cause: error });
  switch (number) {
    case 192:
    case 193:
    case 194:
    case 516:
      return refused.login(error);
    case 81:
      return refused.database(error);
    case 164:
    case 497:
      // Affects a single table; the source stays available.
      return with_('query-failed', `The user lacks the permission. ${detail}`);
    case 159:
    case 394:
      return with_(
        'query-timeout',
        'The server stopped the query: it timed out, or was cancelled on the server.',
      );
    case 279:
    case 210:
    case 209:
    case 519:
      return with_('source-unreachable', 'A server of the cluster cannot be reached.');
    case 60:
      return with_('table-gone', detail);
    case 47:
    case 16:
    case 10:
    case 8:
      return with_('column-gone', detail);
    case 241:
      return with_('query-too-large', `The server ran out of memory for this query. ${detail}`);
  }
  if (Number.isFinite(number) && number > 0) return with_('query-failed', detail);
  return certificateError(message, connection.host, error) ?? unreachable(connection, 'ClickHouse', error);
}
