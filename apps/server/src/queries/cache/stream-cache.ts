import type { Frame } from '@belvedere/api';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { FairScheduler } from '../../http/fair-scheduler.ts';
import { BoundedCache, type MemoryBudget } from './bounded-cache.ts';
import { FrameEncoder } from '../frames/frame-encoder.ts';

/** A complete result in its wire format, with compressed versions for clients that accept them. */
export interface CompleteResult {
  readonly bytes: Uint8Array;
  readonly zstd?: Uint8Array;
  readonly gzip?: Uint8Array;
}

interface InFlightStream {
  readonly chunks: Uint8Array[];
  readonly listeners: Set<() => void>;
  readonly controller: AbortController;
  state: 'open' | 'done' | 'failed';
  error?: unknown;
  clients: number;
}

/**
 * Equal requests share one stream of frames, so a thousand viewers who open a dashboard at once cause its
 * queries and encoding once.
 * A late reader first gets the existing chunks, then follows the stream. When the last reader leaves, the
 * queries are cancelled. Complete results are cached and compressed in the background.
 */
export class StreamCache {
  readonly #inFlight = new Map<string, InFlightStream>();
  /** In chunks as they were sent, until the next request joins them. */
  readonly #whole: BoundedCache<CompleteResult | readonly Uint8Array[]>;
  readonly #encoder = new FrameEncoder();
  readonly #shortening = new Set<string>();
  hits = 0;

  /** @param budget shared with other caches */
  constructor(budget: MemoryBudget) {
    this.#whole = new BoundedCache(budget);
  }

  get bytes(): number {
    return this.#whole.bytes;
  }

  whole(key: string): CompleteResult | undefined {
    const kept = this.#whole.get(key);
    if (!kept) return undefined;
    this.hits++;
    const found: CompleteResult = 'bytes' in kept ? kept : { bytes: Buffer.concat(kept) };
    this.#put(key, found);
    // Compression pays only from the second request on.
    if (!found.zstd && found.bytes.length >= worthShortening) void this.#shorten(key, found.bytes);
    return found;
  }

  clear(): void {
    this.#whole.clear();
  }

  async close(): Promise<void> {
    await this.#encoder.close();
  }

  /**
   * @param key names everything that the result depends on. @param frames is called for the first reader
   * only.
   */
  async *read(
    key: string,
    frames: (signal: AbortSignal) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const stream = this.#inFlight.get(key) ?? this.#start(key, frames);
    stream.clients++;
    try {
      for (let next = 0; ;) {
        while (next < stream.chunks.length) yield stream.chunks[next++]!;
        if (stream.state === 'failed') throw stream.error;
        if (stream.state === 'done' || signal.aborted) return;
        await moreOf(stream, signal);
      }
    } finally {
      if (--stream.clients === 0 && stream.state === 'open') {
        if (this.#inFlight.get(key) === stream) this.#inFlight.delete(key);
        stream.controller.abort();
      }
    }
  }

  #start(
    key: string,
    frames: (signal: AbortSignal) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>,
  ): InFlightStream {
    const stream: InFlightStream = {
      chunks: [],
      listeners: new Set(),
      controller: new AbortController(),
      state: 'open',
      clients: 0,
    };
    this.#inFlight.set(key, stream);
    void this.#fly(key, stream, frames);
    return stream;
  }

  async #fly(
    key: string,
    stream: InFlightStream,
    frames: (signal: AbortSignal) => AsyncIterable<Frame> | Promise<AsyncIterable<Frame>>,
  ): Promise<void> {
    let isExact = true;
    const lasting: Uint8Array[] = [];
    try {
      for await (const frame of await frames(stream.controller.signal)) {
        const pieces = await this.#encoder.encode(frame);
        stream.chunks.push(...pieces);
        // Errors and stale results are only for the current readers.
        if (
          frame.header.kind === 'problem' ||
          ('notes' in frame.header && frame.header.notes.some(note => note.kind === 'last-answer'))
        )
          isExact = false;
        // Sampled results are useless to readers who get the exact one at once.
        if (!(frame.header.kind === 'cells' && frame.header.sampled)) lasting.push(...pieces);
        notify(stream);
      }
      stream.state = 'done';
      if (isExact && !stream.controller.signal.aborted) this.#put(key, lasting);
    } catch (error) {
      stream.state = 'failed';
      stream.error = error;
    }
    if (this.#inFlight.get(key) === stream) this.#inFlight.delete(key);
    notify(stream);
  }

  /** Compresses in the thread pool, once for all readers. */
  async #shorten(key: string, bytes: Uint8Array): Promise<void> {
    if (this.#shortening.has(key)) return;
    this.#shortening.add(key);
    const [zstd, gzipped] = await Promise.all([
      promisify(zstdCompress)(bytes),
      promisify(gzip)(bytes, { level: 4 }),
    ]);
    this.#shortening.delete(key);
    const kept = this.#whole.get(key);
    if (kept && 'bytes' in kept && kept.bytes === bytes) this.#put(key, { bytes, zstd, gzip: gzipped });
  }

  #put(key: string, result: CompleteResult | readonly Uint8Array[]): void {
    this.#whole.set(key, result, sizeOf(result));
  }
}

/** Smaller results fit into one network packet anyway. */
const worthShortening = 1400;

/** Spreads the writes of a chunk to a thousand readers over several event-loop turns, 64 in each. */
const scheduler = new FairScheduler(64);

function notify(stream: InFlightStream): void {
  for (const listener of stream.listeners) scheduler.take('', listener);
}

/** Resolves when the stream has new chunks or has ended, or when this reader disconnects. */
function moreOf(stream: InFlightStream, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      stream.listeners.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stream.listeners.add(done);
    signal.addEventListener('abort', done);
  });
}

function sizeOf(result: CompleteResult | readonly Uint8Array[]): number {
  return 'bytes' in result
    ? result.bytes.length + (result.zstd?.length ?? 0) + (result.gzip?.length ?? 0)
    : lengthOf(result);
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
