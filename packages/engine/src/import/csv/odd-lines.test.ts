import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import iconv from 'iconv-lite';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBelow } from '../../column-store/random-below.ts';
import { importCsv } from './import-csv.ts';
import { importJson } from '../nested/import-json.ts';
import { NestedTables } from '../nested/nested-tables.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import type { ImportReport } from '../report.ts';
import { quoted, rowsOf } from '../sql-text.ts';

let folder: string;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-lines-'));
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

interface Read {
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** Texts; no value is null. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly report: ImportReport;
}

const nestedTables = (produced: UnpackedBytes) =>
  new NestedTables({ folder, produced, storageVersion: 'v1.4.0', choice: 'columns', names: new Set() });

let files = 0;
async function readFile(content: string | Buffer, ending = 'csv'): Promise<Read> {
  const file = path.join(folder, `file${files++}.${ending}`);
  await writeFile(file, content);
  await connection.run('drop table if exists data');
  const produced = new UnpackedBytes({ files: [file], bytes: content.length });
  const report =
    ending === 'csv'
      ? (await importCsv(connection, file, folder, produced)).report
      : await importJson(connection, [file], 'ndjson', {
          name: 'file',
          folder,
          produced,
          nested: nestedTables(produced),
        });
  const described = await rowsOf(connection, 'describe data');
  const names = described.map(([name]) => String(name));
  const rows = await rowsOf(
    connection,
    `select ${names.map(name => `${quoted(name)}::varchar`).join(', ')} from data`,
  );
  expect(report.rowsRead).toBe(report.rowsKept + report.rowsRejected);
  expect(report.rowsKept).toBe(rows.length);
  return {
    names,
    types: described.map(([, type]) => String(type)),
    rows: rows as (string | null)[][],
    report,
  };
}

