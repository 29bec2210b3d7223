import { clickhouse, type Statement } from '@belvedere/sql';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import type { Readable } from 'node:stream';
import { EngineError } from '../result.ts';
import {
  connectMs,
  maxConnections,
  type Connection,
  type DatabaseEngine,
  type ServerFacts,
} from '../database/connection.ts';
import { versionFrom } from '../database/connection-errors.ts';
import { runWithLimits, type Watch } from '../database/run-with-limits.ts';
import { resultsFrom, type Limits, type RowReceiver } from '../database/collect-rows.ts';
import { authoritiesFor } from '../database/verified-tls.ts';
import { asEngineError } from './clickhouse-errors.ts';
import { typeOfClickHouse } from './clickhouse-types.ts';
import { listTables } from './list-tables.ts';
import { rowsOfTsv } from './rows-of-tsv.ts';
import { ServerFunctions, type Row } from './server-functions.ts';

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
  const functions = new ServerFunctions(queryRows);

  return {
    dialect: clickhouse,
    ...resultsFrom(fetchRows, 0),
    check,
    tables: () => listTables(queryRows, connection.schemas ?? [connection.database], times),
    tableName: (schema, table) => `${clickhouse.quote(schema)}.${clickhouse.quote(table)}`,
    get status() {
      return { running, restarts: 0 };
    },
    close: () => client.close(),
  };

  /** Runs a statement and passes its result to the receiver. Resolves when the last row has been consumed. */
  async function fetchRows(statement: Statement, options: Limits, receiver: RowReceiver): Promise<void> {
    const id = crypto.randomUUID();
    const cut = new AbortController();
    running++;
    try {
      await runWithLimits(options, watch => ({
        result: functions
          .refuseUnknown(statement.custom ?? [])
          .then(() => read(statement, id, options, cut.signal, watch, receiver)),
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
    receiver: RowReceiver,
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
    receiver.begin(
      statement.columns ??
        columns.names.map((name, i) => ({ name, type: typeOfClickHouse(columns.types[i] ?? '') })),
    );
    for await (const row of columns.rows) {
      watch.emptied();
      const added = receiver.addRow(row);
      if (added) await watch.held(added);
      watch.onData();
    }
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
