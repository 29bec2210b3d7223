import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { addUnits, type Value } from '@belvedere/query';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../import/sql-text.ts';
import { singleValues } from '../encoded-column.ts';
import { rowColumn, type WantedField } from './choose-encodings.ts';
import type { EncodingManifest } from './encoding-manifest.ts';
import { writeEncoded, type TableToCode } from './write-encoded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-words-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A database of its own with what `create` makes, and how its table is coded. */
async function tableFrom(
  create: string,
  select: string,
  { isOrdered = true } = {},
): Promise<{ connection: DuckDBConnection; table: TableToCode }> {
  const file = path.join(folder, `${randomUUID()}.duckdb`);
  const writing = await DuckDBInstance.create(file);
  const writer = await writing.connect();
  await writer.run(create);
  writer.closeSync();
  writing.closeSync();
  const statements = [`attach '${file}' as it (read_only)`, 'use it'];
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const statement of statements) await connection.run(statement);
  return {
    connection,
    table: {
      statements,
      select,
      isOrdered,
      memoryBytes: 2 ** 29,
      threads: 2,
      spillFolder: folder,
      folders: [folder],
    },
  };
}

/** Each row's code, of every field. */
async function codesOf(
  table: TableToCode,
  wanted: readonly WantedField[],
): Promise<{ manifest: EncodingManifest; codes: Map<string, Uint32Array> }> {
  const file = path.join(folder, `${randomUUID()}.codes`);
  const manifest = await writeEncoded(table, wanted, file);
  const bytes = await readFile(file);
  expect(bytes.length).toBe(manifest.rows * manifest.words * 4);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const codes = manifest.fields.map(
    ({ key, bitField: { word, shift, mask } }) =>
      [
        key,
        words.subarray(word * manifest.rows, (word + 1) * manifest.rows).map(bits => (bits >>> shift) & mask),
      ] as const,
  );
  return { manifest, codes: new Map(codes) };
}

/** What the codes say, where each stands for one value. */
async function valuesOf(
  table: TableToCode,
  wanted: readonly WantedField[],
): Promise<{ manifest: EncodingManifest; values: Map<string, Value[]> }> {
  const { manifest, codes } = await codesOf(table, wanted);
  const values = manifest.fields.flatMap(field => {
    const single = singleValues(field);
    return single ? [[field.key, Array.from(codes.get(field.key)!, code => single[code]!)] as const] : [];
  });
  return { manifest, values: new Map(values) };
}

const allOf = (columns: readonly string[]): WantedField[] => columns.map(column => ({ key: column, column }));
const numbered = (columns: readonly string[], table = 'trips') =>
  `select ${columns.join(', ')}, ${table}.rowid as "${rowColumn}" from ${table}`;

test('the encoder of a table can read no other file, whatever the table contains', async () => {
  const view = `create view trips as select filename as city, 0 as rowid from read_text('${import.meta.filename}')`;
  const { table } = await tableFrom(view, numbered(['city']));
  await expect(codesOf(table, allOf(['city']))).rejects.toThrow('disabled by configuration');
});

test.each([{ isOrdered: true }, { isOrdered: false }])(
  'every row decodes to its values, ordered: $isOrdered',
  async ({ isOrdered }) => {
    const columns = ['city', 'seat', 'class', 'gate', 'crew', 'delay', 'day', 'late', 'wide', 'broad'];
    const { connection, table } = await tableFrom(
      `select setseed(0.7); create table trips as select ['Oslo', 'Bonn', '', null, 'Åbo'][1 + (random() * 5)::int % 5] as city, (random() * 20)::int || 'x' as seat, (random() * 7)::int || 'y' as class, (random() * 40)::int || 'z' as gate, (random() * 12)::int || 'k' as crew,
      case when random() < 0.9 then (random() * 60000)::int - 300 end as delay, date '2024-01-01' + (random() * 500)::int as day, random() < 0.4 as late, (random() * 65000)::int as wide, (random() * 65000)::int as broad from range(300001)`,
      numbered(columns),
      { isOrdered },
    );
    const before = await readdir(folder);
    const { manifest, values } = await valuesOf(table, allOf(columns));
    expect(manifest).toMatchObject({ rows: 300_001, refused: [] });
    const expected = await rowsOf(
      connection,
      `select ${columns.map(column => (column === 'day' ? 'epoch_ms(day)::double' : ['delay', 'wide', 'broad'].includes(column) ? `${column}::double` : column)).join(', ')} from trips order by rowid`,
    );
    for (const [i, column] of columns.entries())
      expect(
        expected.flatMap((row, at) => (values.get(column)![at] === row[i] ? [] : [at])),
        column,
      ).toEqual([]);
    // Nothing else is left behind.
    expect((await readdir(folder)).length).toBe(before.length + 1);
  },
);

