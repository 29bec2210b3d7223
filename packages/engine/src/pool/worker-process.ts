import { mkdir } from 'node:fs/promises';
import type { Statement } from '@belvedere/sql';
import type { ChildProcess } from 'node:child_process';
import {
  EngineError,
  queryCancelled,
  refuseCancelled,
  type QueryResult,
  type RunOptions,
  type StreamOptions,
} from '../result.ts';
import { asyncChannel } from '../async-channel.ts';
import type { FromWorker, ToWorker, WorkerStatement } from './messages.ts';
import { spawnWorker } from './spawn-worker.ts';

export interface WorkerSettings {
  readonly tablesFolder: string;
  readonly spillFolder: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Its queries give way to those of other workers. */
  readonly isBackground?: boolean;
}

type PendingRequest = ToWorker & { kind: 'run' | 'stream' } extends infer M
  ? M extends unknown
    ? Omit<M, 'id'>
    : never
  : never;

interface Waiting {
  readonly onPiece?: (result: QueryResult) => void;
  readonly resolve: (result: QueryResult | undefined) => void;
  readonly reject: (error: EngineError) => void;
}

const killAfterMs = 2000;
const headroomBytes = 3 * 2 ** 30;

/**
 * One query worker. It starts when first needed, is interrupted on time-out or cancellation, and is killed
 * and restarted if that does not help. If a worker crashes, its running queries are retried once on the next
 * worker, except the query that caused the crash.
 */
export class WorkerProcess {
  readonly #settings: WorkerSettings;
  readonly #waiting = new Map<number, Waiting>();
  /** Files to attach in every new process, by alias. */
  readonly #attached = new Map<string, { readonly file: string; readonly called?: string }>();
  #child: Promise<ChildProcess> | undefined;
  #nextId = 1;
  #isClosed = false;
  restarts = 0;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  get running(): number {
    return this.#waiting.size;
  }

  get pid(): Promise<number | undefined> {
    return this.#started().then(child => child.pid);
  }

