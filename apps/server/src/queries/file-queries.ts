import { EngineError, type FileEngine, type QueryResult } from '@belvedere/engine';
import type { Plan } from '@belvedere/query';
import { writeSql, type Statement } from '@belvedere/sql';
import type { Workspace } from '../workspace/workspace.ts';
import { storedTable, tableName } from './models/stored-tables.ts';
import type { QueryQueues } from './queue/query-queues.ts';
import type { QueryProgress } from './queue/running-queries.ts';
import { resultOptions, type QueryRun } from './query-run.ts';

const longPassRows = 30_000_000;
const maxWaitForSamplesMs = 150;

/** Runs queries of imported files. */
export class FileQueries {
  readonly #engine: FileEngine;
  readonly #queues: QueryQueues;
  readonly #onExecute: () => void;

  constructor(engine: FileEngine, queues: QueryQueues, onExecute: () => void) {
    this.#engine = engine;
    this.#queues = queues;
    this.#onExecute = onExecute;
  }

  /** Tries the in-memory column index first, which is not queued; otherwise queues an engine query. */
  async run(run: QueryRun, progress: QueryProgress, signal: AbortSignal): Promise<QueryResult> {
    const { plan, isSampled, queryContext } = run;
    const options = resultOptions(run);
    // Queries for single rows do not scan the table.
    if (!isSampled && plan.groupBy !== undefined)
      await this.#afterSamples(storedTable(queryContext.workspace, plan.table)?.rows ?? 0);
    progress.starts();
    const encoded =
      isSampled || plan.sql !== undefined
        ? undefined
        : await this.#engine.encoded.run(plan, name => storedTable(queryContext.workspace, name), signal);
    if (encoded) {
      this.#onExecute();
      if (encoded.rowCount > options.maxRows)
        throw new EngineError(
          'query-too-large',
          `The result has more than ${options.maxRows.toLocaleString('en')} rows.`,
        );
      return encoded;
    }
    const statement = this.statement(plan, queryContext.workspace, isSampled);
    progress.waits();
    const { exportQueries, samples, files } = this.#queues;
    const queue = queryContext.isExport ? exportQueries : isSampled ? samples : files;
    return queue.run(queryContext.caller.userId, signal, isBackground => {
      this.#onExecute();
      progress.starts();
      return this.#engine.run(statement, { ...options, signal, isBackground });
    });
  }

  /** The statement of a plan, on the tables as they are stored, or on a sample of the first of them. */
  statement(plan: Plan, workspace: Workspace, isSampled: boolean): Statement {
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
    const latest = performance.now() + maxWaitForSamplesMs;
    do await new Promise(resolve => setTimeout(resolve, 4));
    while (this.#queues.samples.running > 0 && performance.now() < latest);
  }
}