test('rows reordered by joins are put back in their positions', async () => {
  const { connection, table } = await tableFrom(
    "create table cities as select i as id, case when i % 5 > 0 then 'city ' || i % 30 end as name from range(100) t(i); create table trips as select (i * 7919) % 120 as city, i % 50 as delay from range(250001) t(i)",
    `select cities.name as city, trips.delay, trips.rowid as "${rowColumn}" from trips left join cities on cities.id = trips.city`,
    { isOrdered: false },
  );
  const { values } = await valuesOf(table, allOf(['city', 'delay']));
  const expected = await rowsOf(
    connection,
    'select cities.name, trips.delay::double from trips left join cities on cities.id = trips.city order by trips.rowid',
  );
  expect(
    expected.filter(
      ([city, delay], at) => values.get('city')![at] !== city || values.get('delay')![at] !== delay,
    ),
  ).toEqual([]);
});

const wholes = [
  'tinyint',
  'smallint',
  'integer',
  'bigint',
  'utinyint',
  'usmallint',
  'uinteger',
  'ubigint',
  'hugeint',
];
const lowest: Record<string, string> = {
  tinyint: '-128',
  smallint: '-32768',
  integer: '-2147483648',
  bigint: '-9007199254740990',
  utinyint: '1',
  usmallint: '60000',
  uinteger: '4294967000',
  ubigint: '9007199254740000',
  hugeint: '-9000000000000000',
};

test.each([{ nulls: '' }, { nulls: 'case when i % 7 > 0 then ' }])(
  'whole numbers of every size are encoded, down to the smallest ($nulls)',
  async ({ nulls }) => {
    const columns = wholes.map(type => `of_${type}`);
    const { connection, table } = await tableFrom(
      `create table trips as select ${wholes.map(type => `${nulls}((i % 200) + (${lowest[type]}))::${type}${nulls && ' end'} as of_${type}`).join(', ')} from range(200001) t(i)`,
      numbered(columns),
    );
    const { manifest, values } = await valuesOf(table, allOf(columns));
    expect(manifest.refused).toEqual([]);
    const expected = await rowsOf(
      connection,
      `select ${columns.map(column => `${column}::double`).join(', ')} from trips order by rowid`,
    );
    for (const [i, column] of columns.entries())
      expect(
        expected.filter((row, at) => values.get(column)![at] !== row[i]),
        column,
      ).toEqual([]);
  },
);

