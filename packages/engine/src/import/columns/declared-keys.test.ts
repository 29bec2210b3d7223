import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { Importer } from '../importer.ts';

/* Keys that a database file declares, under the names of the imported tables. */

let folder: string;
let importer: Importer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-keys-'));
  const tablesFolder = path.join(folder, 'tables');
  importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

const schema = [
  'create table customers (id integer primary key, boss integer references customers (id))',
  'create table lines (order_id integer, line integer, primary key (order_id, line))',
  `create table returns (id integer primary key, customer integer references customers (id), order_id integer,
    line integer, note varchar unique, foreign key (order_id, line) references lines (order_id, line))`,
];
/** SQLite compares names without regard to case, and takes the primary key where no column is named. */
const loose = [
  'create table parents (ID integer primary key)',
  'create table children (parent integer references PARENTS, gone integer references missing (id))',
];

async function keysOf(file: string) {
  const { tables } = await discover(file);
  const imported = await importer.import(tables[0]!, () => {});
  return Object.fromEntries(
    imported.map(({ name, declaredKeys }) => [
      name,
      {
        foreign: (declaredKeys?.foreignKeys ?? [])
          .map(({ columns, table, keys }) => `${columns.join('+')} → ${table}.${keys.join('+')}`)
          .toSorted(),
        together: declaredKeys?.uniqueTogether ?? [],
      },
    ]),
  );
}

const expected = {
  shop_customers: { foreign: ['boss → shop_customers.id'], together: [] },
  shop_lines: { foreign: [], together: [['order_id', 'line']] },
  shop_returns: {
    foreign: ['customer → shop_customers.id', 'order_id+line → shop_lines.order_id+line'],
    together: [],
  },
};

test('an SQLite file declares keys of one and several columns', async () => {
  const file = path.join(folder, 'shop.sqlite');
  const database = new DatabaseSync(file);
  for (const statement of [...schema, ...loose]) database.exec(statement);
  database.close();
  const { shop_lines: lines, ...rest } = await keysOf(file);
  // The primary key, and the index that SQLite makes for it.
  expect(lines!.together).toEqual([
    ['order_id', 'line'],
    ['order_id', 'line'],
  ]);
  expect({ ...rest, shop_lines: expected.shop_lines }).toEqual({
    ...expected,
    shop_parents: { foreign: [], together: [] },
    shop_children: { foreign: ['parent → shop_parents.ID'], together: [] },
  });
});

test('a DuckDB file declares keys of one and several columns', async () => {
  const file = path.join(folder, 'shop.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const statement of schema) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  expect(await keysOf(file)).toEqual(expected);
});
