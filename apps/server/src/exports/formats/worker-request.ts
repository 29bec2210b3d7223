import { Worker } from 'node:worker_threads';

/**
 * A worker thread that writes a file, with one response per message. Requests fail if the thread fails or the
 * client disconnects.
 */
export class WorkerRequest<To, From> {
  readonly #thread: Worker;
  readonly #signal: AbortSignal;
  readonly #gone = Promise.withResolvers<never>();
  readonly #leave = () => this.#gone.reject(this.#signal.reason);

  constructor(module: URL, workerData: unknown, signal: AbortSignal) {
    this.#signal = signal;
    this.#gone.promise.catch(() => {});
    this.#thread = new Worker(module, { workerData, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
    this.#thread.on('error', this.#gone.reject);
    signal.addEventListener('abort', this.#leave);
  }

  /** @throws the thread's errors, and if the client disconnects */
  async request(message: To): Promise<From> {
    this.#signal.throwIfAborted();
    const response = new Promise<From>(resolve => this.#thread.once('message', resolve));
    this.#thread.postMessage(message);
    return Promise.race([response, this.#gone.promise]);
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#leave);
    void this.#thread.terminate();
  }
}
