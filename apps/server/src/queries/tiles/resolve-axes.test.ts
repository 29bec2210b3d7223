import { calendarOf } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import type { QueryResult } from '@belvedere/engine';
import { addUnits, allOf, everything, type AxisRequest, type Filter, type Query } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { inOneStep, resolveAxes } from './resolve-axes.ts';

const model = {
  name: 'flights',
  dimensions: {
    day: { name: 'day', label: 'Day', type: 'date' },
    at: { name: 'at', label: 'At', type: 'instant' },
  },
  measures: {},
} as unknown as Model;
const on = (field: string, from?: string, below?: string): Filter => ({
  kind: 'range',
  field,
  ...(from && { from: Date.parse(from) }),
  ...(below && { below: Date.parse(below) }),
});
const request = (field: string): AxisRequest => ({
  channel: 'x',
  field,
  kind: 'times',
  encoding: { field },
  limit: 2000,
});
const noQueries = {
  runQuery: () => Promise.reject<QueryResult>(new Error('asked')),
  knownExtent: () => [Date.UTC(1990, 0), Date.UTC(2010, 0)] as const,
  knownDistinct: () => undefined,
  calendar: calendarOf({}),
};
const settled = async (field: string, ...filters: Filter[]) => {
  const {
    axes: [axis],
  } = await resolveAxes([request(field)], 'rows', model, allOf(filters), noQueries);
  if (axis?.kind !== 'times') throw new Error('another kind');
  return [
    axis.unit,
    new Date(axis.from).toISOString().slice(0, 16),
    new Date(addUnits(axis.unit, axis.from, axis.count)).toISOString().slice(0, 16),
  ];
};

test('a time axis covers the intersection of all its filters: of a dashboard’s quarter and a shorter range, the range', async () => {
  const quarter = on('day', '2001-04-01', '2001-07-01');
  const stretch = on('day', '2001-05-10', '2001-06-01');
  for (const filters of [
    [quarter, stretch],
    [stretch, quarter],
    [stretch, on('day', '2001-04-01'), on('at', '1990-01-01', '1991-01-01')],
  ])
    expect(await settled('day', ...filters)).toEqual(['day', '2001-05-10T00:00', '2001-06-01T00:00']);
});

test('a time axis ends with the data, if its filter goes on', async () => {
  const month = on('day', '2001-07-01', '2001-08-01');
  const withData = (first: string, last: string) => ({
    ...noQueries,
    knownExtent: () => [Date.parse(first), Date.parse(last)] as const,
  });
  const countOf = async (settings: typeof noQueries | ReturnType<typeof withData>) => {
    const { axes } = await resolveAxes([request('day')], 'rows', model, month, settings);
    return axes[0]?.kind === 'times' ? axes[0].count : undefined;
  };
  expect(await countOf(withData('2001-01-01', '2001-07-12'))).toBe(12);
  expect(await countOf(withData('2001-01-01', '2001-09-30'))).toBe(31);
  expect(await countOf(withData('2000-01-01', '2000-12-31'))).toBe(31);
});

test('dates have no hourly grain, however few they are; times do', async () => {
  expect(await settled('day', on('day', '2001-05-10', '2001-05-12'))).toEqual([
    'day',
    '2001-05-10T00:00',
    '2001-05-12T00:00',
  ]);
  expect(await settled('at', on('at', '2001-05-10', '2001-05-12'))).toEqual([
    'hour',
    '2001-05-10T00:00',
    '2001-05-12T00:00',
  ]);
});

describe('the order of series colours', () => {
  // By rows: Gentoo, Adelie, Chinstrap; by size: S, M, L.
  const birds = {
    name: 'birds',
    dimensions: {
      kind: { name: 'kind', label: 'Kind', type: 'text' },
      size: { name: 'size', label: 'Size', type: 'text', sort: ['S', 'M', 'L'] },
    },
    measures: {
      mass: { name: 'mass', label: 'Mass', type: 'integer', expression: { kind: 'column', column: 'mass' } },
      rows: { name: 'rows', label: 'Rows', type: 'integer' },
    },
  } as unknown as Model;
  const byRows: Record<string, [string, number][]> = {
    kind: [
      ['Adelie', 40],
      ['Chinstrap', 10],
      ['Gentoo', 90],
    ],
    size: [
      ['L', 90],
      ['M', 10],
      ['S', 40],
    ],
  };
  const runQuery = ((query: { dimensions: { field: string }[]; limit: number; where: Filter }) => {
    const found = byRows[query.dimensions[0]!.field]!.filter(
      ([name]) => query.where.kind === 'everything' || name !== 'Gentoo',
    )
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, query.limit);
    return Promise.resolve({
      columns: [{ name: 'k', type: 'text', values: found.map(([name]) => name) }],
      rowCount: found.length,
    } as unknown as QueryResult);
  }) as never;
  const coloured = async (
    field: string,
    change: Partial<AxisRequest> = {},
    where: Filter = { kind: 'everything' },
  ) => {
    const {
      axes: [axis],
    } = await resolveAxes(
      [{ channel: 'color', field, kind: 'categories', encoding: { field }, limit: 6, ...change }],
      'rows',
      birds,
      where,
      { ...noQueries, knownDistinct: () => 5000, runQuery },
    );
    if (axis?.kind !== 'categories') throw new Error('another kind');
    return Object.fromEntries(axis.values.map((value, position) => [String(value), axis.colours![position]]));
  };

  test('follows the number of rows, on lines and in parts of a whole, under a filter too', async () => {
    const everywhere = { Gentoo: 0, Adelie: 1, Chinstrap: 2 };
    expect(await coloured('kind')).toEqual(everywhere);
    expect(await coloured('kind', { isPart: true })).toEqual(everywhere);
    expect(await coloured('kind', { encoding: { field: 'kind', sort: 'ascending' } })).toEqual(everywhere);
    expect(await coloured('kind', { isPart: true }, on('day', '2024-01-01'))).toEqual({
      Adelie: 1,
      Chinstrap: 2,
    });
  });

  test('follows a dimension’s own order, in parts of a whole too', async () => {
    expect(await coloured('size')).toEqual({ S: 0, M: 1, L: 2 });
    expect(await coloured('size', { isPart: true })).toEqual({ S: 0, M: 1, L: 2 });
    expect(await coloured('size', { encoding: { field: 'size', sort: '-value' } })).toEqual({
      S: 0,
      M: 1,
      L: 2,
    });
  });
});