describe('a CSV file', () => {
  test('whose header is found only once null tokens are known is reported to have one', async () => {
    const { names, report } = await readFile('"","born"\n"1",NA\n"2",1989-04-07\n');
    expect([names.at(-1), report.hasHeader]).toEqual(['born', true]);
  });

  test.each<[string, string | Buffer, readonly (readonly (string | null)[])[], string]>([
    [
      'with its header repeated in the middle',
      'id,n\n1,2\n3,4\nid,n\n5,6\n',
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
      'Line 4 repeats the header and is skipped.',
    ],
    [
      'concatenated from three',
      'id,n\r\n1,2\r\nid,n\r\n5,6\r\nid,n\r\n7,8',
      [
        ['1', '2'],
        ['5', '6'],
        ['7', '8'],
      ],
      'Lines 3, 5 repeat the header and are skipped.',
    ],
    [
      'with remarks',
      '# made by hand, in a hurry\nid,n\n1,2\n# no more today\n3,4\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
      'Lines 1, 4 begin with “#” and are skipped as comments.',
    ],
    [
      'with empty lines',
      'id,n\n1,2\n\n3,4\n\n\n5,6\n\n',
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
      'Lines 3, 5, 6 are empty and skipped.',
    ],
    [
      'with a row too short',
      'id,n,word\n1,2,a\n3,4\n5,6,b\n',
      [
        ['1', '2', 'a'],
        ['3', '4', null],
        ['5', '6', 'b'],
      ],
      'Line 3 does not have the expected 3 values. Missing values are null.',
    ],
    [
      'with a quote that is never closed',
      'id,word\n1,"x\n2,y\n3,5" pipe\n4,w\n',
      [
        ['1', '"x'],
        ['2', 'y'],
        ['3', '5" pipe'],
        ['4', 'w'],
      ],
      'Line 2 has a quote that is never closed, so quotes in this file are read as text.',
    ],
    [
      'with escaped quotes and null markers',
      'id,n,word\n1,2,"say \\"hi\\", ok"\n3,\\N,"C:\\\\temp"\n4,6,"\\"x\\""\n',
      [
        ['1', '2', 'say "hi", ok'],
        ['3', null, 'C:\\temp'],
        ['4', '6', '"x"'],
      ],
      'A quote within quotes is written \\".',
    ],
    [
      'that is UTF-8 but for a byte beyond the first megabytes',
      Buffer.concat([Buffer.from(`id,word\n${'1,Zoë\n'.repeat(800_000)}`), Buffer.from([50, 44, 0xe9, 10])]),
      [...Array.from({ length: 800_000 }, () => ['1', 'Zoë']), ['2', '\ufffd']],
      'Line 800,002 has bytes that are not valid UTF-8, each replaced by “\ufffd”.',
    ],
  ])('%s is imported with a note', async (_, content, rows, note) => {
    const read = await readFile(content);
    expect(read.report.notes).toContain(note);
    expect(read.report.notes.join()).not.toContain('differs by');
    expect(read.rows.length).toBe(rows.length);
    expect(read.rows.slice(-9)).toEqual(rows.slice(-9));
  });

  test.each<[string, string, readonly string[], readonly (readonly (string | null)[])[]]>([
    [
      'infinities alone',
      'k,x\n1,inf\n2,INF\n',
      ['VARCHAR'],
      [
        ['1', 'inf'],
        ['2', 'INF'],
      ],
    ],
    [
      'the word infinity',
      'k,x\n1,infinity\n2,infinity\n',
      ['VARCHAR'],
      [
        ['1', 'infinity'],
        ['2', 'infinity'],
      ],
    ],
    [
      'a date beside infinity',
      'k,x\n1,2024-01-01\n2,infinity\n',
      ['VARCHAR'],
      [
        ['1', '2024-01-01'],
        ['2', 'infinity'],
      ],
    ],
    [
      'a time beside the word epoch',
      'k,x\n1,2024-01-01 10:00:00\n2,epoch\n',
      ['VARCHAR'],
      [
        ['1', '2024-01-01 10:00:00'],
        ['2', 'epoch'],
      ],
    ],
    [
      'dates before Christ',
      'k,x\n1,2024-01-01 (BC)\n2,2024-01-02 (BC)\n',
      ['VARCHAR'],
      [
        ['1', '2024-01-01 (BC)'],
        ['2', '2024-01-02 (BC)'],
      ],
    ],
    [
      'a year of five digits',
      'k,x\n1,99999-01-01\n2,2024-01-01\n',
      ['VARCHAR'],
      [
        ['1', '99999-01-01'],
        ['2', '2024-01-01'],
      ],
    ],
    [
      'the first days of the engine’s calendars',
      'k,x\n1,1970-01-01\n2,1900-01-01\n',
      ['DATE'],
      [
        ['1', '1970-01-01'],
        ['2', '1900-01-01'],
      ],
    ],
  ])('with %s keeps every row and value', async (_, content, types, rows) => {
    const read = await readFile(content);
    expect([read.types.slice(1), read.rows, read.report.rowsRejected]).toEqual([types, rows, 0]);
  });

  test.each<[string, string, readonly string[]]>([
    ['years', 'country,2001,2002\nX,1,2\nY,3,4\n', ['country', '2001', '2002']],
    ['decades, latest first', 'name;2010;2000;1990\nX;5;6;7\n', ['name', '2010', '2000', '1990']],
    ['years, beside an unnamed column', ',2001,2002\nX,1.5,2\nY,,4\n', ['column0', '2001', '2002']],
    ['positions', 'k,0,1,2\nx,5,6,9\ny,1,1,1\n', ['k', '0', '1', '2']],
    ['a line with the delimiter and names', 'sep=;\na;b\n1;2\n3;4\n', ['a', 'b']],
  ])('with a header of %s has these names', async (_, content, names) => {
    const read = await readFile(content);
    expect(read.names).toEqual(names);
    expect(read.types.slice(1).every(type => type === 'BIGINT' || type === 'DOUBLE')).toBe(true);
  });

  test.each([
    ['years', 'Ann,2001,2002\nBen,2003,2005\n'],
    ['positions', 'x,0,1,2\ny,1,2,3\n'],
  ])('whose rows have %s has no header', async (_, content) => {
    expect((await readFile(content)).rows).toHaveLength(2);
  });

  test('of texts keeps a row equal to its first line', async () => {
    const { rows } = await readFile('from,to\na,b\nfrom,to\nc,d\n');
    expect(rows).toContainEqual(['from', 'to']);
  });

  test('with a text in Windows-1252 that ends in a non-ASCII letter is not UTF-8', async () => {
    const { rows, report } = await readFile(iconv.encode('id,word\n1,caf\u00e9', 'win1252'));
    expect([report.encoding, rows]).toEqual(['Windows-1252', [['1', 'café']]]);
  });

  test.each<[string, readonly string[], string]>([
    ['ids of 64 bits without a sign', ['18446744073709551615', '1'], 'UBIGINT'],
    [
      'ids of 96 bits, some below zero',
      ['79228162514264337593543950335', '-79228162514264337593543950335'],
      'HUGEINT',
    ],
    ['ids with more digits than any number', ['123456789012345678901234567890123456789012', '1'], 'VARCHAR'],
    ['amounts with many digits', ['12345678901234567.89', '-0.01'], 'DECIMAL(38,2)'],
    [
      'codes with many digits, some with zeros before',
      ['00000000000000000000123', '98765432109876543210987'],
      'VARCHAR',
    ],
  ])('keeps every digit of %s', async (_, values, type) => {
    const { types, rows } = await readFile(`id,k\n${values.map(value => `${value},x`).join('\n')}\n`);
    expect([types[0], rows.map(([value]) => value)]).toEqual([type, values]);
  });

  test('has doubles if they represent its numbers', async () => {
    const { types, report } = await readFile('v,k\n0.30000000000000004,x\n1e300,y\n2.5,z\n');
    expect(types[0]).toBe('DOUBLE');
    expect(report.notes.join()).not.toContain('digits');
  });
});

