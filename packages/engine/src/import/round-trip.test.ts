import { utils, write, type BookType } from '@e965/xlsx';
import {
  bool,
  columnFromArray,
  dateDay,
  float64,
  int64,
  tableFromColumns,
  tableToIPC,
  timestamp,
  TimeUnit,
  utf8,
  type DataType,
} from '@uwdata/flechette';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { packTar } from 'modern-tar';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBelow } from '../column-store/random-below.ts';
import { block, double, header, record, sized, whole } from './columnar/avro-file.fixture.ts';
import { discover } from './discovery/discover.ts';
import { Importer } from './importer.ts';
import { quoted, rowsOf, text } from './sql-text.ts';
import { zipFile } from './archives/zip-file.fixture.ts';

let folder: string;
let importer: Importer;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-round-trip-'));
  const tablesFolder = path.join(folder, 'tables');
  await mkdir(tablesFolder);
  importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'UTC'");
});
afterAll(async () => {
  await importer.close();
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

interface Row {
  readonly id: number;
  /** Beyond the integers of doubles. */
  readonly account: bigint;
  readonly amount: number | null;
  readonly word: string | null;
  /** `2024-02-29` */
  readonly day: string | null;
  /** `2024-02-29 23:59:58` */
  readonly at: string;
  readonly ok: boolean;
}

const names = ['id', 'account', 'amount', 'word', 'day', 'at', 'ok'] as const;
const words = [
  'Oslo',
  'Zoë Müller',
  '東京',
  'say "no"',
  'a, b; c',
  "it's",
  'x|y',
  '# none',
  '“so” 🙂',
  '=1+1',
];

function randomRows(below: (count: number) => number): Row[] {
  const seldomNull = <T>(value: T) => (below(6) === 0 ? null : value);
  const moment = () =>
    new Date(Date.UTC(1930 + below(120), below(12), 1 + below(28), below(24), below(60), below(60)));
  const written = () => moment().toISOString().slice(0, 19).replace('T', ' ');
  const rows = Array.from({ length: 2 + below(40) }, (_, i) => ({
    id: i + 1,
    account: 2n ** 53n + BigInt(below(2 ** 30)) * 2n + 1n,
    amount: seldomNull((below(2_000_000) - 1_000_000) / 100 + 0.125),
    word: seldomNull(words[below(words.length)]!),
    day: seldomNull(written().slice(0, 10)),
    at: written(),
    ok: below(2) === 0,
  }));
  // A column has a type if it has a value.
  return [{ ...rows[0]!, amount: 0.125, word: 'Ulm', day: '2024-02-29' }, ...rows.slice(1)];
}

/** The rows as a table of the engine, which writes several formats itself. */
function asSql(rows: readonly Row[]): string {
  const cell = (value: Row[keyof Row]) =>
    value === null ? 'null' : typeof value === 'string' ? text(value) : String(value);
  const values = rows.map(row => `(${names.map(name => cell(row[name])).join(', ')})`).join(', ');
  const typed = [
    'id::integer as id',
    'account::bigint as account',
    'amount::double as amount',
    'word',
    '"day"::date as "day"',
    '"at"::timestamp as "at"',
    'ok::boolean as ok',
  ];
  return `select ${typed.join(', ')} from (values ${values}) t(${names.map(quoted).join(', ')})`;
}

const copied = (options: string) => (file: string, rows: readonly Row[]) =>
  connection.run(`copy (${asSql(rows)}) to ${text(file)} (${options})`);

async function delimited(rows: readonly Row[], delimiter: string): Promise<string> {
  const cells = (await rowsOf(connection, `select columns(*)::varchar from (${asSql(rows)})`)).map(row =>
    row.map(value => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)).join(delimiter),
  );
  return `${[names.join(delimiter), ...cells].join('\n')}\n`;
}

const milliseconds = (written: string) =>
  Date.parse(`${written.replace(' ', 'T')}${written.includes(' ') ? 'Z' : ''}`);

function workbook(bookType: BookType) {
  return async (file: string, rows: readonly Row[]) => {
    const ofBook = names.filter(name => name !== 'account');
    const serial = (written: string) => milliseconds(written) / 86_400_000 + 25_569;
    const cells = rows.map(row =>
      ofBook.map(name => {
        const value = row[name];
        if (value !== null && (name === 'day' || name === 'at'))
          return {
            t: 'n',
            v: serial(String(value)),
            z: name === 'day' ? 'yyyy/mm/dd' : 'yyyy/mm/dd hh:mm:ss',
          };
        return value;
      }),
    );
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([[...ofBook], ...cells]), 'Rows');
    await writeFile(file, write(book, { type: 'buffer', bookType }) as Buffer);
  };
}

async function sqlite(file: string, rows: readonly Row[]): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec(
    'create table rows (id integer, account integer, amount real, word text, day date, at datetime, ok boolean)',
  );
  const insert = database.prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?)');
  for (const { ok, ...row } of rows)
    insert.run(row.id, row.account, row.amount, row.word, row.day, row.at, ok ? 1 : 0);
  database.close();
  await Promise.resolve();
}

async function duckdb(file: string, rows: readonly Row[]): Promise<void> {
  await connection.run(`attach ${text(file)} as written`);
  await connection.run(`create table written.rows as ${asSql(rows)}`);
  await connection.run('detach written');
}

