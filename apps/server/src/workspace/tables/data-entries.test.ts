import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dataOutside, DataOutside } from './data-entries.ts';
import type { Documents } from '../documents/read-documents.ts';

test('data outside of `data` is reported, but not the files of sources, however deep', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-data-'));
  for (const folder of ['data', 'dashboards', 'db/old', 'node_modules/x'])
    await mkdir(path.join(root, folder), { recursive: true });
  for (const file of ['db/old/shop.sqlite', 'node_modules/x/a.csv', 'readme.csv', 'package.json'])
    await writeFile(path.join(root, file), '');
  const source = { kind: 'sqlite', connection: { path: 'db/old/shop.sqlite' } };
  const documents = {
    settings: {},
    sources: new Map([['shop', { read: { ok: true, value: source } }]]),
  } as unknown as Documents;
  const outside = () => dataOutside({ root, data: path.join(root, 'data') }, documents);
  expect(await outside()).toEqual([]);
  await writeFile(path.join(root, 'db/old/more.csv'), '');
  expect((await outside()).map(({ file }) => file)).toEqual([path.join(root, 'db')]);
  await rm(root, { recursive: true });
});

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
