// A process that runs read-only queries with DuckDB. The server may kill it at any time.
import { StatementType, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api';
import { flushCompileCache } from 'node:module';
import { EngineError, type QueryResult } from '../result.ts';
import { StatementGuard } from '../duckdb/guard-statement.ts';
import { openSandbox, volunteerForOutOfMemory } from '../duckdb/open-duckdb.ts';
import { chunksOf, readResult } from '../duckdb/read-result.ts';
import { redactPaths } from '../redact-paths.ts';
import type { FromWorker, ToWorker } from './messages.ts';

volunteerForOutOfMemory();
const { BELVEDERE_TABLES, BELVEDERE_SPILL, BELVEDERE_MEMORY, BELVEDERE_THREADS } = process.env;
const instance = await openSandbox({
  memoryBytes: Number(BELVEDERE_MEMORY),
  threads: Number(BELVEDERE_THREADS),
  spillFolder: BELVEDERE_SPILL!,
  folders: [BELVEDERE_TABLES!],
});
const keeper = await instance.connect();
const guard = new StatementGuard(await instance.connect());
const running = new Map<number, DuckDBConnection>();
const cancelled = new Set<number>();
/** Streams whose latest piece has not been consumed yet. */
const unconsumed = new Map<number, () => void>();
const attached = new Set<string>();
/** Table name → alias of the version it refers to. */
const named = new Map<string, string>();

process.on('message', (message: ToWorker) => void receive(message));
post({ kind: 'ready' });
// The process may be killed at any time, so the compile cache is flushed early for the next one.
setTimeout(flushCompileCache, 3000).unref();

async function receive(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'cancel':
      cancelled.add(message.id);
      running.get(message.id)?.interrupt();
      unconsumed.get(message.id)?.();
      return;
    case 'next':
      unconsumed.get(message.id)?.();
      return;
    case 'attach':
      return respond(message.id, async () => {
        await keeper.run(
          `attach '${message.file.replaceAll("'", "''")}' as ${name(message.alias)} (read_only)`,
        );
        attached.add(message.alias);
        if (message.called === undefined) return undefined;
        // Custom SQL refers to a table by its own name, whatever its current version.
        await keeper.run(
          `create or replace view ${name(message.called)} as select * from ${name(message.alias)}."main"."data"`,
        );
        named.set(message.called, message.alias);
        return undefined;
      });
    case 'detach':
      return respond(message.id, async () => {
        const called = [...named].find(([, alias]) => alias === message.alias)?.[0];
        if (called !== undefined) {
          await keeper.run(`drop view if exists ${name(called)}`);
          named.delete(called);
        }
        attached.delete(message.alias);
        await keeper.run(`detach database if exists ${name(message.alias)}`);
        return undefined;
      });
    case 'run':
      return respond(message.id, () => track(message, async result => readResult(result, message.limits)));
    case 'stream':
      return respond(message.id, () => track(message, result => hand(message.id, chunksOf(result))));
  }
}

async function respond(id: number, work: () => Promise<QueryResult | undefined>): Promise<void> {
  try {
    const result = await work();
    // A stream that is interrupted while it is read ends as if it were complete.
    if (cancelled.has(id)) throw new Error('cancelled');
    post({ kind: 'done', id, ...(result && { result }) });
  } catch (error) {
    const code = cancelled.has(id)
      ? 'query-cancelled'
      : error instanceof EngineError && error.code === 'query-too-large'
        ? error.code
        : 'query-failed';
    post({
      kind: 'failed',
      id,
      code,
      message: redactPaths((error as Error).message, [BELVEDERE_TABLES!, BELVEDERE_SPILL!]),
    });
  } finally {
    cancelled.delete(id);
  }
}

/**
 * Each query has its own connection: a second statement on a connection would silently end the first one's
 * stream.
 */
async function track<T>(
  message: ToWorker & { kind: 'run' | 'stream' },
  read: (result: DuckDBResult) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect();
  running.set(message.id, connection);
  try {
    if (cancelled.has(message.id)) throw new Error('cancelled');
    const { text, parameters, isGenerated } = message.statement;
    if (!isGenerated) await guard.check(text, { views: named.keys(), databases: attached });
    if (cancelled.has(message.id)) throw new Error('cancelled');
    const statements = await connection.extractStatements(text);
    if (statements.count !== 1) throw new Error(`Exactly one statement is allowed, not ${statements.count}.`);
    const prepared = await statements.prepare(0);
    if (prepared.statementType !== StatementType.SELECT) throw new Error('Only SELECT is allowed.');
    parameters.forEach((value, i) => prepared.bindVarchar(i + 1, value));
    return await read(await prepared.stream());
  } finally {
    running.delete(message.id);
    connection.closeSync();
  }
}

/** Sends the pieces, each after the previous one has been consumed. */
async function hand(id: number, chunks: AsyncIterable<QueryResult>): Promise<undefined> {
  for await (const result of chunks) {
    const consumed = new Promise<void>(resolve => unconsumed.set(id, resolve));
    post({ kind: 'piece', id, result });
    await consumed;
    unconsumed.delete(id);
    if (cancelled.has(id)) throw new Error('cancelled');
  }
  return undefined;
}

function name(alias: string): string {
  return `"${alias.replaceAll('"', '""')}"`;
}

function post(message: FromWorker): void {
  if (process.connected) process.send!(message);
}
