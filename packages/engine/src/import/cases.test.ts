import { DuckDBInstance } from '@duckdb/node-api';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from './discovery/discover.ts';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { Importer } from './importer.ts';
import type { ImportReport } from './report.ts';
import { rowsOf } from './sql-text.ts';

/*
 * Small files that were once read wrongly, kept beside the project. Each is to be read as whoever made it means it.
 */

const cases = path.join(import.meta.dirname, '../../../../../shared/cases');
const isThere = existsSync(cases);
if (!isThere)
  console.warn(`SKIPPED: the cases of small bad files are not beside the project, so none of them is read.`);

let folder: string;
let importer: Importer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-cases-'));
  importer = new Importer({ tablesFolder: folder, root: cases, memoryBytes: 2 ** 30, threads: 1 });
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

interface Read {
  readonly columns: string[];
  readonly rows: string[][];
  readonly report: ImportReport;
}

async function readCase(name: string): Promise<Read> {
  const {
    tables: [found],
  } = await discover(path.join(cases, name));
  return readFound(found!);
}

async function readFound(found: DiscoveredTable): Promise<Read> {
  const [table] = await importer.import(found, () => {});
  const instance = await DuckDBInstance.create(table!.database, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const described = await rowsOf(connection, 'describe data');
  const rows = await rowsOf(connection, 'select columns(*)::varchar from data');
  connection.closeSync();
  instance.closeSync();
  return {
    columns: described.map(([column, type]) => `${String(column)} ${String(type)}`),
    rows: rows.map(row => row.map(value => (value === null ? '' : String(value)))),
    report: table!.report,
  };
}

describe.runIf(isThere)('a workbook', () => {
  test.each([
    [
      'first_mid.xlsx',
      ['n BIGINT', 'at TIMESTAMP'],
      [
        ['1', '2024-01-01 00:00:00'],
        ['2', '2024-01-01 13:00:00'],
        ['3', '2024-01-01 18:00:00'],
      ],
      /./,
    ],
    [
      'nocellref.xlsx',
      ['k VARCHAR', 'v BIGINT'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
      /./,
    ],
    [
      'headertitle.xlsx',
      ['k VARCHAR', 'v BIGINT', 'w BIGINT'],
      [
        ['a', '1', '2'],
        ['b', '3', '4'],
      ],
      /2 rows above the header are skipped: “My report”, “as of 2024-07-01”\./,
    ],
    [
      'errs.xlsx',
      ['k VARCHAR', 'v BIGINT'],
      [
        ['a', '1'],
        ['b', ''],
        ['c', ''],
        ['d', '4'],
      ],
      /2 cells have errors and are imported as null: #DIV\/0! 1, #N\/A 1\./,
    ],
  ])('%s is imported as a person would read it', async (name, columns, rows, note) => {
    const read = await readCase(`excel/${name}`);
    expect(read).toMatchObject({ columns, rows });
    expect(read.report.notes.join('\n')).toMatch(note);
  });

  test('with hourly times has each of them on its hour', async () => {
    const { rows } = await readCase('excel/no_mid.xlsx');
    expect(rows).toHaveLength(1380);
    expect(rows.filter(([, at]) => !at!.endsWith(':00:00'))).toEqual([]);
  });

  test('with durations has hours beyond a day', async () => {
    const { rows, columns } = await readCase('excel/dur.xlsx');
    expect(columns[1]).toBe('hours BIGINT');
    expect(rows.map(([, hours]) => Number(hours) / 3600)).toEqual([30, 8, 48, 18]);
  });
});

describe.runIf(isThere)('a folder', () => {
  test('of yearly files beside another table is two tables, with the year as a column', async () => {
    const { tables } = await discover(path.join(cases, 'folders/yearly'));
    expect(tables.map(({ name, files }) => [name, files.length])).toEqual([
      ['players', 1],
      ['matches', 3],
    ]);
    const read = await readFound(tables[1]!);
    expect(read.columns).toEqual([
      'season BIGINT',
      'player VARCHAR',
      'minutes BIGINT',
      'aces BIGINT',
      'file_year BIGINT',
    ]);
    expect(read.rows.map(row => row.join())).toEqual([
      '2001,Ann,90,,2001',
      '2001,Ben,75,,2001',
      '2002,Ann,81,7,2002',
      '2002,Ben,66,3,2002',
      '2003,Ann,100,2,2003',
    ]);
  });
});

describe.runIf(isThere)('a text file', () => {
  test.each<[string, readonly string[], readonly string[][], RegExp]>([
    [
      'text/crlf_then_lf.csv',
      ['a BIGINT', 'b VARCHAR'],
      [
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
      ],
      /Line endings are mixed \(2 CR LF, 2 LF\)/,
    ],
    [
      'text/lf_then_crlf.csv',
      ['a BIGINT', 'b VARCHAR'],
      [
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
      ],
      /Line endings are mixed \(3 CR LF, 1 LF\)/,
    ],
    [
      'text/mixends.csv',
      ['a BIGINT', 'b VARCHAR'],
      [
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
        ['4', 'p\r\nq'],
      ],
      /Line endings are mixed \(2 CR LF, 2 LF, 1 CR\)/,
    ],
    [
      'text/bsquote.csv',
      ['a BIGINT', 'b VARCHAR'],
      [
        ['1', 'say "hi", ok'],
        ['2', 'z'],
      ],
      /A quote within quotes is written \\"\./,
    ],
    [
      'text/raggedh.csv',
      ['a BIGINT', 'b BIGINT', 'c BIGINT', 'column3 BIGINT'],
      [
        ['1', '2', '', ''],
        ['3', '4', '5', '6'],
        ['7', '8', '9', ''],
      ],
      /Lines 2, 3 do not have the expected 3 values. .*“column3” is a column added for the extra values\./,
    ],
    [
      'numbers/uids.csv',
      ['uid UBIGINT', 'v BIGINT'],
      [
        ['11679230632388718523', '1'],
        ['11679230632388718524', '2'],
        ['11679230632388718525', '4'],
      ],
      /“uid” has more digits/,
    ],
    [
      'numbers/bigdec.csv',
      ['amt DECIMAL(38,2)', 'v BIGINT'],
      [
        ['12345678901234567.89', '1'],
        ['12345678901234567.88', '2'],
      ],
      /“amt” has more digits/,
    ],
  ])('%s is imported as intended', async (name, columns, rows, note) => {
    const read = await readCase(name);
    expect(read).toMatchObject({ columns, rows });
    expect(read.report.notes.join('\n')).toMatch(note);
    expect(read.report.rowsRead).toBe(read.report.rowsKept + read.report.rowsRejected);
    expect(read.report.notes.join()).not.toContain('differs by');
  });

  test.each([
    ['oneword', 'number', 500],
    ['badday', 'date', 2],
  ])('text/%s.csv reports the obstacle to its type', async (name, type, fits) => {
    const { report } = await readCase(`text/${name}.csv`);
    expect(report.nearly).toMatchObject([
      {
        type,
        fits,
        misfits: 1,
        first: [{ file: path.join(cases, `text/${name}.csv`), line: expect.any(Number) as number }],
      },
    ]);
  });

  test('with one invalid byte is UTF-8 except for that byte', async () => {
    const { rows, report } = await readCase('text/onebad.csv');
    expect(report.encoding).toBe('UTF-8');
    const bad = rows.flatMap(([, name], i) => (name!.includes('\ufffd') ? [i + 2] : []));
    expect(bad).toHaveLength(1);
    expect(rows.filter(([, name]) => name === 'Zoë Müller')).toHaveLength(rows.length - 1);
    expect(report.notes).toContain(
      `Line ${bad[0]!.toLocaleString('en')} has bytes that are not valid UTF-8, each replaced by “\ufffd”.`,
    );
  });
});
