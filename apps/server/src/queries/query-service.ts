import { asyncChannel, refuseCancelled, type FileEngine, type QueryResult } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { planQuery, queryKeyOf, type Query } from '@belvedere/query';
import { customStatement, writeSql } from '@belvedere/sql';
import { limits, type StartLimits } from '../limits.ts';
import { redactError } from '../access/row-policies.ts';
import type { SourceStore } from '../workspace/sources/source-store.ts';
import { requireWholeTables } from '../workspace/tables/table-part.ts';
import { InFlightQueries } from './cache/in-flight-queries.ts';
import { ResultCache } from './cache/result-cache.ts';
import { MemoryBudget } from './cache/bounded-cache.ts';
import { DatabaseQueries } from './database-queries.ts';
import { FileQueries } from './file-queries.ts';
import { databaseOf, statementFor } from './models/source-statements.ts';
import { versionsOf } from './models/stored-tables.ts';
import { modelFor } from './models/visible-models.ts';
import type { QueryContext } from './query-context.ts';
import type { QueryRun } from './query-run.ts';
import { QueryQueues } from './queue/query-queues.ts';
import { RunningQueries, type QuerySubject } from './queue/running-queries.ts';

/**
 * The single gateway to the engine: tiles, indexes, value lists, totals, rows and semantic queries all pass
 * here, under the caller's row policies.
 * Equal queries share one result, running or cached. A query without remaining callers is cancelled in the
 * engine.
 */
export class QueryService {
  readonly #engine: FileEngine;
  readonly #sources: Pick<SourceStore, 'engineOf'>;
  readonly #onFiles: FileQueries;
  readonly #onDatabases: DatabaseQueries;
  readonly queues: QueryQueues;
  readonly cache: ResultCache;
  /** Shared by the result caches and the caches of encoded responses. */
  readonly memory: MemoryBudget;
  readonly #inFlight = new InFlightQueries();
  /** All queries that run or wait. */
  readonly listed = new RunningQueries();
  executions = 0;

  constructor(
    engine: FileEngine,
    sources: Pick<SourceStore, 'engineOf'>,
    {
      cacheBytes,
      runningQueries,
      isShared,
    }: Pick<StartLimits, 'cacheBytes' | 'runningQueries'> & {
      /** Several users share the server, so none of them may have all places to run. */
      readonly isShared: boolean;
    },
  ) {
    this.memory = new MemoryBudget(cacheBytes);
    this.cache = new ResultCache(this.memory);
    this.queues = new QueryQueues(runningQueries, isShared);
    this.#engine = engine;
    this.#sources = sources;
    const onExecute = () => void this.executions++;
    this.#onFiles = new FileQueries(engine, this.queues, onExecute);
    this.#onDatabases = new DatabaseQueries(sources, this.queues, this.memory, onExecute);
  }

  /** Returns the SQL of a query for display, without running it. */
  sqlOf(query: Query, queryContext: QueryContext): string {
    const model = modelFor(query, queryContext);
    const plan = planQuery(query, model, queryContext.zone);
    if (model.source === 'files')
      return writeSql(plan, this.#engine.dialect, table => this.#engine.dialect.quote(table), 'inline').text;
    const source = this.#sources.engineOf(model.source);
    return source
      ? writeSql(plan, source.engine.dialect, table => source.engine.dialect.quote(table), 'inline').text
      : '';
  }

  /** @throws ProblemError, QueryError, EngineError */
  async run(
    query: Query,
    queryContext: QueryContext,
    timeoutMs: number = queryContext.isExport
      ? queryContext.workspace.limits.exportMs
      : queryContext.workspace.limits.queryMs,
  ): Promise<QueryResult> {
    this.queues.noteActive(queryContext.caller.userId);
    const model = this.#readable(query, queryContext);
    const versions = versionsOf(model, queryContext.workspace);
    const isSampled = queryContext.resultRows === 'sample' && !isExtent(query);
    const key = JSON.stringify([
      isSampled ? 'sample' : 'all',
      versions,
      queryContext.zone,
      JSON.stringify(model),
      queryKeyOf(query),
    ]);
    const cached = this.cache.get(key);
    if (cached) return cached;
    refuseCancelled(queryContext.signal);
    try {
      return await this.#inFlight.join(
        // Pages and exports run equal queries separately, since they have different timeouts.
        queryContext.isExport ? `export ${key}` : key,
        (signal, cancel) => {
          const plan = planQuery(query, model, queryContext.zone);
          const isCells = query.kind === 'cells';
          const run = { plan, model, isCells, isSampled, queryContext, timeoutMs };
          return this.#runAndCache(key, run, signal, cancel);
        },
        queryContext.signal,
      );
    } catch (error) {
      throw redactError(error, queryContext.caller);
    }
  }

