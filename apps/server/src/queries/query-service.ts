import {
  EngineError,
  asyncChannel,
  queryCancelled,
  refuseCancelled,
  type Answer,
  type FileEngine,
  type StoredTable,
} from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import { planQuery, questionKey, type Plan, type Query } from '@belvedere/query';
import { customStatement, writeSql } from '@belvedere/sql';
import { limits, type StartLimits } from '../limits.ts';
import { redactError, applyRowPolicies } from '../permissions/row-policies.ts';
import { ProblemError } from '../problems.ts';
import { dataVersionOf, sourceTableOf, type SourceState } from '../workspace/sources/source.ts';
import { unconfirmedProblem } from '../workspace/sources/source-access.ts';
import type { SourceStore } from '../workspace/sources/source-store.ts';
import { sourceAwaited, type Workspace } from '../workspace/workspace.ts';
import { ResultCache } from './result-cache.ts';
import { MemoryBudget } from './bounded-cache.ts';
import type { QueryContext } from './query-context.ts';
import { QueryQueue } from './query-queue.ts';

const longPassRows = 30_000_000;

interface Flight {
  readonly answer: Promise<Answer>;
  /** Stops the question in the engine; whoever asks it next begins anew. */
  readonly abandon: () => void;
  waiting: number;
}

/**
 * The one gate: tiles, indexes, value lists, totals, rows and semantic questions all pass here, under their asker's row policies, and
 * nothing else reaches the engine.
 * Equal questions share one answer, running or cached; a question nobody waits for any more is cancelled in the engine.
 */
export class QueryService {
  readonly #engine: FileEngine;
  readonly #sources: Pick<SourceStore, 'engineOf'>;
  readonly #queues = new Map<string, QueryQueue>();
  readonly #atOnce: number;
  /** The last answers of databases whatever their data's version, for when one is away. */
  readonly #last: ResultCache;
  readonly queue: QueryQueue;
  /** Questions to samples are short; they must not wait behind long ones. */
  readonly sampleQueue: QueryQueue;
  /** Rows that are taken away last as long as their reader takes; nobody who looks at a page waits behind them. */
  readonly exportQueue = new QueryQueue(limits.runningExports);
  /** What else is asked for a file: how many rows there are, the charts of its pages. Of its own, since one may be asked while rows come. */
  readonly #takingQueue = new QueryQueue(limits.runningExports);
  readonly cache: ResultCache;
  /** Of all that is kept of answers, here and as it was sent. */
  readonly memory: MemoryBudget;
  readonly #flights = new Map<string, Flight>();
  executions = 0;

  constructor(
    engine: FileEngine,
    sources: Pick<SourceStore, 'engineOf'>,
    { cacheBytes, runningQuestions }: Pick<StartLimits, 'cacheBytes' | 'runningQuestions'>,
  ) {
    this.memory = new MemoryBudget(cacheBytes);
    this.cache = new ResultCache(this.memory);
    this.#last = new ResultCache(this.memory);
    this.#atOnce = runningQuestions;
    this.queue = new QueryQueue(runningQuestions);
    this.sampleQueue = new QueryQueue(runningQuestions);
    this.#engine = engine;
    this.#sources = sources;
  }

