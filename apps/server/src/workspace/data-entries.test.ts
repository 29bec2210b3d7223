import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DataOutside } from './data-entries.ts';

test('data outside of the folder data is looked for once, and again when the documents have changed', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
  const data = path.join(root, 'data');
  await mkdir(data);
  const outside = new DataOutside();
  const documents = { settings: { version: 1 }, sources: new Map() } as const;
  expect(await outside.find({ root, data }, documents)).toEqual([]);
  await writeFile(path.join(root, 'orders.csv'), 'a\n1\n');
  expect(await outside.find({ root, data }, documents)).toEqual([]);
  expect(await outside.find({ root, data }, { ...documents })).toMatchObject([
    { file: path.join(root, 'orders.csv') },
  ]);
  await rm(root, { recursive: true });
});