  /**
   * Runs custom SQL in the source's own dialect and returns its first rows. Only for model authors; the
   * result is not cached.
   * @throws ProblemError, EngineError, SqlError
   */
  async runSql(
    source: string,
    sql: string,
    maxRows: number,
    queryContext: QueryContext,
  ): Promise<QueryResult> {
    requireWholeTables({ source, table: '', joins: {}, sql }, queryContext.workspace);
    const database = databaseOf(this.#sources, source, queryContext.workspace);
    const statement = customStatement(sql, (database?.engine ?? this.#engine).dialect);
    this.queues.noteActive(queryContext.caller.userId);
    return this.listed.track(queryContext, { kind: 'sql', source }, progress => {
      const signal = anySignal(queryContext.signal, progress.signal);
      const options = {
        as: 'values',
        timeoutMs: queryContext.workspace.limits.sqlMs,
        maxRows,
        mayCut: true,
        maxBytes: limits.sqlBytes,
        signal,
      } as const;
      return this.queues.ofSource(source).run(queryContext.caller.userId, signal, isBackground => {
        this.executions++;
        progress.starts();
        return database
          ? database.circuit.runAside(() => database.engine.run(statement, options))
          : this.#engine.run(statement, { ...options, isBackground });
      });
    });
  }

  /**
   * Streams all rows of custom SQL in chunks; otherwise as `runSql`.
   * @throws ProblemError, EngineError
   */
  streamSql(source: string, sql: string, queryContext: QueryContext): AsyncIterable<QueryResult> {
    requireWholeTables({ source, table: '', joins: {}, sql }, queryContext.workspace);
    return this.#export({ kind: 'export', source }, queryContext, async (signal, put) => {
      const options = { timeoutMs: queryContext.workspace.limits.exportMs, signal };
      const database = databaseOf(this.#sources, source, queryContext.workspace);
      const engine = database?.engine ?? this.#engine;
      const pieces = engine.stream(customStatement(sql, engine.dialect), options)[Symbol.asyncIterator]();
      this.executions++;
      let next = await (database ? database.circuit.runAside(() => pieces.next()) : pieces.next());
      for (; !next.done; next = await pieces.next()) await put(next.value);
    });
  }

  /**
   * Streams a long result in chunks from one engine query. It is not cached or shared, and it ends when the
   * client disconnects.
   * @throws ProblemError, QueryError, EngineError
   */
  stream(query: Query, queryContext: QueryContext): AsyncIterable<QueryResult> {
    const model = this.#readable(query, queryContext);
    const plan = planQuery(query, model, queryContext.zone);
    const { source } = model;
    return this.#export({ kind: 'export', source, model: model.name }, queryContext, async (signal, put) => {
      try {
        const options = { timeoutMs: queryContext.workspace.limits.exportMs, signal };
        const database =
          source === 'files' ? undefined : statementFor(this.#sources, model, plan, queryContext.workspace);
        const pieces = (
          database
            ? database.engine.stream(database.statement, options)
            : this.#engine.stream(this.#onFiles.statement(plan, queryContext.workspace, false), options)
        )[Symbol.asyncIterator]();
        this.executions++;
        // Only the first chunk runs through the circuit breaker: it proves that the source responds, so other
        // queries need not wait for the last chunk.
        let next = await (database ? database.circuit.run(() => pieces.next()) : pieces.next());
        for (; !next.done; next = await pieces.next()) await put(next.value);
      } catch (error) {
        throw redactError(error, queryContext.caller);
      }
    });
  }

  /**
   * The query's model as visible to the caller.
   * @throws ProblemError `still-reading` if it has only a part of a table, and the caller needs all of it
   */
  #readable(query: Query, queryContext: QueryContext): Model {
    const model = modelFor(query, queryContext);
    try {
      if (!queryContext.allowsPart) requireWholeTables(model, queryContext.workspace);
    } catch (error) {
      throw redactError(error, queryContext.caller);
    }
    return model;
  }

  /** Runs an export in its queue. It counts the rows that it has read. */
  #export(
    subject: QuerySubject,
    queryContext: QueryContext,
    work: (signal: AbortSignal, put: (piece: QueryResult) => Promise<void>) => Promise<void>,
  ): AsyncIterable<QueryResult> {
    return asyncChannel((put, stopped) =>
      this.listed.track(queryContext, subject, progress => {
        const signal = anySignal(queryContext.signal, progress.signal, stopped);
        return this.queues.exports.run(queryContext.caller.userId, signal, () => {
          progress.starts();
          return work(signal, piece => {
            progress.addRows(piece.rowCount);
            return put(piece);
          });
        });
      }),
    );
  }

  /** @param key of the result in the cache */
  async #runAndCache(
    key: string,
    run: QueryRun,
    signal: AbortSignal,
    cancel: () => void,
  ): Promise<QueryResult> {
    const { model, queryContext } = run;
    const result = await this.listed.track(
      queryContext,
      { kind: queryContext.isExport ? 'export' : 'model', source: model.source, model: model.name },
      progress =>
        model.source === 'files'
          ? this.#onFiles.run(run, progress, signal)
          : this.#onDatabases.run(run, progress, signal),
      cancel,
    );
    // A stale result, from before the source became unreachable, is shown but not cached as current.
    if (result.asOf === undefined) this.cache.set(key, result);
    return result;
  }
}

function anySignal(first: AbortSignal | undefined, ...others: readonly AbortSignal[]): AbortSignal {
  return AbortSignal.any(first ? [first, ...others] : [...others]);
}

/**
 * Extents come from the whole table even in sample mode, so that axes do not move when the exact result
 * arrives.
 */
function isExtent(query: Query): boolean {
  return (
    query.kind === 'groups' &&
    query.dimensions.length === 0 &&
    query.measures.length === 0 &&
    query.where.kind === 'everything'
  );
}
