import { Worker } from 'node:worker_threads';
import { ProblemError } from '../../http/problems.ts';

/** A file to write in a worker thread. */
export type WriteJob =
  | { readonly kind: 'png'; readonly svg: string; readonly scale: number; readonly fonts: readonly string[] }
  | {
      readonly kind: 'pdf';
      readonly title: string;
      readonly pages: readonly { readonly svg: string; readonly width: number; readonly height: number }[];
      readonly fonts: readonly string[];
      readonly locale: string;
    };

/** What a thread sends back. */
export type WriteReply = { readonly bytes: Uint8Array } | { readonly error: Error };

const longestMs = 120_000;

/**
 * Writes files in worker threads, since an image takes a tenth of a second and a long document several
 * seconds. Threads are used again: starting one loads its libraries again, and Node 24 may crash when threads
 * that compile WebAssembly come and go (nodejs/node#64500).
 */
export class ExportWriter {
  readonly #atOnce: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Threads without a job. They do not keep the process alive. */
  readonly #idle: Worker[] = [];

  /** @param atOnce threads that write at the same time */
  constructor(atOnce = 2) {
    this.#atOnce = atOnce;
  }

  /** @throws ProblemError if it takes too long, or if the client disconnects */
  async write(job: WriteJob, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#running >= this.#atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#running++;
    try {
      signal.throwIfAborted();
      return await this.#writeInThread(job, signal);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #writeInThread(job: WriteJob, signal: AbortSignal): Promise<Uint8Array> {
    const thread = this.#idle.pop() ?? this.#startThread();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const stop = () => {
      void thread.terminate();
      reject(
        new ProblemError(
          'query-timeout',
          `This took longer than ${longestMs / 1000} seconds to export. Export fewer pages or rows.`,
        ),
      );
    };
    const onMessage = (reply: WriteReply) => {
      end();
      thread.unref();
      this.#idle.push(thread);
      if ('bytes' in reply) resolve(reply.bytes);
      else reject(reply.error);
    };
    const onError = (error: Error) => {
      end();
      reject(error);
    };
    const onExit = (code: number) => {
      end();
      reject(new Error(`The export worker exited with ${code}.`));
    };
    const end = () => {
      limit.removeEventListener('abort', stop);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    limit.addEventListener('abort', stop);
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.ref();
    thread.postMessage(job);
    return promise;
  }

  #startThread(): Worker {
    const thread = new Worker(new URL('./write-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    // One that fails while it has no job is replaced by the next job's.
    thread.on('error', () => {});
    thread.on('exit', () => {
      const at = this.#idle.indexOf(thread);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return thread;
  }
}
