import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importCsv } from '../csv/import-csv.ts';
import { importCsvFiles } from '../import-files.ts';
import { mostlyTyped } from './mostly-typed.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rowsOf } from '../sql-text.ts';

let folder: string;
let connection: DuckDBConnection;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-nearly-'));
  await mkdir(path.join(folder, 'work'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterEach(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** The columns that are nearly typed, as `column type fits/misfits: file:line value`. */
async function nearlyIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const paths = Object.keys(files).map(name => path.join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  const produced = new UnpackedBytes({ files: paths, bytes: 1000 });
  const work = path.join(folder, 'work');
  const { locate } =
    paths.length === 1
      ? await importCsv(connection, paths[0]!, work, produced)
      : await importCsvFiles(
          connection,
          { name: 't', kind: 'csv', files: paths, isHive: false, bytes: 1000, fingerprint: '' },
          work,
          produced,
        );
  const texts = (await rowsOf(connection, 'describe data'))
    .filter(([, type]) => type === 'VARCHAR')
    .map(([name]) => String(name));
  const found = await mostlyTyped(connection, texts, locate);
  return found.map(
    ({ column, type, fits, misfits, first }) =>
      `${column} ${type} ${fits}/${misfits}: ${first.map(({ file, line, value, count }) => `${path.basename(file ?? '')}:${line} ${value}${count ? ` ×${count}` : ''}`).join(', ')}`,
  );
}

const numbered = (count: number, of: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${of(i)}\n`).join('');

test('a column of numbers with a word reports the word’s position, whatever is above it', async () => {
  const rows = (count: number) => numbered(count, i => `${i},"a\nb",${i / 4}`);
  expect(
    await nearlyIn({ 'x.csv': `n,t,m\n${rows(30)}\nunknown,"c",1e3\n${rows(10)}8,d,about 3\n` }),
  ).toEqual(['n integer 41/1: x.csv:63 unknown', 'm number 41/1: x.csv:84 about 3']);
});

test('a column of dates with an impossible day reports the day', async () => {
  expect(await nearlyIn({ 'x.csv': 'd,v\n2024-01-02,1\n2024-02-30,2\n2024-03-01,3\n' })).toEqual([
    'd date 2/1: x.csv:3 2024-02-30',
  ]);
  expect(
    await nearlyIn({ 'y.csv': `d,v\n${numbered(20, i => `${i + 1}.10.2023 14:05,1`)}soon,2\n` }),
  ).toEqual(['d time 20/1: y.csv:22 soon']);
});

test('equal values are reported once, with their number and the first position', async () => {
  const rows = numbered(200, i => `a,${i % 25 === 7 ? 'closed' : i === 99 ? 'open' : i}`);
  expect(await nearlyIn({ 'x.csv': `k,n\n${rows}` })).toEqual([
    'n integer 191/9: x.csv:9 closed ×8, x.csv:101 open',
  ]);
});

test('an odd value in one of several files is reported with its file', async () => {
  expect(
    await nearlyIn({
      'm1.csv': `k,n\n${numbered(9, i => `a,${i}`)}`,
      'm2.csv': `k,n\n${numbered(9, i => `a,${i}`)}\n"z"q,3\nb,none\n`,
      'm3.csv': 'k,n,x\nc,4,5\n',
    }),
  ).toEqual(['n integer 19/1: m2.csv:13 none']);
});

test.each([
  ['codes', `k,c\n${numbered(20, i => `a,0${100 + i}`)}a,x\n`],
  ['words', `k,c\n${numbered(20, i => `a,w${i}`)}a,7\n`],
  ['numbers and as many words', `k,c\n${numbered(9, i => `a,${i}`)}${numbered(9, i => `a,w${i}`)}`],
  ['ambiguous days and months', `k,c\n${numbered(9, i => `a,0${i + 1}.02.2024`)}a,soon\n`],
  ['numbers alone', `k,c\n${numbered(9, i => `a,${i}`)}`],
])('columns of %s are not offered', async (_, content) => {
  expect(await nearlyIn({ 'x.csv': content })).toEqual([]);
});
