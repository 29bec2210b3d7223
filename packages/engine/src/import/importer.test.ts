import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { discover } from './discover.ts';
import { Importer } from './importer.ts';

// On a machine that has little memory.
test('how far a file of several tables is read is said of all of them, and never falls', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const sqlite = new DatabaseSync(path.join(folder, 'shop.sqlite'));
  for (const table of ['a', 'b', 'c', 'd']) sqlite.exec(`create table ${table} as with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) select i from n`);
  sqlite.close();
  const importer = new Importer({ tablesFolder: folder, memoryBytes: 2 ** 30, threads: 1 });
  const { tables: [found] } = await discover(path.join(folder, 'shop.sqlite'), new Map());
  const said: number[] = [];
  const imported = await importer.import(found!, percent => said.push(percent));
  expect(imported.map(table => table.name)).toEqual(['shop_a', 'shop_b', 'shop_c', 'shop_d']);
  expect(said.filter((percent, i) => said.indexOf(percent) === i)).toEqual(expect.arrayContaining([0, 25, 50, 75]));
  expect(said).toEqual(said.toSorted((one, other) => one - other));
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});