  /** What would be asked of the engine, to show; nothing is. */
  sqlOf(question: Query, queryContext: QueryContext): string {
    const model = modelFor(question, queryContext);
    const plan = planQuery(question, model, queryContext.zone);
    if (model.source === 'files')
      return writeSql(plan, this.#engine.dialect, table => this.#engine.dialect.quote(table), 'inline').text;
    const source = this.#sources.engineOf(model.source);
    return source
      ? writeSql(plan, source.engine.dialect, table => source.engine.dialect.quote(table), 'inline').text
      : '';
  }

  /** Questions being answered now, of every source. */
  get running(): number {
    return [this.queue, ...this.#queues.values()].reduce((sum, queue) => sum + queue.running, 0);
  }

  get waiting(): number {
    return [this.queue, ...this.#queues.values()].reduce((sum, queue) => sum + queue.waiting, 0);
  }

  /** Each source has a queue of its own: one that is slow keeps nobody else waiting. */
  queueOf(source: string): QueryQueue {
    if (source === 'files') return this.queue;
    const queue = this.#queues.get(source) ?? new QueryQueue(this.#atOnce);
    this.#queues.set(source, queue);
    return queue;
  }

  /** @throws ProblemError, QuestionError, EngineError */
  async ask(
    question: Query,
    queryContext: QueryContext,
    timeoutMs: number = queryContext.isTaking
      ? queryContext.workspace.limits.exportMs
      : queryContext.workspace.limits.questionMs,
  ): Promise<Answer> {
    const model = modelFor(question, queryContext);
    const versions = versionsOf(model, queryContext.workspace);
    const isSampled = queryContext.resultRows === 'sample' && !isExtent(question);
    const key = JSON.stringify([
      isSampled ? 'sample' : 'all',
      versions,
      queryContext.zone,
      JSON.stringify(model),
      questionKey(question),
    ]);
    const cached = this.cache.get(key);
    if (cached) return cached;
    refuseCancelled(queryContext.signal);
    try {
      // A page does not wait for an answer for as long as a file does.
      const flown = queryContext.isTaking ? `taken ${key}` : key;
      const flight =
        this.#flights.get(flown) ??
        this.#takeOff(flown, key, question, model, isSampled, queryContext, timeoutMs);
      return await waitFor(flight, queryContext.signal);
    } catch (error) {
      throw redactError(error, queryContext.caller);
    }
  }

  /**
   * Somebody's own SQL, in the source's own words: the first rows of what it gives. Only for those who may write models; it is kept nowhere.
   * @throws ProblemError, EngineError, SqlError
   */
  async runSql(source: string, sql: string, maxRows: number, queryContext: QueryContext): Promise<Answer> {
    const options = {
      as: 'values',
      timeoutMs: queryContext.workspace.limits.sqlMs,
      maxRows,
      mayCut: true,
      maxBytes: limits.sqlBytes,
      ...(queryContext.signal && { signal: queryContext.signal }),
    } as const;
    const database = this.#databaseOf(source, queryContext.workspace);
    const statement = customStatement(sql, (database?.engine ?? this.#engine).dialect);
    return this.queueOf(source).run(queryContext.caller.name, queryContext.signal, () => {
      this.executions++;
      return database
        ? database.circuit.runAside(() => database.engine.run(statement, options))
        : this.#engine.run(statement, options);
    });
  }

  /**
   * All of what somebody's own SQL gives, in pieces; else as `runSql`.
   * @throws ProblemError, EngineError
   */
  streamSql(source: string, sql: string, queryContext: QueryContext): AsyncIterable<Answer> {
    return asyncChannel((put, stopped) =>
      this.exportQueue.run(queryContext.caller.name, queryContext.signal, async () => {
        const options = {
          timeoutMs: queryContext.workspace.limits.exportMs,
          signal: queryContext.signal ? AbortSignal.any([queryContext.signal, stopped]) : stopped,
        };
        const database = this.#databaseOf(source, queryContext.workspace);
        const engine = database?.engine ?? this.#engine;
        const pieces = engine.stream(customStatement(sql, engine.dialect), options)[Symbol.asyncIterator]();
        this.executions++;
        let next = await (database ? database.circuit.runAside(() => pieces.next()) : pieces.next());
        for (; !next.done; next = await pieces.next()) await put(next.value);
      }),
    );
  }

  /** A source that is no file; none for the files. @throws ProblemError, EngineError where it is not there, or away */
  #databaseOf(source: string, workspace: Workspace) {
    if (source === 'files') return undefined;
    const database = this.#sources.engineOf(source);
    if (database) return database;
    const state = workspace.sources.get(source);
    if (!state)
      throw new ProblemError('not-found', `Source \`${source}\` not found, or not shared with you.`);
    if (state.unconfirmed) throw unconfirmedProblem(state);
    throw new EngineError('source-unreachable', awayMessage(state));
  }

  /**
   * A long answer, in pieces, from one question to the engine: kept nowhere, shared with nobody, ended when its reader leaves.
   * @throws ProblemError, QuestionError, EngineError
   */
  stream(question: Query, queryContext: QueryContext): AsyncIterable<Answer> {
    const model = modelFor(question, queryContext);
    const plan = planQuery(question, model, queryContext.zone);
    return asyncChannel((put, stopped) =>
      this.exportQueue.run(queryContext.caller.name, queryContext.signal, async () => {
        try {
          const options = {
            timeoutMs: queryContext.workspace.limits.exportMs,
            signal: queryContext.signal ? AbortSignal.any([queryContext.signal, stopped]) : stopped,
          };
          const database =
            model.source === 'files' ? undefined : this.#statementFor(model, plan, queryContext.workspace);
          const pieces = (
            database
              ? database.engine.stream(database.statement, options)
              : this.#engine.stream(this.#statementForFiles(plan, queryContext.workspace, false), options)
          )[Symbol.asyncIterator]();
          this.executions++;
          // A source that gives its first rows has answered: nobody else waits for the last.
          let next = await (database ? database.circuit.run(() => pieces.next()) : pieces.next());
          for (; !next.done; next = await pieces.next()) await put(next.value);
        } catch (error) {
          throw redactError(error, queryContext.caller);
        }
      }),
    );
  }

  #takeOff(
    flown: string,
    key: string,
    question: Query,
    model: Model,
    isSampled: boolean,
    queryContext: QueryContext,
    timeoutMs: number,
  ): Flight {
    const controller = new AbortController();
    const plan = planQuery(question, model, queryContext.zone);
    const isCells = question.kind === 'cells';
    const answer = (
      model.source === 'files'
        ? this.#answer(plan, isCells, isSampled, queryContext, controller.signal, timeoutMs)
        : this.#answerFrom(model, plan, isCells, queryContext, controller.signal, timeoutMs)
    )
      .then(done => {
        // What a source said before it went away is shown, but not kept as what it says now.
        if (done.asOf === undefined) this.cache.set(key, done);
        return done;
      })
      .finally(() => land());
    answer.catch(() => {});
    const land = () => {
      if (this.#flights.get(flown) === flight) this.#flights.delete(flown);
    };
    const abandon = () => {
      land();
      controller.abort();
    };
    const flight: Flight = { answer, abandon, waiting: 0 };
    this.#flights.set(flown, flight);
    return flight;
  }

  /** From a database; while that cannot be reached, what it answered last, marked with when that was. */
  async #answerFrom(
    model: Model,
    plan: Plan,
    isCells: boolean,
    queryContext: QueryContext,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<Answer> {
    const key = JSON.stringify([model.source, queryContext.zone, plan]);
    try {
      const { engine, circuit, statement } = this.#statementFor(model, plan, queryContext.workspace);
      const answer = await (queryContext.isTaking ? this.#takingQueue : this.queueOf(model.source)).run(
        queryContext.caller.name,
        signal,
        () => {
          this.executions++;
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
      this.#last.set(key, { ...answer, asOf: Date.now() });
      return answer;
    } catch (error) {
      const isAway =
        error instanceof EngineError &&
        (error.code === 'source-unreachable' || error.code === 'source-refused');
      const last = isAway ? this.#last.get(key) : undefined;
      if (last) return last;
      throw error;
    }
  }

  /** @throws EngineError, ProblemError where the source or its table is away */
  #statementFor(model: Model, plan: Plan, workspace: Workspace) {
    const source = this.#sources.engineOf(model.source);
    const state = workspace.sources.get(model.source);
    if (state?.unconfirmed) throw unconfirmedProblem(state);
    if (!source || !state)
      throw new EngineError(
        state?.problem?.code === 'source-refused' ? 'source-refused' : 'source-unreachable',
        awayMessage(state),
      );
    const { engine, circuit } = source;
    const statement = writeSql(plan, engine.dialect, called => {
      const table = sourceTableOf(state, called);
      if (!table)
        throw new ProblemError(
          'table-gone',
          `The source \`${state.label}\` no longer has a table \`${called}\`.`,
        );
      return engine.tableName(table.schema, table.name);
    });
    return { engine, circuit, statement };
  }

  #statementForFiles(plan: Plan, workspace: Workspace, isSampled: boolean) {
    return writeSql(plan, this.#engine.dialect, table =>
      tableName(workspace, table, isSampled && table === plan.table ? 'sample' : 'data', name =>
        this.#engine.dialect.quote(name),
      ),
    );
  }

  /** A pass over so many rows takes all cores; the near answers that are asked in the same moment take a tenth of it, and go first. */
  async #afterSamples(rows: number): Promise<void> {
    if (rows < longPassRows) return;
    const latest = performance.now() + 150;
    do await new Promise(resolve => setTimeout(resolve, 4));
    while (this.sampleQueue.running > 0 && performance.now() < latest);
  }

  /** From codes where they can answer, which takes no place in the queue; else from the engine, in turn. */
  async #answer(
    plan: Plan,
    isCells: boolean,
    isSampled: boolean,
    queryContext: QueryContext,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<Answer> {
    const as = isCells ? 'numbers' : 'values';
    const maxRows = isCells ? queryContext.workspace.limits.indexCells : limits.semanticRows;
    // Single rows take no pass.
    if (!isSampled && plan.groupBy !== undefined)
      await this.#afterSamples(storedTable(queryContext.workspace, plan.table)?.rows ?? 0);
    const encoded =
      isSampled || plan.sql !== undefined
        ? undefined
        : await this.#engine.encoded.answer(plan, name => storedTable(queryContext.workspace, name), signal);
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
    return (queryContext.isTaking ? this.#takingQueue : isSampled ? this.sampleQueue : this.queue).run(
      queryContext.caller.name,
      signal,
      () => {
        this.executions++;
        return this.#engine.run(statement, { as, timeoutMs, signal, maxRows });
      },
    );
  }
}

/** The flight's answer, for as long as this asker waits; the last one to leave cancels it. */
async function waitFor(flight: Flight, signal: AbortSignal | undefined): Promise<Answer> {
  flight.waiting++;
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  const onAbort = () => gone.reject(queryCancelled());
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([flight.answer, gone.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (--flight.waiting === 0) flight.abandon();
  }
}

/** The model that a question is about, as its asker reads it: whatever they were given to ask by, policies are in it from here on. */
function modelFor(question: Query, queryContext: QueryContext): Model {
  return applyRowPolicies(
    modelVisibleTo(queryContext, question.model),
    queryContext.caller,
    queryContext.workspace,
  );
}

/** The same as `modelOf`, for whoever asks: whom policies bind hears no name of a source. */
export function modelVisibleTo(
  { workspace, caller }: Pick<QueryContext, 'workspace' | 'caller'>,
  name: string,
): Model {
  try {
    return modelOf(workspace, name);
  } catch (error) {
    throw redactError(error, caller);
  }
}

export function modelOf(workspace: Workspace, name: string): Model {
  const found = workspace.models.get(name);
  if (found) return found.model;
  const awaited = sourceAwaited(workspace, name);
  if (awaited) throw unconfirmedProblem(awaited);
  if (workspace.modelsReading.has(name))
    throw new ProblemError('still-reading', `The data of \`${name}\` is still being imported.`);
  throw new ProblemError('not-found', `Model \`${name}\` not found, or not shared with you.`);
}

/** Where an axis begins and ends is known of the whole table at once, so that nothing moves when the exact numbers come. */
function isExtent(question: Query): boolean {
  return (
    question.kind === 'groups' &&
    question.dimensions.length === 0 &&
    question.measures.length === 0 &&
    question.where.kind === 'everything'
  );
}

function awayMessage(state: SourceState | undefined): string {
  if (!state) return 'This source no longer exists.';
  return `${state.label} has been unreachable since ${state.since.slice(0, 16).replace('T', ' ')} UTC. ${state.problem?.message ?? 'Connecting…'}`;
}

function versionsOf(model: Model, workspace: Workspace): string[] {
  if (model.source !== 'files')
    return [model.source, dataVersionOf(model, workspace.sources.get(model.source))];
  // What SQL reads is known to the engine alone: anything may have changed.
  if (model.sql !== undefined) return [...workspace.tables.values()].map(table => table.alias ?? '');
  return [model.table, ...joinedTables(model.joins)].map(name => workspace.tables.get(name)?.alias ?? '');
}

function storedTable(workspace: Workspace, name: string): StoredTable | undefined {
  const table = workspace.tables.get(name);
  return table?.alias && table.imported
    ? { name, alias: table.alias, database: table.imported.database, rows: table.imported.profile.rows }
    : undefined;
}

function tableName(
  workspace: Workspace,
  name: string,
  rows: 'data' | 'sample',
  quote: (name: string) => string,
): string {
  const table = workspace.tables.get(name);
  if (table?.alias) return `${quote(table.alias)}."main"."${rows}"`;
  if (table?.state === 'rejected')
    throw new ProblemError(
      'file-unreadable',
      `Could not import the table \`${name}\`: ${table.problem?.message ?? ''}`,
    );
  if (table?.state === 'stopped')
    throw new ProblemError(
      'file-unreadable',
      `The import of table \`${name}\` was cancelled. Retry it on the table’s page.`,
    );
  if (table) throw new ProblemError('still-reading', `The table \`${name}\` is still being imported.`);
  throw new ProblemError('table-gone', `The table \`${name}\` no longer exists.`);
}
