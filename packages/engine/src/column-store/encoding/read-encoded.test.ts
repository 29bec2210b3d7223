import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownMemory } from '../kernel/count-rows.ts';
import { readEncoded, type Reading } from './read-encoded.ts';

/** Not a whole number of the pieces that are read at once. */
const bytes = 20_000_004;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-read-codes-'));
  file = path.join(folder, 'two.codes');
  await writeFile(
    file,
    Uint32Array.from({ length: bytes / 2 }, (_, i) => i * 7),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function readingOf(name: string, words = 2): Reading {
  return {
    file: name,
    words: Array.from({ length: words }, () => new Uint8Array(new SharedArrayBuffer(bytes + 8), 4, bytes)),
    progress: new Int32Array(new SharedArrayBuffer(4)),
  };
}

const isRight = ({ words }: Reading) =>
  words.every(({ buffer, byteOffset }, word) =>
    new Uint32Array(buffer, byteOffset, bytes / 4).every(
      (value, i) => value === (word * (bytes / 4) + i) * 7,
    ),
  );

test('words are read completely, by one thread or by two', async () => {
  const alone = readingOf(file);
  readEncoded(alone);
  expect(isRight(alone)).toBe(true);

  const shared = readingOf(file);
  const helper = new Worker(new URL('../scan/scan-worker.ts', import.meta.url), {
    workerData: { own: ownMemory() },
  });
  helper.postMessage({ kind: 'read', reading: shared });
  readEncoded(shared);
  expect(await once(helper, 'message')).toEqual([{ kind: 'done' }]);
  expect(isRight(shared)).toBe(true);

  // What it cannot read it says, and takes the next order.
  helper.postMessage({ kind: 'read', reading: readingOf(path.join(folder, 'gone.codes')) });
  expect(await once(helper, 'message')).toEqual([
    { kind: 'failed', message: expect.stringContaining('ENOENT') },
  ]);
  helper.postMessage({ kind: 'end' });
  await once(helper, 'exit');
});

test('a truncated file is refused', () => {
  expect(() => readEncoded(readingOf(file, 3))).toThrow('shorter than it should be');
});
