import type { TableFile } from '@belvedere/document';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { Importer } from '../importer.ts';

/* Dates and numbers in files, from the file to the table's profile. */

let folder: string;
let importer: Importer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-dates-'));
  importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 1,
  });
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

async function readFileAt(file: string, reading?: Omit<TableFile, 'version'>) {
  const name = path.basename(file).replace(/\.\w+$/, '');
  const importOptions = new Map(reading ? [[name, { version: 1 as const, ...reading }]] : []);
  const { tables } = await discover(file, { importOptions });
  const [table] = await importer.import(tables[0]!, () => {});
  return table!;
}

async function read(name: string, content: string, reading?: Omit<TableFile, 'version'>) {
  await writeFile(path.join(folder, name), content);
  return readFileAt(path.join(folder, name), reading);
}

/** Types and extents of a table's columns. */
const columnsOf = ({ profile }: Awaited<ReturnType<typeof read>>) =>
  profile.columns.map(({ name, type, min, max }) => [name, type, min, max]);
const utc = Date.UTC;

describe('CSV', () => {
  test('a two-digit number is a year at the end if only the year fits there', async () => {
    const table = await read(
      'short.csv',
      'placed,iso,n\n04/07/20,2024-01-01,1\n13/07/20,2024-01-02,2\n28/02/21,2024-01-03,3\n',
    );
    expect(columnsOf(table)).toEqual([
      ['placed', 'date', utc(2020, 6, 4), utc(2021, 1, 28)],
      ['iso', 'date', utc(2024, 0, 1), utc(2024, 0, 3)],
      ['n', 'integer', 1, 3],
    ]);
    expect(table.report.notes).toEqual([
      '“placed” is read as dates, day first.',
      'Two-digit years in “placed” are read as 1970 to 2069.',
      '“iso” is read as dates.',
    ]);
  });

  test('a chosen order counts the dates that do not fit it', async () => {
    const table = await read('misfit.csv', 'placed;n\n01.02.2024;1\n13.04.2024;2\n', {
      dates: 'month first',
    });
    expect(table.profile.columns[0]).toMatchObject({ type: 'date', nulls: 1 });
    expect(table.report.notes).toContain(
      '1 value of “placed” could not be converted and is imported as null.',
    );
  });

  test('a chosen type stays unchanged', async () => {
    const content = 'when,day,iso\n1698710400,20231031,2024-01-31\n1698796800,20231101,2024-02-01\n';
    expect((await read('numbers.csv', content)).columns.map(({ type }) => type)).toEqual([
      'instant',
      'date',
      'date',
    ]);
    const decided = await read('numbers2.csv', content, {
      columns: { when: 'integer', day: 'integer', iso: 'text' },
    });
    expect(decided.columns.map(({ type }) => type)).toEqual(['integer', 'integer', 'text']);
    const dates = await read('numbers3.csv', content, {
      columns: { when: 'time', day: 'date', iso: 'date' },
    });
    expect(dates.profile.columns.map(({ type, nulls }) => [type, nulls])).toEqual([
      ['time', 0],
      ['date', 0],
      ['date', 0],
    ]);
  });

  test('columns with a single word are text, unless the word is true or false', async () => {
    const table = await read('words.csv', 'country,answer,paid,flag\nNO,yes,true,T\nno,no,true,T\n');
    expect(table.columns.map(({ type }) => type)).toEqual(['text', 'boolean', 'boolean', 'text']);
  });

  test('files of one table may write dates in different orders', async () => {
    await mkdir(path.join(folder, 'many'));
    await writeFile(path.join(folder, 'many', 'part-1.csv'), 'day\n01/31/2024\n');
    await writeFile(path.join(folder, 'many', 'part-2.csv'), 'day\n15/02/2024\n');
    await writeFile(path.join(folder, 'many', 'part-3.csv'), 'day\n2024-03-01\n');
    const { tables } = await discover(folder);
    const [table] = await importer.import(
      tables.find(({ name }) => name === 'many')!,
      () => {},
    );
    expect(columnsOf(table!)).toEqual([['day', 'date', utc(2024, 0, 31), utc(2024, 2, 1)]]);
  });
});

test('dates in JSON are detected from all their values', async () => {
  const lines = (values: readonly string[]) => values.map(value => JSON.stringify({ day: value })).join('\n');
  expect(columnsOf(await read('told.ndjson', lines(['04-07-20', '13-07-20'])))).toEqual([
    ['day', 'date', utc(2020, 6, 4), utc(2020, 6, 13)],
  ]);
  expect(columnsOf(await read('iso.ndjson', lines(['2024-01-31', '2024-02-01'])))).toEqual([
    ['day', 'date', utc(2024, 0, 31), utc(2024, 1, 1)],
  ]);
  expect((await read('asked.ndjson', lines(['01-02-2024', '03-04-2024']))).report.questions).toEqual([
    { kind: 'date order', columns: ['day'], example: '01-02-2024' },
  ]);
  expect(
    columnsOf(await read('decided.ndjson', lines(['01-02-24', '03-04-24']), { dates: 'day first' })),
  ).toEqual([['day', 'date', utc(2024, 1, 1), utc(2024, 3, 3)]]);
});

