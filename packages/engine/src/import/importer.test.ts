import { utils, write } from '@e965/xlsx';
import type { TableFile } from '@belvedere/document';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { discover } from './discovery/discover.ts';
import { Importer, type ImportProgress } from './importer.ts';
import { valuesTable } from './columns/profile-table.ts';
import { rowsOf } from './sql-text.ts';

// On a machine that has little memory.
test('the progress of a file with several tables covers all of them, and never decreases', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const sqlite = new DatabaseSync(path.join(folder, 'shop.sqlite'));
  for (const table of ['a', 'b', 'c', 'd'])
    sqlite.exec(
      `create table ${table} as with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) select i from n`,
    );
  sqlite.close();
  const importer = new Importer({ tablesFolder: folder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const {
    tables: [found],
  } = await discover(path.join(folder, 'shop.sqlite'));
  const said: number[] = [];
  const imported = await importer.import(found!, ({ percent }) => said.push(percent));
  expect(imported.map(table => table.name)).toEqual(['shop_a', 'shop_b', 'shop_c', 'shop_d']);
  expect(said.filter((percent, i) => said.indexOf(percent) === i)).toEqual(
    expect.arrayContaining([0, 25, 50, 75]),
  );
  expect(said).toEqual(said.toSorted((one, other) => one - other));
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('a cancelled import ends at once and leaves nothing behind; queued ones continue', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const sqlite = new DatabaseSync(path.join(folder, 'large.sqlite'));
  sqlite.exec(
    'create table a as with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select i, hex(randomblob(8)) as word from n',
  );
  sqlite.close();
  await writeFile(path.join(folder, 'small.csv'), 'n\n1\n2\n');
  const tablesFolder = path.join(folder, 'tables');
  const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const foundIn = async (file: string) => (await discover(path.join(folder, file))).tables[0]!;
  const [running, waiting] = [new AbortController(), new AbortController()];
  const begun = Promise.withResolvers<void>();
  const large = importer.import(
    await foundIn('large.sqlite'),
    ({ percent }) => percent > 0 && begun.resolve(),
    running.signal,
  );
  const never = importer.import(await foundIn('large.sqlite'), () => {}, waiting.signal);
  const small = importer.import(await foundIn('small.csv'), () => {});
  await begun.promise;
  // What only waits does not wait for its turn to be called off.
  let isRunning = true;
  void large.catch(() => (isRunning = false));
  waiting.abort(new Error('not wanted'));
  await expect(never).rejects.toThrow('not wanted');
  expect(isRunning).toBe(true);
  running.abort(new Error('called off'));
  await expect(large).rejects.toThrow('called off');
  expect(await readdir(tablesFolder)).toEqual([]);
  expect((await small).map(({ name, profile }) => [name, profile.rows])).toEqual([['small', 2]]);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('few distinct texts are stored as one list per row group', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  await writeFile(
    path.join(folder, 'trips.csv'),
    `city\n${Array.from({ length: 20_000 }, (_, i) => ['Oslo', 'Bonn', 'Åbo'][i % 3]).join('\n')}\n`,
  );
  const importer = new Importer({ tablesFolder: folder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const {
    tables: [found],
  } = await discover(path.join(folder, 'trips.csv'));
  const [imported] = await importer.import(found!, () => {});
  const instance = await DuckDBInstance.create(imported!.database, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  expect(
    await rowsOf(
      connection,
      "select distinct compression from pragma_storage_info('data') where segment_type = 'VARCHAR'",
    ),
  ).toEqual([['DICT_FSST']]);
  connection.closeSync();
  instance.closeSync();
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('a large table is stored with the distinct values of its texts, if they are few', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const write = (name: string, rows: number) =>
    writeFile(
      path.join(folder, name),
      `city,ticket,stops\n${Array.from({ length: rows }, (_, i) => `${['Oslo', '', 'Åbo', 'Bonn'][i % 4]},t${i},${i % 3}`).join('\n')}\n`,
    );
  await Promise.all([write('large.csv', 200_004), write('small.csv', 100)]);
  const importer = new Importer({ tablesFolder: folder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const read = async (file: string) =>
    (await importer.import((await discover(path.join(folder, file))).tables[0]!, () => {}))[0]!;
  const [large, small] = [await read('large.csv'), await read('small.csv')];
  const connection = await (
    await DuckDBInstance.create(large.database, { access_mode: 'READ_ONLY' })
  ).connect();
  expect(
    await rowsOf(connection, `select "column", value, rows::int from ${valuesTable} order by 2 nulls last`),
  ).toEqual([
    ['city', 'Bonn', 50_001],
    ['city', 'Oslo', 50_001],
    ['city', 'Åbo', 50_001],
    ['city', null, 50_001],
  ]);
  const top = (table: typeof large) => table.profile.columns.map(({ top: values }) => values);
  expect(top(large)).toEqual([
    ['Bonn', 'Oslo', 'Åbo', null].map(value => ({ value, rows: 50_001 })),
    expect.arrayContaining([{ value: 't0', rows: 1 }]),
    [0, 1, 2].map(value => ({ value: String(value), rows: 66_668 })),
  ]);
  const other = await (await DuckDBInstance.create(small.database, { access_mode: 'READ_ONLY' })).connect();
  await expect(rowsOf(other, `from ${valuesTable}`)).rejects.toThrow(valuesTable);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('a long import does not block others, and the smallest waiting one is next', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const sqlite = new DatabaseSync(path.join(folder, 'long.sqlite'));
  sqlite.exec(
    'create table a as with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select i, hex(randomblob(8)) as word from n',
  );
  sqlite.close();
  for (const [name, rows] of [
    ['many', 3000],
    ['few', 3],
    ['some', 300],
  ] as const)
    await writeFile(
      path.join(folder, `${name}.csv`),
      `n\n${Array.from({ length: rows }, (_, i) => i).join('\n')}\n`,
    );
  const importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 2,
    longImportMs: 1,
  });
  const ended: string[] = [];
  const foundIn = async (file: string) => (await discover(path.join(folder, file))).tables[0]!;
  const read = (found: Awaited<ReturnType<typeof foundIn>>, onBegin = () => {}) =>
    importer.import(found, onBegin).then(([table]) => void ended.push(table!.name));
  const files = await Promise.all(['many.csv', 'few.csv', 'some.csv'].map(foundIn));
  const begun = Promise.withResolvers<void>();
  const long = read(await foundIn('long.sqlite'), begun.resolve);
  await begun.promise;
  await Promise.all(files.map(file => read(file)));
  await long;
  expect(ended).toEqual(['few', 'some', 'many', 'long_a']);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('two long imports do not block others: one makes way, and begins again later', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  for (const name of ['long', 'longer']) {
    const sqlite = new DatabaseSync(path.join(folder, `${name}.sqlite`));
    sqlite.exec(
      'create table a as with recursive n(i) as (select 1 union all select i + 1 from n where i < 600000) ' +
        'select i, hex(randomblob(8)) as word from n',
    );
    sqlite.close();
  }
  await writeFile(path.join(folder, 'few.csv'), 'n\n1\n2\n');
  const importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 2,
    longImportMs: 1,
    maxTurnMs: 1,
  });
  const ended: string[] = [];
  const read = async (file: string) => {
    const at = Promise.withResolvers<void>();
    const [found] = (await discover(path.join(folder, file))).tables;
    const done = importer.import(found!, () => at.resolve()).then(([table]) => void ended.push(table!.name));
    await at.promise;
    return { done };
  };
  const long = await read('long.sqlite');
  const longer = await read('longer.sqlite');
  await (
    await read('few.csv')
  ).done;
  expect(ended).toEqual(['few']);
  await Promise.all([long.done, longer.done]);
  expect(ended).toEqual(['few', 'long_a', 'longer_a']);
  expect(await readdir(path.join(folder, 'tables'))).toHaveLength(6);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('previews run one after another, so that many of them delay an import by one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  await writeFile(path.join(folder, 'small.csv'), 'n\n1\n2\n');
  await writeFile(path.join(folder, 'large.csv'), `n\n${'1\n'.repeat(1000)}`);
  const tablesFolder = path.join(folder, 'tables');
  const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const foundIn = async (file: string) => (await discover(path.join(folder, file))).tables[0]!;
  const [small, large] = [await foundIn('small.csv'), await foundIn('large.csv')];
  const ended: string[] = [];
  const called = new AbortController();
  const previews = [1, 2, 3].map(n => importer.preview(small).then(() => ended.push(`preview ${n}`)));
  const never = importer.preview(small, called.signal);
  called.abort(new Error('called off'));
  const imported = importer.import(large, () => {}).then(() => ended.push('import'));
  await expect(never).rejects.toThrow('called off');
  await Promise.all([...previews, imported]);
  expect(ended.indexOf('import')).toBeLessThanOrEqual(1);
  expect(ended).toHaveLength(4);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('the import of several files reports the current one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const data = path.join(folder, 'data');
  await mkdir(data);
  for (let i = 1; i <= 40; i++)
    await writeFile(
      path.join(data, `m${i}.csv`),
      `n,word\n${Array.from({ length: 20_000 }, (_, row) => `${row},w${row}`).join('\n')}\n`,
    );
  const importer = new Importer({ tablesFolder: folder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const {
    tables: [found],
  } = await discover(data);
  const said: ImportProgress[] = [];
  await importer.import(found!, progress => said.push(progress));
  const files = said.flatMap(({ file }) => file ?? []);
  expect(files.at(-1)).toEqual({ number: 40, of: 40 });
  expect(files.map(({ number }) => number)).toEqual(
    files.map(({ number }) => number).toSorted((one, other) => one - other),
  );
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test.each<[string, string, Omit<TableFile, 'version'>, object]>([
  [
    'a type',
    'id,day\n1,2024-01-31\n2,soon\n3,2024-02-01\n',
    { columns: { day: 'date', id: 'integer' } },
    { rowsKept: 3, nulled: [{ column: 'day', values: 1 }] },
  ],
  [
    'a type for numbers that were detected as dates',
    'date,n\n20240131,1\n20240201,2\n',
    { columns: { date: 'integer' } },
    { rowsKept: 2 },
  ],
  [
    'an order of day and month that another column contradicts',
    'paid,sent\n31.12.2023,01.02.2024\n05.05.2023,02.03.2024\n',
    { dates: 'month first' },
    { nulled: [{ column: 'paid', values: 1 }] },
  ],
  ['a delimiter', 'a,b\n1,2\n', { delimiter: ';' }, { rowsKept: 1 }],
])('a preview of %s counts the values that it would lose, and leaves nothing behind', async (...test) => {
  const [, content, options, report] = test;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  await writeFile(path.join(folder, 'a.csv'), content);
  const tablesFolder = path.join(folder, 'tables');
  const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const [found] = (await discover(path.join(folder, 'a.csv'))).tables;
  const [preview] = await importer.preview({ ...found!, reading: { version: 1, ...options } });
  expect(preview).toMatchObject({ rowsRejected: 0, ...report });
  expect(preview!.nulled).toEqual('nulled' in report ? report.nulled : undefined);
  expect(await readdir(tablesFolder)).toEqual([]);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('encoding and delimiter of the options do not hold for workbooks, whose files name neither', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['name', 'n'],
      ['Zoë', 1],
    ]),
    'a',
  );
  await writeFile(path.join(folder, 'a.xlsx'), write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  const importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 1,
  });
  const [found] = (await discover(path.join(folder, 'a.xlsx'))).tables;
  const reading = { version: 1, encoding: 'UTF-16 LE', delimiter: ';' } as const;
  const [imported] = await importer.import({ ...found!, reading }, () => {});
  expect(imported!.profile.columns).toMatchObject([
    { name: 'name', max: 'Zoë' },
    { name: 'n', max: 1 },
  ]);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

test('clock times of a file become seconds if the name says that they are durations', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-importer-'));
  await writeFile(
    path.join(folder, 'a.csv'),
    'departure,duration,length\n08:30:00,01:30:00,1:30\n23:00:00,02:00:00,2:45\n',
  );
  const tablesFolder = path.join(folder, 'tables');
  const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  const [found] = (await discover(path.join(folder, 'a.csv'))).tables;
  const [imported] = await importer.import(found!, () => {});
  expect(imported!.profile.columns).toMatchObject([
    { name: 'departure', type: 'text', max: '23:00:00' },
    { name: 'duration', type: 'integer', format: 'duration', max: 7200 },
    // Hours or minutes.
    { name: 'length', type: 'text', max: '2:45' },
  ]);
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});
