import { duckdb, type Dialect, type Statement } from '@belvedere/sql';
import type { QueryResult, RunOptions, StreamOptions } from './result.ts';
import { ColumnStore } from './column-store/column-store.ts';
import { WorkerProcess, type WorkerSettings } from './pool/worker-process.ts';
import path from 'node:path';

/** Runs SQL queries. */
export interface Engine {
  readonly dialect: Dialect;
  /** @throws EngineError */
  run(statement: Statement, options: RunOptions): Promise<QueryResult>;
  /**
   * The result in pieces, at least one. Each piece is produced after the previous one was consumed. When the
   * consumer stops, the query is cancelled.
   * @throws EngineError if the result is incomplete
   */
  stream(statement: Statement, options: StreamOptions): AsyncIterable<QueryResult>;
  readonly status: { readonly running: number; readonly restarts: number };
  close(): Promise<void>;
}

/** DuckDB over imported tables. */
export interface FileEngine extends Engine {
  /**
   * Attaches an imported table's file under `alias` and, for custom SQL, exposes its table `data` as
   * `called`.
   */
  attach(alias: string, file: string, called?: string): Promise<void>;
  detach(alias: string): Promise<void>;
  /** Runs the queries that its in-memory columns can answer, a hundred times faster than DuckDB. */
  readonly encoded: ColumnStore;
}

export interface DuckDbSettings extends WorkerSettings {
  /** Smaller tables get no display-resolution columns. */
  readonly codedRows: number;
  /** Queries of larger tables wait until their columns are built. */
  readonly patientRows: number;
  /** Memory for all display-resolution columns. */
  readonly codedBytes: number;
}

/** Part of the memory that background queries may use, in addition to that of the others. */
const backgroundMemory = 0.25;

/** DuckDB over imported tables, in a process of its own. Background queries have another one. */
export function openDuckDb(settings: DuckDbSettings): FileEngine & { readonly worker: WorkerProcess } {
  const worker = new WorkerProcess(settings);
  const background = new WorkerProcess({
    ...settings,
    memoryBytes: Math.floor(settings.memoryBytes * backgroundMemory),
    // Two processes must not write to the same temporary files.
    spillFolder: path.join(settings.spillFolder, 'background'),
    isBackground: true,
  });
  const encoded = new ColumnStore({
    ...settings,
    minRows: settings.codedRows,
    budgetBytes: settings.codedBytes,
  });
  return {
    worker,
    encoded,
    dialect: duckdb,
    run: (statement, options) => (options.isBackground ? background : worker).run(statement, options),
    stream: (statement, options) => worker.stream(statement, options),
    attach: async (alias, file, called) => {
      await worker.attach(alias, file, called);
      await background.attachLater(alias, file, called);
    },
    detach: async alias => {
      await encoded.forget(alias);
      await Promise.all([worker.detach(alias), background.detach(alias)]);
    },
    get status() {
      return {
        running: worker.running + background.running,
        restarts: worker.restarts + background.restarts,
      };
    },
    close: async () => {
      await encoded.close();
      await Promise.all([worker.close(), background.close()]);
    },
  };
}
