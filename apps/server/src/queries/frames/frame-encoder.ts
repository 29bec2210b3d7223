import { encodeFrame, type Frame } from '@belvedere/api';
import { Worker } from 'node:worker_threads';

/** From this many groups on, scanning the numbers takes longer than transferring them to a worker thread. */
const manyGroups = 50_000;
/** Starting a worker thread takes a while, so it starts in advance, once the viewer has the first charts. */
const warmAfterMs = 2000;

/**
 * Encodes frames as bytes. Frames with a large `Float64Array` are encoded in a worker thread, all others at
 * once.
 */
export class FrameEncoder {
  readonly #waiting = new Map<number, { resolve: (pieces: Uint8Array[]) => void; frame: Frame }>();
  #thread: Worker | undefined;
  #warming: NodeJS.Timeout | undefined;
  #nextId = 1;

  /** @returns the frame's bytes in chunks, as from `encodeFrame` */
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
      // Slower, but correct.
      for (const { resolve, frame } of this.#waiting.values()) resolve(encodeFrame(frame));
      this.#waiting.clear();
    };
    thread.on('error', lost);
    thread.on('exit', lost);
    return thread;
  }
}
