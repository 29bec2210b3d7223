import type { TableFile } from '@belvedere/document';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { discover, type DiscoveryOptions } from './discover.ts';

let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'belvedere-folders-')), 'club');
  await mkdir(folder);
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** The tables' names with how many files they have. */
async function tablesIn(options?: DiscoveryOptions): Promise<Record<string, number>> {
  const { tables } = await discover(folder, options);
  return Object.fromEntries(tables.map(({ name, files }) => [name, files.length]));
}

const optionsOf = (name: string, files: string) =>
  new Map<string, TableFile>([[name, { version: 1, files }]]);
const header = 'day,player,minutes,aces\n';
const row = '2001-02-03,Ann,90,1\n';
const matches = (...years: readonly number[]) =>
  Object.fromEntries(years.map(year => [`matches_${year}.csv`, header + row]));

describe('files that form one table', () => {
  test('differ by a number or a date, beside other files', async () => {
    await write({
      ...matches(2001, 2002, 2003),
      'players.csv': 'player,country\nAnn,NO\n',
      'results.csv': 'a,b\n1,2\n',
    });
    expect(await tablesIn()).toEqual({ matches: 3, players: 1, results: 1 });
  });

  test('use the name of their folder if their names share nothing', async () => {
    await write({
      '2020-01-22.csv': header,
      '2020-01-23.csv': header,
      '2020-02-01.csv': header,
      'deep/1.csv': header,
      'deep/2.csv': header,
      'other/a.csv': 'q,r\n',
      'other/1.csv': header,
      'other/2.csv': header,
      'other/3.csv': header,
    });
    expect(await tablesIn()).toEqual({ club: 3, deep: 2, other_a: 1, other: 3 });
  });

  test('may be compressed', async () => {
    await write(matches(2001, 2002, 2003));
    execFileSync('gzip', [path.join(folder, 'matches_2002.csv')]);
    expect(await tablesIn()).toEqual({ matches: 3 });
  });

  test('may gain and lose columns over the years, and change their spelling', async () => {
    await write({
      'r1.csv': 'Country/Region,Last Update,Confirmed,Deaths\n',
      'r2.csv': 'Country_Region,Last_Update,Confirmed,Deaths,Recovered\n',
      'r3.csv': 'Lat,Long,Country_Region,Last_Update,Confirmed,Deaths,Recovered,Active\n',
      'r4.csv': 'Lat,Long,Last_Update,Recovered,Active,Key,Rate\n',
    });
    expect(await tablesIn()).toEqual({ r: 4 });
  });

  test('may lack a header if each line has as many values', async () => {
    await write({
      'yob1880.txt': 'Mary,F,7065\n',
      'yob1881.txt': 'Anna,F,6919\n',
      'yob1882.txt': 'Mary,F,8148\n',
      'yob1883.txt': 'not,so\n',
    });
    expect(await tablesIn()).toEqual({ yob: 3, yob1883: 1 });
  });

  test('differ by a word if they have the same columns, and nothing else is beside them', async () => {
    await write({
      'regions/north.csv': header,
      'regions/south.csv': header,
      'more/north.csv': header,
      'more/south.csv': header,
      'more/x.json': '[]',
    });
    expect(await tablesIn()).toEqual({ more_north: 1, more_south: 1, more_x: 1, regions: 2 });
  });

  test('differ by a word and share the rest of their names: three or more', async () => {
    await write({
      'sales_north.csv': header,
      'sales_south.csv': header,
      'sales_far_east.csv': header,
      'x.csv': 'q,r\n',
      'a-stock.csv': `${header}1`,
      'b-stock.csv': header,
    });
    expect(await tablesIn()).toEqual({ a_stock: 1, b_stock: 1, sales: 3, x: 1 });
  });
});

test('folders and settings of programs are no data', async () => {
  await write({
    'sales.csv': header + row,
    'node_modules/react/package.json': '{}',
    'app/node_modules/react/data.json': '{"a":1}',
    'app/package.json': '{"name":"app"}',
    '__MACOSX/sales.csv': 'x',
    'requirements.txt': 'flask\n',
  });
  expect(await tablesIn()).toEqual({ sales: 1 });
  const { skippedFiles } = await discover(folder);
  expect(skippedFiles.map(({ file }) => path.relative(folder, file))).toEqual([
    '__MACOSX',
    'node_modules',
    'app/node_modules',
  ]);
});

test('files of fixed width form one table, though their first lines differ', async () => {
  await write({
    'noaa_1901.txt': 'AC100  17.1  ST JOHNS   GSN\n',
    'noaa_1902.txt': 'AC101  18.1  COOLIDGE\n',
    'noaa_1903.txt': 'AC102  19.1  NOON\n',
  });
  expect(await tablesIn()).toEqual({ noaa: 3 });
});

