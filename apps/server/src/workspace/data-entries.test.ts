import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dataOutside } from './data-entries.ts';
import type { Documents } from './documents/read-documents.ts';

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