function arrow(format: 'file' | 'stream') {
  return async (file: string, rows: readonly Row[]) => {
    const types: Readonly<Record<keyof Row, DataType>> = {
      id: int64(),
      account: int64(),
      amount: float64(),
      word: utf8(),
      day: dateDay(),
      at: timestamp(TimeUnit.SECOND),
      ok: bool(),
    };
    const valueOf = (row: Row, name: keyof Row) => {
      const value = row[name];
      return value !== null && (name === 'day' || name === 'at') ? milliseconds(String(value)) : value;
    };
    const columns = names.map(
      name =>
        [
          name,
          columnFromArray(
            rows.map(row => valueOf(row, name)),
            types[name],
          ),
        ] as [string, ReturnType<typeof columnFromArray>],
    );
    await writeFile(file, tableToIPC(tableFromColumns(columns), { format } as never) as Uint8Array);
  };
}

async function avro(file: string, rows: readonly Row[]): Promise<void> {
  const schema = record({
    id: 'long',
    account: 'long',
    amount: ['null', 'double'],
    word: ['null', 'string'],
    day: ['null', { type: 'int', logicalType: 'date' }],
    at: { type: 'long', logicalType: 'local-timestamp-millis' },
    ok: 'boolean',
  });
  const optional = <T>(value: T | null, bytes: (value: T) => Buffer) =>
    value === null ? whole(0) : Buffer.concat([whole(1), bytes(value)]);
  const values = rows.flatMap(row => [
    whole(row.id),
    whole(row.account),
    optional(row.amount, double),
    optional(row.word, sized),
    optional(row.day, day => whole(milliseconds(day) / 86_400_000)),
    whole(milliseconds(row.at)),
    Buffer.from([row.ok ? 1 : 0]),
  ]);
  await writeFile(file, Buffer.concat([header(schema), block(rows.length, Buffer.concat(values))]));
}

async function geoJson(file: string, rows: readonly Row[]): Promise<void> {
  const features = rows.map(({ account, ...row }, i) => {
    const coordinates = [(i % 360) - 180, (i % 180) - 90];
    // JSON.stringify has no bigints.
    const geometry = JSON.stringify({ type: 'Point', coordinates });
    // Written by hand, since JSON.stringify takes no integers beyond 2 ** 53.
    const properties = JSON.stringify(row).replace(/\}$/, `,"account":${account}}`);
    return `{"type":"Feature","geometry":${geometry},"properties":${properties}}`;
  });
  await writeFile(file, `{"type":"FeatureCollection","features":[${features.join(',')}]}`);
}

/** Formats by extension, each with a writer. */
const formats: Readonly<Record<string, (file: string, rows: readonly Row[]) => Promise<unknown>>> = {
  csv: async (file, rows) => writeFile(file, await delimited(rows, ',')),
  tsv: async (file, rows) => writeFile(file, await delimited(rows, '\t')),
  'csv.gz': async (file, rows) => writeFile(file, gzipSync(await delimited(rows, ';'))),
  parquet: copied('format parquet'),
  json: copied('format json, array true'),
  ndjson: copied('format json'),
  'ndjson.gz': copied('format json, compression gzip'),
  geojson: geoJson,
  xlsx: workbook('xlsx'),
  xls: workbook('biff8'),
  ods: workbook('ods'),
  arrow: arrow('file'),
  feather: arrow('file'),
  arrows: arrow('stream'),
  avro,
  sqlite,
  duckdb,
  zip: async (file, rows) =>
    writeFile(file, zipFile([{ name: 'rows.csv', content: await delimited(rows, ',') }])),
  'tar.gz': async (file, rows) => {
    const body = await delimited(rows, ',');
    const entry = {
      header: { name: 'rows.csv', size: Buffer.byteLength(body), type: 'file' as const },
      body,
    };
    await writeFile(file, gzipSync(Buffer.from(await packTar([entry]))));
  },
};

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Math.ceil(Number(process.env['BELVEDERE_ROUNDS'] ?? 1) / 20);

test.each(Object.entries(formats))(
  `a table written as .%s comes back (seed ${seed})`,
  { timeout: 600_000 },
  async (kind, writer) => {
    const below = randomBelow(seed + kind.length);
    for (let round = 0; round < rounds; round++) await comesBack(kind, writer, randomRows(below), round);
  },
);

async function comesBack(
  kind: string,
  writer: (file: string, rows: readonly Row[]) => Promise<unknown>,
  rows: readonly Row[],
  round: number,
): Promise<void> {
  const file = path.join(folder, `rows-${round}.${kind}`);
  await writer(file, rows);
  const [found, ...others] = (await discover(file)).tables;
  expect(others).toEqual([]);
  const [imported] = await importer.import(found!, () => {});
  const { columns, report } = imported!;
  expect([report.rowsKept, report.rowsRejected]).toEqual([rows.length, 0]);
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
  expect(types).toMatchObject({ id: 'integer', amount: 'number', word: 'text', day: 'date', at: 'time' });
  await connection.run(`attach ${text(imported!.database)} as it (read_only)`);
  const account = 'account' in types ? 'account::varchar' : 'null';
  const read = await rowsOf(
    connection,
    `select id::integer, ${account}, amount::double, word, "day"::varchar,
        strftime("at", '%Y-%m-%d %H:%M:%S'), ok::boolean from it.data order by id`,
  );
  await connection.run('detach it');
  const expected = rows.map(({ id, account: exact, amount, word, day, at, ok }) => [
    id,
    'account' in types ? String(exact) : null,
    amount,
    word,
    day,
    at,
    ok,
  ]);
  expect(read, `round ${round}`).toEqual(expected);
}