test('the code of a time or measurement is that of its unit or bin', async () => {
  const made = {
    minutes: "timestamp '1969-12-20 00:00:30.5' + to_microseconds((i * 6_000_011) % 2_000_000_000_000)",
    days: "timestamp '1890-03-01 12:00:00' + to_seconds((i * 700_001) % 5_000_000_000)",
    weeks: "date '1650-05-05' + ((i * 7919) % 130_000)::int",
    months: "timestamp '0300-07-08' + to_hours(((i * 104_729) % 14_000_000)::int)",
    instants: "timestamptz '2020-01-01 00:00:00+00' + to_seconds((i * 10_007) % 9_000_000)",
    coarse: "(timestamp '2021-01-01' + to_seconds((i * 10_007) % 9_000_000))::timestamp_s",
    amounts: '((i * 104_729) % 200_001) / 13.0 - 500',
  };
  const names = Object.keys(made);
  const columns = [...names, ...names.map(name => `some_${name}`)];
  const { connection, table } = await tableFrom(
    `set timezone = 'UTC'; create table trips as select ${names.map(name => `${made[name as keyof typeof made]} as ${name}, case when i % 11 > 0 then ${name} end as some_${name}`).join(', ')} from range(200001) t(i)`,
    numbered(columns),
  );
  const { manifest, codes } = await codesOf(table, allOf(columns));
  expect(manifest.refused).toEqual([]);
  expect(
    manifest.fields
      .filter(({ key }) => names.includes(key))
      .map(({ codes: { kind, ...rest } }) => ('unit' in rest ? rest.unit : kind)),
  ).toEqual(['minute', 'day', 'week', 'month', 'hour', 'hour', 'bins']);
  await connection.run("set timezone = 'UTC'");
  for (const field of manifest.fields) {
    const found = codes.get(field.key)!;
    const { codes: means } = field;
    if (means.kind !== 'times' && means.kind !== 'bins') throw new TypeError(field.key);
    expect(means.nulls).toBe(field.key.startsWith('some_'));
    const rows = await rowsOf(
      connection,
      `select ${field.key.includes('amounts') ? field.key : `epoch_us(${field.key}::timestamp) / 1000`}::double from trips order by rowid`,
    );
    const edge = (code: number) =>
      means.kind === 'times'
        ? addUnits(means.unit, means.from, code)
        : Number((means.origin + code * means.step).toPrecision(12));
    const wrong = rows.filter(([value], at) =>
      value === null
        ? found[at] !== means.count
        : !(Number(value) >= edge(found[at]!) && Number(value) < edge(found[at]! + 1)),
    );
    expect(wrong, field.key).toEqual([]);
  }
});

test('tens of thousands of texts are distinguished, and few different numbers are encoded by value', async () => {
  const { connection, table } = await tableFrom(
    "create table trips as select 'customer ' || (i * 7919) % 40_000 as customer, [0.1, 0.25, -0.0, 0.0, null][1 + i % 5] as rate, ((i % 60) / 4)::decimal(6, 2) as price from range(300001) t(i)",
    numbered(['customer', 'rate', 'price']),
  );
  const { manifest, values } = await valuesOf(table, allOf(['customer', 'rate', 'price']));
  expect(manifest.fields.map(({ codes }) => codes.kind)).toEqual(['values', 'values', 'values']);
  const expected = await rowsOf(
    connection,
    'select customer, rate::double + 0, price::double from trips order by rowid',
  );
  expect(
    expected.filter(
      ([customer, rate, price], at) =>
        values.get('customer')![at] !== customer ||
        values.get('rate')![at] !== rate ||
        values.get('price')![at] !== price,
    ),
  ).toEqual([]);
});

test('distinct texts stored at the import are not searched again', async () => {
  const { connection, table } = await tableFrom(
    "create table trips as select case when i % 7 > 0 then 'place ' || i % 50 end as place, i % 3 || 'x' as class from range(200001) t(i); create table known as select distinct place as value from trips union all select 'closed'",
    numbered(['place', 'class']),
  );
  const wanted = [
    { key: 'place', column: 'place', kept: 'select value from known' },
    { key: 'class', column: 'class', kept: 'select value from no_such_table' },
  ];
  const { manifest, values } = await valuesOf(table, wanted);
  const [bitField] = manifest.fields;
  expect(bitField!.codes.kind === 'values' && bitField!.codes.values.includes('closed')).toBe(true);
  const expected = await rowsOf(connection, 'select place, class from trips order by rowid');
  expect(
    expected.filter(([of, then], at) => values.get('place')![at] !== of || values.get('class')![at] !== then),
  ).toEqual([]);
});