const cases = path.resolve(import.meta.dirname, '../../../../../../shared/cases');
describe.runIf(existsSync(cases))('small inputs that were once misread', () => {
  test.each<[string, string, string, unknown, unknown, Omit<TableFile, 'version'>?]>([
    ['dates/filings.csv', 'FILING_DATE', 'date', utc(2023, 9, 31), utc(2023, 10, 1)],
    ['dates/ampm.csv', 'when', 'time', utc(2023, 9, 31, 14, 5), utc(2023, 10, 1, 9, 30)],
    ['dates/german.csv', 'when', 'time', utc(2023, 9, 31, 14, 5), utc(2023, 10, 1, 9, 30)],
    ['dates/clf.csv', 'when', 'instant', utc(2023, 9, 31, 13, 5), utc(2023, 9, 31, 13, 5)],
    ['dates/epoch.csv', 'when', 'instant', 1_698_710_400_000, 1_698_796_800_000],
    ['dates/epochms.csv', 'when', 'instant', 1_698_710_400_000, 1_698_796_800_000],
    ['dates/compact.csv', 'when', 'date', utc(2023, 9, 31), utc(2023, 10, 1)],
    ['dates/compact.csv', 'when', 'date', utc(2023, 9, 31), utc(2023, 10, 1), { columns: { when: 'date' } }],
    ['dates/quarter.csv', 'when', 'date', utc(2023, 0, 1), utc(2023, 3, 1)],
    ['dates/dur.csv', 'dur', 'integer', 5400, 90_600],
    ['dates/dmy2.csv', 'd', 'date', utc(2020, 6, 4), utc(2021, 1, 28)],
    ['dates/dmydot2.csv', 'd', 'date', utc(2020, 6, 4), utc(2020, 6, 13)],
    ['dates/dmydash2.csv', 'd', 'date', utc(2020, 6, 4), utc(2020, 6, 31)],
    ['dates/asked2.csv', 'd', 'date', utc(2024, 1, 1), utc(2024, 3, 3), { dates: 'day first' }],
    ['dates/asked2.csv', 'd', 'date', utc(2024, 0, 2), utc(2024, 2, 4), { dates: 'month first' }],
    ['dates/excelus.csv', 'd', 'time', utc(2024, 0, 2, 14, 33), utc(2024, 11, 22, 9, 5)],
    [
      'dates/excelus.csv',
      'd',
      'time',
      utc(2024, 0, 2, 14, 33),
      utc(2024, 11, 22, 9, 5),
      { dates: 'month first' },
    ],
    ['dates/isomin.csv', 'd', 'instant', utc(2024, 0, 31, 10), utc(2024, 0, 31, 11, 30)],
    [
      'dates/isomin.csv',
      'd',
      'instant',
      utc(2024, 0, 31, 10),
      utc(2024, 0, 31, 11, 30),
      { columns: { d: 'time' } },
    ],
    ['dates/rfc.csv', 'd', 'instant', utc(2024, 0, 31, 10), utc(2024, 1, 1, 10)],
    ['dates/utcword.csv', 'd', 'instant', utc(2024, 0, 31, 10), utc(2024, 0, 31, 11, 30)],
    ['dates/ddmonyy.csv', 'd', 'date', utc(2024, 1, 1), utc(2024, 11, 31)],
    ['dates/ddmonyy.csv', 'd', 'date', utc(2024, 1, 1), utc(2024, 11, 31), { columns: { d: 'date' } }],
    ['numbers/inf.csv', 'code', 'number', 1.5, 1.5],
    ['numbers/nan.csv', 'x', 'number', 1.5, 2],
    ['kinds/norway.csv', 'country', 'text', 'NO', 'NO'],
  ])('%s, %s: %s', async (file, column, type, min, max, reading) => {
    const table = await readFileAt(path.join(cases, file), reading);
    expect(columnsOf(table).find(([name]) => name === column)).toEqual([column, type, min, max]);
    expect(table.profile.columns.find(({ name }) => name === column)!.nulls).toBe(0);
    expect(table.report.questions).toBeUndefined();
  });

  test('dates/asked2.csv is ambiguous, and counts no value as missing', async () => {
    const table = await readFileAt(path.join(cases, 'dates/asked2.csv'));
    expect(table.report.questions).toEqual([{ kind: 'date order', columns: ['d'], example: '01.02.24' }]);
    expect(table.profile.columns[0]).toMatchObject({ type: 'text', nulls: 0 });
  });

  test('numbers/inf.csv reports the count of infinite numbers', async () => {
    expect((await readFileAt(path.join(cases, 'numbers/inf.csv'))).report.notes).toContain(
      '3 values of “code” are not finite (NaN or infinity) and excluded from its range.',
    );
  });
});
