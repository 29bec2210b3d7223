import { decodeFrames, type Frame } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { MemoryBudget } from './bounded-cache.ts';
import { StreamCache } from './stream-cache.ts';

const frame = (tile: string, sampled = false): Frame => ({
  header: {
    kind: 'cells',
    tile,
    part: 'main',
    scope: 'base',
    axes: [],
    merges: ['sum'],
    values: [{ kind: 'part', index: 0 }],
    notes: [],
    engineMs: 0,
    ...(sampled && { sampled: { rows: 1, of: 100 } }),
  },
  cells: { groups: Int32Array.of(0), parts: [Float64Array.of(7)] },
});
const never = new AbortController().signal;

async function tilesOf(stream: AsyncGenerator<Uint8Array>): Promise<string[]> {
  const tiles: string[] = [];
  for await (const { header } of decodeFrames(stream)) if ('tile' in header) tiles.push(header.tile);
  return tiles;
}

describe('shared streams', () => {
  test('compute a result once for all simultaneous requests, the late ones included', async () => {
    const streams = new StreamCache(new MemoryBudget(2 ** 20));
    const gate = Promise.withResolvers<void>();
    let made = 0;
    const frames = async function* () {
      made++;
      yield frame('a');
      await gate.promise;
      yield frame('b');
    };
    const readers = Array.from({ length: 50 }, () => tilesOf(streams.read('key', frames, never)));
    await new Promise(resolve => setTimeout(resolve, 5));
    readers.push(tilesOf(streams.read('key', frames, never)));
    gate.resolve();
    expect(await Promise.all(readers)).toEqual(Array.from({ length: 51 }, () => ['a', 'b']));
    expect(made).toBe(1);
    expect(streams.whole('key')).toBeDefined();
  });

  test('cancel the queries when the last reader has disconnected, and not before', async () => {
    const streams = new StreamCache(new MemoryBudget(2 ** 20));
    let signal: AbortSignal | undefined;
    const frames = async function* (shared: AbortSignal) {
      signal = shared;
      yield frame('a');
      await new Promise(resolve => shared.addEventListener('abort', resolve));
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const reading = [
      tilesOf(streams.read('key', frames, first.signal)),
      tilesOf(streams.read('key', frames, second.signal)),
    ];
    await new Promise(resolve => setTimeout(resolve, 5));
    first.abort();
    await reading[0];
    expect(signal!.aborted).toBe(false);
    second.abort();
    await reading[1];
    expect(signal!.aborted).toBe(true);
    expect(streams.whole('key')).toBeUndefined();
  });

  test('keep only exact results without errors', async () => {
    const streams = new StreamCache(new MemoryBudget(2 ** 20));
    await tilesOf(
      streams.read(
        'near',
        async function* () {
          yield frame('a', true);
          yield frame('a');
        },
        never,
      ),
    );
    const whole = streams.whole('near')!;
    expect(
      await tilesOf(
        (async function* () {
          yield whole.bytes;
        })(),
      ),
    ).toEqual(['a']);
    await tilesOf(
      streams.read(
        'broken',
        async function* () {
          yield {
            header: {
              kind: 'problem',
              tile: 'a',
              scope: 'base',
              problem: { type: 'x', title: '', status: 500 },
            },
          } as Frame;
        },
        never,
      ),
    );
    expect(streams.whole('broken')).toBeUndefined();
  });

  test('pass an error to every reader', async () => {
    const streams = new StreamCache(new MemoryBudget(2 ** 20));
    const frames = () => Promise.reject(new Error('no such chart'));
    await Promise.all(
      [0, 1].map(() => expect(tilesOf(streams.read('key', frames, never))).rejects.toThrow('no such chart')),
    );
  });
});
