import { duckdb, type Dialect, type Statement } from '@belvedere/sql';
import type { Answer, RunOptions, StreamOptions } from './result.ts';
import { ColumnStore } from './column-store/column-store.ts';
import { WorkerProcess, type WorkerSettings } from './pool/worker-process.ts';

/** What answers questions put as SQL. */
export interface Engine {
  readonly dialect: Dialect;
  /** @throws EngineError */
  run(statement: Statement, options: RunOptions): Promise<Answer>;
  /**
   * The same answer in pieces, one at least, each asked for when the one before it has been taken. Who stops taking them ends the question.
   * @throws EngineError where it does not come whole
   */
  stream(statement: Statement, options: StreamOptions): AsyncIterable<Answer>;
  readonly status: { readonly running: number; readonly restarts: number };
  close(): Promise<void>;
}

/** DuckDB over imported tables. */
export interface FileEngine extends Engine {
  /** Makes an imported table's file readable under `alias`; and, for SQL that people write, its table `data` as `called`. */
  attach(alias: string, file: string, called?: string): Promise<void>;
  detach(alias: string): Promise<void>;
  /** Answers what it can without the engine's own tables, a hundred times faster. */
  readonly encoded: ColumnStore;
}

export interface DuckDbSettings extends WorkerSettings {
  /** Tables with fewer rows get no display-resolution columns. */
  readonly codedRows: number;
  /** Questions about tables with more rows wait for their columns to be built. */
  readonly patientRows: number;
  /** Memory for all display-resolution columns. */
  readonly codedBytes: number;
}

/** DuckDB over imported tables, in a process of its own. */
export function openDuckDb(settings: DuckDbSettings): FileEngine & { readonly worker: WorkerProcess } {
  const worker = new WorkerProcess(settings);
  const encoded = new ColumnStore({
    ...settings,
    leastRows: settings.codedRows,
    budgetBytes: settings.codedBytes,
  });
  return {
    worker,
    encoded,
    dialect: duckdb,
    run: (statement, options) => worker.run(statement, options),
    stream: (statement, options) => worker.stream(statement, options),
    attach: (alias, file, called) => worker.attach(alias, file, called),
    detach: async alias => {
      await encoded.forget(alias);
      await worker.detach(alias);
    },
    get status() {
      return { running: worker.running, restarts: worker.restarts };
    },
    close: async () => {
      await encoded.close();
      await worker.close();
    },
  };
}
