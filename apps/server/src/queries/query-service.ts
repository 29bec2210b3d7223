import {
  EngineError,
  asyncChannel,
  refuseCancelled,
  type QueryResult,
  type FileEngine,
} from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { planQuery, queryKeyOf, type Plan, type Query } from '@belvedere/query';
import { customStatement, writeSql } from '@belvedere/sql';
import { limits, type StartLimits } from '../limits.ts';
import { redactError } from '../access/row-policies.ts';
import type { SourceStore } from '../workspace/sources/source-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ActiveOwners } from './queue/active-owners.ts';
import { InFlightQueries } from './cache/in-flight-queries.ts';
import { ResultCache } from './cache/result-cache.ts';
import { MemoryBudget } from './cache/bounded-cache.ts';
import type { QueryContext } from './query-context.ts';
import { QueryQueue } from './queue/query-queue.ts';
import { RunningQueries, type QueryProgress, type QuerySubject } from './queue/running-queries.ts';
import { databaseOf, statementFor } from './models/source-statements.ts';
import { storedTable, tableName, versionsOf } from './models/stored-tables.ts';
import { modelFor } from './models/visible-models.ts';

const longPassRows = 30_000_000;

/** A query with everything that its run needs, whatever it runs on. */
interface QueryRun {
  readonly plan: Plan;
  readonly model: Model;
  readonly isCells: boolean;
  readonly isSampled: boolean;
  readonly queryContext: QueryContext;
  readonly timeoutMs: number;
}

/**
 * The single gateway to the engine: tiles, indexes, value lists, totals, rows and semantic queries all pass
 * here, under the caller's row policies.
 * Equal queries share one result, running or cached. A query without remaining callers is cancelled in the
 * engine.
 */
