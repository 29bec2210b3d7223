import { duckdb, type Dialect, type Statement } from '@belvedere/sql';
import type { Answer, RunOptions } from './answer.ts';
import { WorkerProcess, type WorkerSettings } from './pool/worker-process.ts';

/** What answers questions put as SQL. */
export interface Engine {
  readonly dialect: Dialect;
  /** @throws EngineError */
  run(statement: Statement, options: RunOptions): Promise<Answer>;
  /** Makes an imported table's file readable under `alias`. */
  attach(alias: string, file: string): Promise<void>;
  detach(alias: string): Promise<void>;
  readonly status: { readonly running: number; readonly restarts: number };
  close(): Promise<void>;
}

/** DuckDB over imported tables, in a process of its own. */
export function openDuckDb(settings: WorkerSettings): Engine & { readonly worker: WorkerProcess } {
  const worker = new WorkerProcess(settings);
  return {
    worker,
    dialect: duckdb,
    run: (statement, options) => worker.run(statement.text, statement.parameters, options),
    attach: (alias, file) => worker.attach(alias, file),
    detach: alias => worker.detach(alias),
    get status() {
      return { running: worker.running, restarts: worker.restarts };
    },
    close: () => worker.close(),
  };
}
