import { encodeFrame, type Frame } from '@belvedere/api';
import { Worker } from 'node:worker_threads';

/** Looking at so many numbers takes longer than handing them to a thread. */
const manyGroups = 50_000;
/** A thread takes a while to be there: it is begun when whoever began to look has their first pictures. */
const warmAfterMs = 2000;

/** Frames as bytes: small ones at once, and large ones whose whole numbers are known as such; others in a thread of their own. */
export class FrameEncoder {
  readonly #waiting = new Map<number, { resolve: (pieces: Uint8Array[]) => void; frame: Frame }>();
  #thread: Worker | undefined;
  #warming: NodeJS.Timeout | undefined;
  #nextId = 1;

  /** @returns its bytes in pieces, as of `encodeFrame` */
  encode(frame: Frame): Uint8Array[] | Promise<Uint8Array[]> {
    this.#warming ??= setTimeout(() => (this.#thread ??= this.#start()), warmAfterMs).unref();
    if (!frame.cells?.parts.some(part => part instanceof Float64Array && part.length >= manyGroups))
      return encodeFrame(frame);
    const thread = (this.#thread ??= this.#start());
    const id = this.#nextId++;
    return new Promise(resolve => {
      this.#waiting.set(id, { resolve, frame });
      thread.postMessage({ id, frame });
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#warming);
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./encode-worker.ts', import.meta.url));
    thread.unref();
    thread.on('message', ({ id, pieces }: { id: number; pieces: Uint8Array[] }) => {
      this.#waiting.get(id)?.resolve(pieces);
      this.#waiting.delete(id);
    });
    const lost = () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      // Slower, but right.
      for (const { resolve, frame } of this.#waiting.values()) resolve(encodeFrame(frame));
      this.#waiting.clear();
    };
    thread.on('error', lost);
    thread.on('exit', lost);
    return thread;
  }
}
