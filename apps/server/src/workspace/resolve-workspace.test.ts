import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveWorkspace } from './resolve-workspace.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belvedere-resolve-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each<[string, readonly string[], string]>([
  ['files only in `data`', ['data/orders.csv', 'README.md', 'README.txt', '.prettierrc.json'], 'data'],
  ['files in `data` and beside it', ['data/orders.csv', 'items.csv'], '.'],
  ['files in `data` and in another folder', ['data/orders.csv', 'raw/items.csv'], '.'],
  ['files in `data` and deep in another folder', ['data/orders.csv', 'raw/2024/items.csv'], '.'],
  ['files in `data` and a text about another folder', ['data/orders.csv', 'raw/README.txt'], 'data'],
  ['files in `data` and a folder without data', ['data/orders.csv', 'src/main.py'], 'data'],
  ['files in `data` and settings of a program', ['data/orders.csv', 'package.json'], 'data'],
  ['files in `data` and a folder of the name of documents', ['data/orders.csv', 'reports/2024.csv'], '.'],
  ['files without a folder', ['orders.csv'], '.'],
  ['a saved dashboard and files in `data`', ['data/orders.csv', 'dashboards/a.yaml'], 'data'],
  ['a saved dashboard, files in `data` and beside it', ['data/a.csv', 'b.csv', 'dashboards/a.yaml'], 'data'],
  ['a saved dashboard beside its files', ['orders.csv', 'dashboards/a.yaml'], '.'],
  ['a saved dashboard and files deep in a folder', ['raw/2024/a.csv', 'dashboards/a.yaml'], '.'],
  ['a saved dashboard and a shape of maps', ['maps/lands.geojson', 'dashboards/a.yaml'], 'data'],
  ['only a saved dashboard', ['dashboards/a.yaml'], 'data'],
])('a folder with %s: %j has its data in %s', async (_, files, data) => {
  for (const file of files) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), 'a\n1\n');
  }
  expect((await resolveWorkspace(folder)).data).toBe(path.join(folder, data));
});

test.each([
  ['.', '.'],
  ['data', 'data'],
])('`data: %s` in `belvedere.yaml` decides', async (setting, data) => {
  await mkdir(path.join(folder, 'data'));
  for (const file of ['data/orders.csv', 'items.csv']) await writeFile(path.join(folder, file), 'a\n1\n');
  await writeFile(path.join(folder, 'belvedere.yaml'), `version: 1\ndata: ${setting}\n`);
  expect((await resolveWorkspace(folder)).data).toBe(path.join(folder, data));
});

test('records that are a link to those of another workspace are refused', async () => {
  for (const name of ['theirs', 'ours/.belvedere']) await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, 'theirs', 'belvedere.yaml'), 'version: 1\n');
  await symlink(path.join('..', 'ours', '.belvedere'), path.join(folder, 'theirs', '.belvedere'));
  await expect(resolveWorkspace(path.join(folder, 'theirs'))).rejects.toThrow('is a link');
});
