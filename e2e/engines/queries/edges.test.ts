import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  engineNames,
  loadEngines,
  modelOf,
  type Cell,
  type LoadedEngine,
  type StatedTable,
} from '../loaded-engines.ts';

/**
 * Edge cases of values: infinities and NaN, whole numbers beyond a double's precision, very early and very
 * late days, texts that differ by a trailing blank.
 */

const date = (text: string) => Date.parse(`${text}T00:00:00Z`);
const far = [
  date('0044-03-15'),
  date('1582-10-15'),
  date('1899-12-31'),
  date('2024-02-29'),
  date('9999-12-31'),
];
/** The range of days of each engine: ClickHouse's began in 1970 before 2021. */
const days: Readonly<Record<LoadedEngine['name'], readonly number[]>> = {
  DuckDB: [...far, date('+012000-01-01')],
  PostgreSQL: [...far, date('+012000-01-01')],
  MariaDB: far,
  MySQL: far,
  ClickHouse: [date('1970-01-01'), date('2024-02-29'), date('2105-12-31')],
};

const edges: StatedTable = {
  name: 'edges',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'big', type: 'integer' },
    { name: 'exact', type: 'decimal' },
    { name: 'word', type: 'text' },
    { name: 'ok', type: 'boolean' },
  ],
  rows: [
    [1, '9223372036854775807', '99999999999999.9999', 'a', true],
    [2, '-9223372036854775808', '-99999999999999.9999', 'a ', false],
    [3, '9007199254740993', '0.0001', 'A', null],
    [4, null, null, null, true],
    [5, '0', '0', '', false],
  ],
};
const model = modelOf(
  {
    table: 'edges',
    dimensions: { id: {}, big: {}, exact: {}, word: {}, ok: {} },
    measures: {
      big_sum: { expr: 'sum(big)' },
      exact_sum: { expr: 'sum(exact)' },
      big_max: { expr: 'max(big)' },
      words: { expr: 'count(distinct word)' },
      average: { expr: 'avg(big)' },
      begins: { expr: "bool_or('ab' >= 'abc')" },
      first: {
        expr: "min(case when 'ab' < 'abc' and not 'abc' <= 'ab' then least('abc', 'ab') else greatest('ab', 'abc') end)",
      },
      doubled: { expr: 'max(big) * 2 - 1' },
    },
  },
  [edges],
);
const everything = { kind: 'everything' } as const;