test('a field determined by another shares its codes without further memory; other fields have their own', async () => {
  const made = {
    hour: ['moment', 'hour', 'extract(hour from moment)'],
    minute: ['moment', undefined, 'extract(minute from moment)'],
    late: ['delay', undefined, 'delay > 15'],
    wait: ['delay', undefined, 'delay // 2'],
    long: ['city', undefined, 'length(city)'],
    cheap: ['price', undefined, 'price < 3'],
  } as const;
  const columns = ['moment', 'delay', 'city', 'price'];
  const { connection, table } = await tableFrom(
    `select setseed(0.3); create table trips as select timestamp '2024-01-01' + to_seconds((random() * 4000000)::int) as moment, case when random() < 0.9 then (random() * 400)::smallint end as delay, ['Oslo', 'it''s', '', null][1 + (random() * 4)::int % 4] as city, (random() * 40)::int / 4.0 as price from range(200001)`,
    numbered([...columns, ...Object.entries(made).map(([name, [, , sql]]) => `${sql} as ${name}`)]),
  );
  const derived = Object.entries(made).map(([name, [of, within, sql]]) => ({
    key: name,
    column: name,
    derivation: {
      of,
      name: of,
      within,
      from: (from: string) => `select ${sql} as ${name}, rowid as "${rowColumn}" from ${from}`,
    },
  }));
  const { manifest, values } = await valuesOf(table, [...derived, ...allOf(columns)]);
  const placeOf = (key: string) => manifest.fields.find(field => field.key === key)!.bitField;
  for (const [name, of] of [
    ['hour', 'moment'],
    ['late', 'delay'],
    ['wait', 'delay'],
    ['long', 'city'],
  ] as const)
    expect(placeOf(name), name).toEqual(placeOf(of));
  // Minutes differ within an hour, and a fraction may not be what its double is.
  for (const [name, of] of [
    ['minute', 'moment'],
    ['cheap', 'price'],
  ] as const)
    expect(placeOf(name), name).not.toEqual(placeOf(of));
  for (const [key, [, , sql]] of Object.entries(made)) {
    const expected = await rowsOf(
      connection,
      `select ${key === 'late' || key === 'cheap' ? sql : `(${sql})::double`} from trips order by rowid`,
    );
    expect(
      expected.filter(([value], at) => values.get(key)![at] !== value),
      key,
    ).toEqual([]);
  }
});

test.each([
  { kind: 'timestamp', from: '1963-01-01 05:59:59.9', unit: 'day' },
  { kind: 'timestamp_s', from: '1994-01-01 05:59:59', unit: 'day' },
  { kind: 'timestamp', from: '1750-01-01 05:59:59.9', unit: 'week' },
])(
  'the hour of a time range too long for codes by hour is computed from the time itself ($kind from $from)',
  async ({ kind, from, unit }) => {
    const step = unit === 'week' ? 100_000 : 11_000;
    const { connection, table } = await tableFrom(
      `create table trips as select case when i % 11 > 0 then (timestamp '${from}' + to_days((i % ${step})::int) + to_minutes((i % 1441)::int))::${kind} end as moment from range(200001) t(i)`,
      numbered(['moment', 'extract(hour from moment) as hour', 'extract(minute from moment) as minute']),
    );
    const part = (name: 'hour' | 'minute', count: number) => ({
      key: name,
      column: name,
      derivation: {
        of: 'moment',
        name: 'moment',
        within: name,
        cycle: { unit: name, count },
        from: (values: string) =>
          `select extract(${name} from moment) as ${name}, rowid as "${rowColumn}" from ${values}`,
      },
    });
    const { manifest, values } = await valuesOf(table, [
      ...allOf(['moment']),
      part('hour', 24),
      part('minute', 60),
    ]);
    expect(manifest.fields.map(({ codes }) => codes)).toMatchObject([
      { kind: 'times', unit, nulls: true },
      { kind: 'integers', from: 0, count: 24, nulls: true },
      { kind: 'integers', from: 0, count: 60, nulls: true },
    ]);
    const expected = await rowsOf(
      connection,
      'select extract(hour from moment)::double, extract(minute from moment)::double from trips order by rowid',
    );
    expect(
      expected.filter(
        ([hour, minute], at) => values.get('hour')![at] !== hour || values.get('minute')![at] !== minute,
      ),
    ).toEqual([]);
  },
);
