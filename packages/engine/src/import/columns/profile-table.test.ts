import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { notFinite, profileTable } from './profile-table.ts';

/* What is said of a table's columns, against plain code. */

const rows = 500;
const seed = Number(process.env['BELVEDERE_SEED']);
/** Numbers below `below` that follow from the seed, a column and a row alone. */
const pick = (column: number, row: number, below: number) =>
  Number(
    BigInt.asUintN(32, BigInt(seed + 1) * 2654435761n + BigInt(column) * 40503n + BigInt(row) * 2246822519n) %
      BigInt(below),
  );

type Cell = number | string | null;
const kinds: readonly { readonly type: string; readonly cell: (column: number, row: number) => Cell }[] = [
  {
    type: 'bigint',
    cell: (column, row) => (pick(column, row, 9) === 0 ? null : pick(column, row, 120) - 20),
  },
  {
    type: 'double',
    cell: (column, row) =>
      pick(column, row, 11) === 0 ? null : pick(column, row, 40) === 1 ? Infinity : pick(column, row, 90) / 8,
  },
  {
    type: 'varchar',
    cell: (column, row) =>
      pick(column, row, 10) === 0 ? null : pick(column, row, 10) === 1 ? '' : `v${pick(column, row, 30)}`,
  },
];
const kindOf = (column: number) => kinds[column % kinds.length]!;

test(`each column of a wide table has the counts of plain code (seed ${seed})`, async () => {
  const columns = Array.from({ length: 100 }, (_, i) => i);
  const cells = columns.map(column =>
    Array.from({ length: rows }, (_, row) => kindOf(column).cell(column, row)),
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `create table data (${columns.map(column => `"c ""${column}""" ${kindOf(column).type}`).join(', ')})`,
  );
  const written = (cell: Cell) =>
    cell === null
      ? 'null'
      : cell === Infinity
        ? `'inf'::double`
        : typeof cell === 'string'
          ? `'${cell}'`
          : String(cell);
  await connection.run(
    `insert into data values ${Array.from({ length: rows }, (_, row) => `(${cells.map(column => written(column[row]!)).join(', ')})`).join(', ')}`,
  );
  const profile = await profileTable(connection, 'wide');
  expect({ name: profile.name, rows: profile.rows, columns: profile.columns.length }).toEqual({
    name: 'wide',
    rows,
    columns: 100,
  });
  for (const [column, said] of profile.columns.entries()) {
    const values = cells[column]!.filter(cell => cell !== null);
    const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const finite = sorted.filter(value => Number.isFinite(value));
    const ranked = (share: number) => finite[Math.ceil(share * finite.length) - 1];
    expect(said, said.name).toMatchObject({
      name: `c "${column}"`,
      nulls: rows - values.length,
      empties: values.filter(value => value === '').length,
      distinct: new Set(values).size,
      isDistinctExact: true,
      ...(typeof sorted[0] === 'number'
        ? { min: finite[0], max: finite.at(-1) }
        : { min: sorted[0], max: sorted.at(-1) }),
      ...(typeof sorted[0] === 'number' && {
        low: ranked(0.01),
        high: ranked(0.99),
        lowerQuartile: ranked(0.25),
        upperQuartile: ranked(0.75),
      }),
    });
    if (typeof sorted[0] === 'string')
      expect(
        said.top.map(({ rows: counted }) => counted),
        said.name,
      ).toEqual(
        Array.from(Map.groupBy(cells[column]!, cell => cell).values(), group => group.length)
          .toSorted((a, b) => b - a)
          .slice(0, 8),
      );
  }
  connection.closeSync();
  instance.closeSync();
});

test('infinite numbers are left out of every extent, and counted', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `create table data as select * from (values ('nan'::double, 'inf'::float, 'infinity'::date, 1), ('-inf', 'nan', '2024-01-31', 2), (1.5, 'inf', '-infinity', 3)) t(mixed, never, day, whole)`,
  );
  const { columns } = await profileTable(connection, 'odd');
  expect(columns.map(({ min, max, low, high }) => [min, max, low, high])).toEqual([
    [1.5, 1.5, 1.5, 1.5],
    [undefined, undefined, undefined, undefined],
    [Date.UTC(2024, 0, 31), Date.UTC(2024, 0, 31), undefined, undefined],
    [1, 3, 1, 3],
  ]);
  expect(await notFinite(connection)).toEqual([
    '2 values of “mixed” are not finite (NaN or infinity) and excluded from its range.',
    '3 values of “never” are not finite (NaN or infinity) and excluded from its range.',
  ]);
  connection.closeSync();
  instance.closeSync();
});

test('dates beyond all timestamps have a profile', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    'create table data as select date, timestamp, timestamp_s, timestamp_ms, timestamp_ns, timestamp_tz from test_all_types()',
  );
  const { columns } = await profileTable(connection, 'data');
  expect(columns.map(({ name, min }) => [name, typeof min])).toEqual([
    ['date', 'undefined'],
    ['timestamp', 'number'],
    ['timestamp_s', 'number'],
    ['timestamp_ms', 'number'],
    ['timestamp_ns', 'number'],
    ['timestamp_tz', 'number'],
  ]);
  connection.closeSync();
  instance.closeSync();
});
