import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBelvedere, sourcesReady, type Running } from '../running-belvedere.ts';
import { databases, type LoadedEngine, type StatedTable } from './loaded-engines.ts';
import { sourceFile } from './workspace-on.ts';

/** A database's own SQL, written by a user: run on its screen, and saved as a model. */

const orders: StatedTable = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'country', type: 'text' },
    { name: 'amount', type: 'decimal' },
  ],
  rows: Array.from({ length: 300 }, (_, i) => [i, ['NO', 'AT', 'JP'][i % 3]!, `${i}.50`]),
  unique: ['id'],
};
const countries: StatedTable = {
  name: 'countries',
  columns: [
    { name: 'code', type: 'text' },
    { name: 'called', type: 'text' },
  ],
  rows: [
    ['NO', 'Norge'],
    ['AT', 'Österreich'],
  ],
  unique: ['code'],
};

describe.each(databases)('%s', (name, load) => {
  let loaded: LoadedEngine;
  let folder: string;
  let running: Running;
  const sql = (text: string, limit = 1000) =>
    running.client.runSql({ params: { name: 'warehouse' }, body: { sql: text, limit } });

  beforeAll(async () => {
    loaded = await load([orders, countries]);
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-engine-sql-'));
    for (const name of ['models', 'sources']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
    await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), sourceFile(loaded));
    await writeFile(
      path.join(folder, 'models', 'large.yaml'),
      `version: 1\nsource: warehouse\nsql: |\n  select country, amount, id from ${loaded.tableName('orders')} where id >= 100; -- the later ones\njoins: { land: { table: countries, on: { country: code } } }\ndimensions: { country: {}, name: { column: land.called } }\nmeasures: { amount: { expr: sum(amount) } }\n`,
    );
    running = await runBelvedere(folder, { isTrusted: true });
    await sourcesReady(running);
  });
  afterAll(async () => {
    await running?.close();
    await loaded?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('returns the first rows of many in their order, and the connection can be used again', async () => {
    const all = `select id, country from ${loaded.tableName('orders')} order by id desc`;
    expect(await sql(all, 2)).toMatchObject({
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'country', type: 'text' },
      ],
      rows: [
        [299, 'JP'],
        [298, 'AT'],
      ],
      isCut: true,
    });
    expect((await sql(all)).rows).toHaveLength(300);
    for (let i = 0; i < 12; i++) expect((await sql(all, 5)).isCut).toBe(true);
    expect((await sql(all)).isCut).toBe(false);
  });

  test('is exported in full, with every digit and letter, and stays read-only', async () => {
    const take = async (text: string) =>
      (
        await running.client.exportSql({ params: { name: 'warehouse' }, body: { sql: text, format: 'csv' } })
      ).text();
    const table = loaded.tableName('orders');
    const lines = (await take(`select id, country, amount from ${table} order by id`)).trim().split('\r\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      301,
      'id,country,amount',
      expect.stringMatching(/^0,NO,0\.50*$/),
      expect.stringMatching(/^299,JP,299\.50*$/),
    ]);
    expect((await take(`select id from ${table} where id < 0`)).trim()).toBe('id');
    for (const text of [`delete from ${table}`, 'select 1; select 2'])
      await expect(take(text)).rejects.toMatchObject({
        problem: { status: expect.toSatisfy((status: number) => status >= 400 && status < 500) },
      });
    expect(running.server.queries.queues.exports.running).toBe(0);
  });

  test('is read-only, and a single statement', async () => {
    const table = loaded.tableName('orders');
    for (const text of [
      `delete from ${table}`,
      `drop table ${table}`,
      `insert into ${table} select * from ${table}`,
      `select 1; select 2`,
      'select nothing_like_it',
    ]) {
      await expect(sql(text)).rejects.toMatchObject({
        problem: { status: expect.toSatisfy((status: number) => status >= 400 && status < 500) },
      });
    }
    expect((await sql(`select count(*) as n from ${table}`)).rows).toEqual([[300]]);
  });

  test('an error from the server is the statement’s error, whatever its code; the server stays available', async () => {
    const table = loaded.tableName('orders');
    for (const text of [
      `select row_number() over (order by nothing_like_it) from ${table}`,
      ...(name === 'MySQL'
        ? [
            'select row_number() over (order by 6) as n',
            "select regexp_like('a', '(') as n",
            "select json_extract('{', '$.a') as n",
          ]
        : []),
    ]) {
      await expect(sql(text)).rejects.toMatchObject({
        problem: { status: expect.toSatisfy((status: number) => status >= 400 && status < 500) },
      });
    }
    expect((await sql(`select count(*) as n from ${table}`)).rows).toEqual([[300]]);
  });

  test('can be a model that joins other tables', async () => {
    await expect.poll(() => running.server.store.current.models.get('large')?.problems).toEqual([]);
    const { rows } = await running.client.postQuery({
      params: { name: 'large' },
      body: { dimensions: ['name'], measures: ['rows', 'amount'], order: [{ by: 'name' }] },
    });
    const of = (country: number) =>
      Array.from({ length: 200 }, (_, i) => i + 100).filter(i => i % 3 === country);
    const sum = (ids: readonly number[]) => ids.reduce((total, id) => total + id + 0.5, 0);
    expect(rows).toEqual([
      ['Norge', of(0).length, sum(of(0))],
      ['Österreich', of(1).length, sum(of(1))],
      [null, of(2).length, sum(of(2))],
    ]);
  });

  // ClickHouse resolves a name to the last definition of it.
  test.skipIf(name === 'ClickHouse')('with two columns of one name reports it', async () => {
    const text = `version: 1\nsource: warehouse\nsql: select id, amount as id from ${loaded.tableName('orders')}\n`;
    await writeFile(path.join(folder, 'models', 'twice.yaml'), text);
    await expect
      .poll(() =>
        running.server.store.current.problems
          .map(problem => `${problem.file} ${problem.path} ${problem.message}`)
          .join(),
      )
      .toMatch(/twice\.yaml sql .*(Two columns are called `id`|Duplicate column name)/);
  });
});