test.each([
  ['at the top', '{"a":1}', '{"a":2,"a":3}', [['1'], ['1']]],
  ['deep inside', '{"a":{"b":1}}', '{"a":{"b":2,"b":3}}', [['1'], ['1']]],
])('of JSON lines rejects only the line with a duplicate key %s', async (_, good, twice, expected) => {
  const { rows, report } = await readFile(`${good}\n${twice}\n${good}\n`, 'ndjson');
  expect(rows).toEqual(expected);
  expect(report.rejected).toMatchObject([{ line: 2, reason: 'Duplicate key in an object.', text: twice }]);
});

test('in JSON lines may have texts that look like keys', async () => {
  const line = '{"a":1,"w":"x: \\"a\\":"}';
  const { report } = await readFile(`${line}\n{"a":2,"a":3}\n`, 'ndjson');
  expect([report.rowsKept, report.rejected.map(({ line: at }) => at)]).toEqual([1, [2]]);
});

test('in JSON lines may have a line separator of Unicode in a text beside a bad line', async () => {
  const { rows, report } = await readFile('{"a":"x\u2028y"}\r\noops\n{"a":"Zoë"}', 'ndjson');
  expect(rows.map(([value]) => value)).toEqual(['x\u2028y', 'Zoë']);
  expect(report.rejected.map(({ line }) => line)).toEqual([2]);
});

test('in JSON lines may have half a character', async () => {
  const whole = String.raw`{"a":1,"w":"\ud83d\ude00 \\ud83d"}`;
  const half = String.raw`{"a":2,"w":"cut \ud83d"}`;
  const { rows, report } = await readFile(`${whole}\n${half}\n`, 'ndjson');
  expect(rows.map(row => row[1])).toEqual(['😀 \\ud83d', 'cut \ufffd']);
  expect([report.rowsRejected, report.notes]).toEqual([
    0,
    [String.raw`Line 2 has half a character (such as \ud83d), which is read as “�”.`],
  ]);
});

/*
 * Tables that are written in many ways at random and read again.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 60);
const encodings = {
  'UTF-8': 'utf8',
  'UTF-8 with a mark': 'utf8',
  'UTF-16 LE': 'utf16-le',
  'UTF-16 BE': 'utf16-be',
  'UTF-16 LE without a mark': 'utf16-le',
  'UTF-16 BE without a mark': 'utf16-be',
  'Windows-1252': 'win1252',
} as const;
const words = [
  'Oslo',
  'Zoë Müller',
  'say "no"',
  'a, b; c',
  'two\nlines',
  'two\r\nlines',
  '“so”',
  '5" pipe',
  "it's",
  'tab\there',
  '# none',
  'x|y',
];

test(
  'a table survives export and import, whatever its line ends, quotes, separators and encoding',
  { timeout: 600_000 },
  async () => {
    console.log(`written tables seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
    const below = randomBelow(seed);
    const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
    for (let round = 0; round < rounds; round++) {
      const [delimiter, ends, encoding] = [
        pick([',', ';', '\t', '|']),
        pick([['\n'], ['\r\n'], ['\r\n', '\n'], ['\r\n', '\n', '\r']]),
        pick(Object.keys(encodings) as (keyof typeof encodings)[]),
      ];
      const quotesAll = below(10) < 3;
      const table = Array.from({ length: 12 }, (_, i) => [
        String(i + 1),
        (below(100_000) / 100).toFixed(2),
        pick(words),
        `2024-03-${String(1 + below(28)).padStart(2, '0')}`,
      ]);
      const cell = (value: string) =>
        quotesAll || /["\r\n,;\t|]/.test(value) || value.startsWith('#')
          ? `"${value.replaceAll('"', '""')}"`
          : value;
      const content = [['id', 'amount', 'word', 'day'], ...table]
        .map(row => row.map(cell).join(delimiter) + pick(ends))
        .join('');
      const bytes = iconv.encode(content, encodings[encoding], {
        addBOM: encoding === 'UTF-8 with a mark' || encoding === 'UTF-16 LE' || encoding === 'UTF-16 BE',
      });
      const about = `round ${round}: ${JSON.stringify({ delimiter, ends, encoding, quotesAll, content })}`;
      const { names, types, rows } = await readFile(bytes).catch((error: Error) =>
        Promise.reject(new Error(about, { cause: error })),
      );
      expect(
        {
          names,
          types,
          rows: rows.map(([id, amount, word, day]) => [id, Number(amount).toFixed(2), word, day]),
        },
        about,
      ).toEqual({
        names: ['id', 'amount', 'word', 'day'],
        types: ['BIGINT', 'DOUBLE', 'VARCHAR', 'DATE'],
        rows: table,
      });
    }
  },
);
