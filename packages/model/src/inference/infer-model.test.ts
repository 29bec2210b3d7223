import { describe, expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { meaningOf } from './infer-meaning.ts';
import { inferModel } from './infer-model.ts';
import { inferOverview, niceStep } from '../overview/infer-overview.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

const column = (
  name: string,
  type: ColumnProfile['type'],
  min?: number,
  max?: number,
  distinct = 100,
): ColumnProfile =>
  ({
    name,
    type,
    nulls: 0,
    empties: 0,
    distinct,
    isDistinctExact: true,
    top: [],
    ...(min !== undefined && { min, max, low: min, high: max }),
  }) as ColumnProfile;

test.each([
  [column('rownames', 'integer', 1, 1000, 1000), 'identifier'],
  [column('CustomerId', 'integer', 1, 60, 60), 'identifier'],
  [column('zip_code', 'integer', 1000, 99999), 'identifier'],
  [column('year', 'integer', 2012, 2015, 4), 'category'],
  [column('founded', 'integer', 1900, 2020, 90), 'category'],
  [column('hour', 'integer', 0, 23, 24), 'category'],
  [column('DepTime', 'integer', 1, 2400, 900), 'category'],
  [column('status', 'integer', 200, 500, 8), 'category'],
  [column('error_code', 'integer', 1, 900, 30), 'category'],
  [column('error_code', 'integer', 1, 9000, 800), 'identifier'],
  [column('Cancelled', 'integer', 0, 1, 2), 'category'],
  [column('lat', 'number', -90, 90), 'latitude'],
  [column('longitude', 'number', -180, 180), 'longitude'],
  [column('Total', 'number', 0, 25), 'amount'],
  [column('Quantity', 'integer', 1, 100), 'amount'],
  [column('unit_price', 'number', 1, 263), 'level'],
  [column('Temperature', 'number', -2, 43), 'level'],
  [column('arr_delay', 'integer', -60, 1000), 'level'],
  [column('carrier', 'text', undefined, undefined, 16), 'category'],
  [column('comment', 'text', undefined, undefined, 990), 'text'],
  [column('created_at', 'instant', 1, 2), 'time'],
  [column('payload', 'other'), 'nested'],
])('$name is inferred to be %s', (profile, meaning) => {
  expect(meaningOf(profile, 1000)).toBe(meaning);
});

const orders: TableProfile = {
  name: 'orders',
  rows: 1000,
  columns: [
    column('order_id', 'integer', 1, 1000, 1000),
    column('ordered', 'date', Date.UTC(2023, 0, 1), Date.UTC(2023, 11, 31), 365),
    column('country', 'text', undefined, undefined, 20),
    column('select', 'number', 0, 500),
    column('Net "sum"', 'number', 1, 9),
  ],
};

test('an inferred model is valid, whatever its columns are named', () => {
  const { model, problems } = buildModel('orders', inferModel(orders), [orders]);
  expect(problems).toEqual([]);
  expect(model?.time).toBe('ordered');
  expect(Object.keys(model!.measures)).toEqual(['rows', 'avg_select', 'total_net_sum']);
});

test('the parts of a time are hidden dimensions in the order of the calendar', () => {
  const { model, problems } = buildModel('orders', inferModel(orders), [orders]);
  const { weekday, month_of_year: month, hour_of_day: hour } = model!.dimensions;
  expect(problems).toEqual([]);
  expect(weekday).toMatchObject({ type: 'text', isHidden: true, text: 'weekday_name(ordered)' });
  expect([weekday!.sort![0], month!.sort![11], hour]).toEqual(['Monday', 'December', undefined]);
});

describe('the hours of times of day', () => {
  const clock = (name: string, times: readonly string[]): ColumnProfile => ({
    ...column(name, 'text'),
    distinct: 300,
    top: times.map(value => ({ value, rows: 2 })),
  });
  const fieldsOf = (...columns: readonly ColumnProfile[]) => {
    const table = { name: 'crashes', rows: 900, columns };
    const { model, problems } = buildModel('crashes', inferModel(table), [table]);
    expect(problems).toEqual([]);
    return model!.dimensions;
  };

  test('are a dimension beside a date, which has none', () => {
    const { hour_of_day: hour } = fieldsOf(
      column('day', 'date', 0, 90 * 86_400_000),
      clock('Crash time', ['14:30:05', '7:05', '00:00']),
    );
    expect(hour).toEqual(
      expect.objectContaining({
        label: 'Hour of day',
        type: 'integer',
        format: 'hour',
        text: `mod(cast(split_part("Crash time", ':', 1) as integer), 24)`,
      }),
    );
    expect(hour!.isHidden).toBeUndefined();
  });

  test('have the name of their column beside a time with hours of its own', () => {
    const fields = fieldsOf(
      column('at', 'time', 0, 90 * 86_400_000),
      clock('closed', ['2:05 PM', '11:40 am']),
    );
    expect(fields['closed_hour']).toMatchObject({ label: 'Closed (hour)', type: 'integer' });
    expect(fields['closed_hour']!.text).toContain("contains(lower(closed), 'p')");
    expect(fields['hour_of_day']).toMatchObject({ isHidden: true, text: 'hour(at)', format: 'hour' });
  });

  test('are read from numbers such as 1430, and not from other texts and numbers', () => {
    const { dep_time_hour: own, hour_of_day: hour } = fieldsOf({
      ...column('dep_time', 'integer', 1, 2359),
      top: [{ value: '1430', rows: 9 }],
    });
    expect(own).toBeUndefined();
    expect(hour).toMatchObject({ text: 'mod(cast(floor(dep_time / 100) as integer), 24)' });
    expect(
      fieldsOf(clock('score', ['14:30', 'abandoned']), column('amount', 'integer', 1, 2359)),
    ).not.toHaveProperty('hour_of_day');
  });
});

test('an overview has figures, a trend, a leaderboard, a distribution, a scatter and the rows', () => {
  const { model } = buildModel('orders', inferModel(orders), [orders]);
  const { tiles } = inferOverview(model!, orders).pages[0]!;
  expect(Object.values(tiles).map(tile => tile.kind)).toEqual([
    'kpi',
    'kpi',
    'kpi',
    'kpi',
    'area',
    'bar',
    'bar',
    'scatter',
    'table',
  ]);
});

test.each([
  [100, 30, true, 5],
  [3, 30, true, 1],
  [1, 30, false, 0.05],
  [2_845, 30, true, 100],
  [1e9, 30, true, 5e7],
])('%d in about %d parts (whole: %s) has steps of %d', (span, bins, isInteger, step) => {
  expect(niceStep(span, bins, isInteger)).toBeCloseTo(step, 10);
});

const described = (name: string, rows: number, columns: readonly ColumnProfile[]) => {
  const table: TableProfile = { name, rows, columns };
  const { model, problems } = buildModel(name, inferModel(table), [table]);
  expect(problems).toEqual([]);
  return { model: model!, tiles: inferOverview(model!, table).pages[0]!.tiles };
};

test.each([
  [
    'a row for each month and state, where counts are meaningless',
    300 * 50,
    [
      column('month', 'date', Date.UTC(1998, 10, 1), Date.UTC(2023, 8, 1), 300),
      column('state', 'text', undefined, undefined, 50),
      column('handgun', 'integer', 0, 9000),
      column('totals', 'integer', 0, 90_000),
    ],
    'total_totals',
    'area',
  ],
  [
    'a row every half hour',
    48 * 1000,
    [
      column('time', 'instant', 0, (48 * 1000 - 1) * 1_800_000, 48 * 1000),
      column('holiday', 'boolean', undefined, undefined, 2),
      column('temperature', 'number', 2, 40),
    ],
    'avg_temperature',
    'line',
  ],
  [
    'a row a day, but for weekends',
    700,
    [
      column('day', 'date', Date.UTC(2020, 0, 1), Date.UTC(2022, 8, 1), 700),
      column('close', 'number', 2, 40),
    ],
    'avg_close',
    'line',
  ],
  [
    'whatever happened at whatever moment',
    48 * 1000,
    [
      column('time', 'instant', 0, 86_400_123_457, 48 * 1000),
      column('kind', 'text', undefined, undefined, 9),
      column('bytes', 'integer', 2, 40_000),
    ],
    'rows',
    'area',
  ],
  ['a table with only a date', 1000, [column('time', 'date', 0, 999 * 86_400_000, 1000)], 'rows', 'area'],
] as const)('the measure on an overview of %s', (_, rows, columns, measure, kind) => {
  const { tiles } = described('some', rows, columns);
  expect(tiles['over_time']).toMatchObject({ kind, y: { measure } });
  if (tiles['top_1']) expect(tiles['top_1']).toMatchObject({ x: { measure } });
  expect(tiles['figure_1']).toMatchObject({ value: { measure } });
});

test('a column of totals keeps its name, and numbers for each row add the row’s name', () => {
  const { model } = described('some', 1000, [
    column('column00', 'integer', 1, 1800, 1000),
    column('totals', 'integer', 0, 90_000, 400),
    column('people', 'integer', 0, 90_000, 1000),
  ]);
  expect(Object.entries(model.measures).map(([name, { label }]) => [name, label])).toEqual([
    ['rows', 'Rows'],
    ['total_totals', 'Totals'],
    ['total_people', 'Total people'],
  ]);
});

test.each([
  ['police stops', 'Police stops'],
  ['earthquakes', 'Earthquakes'],
  ['sales', 'Rows'],
  ['statistics', 'Rows'],
  ['survey', 'Rows'],
  ['export_2023', 'Rows'],
  ['orders_2023', 'Orders'],
  ['orders_export', 'Orders'],
  ['orders export final v2', 'Orders'],
  ['orders (3)', 'Orders'],
  ['sales_data', 'Rows'],
  ['data_export', 'Rows'],
  ['sales 2023', 'Rows'],
  ['national firearm background checks', 'Rows'],
])('the rows of %s are counted as %s', (table, label) => {
  const kind = column('kind', 'text', undefined, undefined, 9);
  const labelOf = (...columns: readonly ColumnProfile[]) =>
    described(table, 1000, columns).model.measures['rows']!.label;
  expect(labelOf(kind)).toBe(label);
  // A row that says how many there were is not one of them.
  expect(labelOf(kind, column('count', 'integer', 0, 90_000, 400))).toBe('Rows');
});

test('the price of a sold piece adds up where orders have several, and there is no quantity', () => {
  const price = column('price', 'number', 2, 40);
  const day = column('date', 'date', 0, 999 * 86_400_000, 300);
  const measuresOf = (...columns: readonly ColumnProfile[]) =>
    Object.values(described('some', 1000, [price, ...columns]).model.measures).map(({ label }) => label);
  const id = (distinct: number) => column('id', 'text', undefined, undefined, distinct);
  expect(measuresOf(day, id(400))).toEqual([
    'Rows',
    'Revenue',
    'Orders',
    'Average order value',
    'Average price',
  ]);
  expect(measuresOf(day, id(1000))).not.toContain('Revenue');
  expect(measuresOf(id(400))).not.toContain('Revenue');
  const { model } = described('some', 1000, [price, day, id(400), column('quantity', 'integer', 1, 90)]);
  expect(model.measures['revenue']).toMatchObject({ text: 'sum(price * quantity)' });
});

test('digits of large amounts are grouped, those of names are not', () => {
  const { model } = described('some', 1000, [
    column('milliseconds', 'integer', 0, 900_000),
    column('customer_id', 'integer', 10_000, 90_000),
    column('passengers', 'integer', 0, 900),
    column('bytes', 'integer', 0, 90_000),
    column('call duration (s)', 'number', 0, 90_000.5),
  ]);
  const dimensions = Object.values(model.dimensions).map(({ format }) => format);
  expect(dimensions).toEqual(['duration:ms', 'plain', undefined, 'bytes', 'duration']);
  const measures = Object.values(model.measures).map(({ label, format }) => [label, format]);
  expect(measures.slice(1)).toEqual([
    ['Average duration', 'duration'],
    ['Total passengers', 'integer'],
    ['Total bytes', 'bytes'],
    ['Average call duration (s)', 'duration'],
  ]);
});

test('prices and amounts of money in numbers with decimals have two', () => {
  const { model } = described('some', 1000, [
    column('unit_price', 'number', 1, 263),
    column('freight', 'decimal', 0, 90),
    column('price', 'integer', 1, 90),
    column('token price', 'number', 0.0001, 0.09),
    column('income index', 'number', 1, 200),
    column('wind_speed', 'number', 1, 90),
  ]);
  expect(Object.values(model.dimensions).map(({ format }) => format)).toEqual([
    ',.2f',
    ',.2f',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('labels spell out what abbreviations of columns mean, and keep the name to be read', () => {
  const { model } = described('flights', 1000, [column('dep_delay', 'integer', -20, 900)]);
  expect(model.dimensions['dep_delay']).toMatchObject({ label: 'Departure delay', description: 'dep_delay' });
  expect(model.measures['avg_dep_delay']!.label).toBe('Average departure delay');
});

test('coordinates are called in full', () => {
  const { model } = described('stops', 1000, [
    column('lat', 'number', 24, 46),
    column('lng', 'number', -123, -72),
    column('long', 'integer', 0, 900),
  ]);
  expect(Object.values(model.dimensions).map(({ label }) => label)).toEqual([
    'Latitude',
    'Longitude',
    'Long',
  ]);
});

test('a column called total is the total of what its table has', () => {
  const labels = (table: string) =>
    described(table, 1000, [column('total', 'number', 0.5, 900)]).model.measures['total_total']!.label;
  expect(['invoices', 'order_details', 'sheet1', 'supermarket_sales_january'].map(labels)).toEqual([
    'Invoice total',
    'Order detail total',
    'Total',
    'Total',
  ]);
});

test('days of birth and hire are not when something happened', () => {
  const timeOf = (...names: readonly string[]) =>
    described(
      'employees',
      1000,
      names.map(name => column(name, 'date', 0, 999 * 86_400_000, 900)),
    ).model.time;
  expect(timeOf('birth_date', 'HireDate')).toBeUndefined();
  expect(timeOf('birth_date', 'left_on')).toBe('left_on');
});

test('columns without names are called what their values say, unless two would be called the same', () => {
  const named = (name: string, ...values: readonly string[]) => ({
    ...column(name, 'text', undefined, undefined, 60),
    top: values.map(value => ({ value, rows: 30 })),
  });
  const columns = [
    named('column00', 'Brazil', 'Canada', 'Japan'),
    named('column01', 'Europe/Berlin', 'America/New_York'),
    named('column02', 'GKA', 'MAG', 'HGU'),
    column('column03', 'number', -89.5, 82.1, 900),
    column('column04', 'number', -179.1, 178.3, 900),
    column('column05', 'number', -12, 13, 40),
  ];
  const { model, tiles } = described('airports', 1000, columns);
  expect(Object.values(model.dimensions).map(({ label }) => label)).toEqual([
    'Country',
    'Time zone',
    'Column02',
    'Latitude',
    'Longitude',
    'Column05',
  ]);
  expect(JSON.stringify(Object.values(tiles).filter(({ kind }) => kind === 'kpi'))).not.toMatch(
    /column0[25]/,
  );
  const twice = described('routes', 1000, [
    named('column00', 'Brazil', 'Canada', 'Japan'),
    named('column01', 'Japan', 'Brazil', 'Canada'),
  ]);
  expect(Object.values(twice.model.dimensions).map(({ label }) => label)).toEqual(['Column00', 'Column01']);
});

test('money and percentages keep the file’s format: money is summed, unless it is a unit price', () => {
  const money = { ...column('box_office', 'number', 0, 1e9, 5), format: 'currency:USD' };
  const { model } = described('films', 1000, [
    money,
    { ...money, name: 'unit_price' },
    { ...column('share', 'number', 0, 1, 4), format: 'percent' },
  ]);
  expect(Object.values(model.measures).map(({ label, text, format }) => [label, text, format])).toEqual([
    ['Films', 'count(*)', 'integer'],
    ['Total box office', 'sum(box_office)', 'currency:USD'],
    ['Average unit price', 'avg(unit_price)', 'currency:USD'],
    ['Average share', 'avg(share)', 'percent'],
  ]);
  expect(Object.values(model.dimensions).map(({ format }) => format)).toEqual([
    'currency:USD',
    'currency:USD',
    'percent',
  ]);
});

test.each([
  // A part of a whole, from 0 to 1.
  ['Discount', 'number', 0, 0.25, 'percent', undefined],
  ['conversion_rate', 'number', 0.01, 0.4, 'percent', undefined],
  ['Rabatt', 'decimal', 0, 0.3, 'percent', undefined],
  ['折扣', 'number', 0, 0.5, 'percent', undefined],
  // Parts of a hundred.
  ['pct_complete', 'number', 0, 100, '.1f', '%'],
  ['Anteil (Prozent)', 'number', 2, 40, '.1f', '%'],
  // Neither.
  ['exchange_rate', 'number', 0.8, 0.99, 'number', undefined],
  ['discount', 'number', 0, 40, '.1f', undefined],
  ['brightness', 'number', 0, 1, '.2f', undefined],
  ['pct_change', 'number', -40, 120, '.1f', undefined],
] as const)(
  '%s (%s) from %f to %f has the format %s and the unit %s',
  (name, type, min, max, format, unit) => {
    const { model } = described('rows', 1000, [{ ...column(name, type, min, max, 90), low: min, high: max }]);
    const [, measure] = Object.values(model.measures);
    expect([measure!.format, measure!.unit]).toEqual([format, unit]);
  },
);

test('a discount is a percentage in rows, too, and a flag is none', () => {
  const { model } = described('rows', 1000, [
    column('discount', 'number', 0, 0.25, 6),
    column('share', 'integer', 0, 1, 2),
  ]);
  expect(Object.values(model.dimensions).map(({ format }) => format)).toEqual(['percent', undefined]);
});

test('locations of rows are a map', () => {
  const { tiles } = described('stops', 1000, [
    column('lat', 'number', 24, 46),
    column('lon', 'number', -123, -72),
    column('kind', 'text', undefined, undefined, 9),
  ]);
  expect(Object.values(tiles).find(tile => tile.kind === 'map')).toMatchObject({
    longitude: { field: 'lon' },
    latitude: { field: 'lat' },
  });
  const town = described('stops', 1000, [
    column('lat', 'number', 44.8, 45.1),
    column('lon', 'number', -93.2, -92.9),
    column('kind', 'text', undefined, undefined, 9),
  ]);
  expect(Object.values(town.tiles).map(({ kind }) => kind)).toEqual(['kpi', 'bar', 'map', 'table']);
});

test.each([
  ['invoice_id', 1000, 'Invoices'],
  ['Respondent ID', 1000, 'Respondents'],
  ['invoice_id', 400, 'Rows'],
  ['row_id', 1000, 'Rows'],
  ['id', 1000, 'Rows'],
])('rows with %s of %i different values in 1,000 are counted as %s', (name, distinct, label) => {
  const { model } = described('export_2023', 1000, [
    column(name, 'text', undefined, undefined, distinct),
    column('score', 'number', 0, 9),
  ]);
  expect(model.measures['rows']!.label).toBe(label);
});

test.each([
  ['police_stops_minneapolis_2017', 1000, 'Police stops'],
  ['police_stops_minneapolis', 1000, 'Rows'],
  ['police_stops_minneapolis_2017', 400, 'Rows'],
  ['workbooks_turnout_2023', 1000, 'Rows'],
  ['flights_weather_2013', 1000, 'Rows'],
])('the rows of %s with %i different keys in 1,000 are counted as %s', (table, distinct, label) => {
  const { model } = described(table, 1000, [
    column('idNum', 'text', undefined, undefined, distinct),
    column('score', 'number', 0, 9),
  ]);
  expect(model.measures['rows']!.label).toBe(label);
});

test.each([
  ['rownames', 1000, true],
  ['Unnamed: 0', 1000, true],
  ['rownames', 400, false],
  ['index_value', 1000, false],
])('%s with %i different values in 1,000 rows is hidden: %s', (name, distinct, isHidden) => {
  const { model } = described('some', 1000, [
    column(name, 'integer', 1, 1000, distinct),
    column('score', 'number', 0, 9),
  ]);
  expect(Object.values(model.dimensions)[0]!.isHidden === true).toBe(isHidden);
});

test.each([
  ['sold', 'integer', 0, 2824, 'integer'],
  ['sold', 'integer', 0, 282, undefined],
  ['size', 'number', 1.5, 3809.41, ',.2f'],
  ['temp', 'number', 18.4125, 32, ',.2f'],
  ['magnitude', 'number', 0.1, 7.3, undefined],
  ['part', 'number', 0.00012, 0.9, undefined],
  ['customer_id', 'integer', 1, 2824, undefined],
  ['year', 'integer', 1987, 2024, undefined],
] as const)('%s (%s) from %f to %f is written in rows as %s', (name, type, min, max, format) => {
  const { model } = described('some', 1000, [column(name, type, min, max, 200)]);
  expect(Object.values(model.dimensions)[0]!.format).toBe(format);
});

test('the readings of a meter that runs on are not added up', () => {
  const measuresOf = (low: number) =>
    Object.keys(described('status', 500, [column('visits', 'integer', low, 18_900_000, 500)]).model.measures);
  expect(measuresOf(18_800_000)).toEqual(['rows', 'avg_visits']);
  expect(measuresOf(1000)).toEqual(['rows', 'total_visits']);
});