describe('files that stay separate tables', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    [
      'two files that differ by a number',
      { 'orders_1.csv': header, 'orders_2.csv': header, 'x.csv': 'q,r\n' },
    ],
    [
      'a file with a number and one without',
      { 'orders.csv': header, 'orders_2.csv': 'id,sku\n', 'x.csv': 'q,r\n' },
    ],
    [
      'those with other columns',
      {
        'orders_1.csv': 'id,customer,placed\n',
        'orders_2.csv': 'order,sku,quantity\n',
        'orders_3.csv': 'sku,price\n',
      },
    ],
    [
      'lists of codes and names',
      { 'city.csv': 'id,name\n', 'genre.csv': 'id,name\n', 'type.csv': 'id,name\n' },
    ],
    ['texts', { 'note1.txt': 'Dear Ann\n', 'note2.txt': 'Dear Ben\n', 'note3.txt': 'Hello\n' }],
    ['those of different kinds', { 'a1.csv': header, 'a2.json': '[]', 'a3.csv': header }],
  ])('%s', async (_, files) => {
    await write(files);
    expect(Object.values(await tablesIn())).toEqual(Object.keys(files).map(() => 1));
  });

  test('include those that a model or a dashboard names', async () => {
    await write(matches(2001, 2002, 2003));
    expect(await tablesIn({ named: new Set(['matches_2002']) })).toEqual({
      matches_2001: 1,
      matches_2002: 1,
      matches_2003: 1,
    });
    expect(await tablesIn({ named: new Set(['matches']) })).toEqual({ matches: 3 });
    expect(await tablesIn({ importOptions: new Map([['matches_2001', { version: 1, skip: 1 }]]) })).toEqual({
      matches_2001: 1,
      matches_2002: 1,
      matches_2003: 1,
    });
  });
});

describe('a decision about files', () => {
  test('combines files into one table', async () => {
    await write({ 'north.csv': header, 'far/south.csv': 'a,b\n', 'x.csv': 'q,r\n' });
    expect(await tablesIn({ importOptions: optionsOf('all', '**/*th.csv') })).toEqual({ x: 1, all: 2 });
    expect(await tablesIn({ importOptions: optionsOf('x', '*orth.csv') })).toEqual({
      far_south: 1,
      x_2: 1,
      x: 1,
    });
  });

  test('keeps files apart', async () => {
    await write({ ...matches(2001, 2002, 2003), 'trips/1.csv': header, 'trips/2.csv': header });
    expect(
      await tablesIn({
        importOptions: new Map([...optionsOf('matches', 'separate'), ...optionsOf('trips', 'separate')]),
      }),
    ).toEqual({ matches_2001: 1, matches_2002: 1, matches_2003: 1, trips_1: 1, trips_2: 1 });
  });

  test('reports that it matches no file, or files of several kinds', async () => {
    await write({ 'a1.csv': header, 'a2.json': '[]' });
    const reasons = async (files: string) =>
      (await discover(folder, { importOptions: optionsOf('all', files) })).skippedFiles.map(
        ({ reason }) => reason,
      );
    expect(await reasons('b*.csv')).toEqual([
      '`tables/all.yaml` combines these files into one table. No file matches: correct `files`.',
    ]);
    expect(await reasons('a*')).toEqual([expect.stringContaining('must have the same type')]);
  });
});

test('many files and many slow patterns never hold the process up', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${'a'.repeat(230)}${i}.csv`);
  await write(Object.fromEntries(names.map(name => [name, 'n\n1\n'])));
  const options = Array.from({ length: 15 }, (_, i) => [
    `t${i}`,
    { version: 1, files: `${'**a'.repeat(80)}*b` },
  ]);
  let [last, longest] = [performance.now(), 0];
  const ticking = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const begun = last;
  await discover(folder, { importOptions: new Map(options as [string, TableFile][]) });
  clearInterval(ticking);
  expect(longest).toBeLessThan((performance.now() - begun) / 2);
});

test('an unreadable folder is listed, and hides nothing else', async () => {
  await write({ 'closed/deep/b.csv': header, 'open/c.csv': header });
  // Whoever runs the tests may read everything, so another account looks.
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const one of [
      path.dirname(folder),
      folder,
      path.join(folder, 'open'),
      path.join(folder, 'open/c.csv'),
    ])
      await chown(one, 65_534, 65_534);
  await chmod(path.join(folder, 'closed'), 0o000);
  if (isRoot) process.seteuid!(65_534);
  const { tables, skippedFiles } = await discover(folder).finally(() => {
    if (isRoot) process.seteuid!(0);
  });
  await chmod(path.join(folder, 'closed'), 0o755);
  expect(tables.map(({ name }) => name)).toEqual(['open_c']);
  expect(skippedFiles).toEqual([
    { file: path.join(folder, 'closed'), reason: expect.stringContaining('permission denied') as string },
  ]);
});