  async attach(alias: string, file: string, called?: string): Promise<void> {
    if (this.#attached.get(alias)?.file === file) return;
    await this.#send(await this.#started(), {
      kind: 'attach',
      id: this.#nextId++,
      alias,
      file,
      ...(called !== undefined && { called }),
    });
    // Only successfully attached files are attached again in the next process.
    this.#attached.set(alias, { file, ...(called !== undefined && { called }) });
  }

  /** Like `attach`, but a worker that does not run yet attaches the file when it starts. */
  async attachLater(alias: string, file: string, called?: string): Promise<void> {
    if (this.#child) return this.attach(alias, file, called);
    this.#attached.set(alias, { file, ...(called !== undefined && { called }) });
  }

  async detach(alias: string): Promise<void> {
    if (!this.#attached.delete(alias) || !this.#child) return;
    await this.#send(await this.#started(), { kind: 'detach', id: this.#nextId++, alias });
  }

  async run(statement: Statement, options: RunOptions): Promise<QueryResult> {
    const { as, maxRows, mayCut, maxBytes } = options;
    const request: PendingRequest = {
      kind: 'run',
      statement: sent(statement),
      limits: { as, maxRows, ...(mayCut && { mayCut: true }), ...(maxBytes !== undefined && { maxBytes }) },
    };
    try {
      return (await this.#runOnce(request, options))!;
    } catch (error) {
      const died = error instanceof EngineError && error.code === 'source-unreachable';
      if (!died || options.signal?.aborted || this.#isClosed) throw error;
      return (await this.#runOnce(request, options))!;
    }
  }

  /**
   * See `Engine.stream`. A stream whose pieces have been consumed cannot be retried, so an interrupted stream
   * fails.
   */
  stream(statement: Statement, { timeoutMs, signal }: StreamOptions): AsyncIterable<QueryResult> {
    return asyncChannel(async (put, stopped) => {
      await this.#runOnce(
        { kind: 'stream', statement: sent(statement) },
        { timeoutMs, signal: signal ? AbortSignal.any([signal, stopped]) : stopped },
        put,
      );
    });
  }

  /** @param put receives the pieces of a stream */
  async #runOnce(
    request: PendingRequest,
    options: Pick<RunOptions, 'timeoutMs' | 'signal'>,
    put?: (chunk: QueryResult) => Promise<void>,
  ): Promise<QueryResult | undefined> {
    refuseCancelled(options.signal);
    const child = await this.#started();
    const id = this.#nextId++;
    let outcome: 'query-timeout' | 'query-cancelled' | undefined;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (why: 'query-timeout' | 'query-cancelled') => {
      if (outcome) return;
      outcome = why;
      if (child.connected) child.send({ kind: 'cancel', id } satisfies ToWorker);
      killTimer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    };
    const timer = setTimeout(() => stop('query-timeout'), options.timeoutMs);
    const onAbort = () => stop('query-cancelled');
    options.signal?.addEventListener('abort', onAbort);
    try {
      // The caller may have cancelled during the start of the process, when there was nothing to interrupt.
      refuseCancelled(options.signal);
      return await this.#send(
        child,
        { ...request, id },
        chunk =>
          void put!(chunk).then(() => child.connected && child.send({ kind: 'next', id } satisfies ToWorker)),
      );
    } catch (error) {
      if (outcome === 'query-timeout')
        throw new EngineError(
          outcome,
          `The query was stopped after ${options.timeoutMs / 1000} s. Narrow it with a filter.`,
        );
      if (outcome === 'query-cancelled') throw queryCancelled();
      throw error;
    } finally {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = await this.#child?.catch(() => undefined);
    child?.kill('SIGKILL');
  }

  #send(
    child: ChildProcess,
    message: ToWorker,
    onPiece?: (result: QueryResult) => void,
  ): Promise<QueryResult | undefined> {
    return new Promise((resolve, reject) => {
      if (!child.connected) return reject(new EngineError('source-unreachable', 'The engine is restarting.'));
      this.#waiting.set(message.id, { resolve, reject, ...(onPiece && { onPiece }) });
      child.send(message);
    });
  }

  #started(): Promise<ChildProcess> {
    if (this.#isClosed)
      return Promise.reject(new EngineError('source-unreachable', 'Belvedere is stopping.'));
    this.#child ??= this.#start();
    return this.#child;
  }

  async #start(): Promise<ChildProcess> {
    const { tablesFolder, spillFolder, memoryBytes, threads, isBackground } = this.#settings;
    // DuckDB creates the last folder of a path only. Where this fails, queries that need the folder say so.
    await mkdir(spillFolder, { recursive: true, mode: 0o700 }).catch(() => {});
    const child = spawnWorker(
      new URL('./query-worker.ts', import.meta.url),
      memoryBytes + headroomBytes,
      {
        BELVEDERE_TABLES: tablesFolder,
        BELVEDERE_SPILL: spillFolder,
        BELVEDERE_MEMORY: String(memoryBytes),
        BELVEDERE_THREADS: String(threads),
      },
      isBackground ? 'flood' : 'query',
    );
    let lastWords = '';
    child.stderr?.on('data', data => (lastWords = (lastWords + String(data)).slice(-2000)));
    const ready = Promise.withResolvers<void>();
    child.on('message', (message: FromWorker) =>
      message.kind === 'ready' ? ready.resolve() : this.#settle(message),
    );
    child.on('error', () => {});
    child.on('exit', () => {
      this.#child = undefined;
      this.restarts++;
      const error = new EngineError('source-unreachable', 'The engine stopped and is restarting.', {
        cause: lastWords,
      });
      ready.reject(error);
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(error);
    });
    await ready.promise;
    for (const [alias, attached] of this.#attached)
      await this.#send(child, { kind: 'attach', id: this.#nextId++, alias, ...attached }).catch(
        (error: unknown) => {
          // A table whose file is gone or damaged fails in its own queries, not in those of all tables.
          if (!child.connected) throw error;
        },
      );
    return child;
  }

  #settle(message: Exclude<FromWorker, { kind: 'ready' }>): void {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'piece') return waiting?.onPiece?.(message.result);
    this.#waiting.delete(message.id);
    if (message.kind === 'done') waiting?.resolve(message.result);
    else waiting?.reject(new EngineError(message.code, message.message));
  }
}

/** The fields of a statement that a worker needs. */
function sent({ text, parameters, isGenerated }: Statement): WorkerStatement {
  return { text, parameters, ...(isGenerated && { isGenerated }) };
}
