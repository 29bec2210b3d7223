import { expect, test } from 'vitest';
import { lineBatches, type LineBatch } from './line-batches.ts';

const bounds = { lines: 3, characters: 10, ms: 50 };

async function batchesOf(lines: AsyncIterable<string>): Promise<LineBatch[]> {
  return Array.fromAsync(lineBatches(lines, bounds));
}

async function* at(...lines: readonly (readonly [ms: number, line: string])[]) {
  for (const [ms, line] of lines) {
    await new Promise(resolve => setTimeout(resolve, ms));
    yield line;
  }
}

test('a fast stream is grouped by lines and by size, and nothing is lost', async () => {
  const lines = ['a', 'b', 'c', 'd', '0123456789', 'e', 'f'].map(line => [0, line] as const);
  expect(await batchesOf(at(...lines))).toEqual([
    { first: 1, lines: ['a', 'b', 'c'] },
    { first: 4, lines: ['d'] },
    { first: 5, lines: ['0123456789'] },
    { first: 6, lines: ['e', 'f'] },
  ]);
});

test('a slow stream is passed on in time', async () => {
  expect(await batchesOf(at([0, 'a'], [0, 'b'], [400, 'c']))).toEqual([
    { first: 1, lines: ['a', 'b'] },
    { first: 3, lines: ['c'] },
  ]);
});

test('empty lines count, but are no batch of their own', async () => {
  expect(await batchesOf(at([0, ''], [0, ' '], [0, ''], [0, 'a']))).toEqual([{ first: 4, lines: ['a'] }]);
  expect(await batchesOf(at())).toEqual([]);
});

test('an error of the stream is passed on', async () => {
  async function* failing() {
    yield 'a';
    throw new Error('the disk failed');
  }
  await expect(batchesOf(failing())).rejects.toThrow('the disk failed');
});