test('bins with a given step cover the range of the default bins, and begin at a multiple of the step', () => {
  const across = {
    channel: 'x',
    kind: 'bins',
    field: 'longitude',
    origin: -93.32,
    step: 0.002,
    count: 56,
  } as const;
  const up = {
    channel: 'y',
    kind: 'bins',
    field: 'latitude',
    origin: 44.89,
    step: 0.005,
    count: 33,
  } as const;
  const [same, kept] = inOneStep([across, up]);
  expect(kept).toBe(up);
  expect(same).toEqual({ ...across, origin: -93.32, step: 0.005, count: 23 });
  expect(inOneStep([{ ...across, origin: -93.318 }])[0]).toEqual({ ...across, origin: -93.318 });
  expect(inOneStep([{ ...across, origin: -93.318 }, up])[0]).toMatchObject({ origin: -93.32, count: 23 });
});

test('categories can be sorted by an aggregate of another field', async () => {
  const months = {
    name: 'months',
    dimensions: {
      month: { name: 'month', label: 'Month', type: 'text', expression: { kind: 'column', name: 'month' } },
      number: {
        name: 'number',
        label: 'Number',
        type: 'integer',
        expression: { kind: 'column', name: 'number' },
      },
    },
    measures: { rows: { name: 'rows', expression: { kind: 'call', name: 'count', args: [] } } },
  } as unknown as Model;
  const queries: Query[] = [];
  const numbers = { March: 3, January: 1, February: 2 };
  const runQuery = (query: Query) => {
    queries.push(query);
    return Promise.resolve({
      rowCount: 3,
      columns: [
        { name: 'month', type: 'text', values: Object.keys(numbers) },
        { name: 'part0', type: 'number', values: Float64Array.from(Object.values(numbers)) },
      ],
    } as unknown as QueryResult);
  };
  const by = async (order: 'ascending' | undefined) => {
    const { axes } = await resolveAxes(
      [
        {
          channel: 'x',
          field: 'month',
          kind: 'categories',
          encoding: { field: 'month', sort: { field: 'number', aggregate: 'min', ...(order && { order }) } },
          limit: 12,
        },
      ],
      'rows',
      months,
      allOf([]),
      { ...noQueries, runQuery },
    );
    return axes[0]!.kind === 'categories' ? axes[0]!.values : [];
  };
  expect(await by('ascending')).toEqual(['January', 'February', 'March']);
  expect(await by(undefined)).toEqual(['March', 'February', 'January']);
  expect(queries).toMatchObject([{ measures: ['min(number)'] }, { measures: ['min(number)'] }]);
});

test.each([
  ['a month that has only begun', on('day', '2001-01-01', '2001-07-01'), { last: true }],
  ['a filter that begins within a month', on('day', '2001-01-20', '2001-06-01'), { first: true }],
  ['whole months', on('day', '2001-01-01', '2001-06-01'), undefined],
] as const)('an axis of time marks %s', async (_, filter, expected) => {
  const {
    axes: [axis],
  } = await resolveAxes(
    [{ ...request('day'), encoding: { field: 'day', timeUnit: 'month' } }],
    'rows',
    model,
    filter,
    { ...noQueries, knownExtent: () => [Date.parse('1999-05-05'), Date.parse('2001-06-06')] },
  );
  expect(axis?.kind === 'times' && axis.partial).toEqual(expected);
});

test('weekdays begin with the first day of the weeks of the dashboard’s calendar', async () => {
  const sort = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const shop = {
    name: 'shop',
    dimensions: { day: { name: 'day', label: 'Day', type: 'text', sort } },
    measures: {
      rows: { name: 'rows', type: 'integer', expression: { kind: 'call', name: 'count', args: [] } },
    },
  } as unknown as Model;
  const values = ['Sun', 'Wed', 'Mon', 'Fri'];
  const runQuery = () => Promise.resolve({ columns: [{ values }], rowCount: 4 } as unknown as QueryResult);
  const days = { ...request('day'), kind: 'categories' as const, limit: 10 };
  const shown = async (weekStart: 'monday' | 'sunday') => {
    const settings = {
      ...noQueries,
      knownDistinct: () => 1e9,
      runQuery,
      calendar: calendarOf({}, { weekStart }),
    };
    const { axes } = await resolveAxes([days], 'rows', shop, everything, settings);
    return (axes[0] as { readonly values?: unknown }).values;
  };
  expect(await shown('monday')).toEqual(['Mon', 'Wed', 'Fri', 'Sun']);
  expect(await shown('sunday')).toEqual(['Sun', 'Mon', 'Wed', 'Fri']);
});