export class QueryService {
  readonly #engine: FileEngine;
  readonly #sources: Pick<SourceStore, 'engineOf'>;
  readonly #queues = new Map<string, QueryQueue>();
  readonly #atOnce: number;
  readonly #perUser: number;
  /** The users who share the places of the queues. */
  readonly #active: ActiveOwners | undefined;
  /** Last results of databases, whatever their data's version, for when a database is unreachable. */
  readonly #last: ResultCache;
  readonly queue: QueryQueue;
  /** Sample queries are short and must not wait behind long ones. */
  readonly sampleQueue: QueryQueue;
  /** Streams of tiles, which users wait for in lines of their own; undefined where there is one user only. */
  readonly streamQueue: QueryQueue | undefined;
  /** Exports run at the client's reading speed, so they have their own queue and never delay page queries. */
  readonly exportQueue: QueryQueue;
  /**
   * For an export's other queries: row counts and the charts of its pages. Separate, since they may run while
   * rows stream. A refusal of one would fail the whole export, so all of them wait for their turn, however many
   * its pages have.
   */
  readonly #exportQueryQueue: QueryQueue;
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
    this.#last = new ResultCache(this.memory);
    this.#atOnce = runningQueries;
    this.#active = isShared ? new ActiveOwners() : undefined;
    this.#perUser = isShared
      ? Math.max(1, Math.min(limits.runningQueriesPerUser, runningQueries - 1))
      : runningQueries;
    this.queue = this.#newQueue();
    this.sampleQueue = this.#newQueue();
    // A client may read its export as slowly as it likes, so one user cannot have all places.
    const exportsPerUser = limits.runningExports - (isShared ? 1 : 0);
    this.exportQueue = new QueryQueue(limits.runningExports, exportsPerUser);
    this.#exportQueryQueue = new QueryQueue(
      limits.runningExports,
      exportsPerUser,
      undefined,
      exportsPerUser,
      { waiting: Infinity, waitingMs: limits.jobMs },
    );
    this.streamQueue = isShared
      ? new QueryQueue(Infinity, limits.streamsPerUser, this.#active, limits.streamsOfFlood)
      : undefined;
    this.#engine = engine;
    this.#sources = sources;
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

  /** Number of running queries of all sources. */
  get running(): number {
    return [this.queue, ...this.#queues.values()].reduce((sum, queue) => sum + queue.running, 0);
  }

  get waiting(): number {
    return [this.queue, ...this.#queues.values()].reduce((sum, queue) => sum + queue.waiting, 0);
  }

  /** Each source has its own queue, so a slow source does not delay the others. */
  queueOf(source: string): QueryQueue {
    if (source === 'files') return this.queue;
    const queue = this.#queues.get(source) ?? this.#newQueue();
    this.#queues.set(source, queue);
    return queue;
  }

  #newQueue(): QueryQueue {
    return new QueryQueue(this.#atOnce, this.#perUser, this.#active);
  }

  /** @throws ProblemError, QueryError, EngineError */
  async run(
    query: Query,
    queryContext: QueryContext,
    timeoutMs: number = queryContext.isExport
      ? queryContext.workspace.limits.exportMs
      : queryContext.workspace.limits.queryMs,
  ): Promise<QueryResult> {
    this.#active?.note(queryContext.caller.userId);
    const model = modelFor(query, queryContext);
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
    const database = databaseOf(this.#sources, source, queryContext.workspace);
    const statement = customStatement(sql, (database?.engine ?? this.#engine).dialect);
    this.#active?.note(queryContext.caller.userId);
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
      return this.queueOf(source).run(queryContext.caller.userId, signal, isBackground => {
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
    const model = modelFor(query, queryContext);
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
            : this.#engine.stream(this.#statementForFiles(plan, queryContext.workspace, false), options)
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

  /** Runs an export in its queue. It counts the rows that it has read. */
  #export(
    subject: QuerySubject,
    queryContext: QueryContext,
    work: (signal: AbortSignal, put: (piece: QueryResult) => Promise<void>) => Promise<void>,
  ): AsyncIterable<QueryResult> {
    return asyncChannel((put, stopped) =>
      this.listed.track(queryContext, subject, progress => {
        const signal = anySignal(queryContext.signal, progress.signal, stopped);
        return this.exportQueue.run(queryContext.caller.userId, signal, () => {
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
          ? this.#runOnFiles(run, progress, signal)
          : this.#runOnDatabase(run, progress, signal),
      cancel,
    );
    // A stale result, from before the source became unreachable, is shown but not cached as current.
    if (result.asOf === undefined) this.cache.set(key, result);
    return result;
  }

  /** Queries a database. While it is unreachable, returns its last result, marked with that result's time. */
  async #runOnDatabase(
    { plan, model, isCells, queryContext, timeoutMs }: QueryRun,
    progress: QueryProgress,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const key = JSON.stringify([model.source, queryContext.zone, plan]);
    try {
      const { engine, circuit, statement } = statementFor(this.#sources, model, plan, queryContext.workspace);
      const result = await (queryContext.isExport ? this.#exportQueryQueue : this.queueOf(model.source)).run(
        queryContext.caller.userId,
        signal,
        () => {
          this.executions++;
          progress.starts();
          return circuit.run(() =>
            engine.run(statement, {
              as: isCells ? 'numbers' : 'values',
              timeoutMs,
              signal,
              maxRows: isCells ? queryContext.workspace.limits.indexCells : limits.semanticRows,
            }),
          );
        },
      );
      this.#last.set(key, { ...result, asOf: Date.now() });
      return result;
    } catch (error) {
      const isAway =
        error instanceof EngineError &&
        (error.code === 'source-unreachable' || error.code === 'source-refused');
      const last = isAway ? this.#last.get(key) : undefined;
      if (last) return last;
      throw error;
    }
  }

  #statementForFiles(plan: Plan, workspace: Workspace, isSampled: boolean) {
    return writeSql(plan, this.#engine.dialect, table =>
      tableName(workspace, table, isSampled && table === plan.table ? 'sample' : 'data', name =>
        this.#engine.dialect.quote(name),
      ),
    );
  }

  /**
   * A pass over many rows uses all cores. Sample queries sent at the same moment need a tenth of that and go
   * first.
   */
  async #afterSamples(rows: number): Promise<void> {
    if (rows < longPassRows) return;
    const latest = performance.now() + 150;
    do await new Promise(resolve => setTimeout(resolve, 4));
    while (this.sampleQueue.running > 0 && performance.now() < latest);
  }

  /** Tries the in-memory column index first, which is not queued; otherwise queues an engine query. */
  async #runOnFiles(
    { plan, isCells, isSampled, queryContext, timeoutMs }: QueryRun,
    progress: QueryProgress,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const as = isCells ? 'numbers' : 'values';
    const maxRows = isCells ? queryContext.workspace.limits.indexCells : limits.semanticRows;
    // Queries for single rows do not scan the table.
    if (!isSampled && plan.groupBy !== undefined)
      await this.#afterSamples(storedTable(queryContext.workspace, plan.table)?.rows ?? 0);
    progress.starts();
    const encoded =
      isSampled || plan.sql !== undefined
        ? undefined
        : await this.#engine.encoded.run(plan, name => storedTable(queryContext.workspace, name), signal);
    if (encoded) {
      this.executions++;
      if (encoded.rowCount > maxRows)
        throw new EngineError(
          'query-too-large',
          `The result has more than ${maxRows.toLocaleString('en')} rows.`,
        );
      return encoded;
    }
    const statement = this.#statementForFiles(plan, queryContext.workspace, isSampled);
    progress.waits();
    return (queryContext.isExport ? this.#exportQueryQueue : isSampled ? this.sampleQueue : this.queue).run(
      queryContext.caller.userId,
      signal,
      isBackground => {
        this.executions++;
        progress.starts();
        return this.#engine.run(statement, { as, timeoutMs, signal, maxRows, isBackground });
      },
    );
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