let engines: LoadedEngine[];
beforeAll(async () => {
  engines = await loadEngines([edges]);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

describe.each(engineNames)('%s', name => {
  const engine = () => engines.find(one => one.name === name)!;
  const rowsOf = async (question: Parameters<typeof ask>[0]): Promise<Cell[][]> => {
    const answer = await ask(question, model, 'UTC', engine());
    return Array.from({ length: answer.rowCount }, (_, i) =>
      answer.columns.map(column => column.values[i] as Cell),
    );
  };

  test('whole numbers and decimals keep every digit', async () => {
    expect(
      await rowsOf({
        kind: 'rows',
        model: 'model',
        dimensions: ['id', 'big', 'exact'],
        where: everything,
        order: [{ by: 'id' }],
        limit: 10,
      }),
    ).toEqual([
      [1, '9223372036854775807', '99999999999999.9999'],
      [2, '-9223372036854775808', '-99999999999999.9999'],
      [3, '9007199254740993', 0.0001],
      [4, null, null],
      [5, 0, 0],
    ]);
    expect(
      await rowsOf({
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['big_sum', 'exact_sum', 'big_max'],
        where: everything,
      }),
    ).toEqual(
      [['9007199254740992', 0.0001, '9223372036854775807']].map(row =>
        row.map(cell =>
          cell === '9007199254740992' ? expect.toSatisfy((value: Cell) => String(value) === cell) : cell,
        ),
      ),
    );
  });

  test('a result beyond the whole numbers is exact or an error, never another number', async () => {
    const doubled = await rowsOf({
      kind: 'groups',
      model: 'model',
      dimensions: [],
      measures: ['doubled'],
      where: everything,
    }).then(
      rows => String(rows[0]![0]),
      () => 'an error',
    );
    expect(['18446744073709551613', 'an error']).toContain(doubled);
  });

  test('unsigned whole numbers can go below zero, and keep every digit', async () => {
    const numbers: Readonly<Record<LoadedEngine['name'], (digits: string) => string>> = {
      DuckDB: digits => `${digits}::uint32`,
      PostgreSQL: digits => `${digits}::bigint`,
      MariaDB: digits => `cast(${digits} as unsigned)`,
      MySQL: digits => `cast(${digits} as unsigned)`,
      ClickHouse: digits => `toUInt32(${digits})`,
    };
    const unsigned = modelOf(
      {
        table: 'edges',
        dimensions: { n: {} },
        measures: {
          times: { expr: 'sum(n * -2)' },
          plus: { expr: 'min(n + -9)' },
          less: { expr: 'min(n - 9)' },
          squares: { expr: 'sum(n * n * -1)' },
          rest: { expr: 'max((n - 9) % 4)' },
          most: { expr: 'max(n) * -1' },
          least: { expr: 'min(coalesce(n, 0) * -1)' },
        },
      },
      [{ name: 'edges', columns: [{ name: 'n', type: 'integer' }], rows: [] }],
    );
    const loaded = {
      ...engine(),
      tableName: () =>
        `(${['3', '5', '4294967295'].map(digits => `select ${numbers[name](digits)} as n`).join(' union all ')})`,
    };
    const answer = await ask(
      {
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['times', 'plus', 'less', 'rest', 'most', 'least'],
        where: everything,
      },
      unsigned,
      'UTC',
      loaded,
    );
    expect(answer.columns.map(column => Number(column.values[0]))).toEqual([
      -2 * (3 + 5 + 4294967295),
      -6,
      -6,
      2,
      -4294967295,
      -4294967295,
    ]);
    const squares = await ask(
      {
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['squares'],
        where: { kind: 'range', field: 'n', below: 100 },
      },
      unsigned,
      'UTC',
      loaded,
    );
    expect(squares.columns[0]!.values[0]).toBe(-34);
  });

  test('texts are equal if their bytes are; null, empty and blank are three values; null sorts last both ways', async () => {
    const groups = (descending: boolean) =>
      rowsOf({
        kind: 'groups',
        model: 'model',
        dimensions: [{ field: 'word' }],
        measures: ['rows'],
        where: everything,
        order: [{ by: 'word', descending }],
      });
    expect(await groups(false)).toEqual([
      ['', 1],
      ['A', 1],
      ['a', 1],
      ['a ', 1],
      [null, 1],
    ]);
    expect(await groups(true)).toEqual([
      ['a ', 1],
      ['a', 1],
      ['A', 1],
      ['', 1],
      [null, 1],
    ]);
    expect(
      await rowsOf({
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['words'],
        where: everything,
      }),
    ).toEqual([[4]]);
    expect(
      await rowsOf({
        kind: 'rows',
        model: 'model',
        dimensions: ['id'],
        where: { kind: 'oneOf', field: 'word', values: ['a'] },
        order: [],
        limit: 9,
      }),
    ).toEqual([[1]]);
  });

  test('a text is greater than its prefix, in written conditions too', async () => {
    expect(
      await rowsOf({
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['begins', 'first'],
        where: everything,
      }),
    ).toEqual([[false, 'ab']]);
  });

  test('dates far in the past and future are supported to the engine’s limits', async () => {
    const own = days[name];
    const table: StatedTable = { name: 'edges', columns: [{ name: 'id', type: 'integer' }], rows: [] };
    const literal = (ms: number) => {
      const iso = new Date(ms).toISOString().replace(/T.*$/, '').replace(/^\+0?/, '');
      return name === 'ClickHouse' ? `toDate('${iso}')` : `cast('${iso}' as date)`;
    };
    const dated = modelOf(
      {
        table: 'edges',
        dimensions: { day: { column: 'day' } },
        measures: { last: { expr: 'max(day)' }, years: { expr: 'min(year(day))' } },
      },
      [{ ...table, columns: [{ name: 'day', type: 'date' }] }],
    );
    const rows = own.map(ms => `select ${literal(ms)} as day`).join(' union all ');
    const loaded = { ...engine(), tableName: () => `(${rows})` };
    const answer = await ask(
      {
        kind: 'groups',
        model: 'model',
        dimensions: [{ field: 'day', timeUnit: 'month' }],
        measures: ['last'],
        where: everything,
      },
      dated,
      'UTC',
      loaded,
    );
    const month = (ms: number) => {
      const day = new Date(ms);
      day.setUTCDate(1);
      return day.getTime();
    };
    expect([...answer.columns[0]!.values]).toEqual(own.map(month));
    expect([...answer.columns[1]!.values]).toEqual(own);
  });

  test.runIf(name !== 'MariaDB' && name !== 'MySQL')('NaN and infinity count as null', async () => {
    const literals = {
      DuckDB: ["'NaN'::double", "'Infinity'::double", '1.5::double'],
      PostgreSQL: ["'NaN'::float8", "'-Infinity'::float8", '1.5::float8'],
      ClickHouse: ['nan', 'inf', '1.5'],
      MariaDB: [],
      MySQL: [],
    }[name];
    const odd = modelOf(
      {
        table: 'edges',
        dimensions: { x: {} },
        measures: {
          total: { expr: 'sum(x)' },
          most: { expr: 'max(x)' },
          mean: { expr: 'avg(x)' },
          values: { expr: 'count(x)' },
        },
      },
      [{ name: 'edges', columns: [{ name: 'x', type: 'number' }], rows: [] }],
    );
    const loaded = {
      ...engine(),
      tableName: () => `(${literals.map(literal => `select ${literal} as x`).join(' union all ')})`,
    };
    const answer = await ask(
      {
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['total', 'most', 'mean', 'values', 'rows'],
        where: everything,
      },
      odd,
      'UTC',
      loaded,
    );
    expect(answer.columns.map(column => column.values[0])).toEqual([1.5, 1.5, 1.5, 1, 3]);
    const above = await ask(
      {
        kind: 'groups',
        model: 'model',
        dimensions: [],
        measures: ['rows'],
        where: { kind: 'range', field: 'x', from: 0 },
      },
      odd,
      'UTC',
      loaded,
    );
    expect(above.columns[0]!.values[0]).toBe(1);
  });
});
