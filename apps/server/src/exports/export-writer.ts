import { Worker } from 'node:worker_threads';
import { ProblemError } from '../problems.ts';

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

const longestMs = 120_000;

/**
 * Writes files in worker threads, since an image takes a tenth of a second and a long document several
 * seconds.
 */
export class ExportWriter {
  readonly #atOnce: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

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
      return await inThread(job, signal);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

function inThread(job: WriteJob, signal: AbortSignal): Promise<Uint8Array> {
  const thread = new Worker(new URL('./write-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  return new Promise<Uint8Array>((resolve, reject) => {
    const stop = () => {
      void thread.terminate();
      reject(
        new ProblemError(
          'query-timeout',
          `This took longer than ${longestMs / 1000} seconds to export. Export fewer pages or rows.`,
        ),
      );
    };
    limit.addEventListener('abort', stop);
    thread.on('message', (bytes: Uint8Array) => resolve(bytes));
    thread.on('error', error => reject(error));
    thread.on('exit', code => {
      limit.removeEventListener('abort', stop);
      reject(new Error(`The export worker exited with ${code}.`));
    });
  });
}
