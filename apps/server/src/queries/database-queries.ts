import { EngineError, type QueryResult } from '@belvedere/engine';
import { ProblemError } from '../http/problems.ts';
import type { SourceStore } from '../workspace/sources/source-store.ts';
import type { MemoryBudget } from './cache/bounded-cache.ts';
import { ResultCache } from './cache/result-cache.ts';
import { statementFor } from './models/source-statements.ts';
import type { QueryQueues } from './queue/query-queues.ts';
import type { QueryProgress } from './queue/running-queries.ts';
import { resultOptions, type QueryRun } from './query-run.ts';

/** Runs queries of databases. */
export class DatabaseQueries {
  readonly #sources: Pick<SourceStore, 'engineOf'>;
  readonly #queues: QueryQueues;
  /** Last results, whatever their data's version, for when a database is unreachable or paused. */
  readonly #lastResults: ResultCache;
  readonly #onExecute: () => void;

  constructor(
    sources: Pick<SourceStore, 'engineOf'>,
    queues: QueryQueues,
    memory: MemoryBudget,
    onExecute: () => void,
  ) {
    this.#sources = sources;
    this.#queues = queues;
    this.#lastResults = new ResultCache(memory);
    this.#onExecute = onExecute;
  }

  /** While the database is unreachable or paused, returns the query's last result, marked with that result's time. */
  async run(run: QueryRun, progress: QueryProgress, signal: AbortSignal): Promise<QueryResult> {
    const { plan, model, queryContext } = run;
    const key = JSON.stringify([model.source, queryContext.zone, plan]);
    try {
      const result = await this.#runNow(run, progress, signal);
      this.#lastResults.set(key, { ...result, asOf: Date.now() });
      return result;
    } catch (error) {
      const last = isAway(error) ? this.#lastResults.get(key) : undefined;
      if (last) return last;
      throw error;
    }
  }

  async #runNow(run: QueryRun, progress: QueryProgress, signal: AbortSignal): Promise<QueryResult> {
    const { plan, model, queryContext } = run;
    const { engine, circuit, statement } = statementFor(this.#sources, model, plan, queryContext.workspace);
    const queue = queryContext.isExport ? this.#queues.exportQueries : this.#queues.ofSource(model.source);
    return queue.run(queryContext.caller.userId, signal, () => {
      this.#onExecute();
      progress.starts();
      return circuit.run(() => engine.run(statement, { ...resultOptions(run), signal }));
    });
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof ProblemError) return error.type === 'source-paused';
  return (
    error instanceof EngineError && (error.code === 'source-unreachable' || error.code === 'source-refused')
  );
}
