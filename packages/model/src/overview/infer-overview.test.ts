import type { Tile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { buildModel, type TableModelFile } from '../build-model.ts';
import { inferModel } from '../inference/infer-model.ts';
import { inferOverview, timeUnitFor } from './infer-overview.ts';
import { gridColumns } from './pack-tiles.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

const day = 86_400_000;

const text = (name: string, values: readonly string[], distinct = values.length): ColumnProfile => ({
  name,
  type: 'text',
  nulls: 0,
  empties: 0,
  distinct,
  isDistinctExact: true,
  top: values.map((value, i) => ({ value, rows: 90 - i * 7 })),
});
const number = (name: string, min: number, max: number, distinct = 300): ColumnProfile => ({
  name,
  type: Number.isInteger(min) && Number.isInteger(max) ? 'integer' : 'number',
  nulls: 0,
  empties: 0,
  distinct,
  isDistinctExact: true,
  min,
  max,
  low: min,
  high: max,
  top: [],
});
const date = (name: string, days: number): ColumnProfile => ({
  ...number(name, 0, days * day, days),
  type: 'date',
});
const table = (name: string, rows: number, columns: readonly ColumnProfile[]): TableProfile => ({
  name,
  rows,
  columns,
});

function overviewOf(
  profile: TableProfile,
  related: Readonly<Record<string, TableProfile>> = {},
  more: Partial<TableModelFile> = {},
): Readonly<Record<string, Tile>> {
  const guessed = inferModel(profile);
  const file = {
    ...guessed,
    ...more,
    dimensions: { ...guessed.dimensions, ...more.dimensions },
    measures: { ...guessed.measures, ...more.measures },
  };
  const { model, problems } = buildModel(profile.name, file, [profile, ...Object.values(related)]);
  expect(problems).toEqual([]);
  return inferOverview(model!, profile, related).pages[0]!.tiles;
}

/** The fields that charts show, by tile; not those of the table. */
function chartFields(tiles: Readonly<Record<string, Tile>>): readonly string[] {
  return Object.values(tiles)
    .filter(tile => tile.kind !== 'table')
    .flatMap(tile => [...JSON.stringify(tile).matchAll(/"field":"([^"]+)"/g)].map(match => match[1]!));
}

const countries = text('country', ['Germany', 'France', 'Brazil', 'Spain', 'Italy'], 21);
const channels = text('channel', ['Web', 'Shop', 'Phone order']);

test.each([
  ['first_name', text('first_name', ['Anna', 'Ben', 'Carl'], 40)],
  ['phone', text('phone', ['030-1', '030-2', '040-1'], 40)],
  ['fax', text('fax', ['030-1', '030-2', '040-1'], 40)],
  ['extension', number('extension', 100, 9999)],
  ['ship_address', text('ship_address', ['Main St 1', 'High St 2'], 80)],
  ['postal_code', text('postal_code', ['10115', '20095'], 80)],
  ['email', text('email', ['a@b.c', 'd@e.f'], 40)],
  ['homepage', text('homepage', ['https://a.example'], 40)],
  ['notes', text('notes', ['ok', 'late'], 30)],
  ['an order number', number('order_id', 1, 800, 800)],
  ['a name of every row', text('title', ['one', 'two'], 790)],
  ['a constant', text('currency', ['EUR'], 1)],
  [
    'sentences',
    text('answer', ['I do agree with all of that, and would say so again to anybody who asked me'], 12),
  ],
  ['lists of values', text('sources', [',us,', ',us,nc,', ',ak,us,'], 12)],
  ['a shipper’s number', number('ship_via', 1, 3, 3)],
  ['the number of another employee', number('reports_to', 2, 5, 4)],
  ['small numbers of something', number('requests_current', 0, 6, 7)],
])('no chart or figure shows %s', (_, column) => {
  const tiles = overviewOf(
    table('orders', 800, [column, date('ordered', 300), countries, number('amount', 0.5, 90)]),
  );
  expect(chartFields(tiles)).not.toContain(column.name);
  expect(Object.values(tiles).map(tile => JSON.stringify(tile))).not.toContainEqual(
    expect.stringMatching(new RegExp(`(?:avg|total)_${column.name}`)),
  );
});

test.each([
  ['money before other amounts', ['quantity', 'revenue'], {}, 'total_revenue'],
  ['income before expenses', ['freight', 'sales'], {}, 'total_sales'],
  ['a total before its parts', ['gross_income', 'total'], {}, 'total_total'],
  ['amounts before rows', ['quantity'], {}, 'total_quantity'],
  ['rows before averages', ['temperature'], {}, 'rows'],
  ['rows before bytes', ['bytes'], {}, 'rows'],
  [
    'a computed amount of money before all others',
    ['quantity', 'sales'],
    { revenue: { label: 'Revenue', expr: 'sum(sales * quantity)' } },
    'revenue',
  ],
  [
    'a count with a name before rows',
    ['temperature'],
    { visitors: { label: 'Visitors', expr: 'count(distinct country)' } },
    'visitors',
  ],
] as const)('the primary measure: %s', (_, columns, measures, primary) => {
  const tiles = overviewOf(
    table('order log', 800, [
      date('ordered', 300),
      countries,
      channels,
      ...columns.map(name => number(name, 0.5, 90)),
    ]),
    {},
    { measures },
  );
  expect(tiles['figure_1']).toMatchObject({ kind: 'kpi', value: { measure: primary } });
  expect(tiles['over_time']).toMatchObject({ y: { measure: primary } });
  expect(tiles['top_1']).toMatchObject({ x: { measure: primary } });
  expect(tiles['top_2']).toMatchObject({ x: { measure: primary } });
});

test('figures are compared with the previous period, and have a sparkline of at most 30 points', () => {
  const tiles = overviewOf(
    table('orders', 800, [date('ordered', 300), countries, number('amount', 0.5, 90)]),
  );
  expect(tiles['figure_1']).toMatchObject({
    spark: { field: 'ordered', timeUnit: 'month' },
    compare: 'previous period',
  });
});

test.each([
  ['a year of days', date('t', 365), 60, 'week'],
  ['two years of days', date('t', 730), 60, 'month'],
  ['a week of days', date('t', 7), 60, 'day'],
  ['a week of moments', { ...date('t', 7), type: 'time' as const, distinct: 1700 }, 60, 'day'],
  ['25 years, a row a month', { ...date('t', 25 * 365), distinct: 300 }, 60, 'year'],
  ['ten months, a row a month', { ...date('t', 304), distinct: 10 }, 60, 'month'],
  ['ten years, a row a year', { ...date('t', 3653), distinct: 10 }, 60, 'year'],
  ['two days of moments', { ...date('t', 2), type: 'time' as const, distinct: 9000 }, 60, 'hour'],
  ['a year of days in 30 points', date('t', 365), 30, 'month'],
])('%s are shown by %s', (_, profile, most, unit) => {
  expect(timeUnitFor({ type: profile.type, profile }, most)).toBe(unit);
});

test('a trend of a week is shown by hours, a sparkline by days', () => {
  const week = { type: 'time', profile: { ...date('t', 6), distinct: 1700 } } as const;
  expect(timeUnitFor(week, 60, 240)).toBe('hour');
  expect(timeUnitFor(week, 30)).toBe('day');
});

test('a code and its name share one leaderboard, and of two equivalent fields the first is used', () => {
  const tiles = overviewOf(
    table('flights', 800, [
      text('airline', ['United', 'Delta', 'JetBlue'], 12),
      text('carrier', ['UA', 'DL', 'B6'], 12),
      channels,
    ]),
  );
  const fields = chartFields(tiles);
  expect(fields).toContain('airline');
  expect(fields).not.toContain('carrier');
});

test.each([
  [
    'two dimensions of their own',
    text('size', ['S', 'M', 'L']),
    text('type', ['Classic', 'Veggie'], 4),
    true,
  ],
  [
    'a city and its country',
    text('city', ['Rome', 'Paris'], 12),
    text('country', ['Italy', 'France'], 5),
    false,
  ],
  ['two of one address', text('ship_city', ['Rome'], 12), text('ship_zone', ['A', 'B', 'C']), false],
] as const)('a matrix of %s', (_, one, other, isShown) => {
  expect('matrix' in overviewOf(table('orders', 2000, [one, other]))).toBe(isShown);
});

test.each([
  ['countries by name', countries, 'countries'],
  ['countries by letters', text('country_code', ['DE', 'FR', 'BR'], 21), 'countries'],
  ['states by letters', text('state', ['CA', 'TX', 'NY'], 50), 'us-states'],
  ['states of a process', text('state', ['open', 'closed', 'waiting', 'lost']), undefined],
])('%s on a map', (_, column, shape) => {
  const tiles = overviewOf(table('orders', 800, [column]));
  if (shape) expect(tiles['map']).toMatchObject({ kind: 'map', shape, region: { field: column.name } });
  else expect(tiles['map']).toBeUndefined();
});

test('dimensions of joined tables count like the table’s own', () => {
  const customers = table('customers', 90, [
    text('id', ['A', 'B'], 90),
    {
      ...countries,
      top: [
        { value: 'Germany', rows: 11 },
        { value: 'France', rows: 9 },
      ],
    },
    text('phone', ['1'], 90),
  ]);
  const tiles = overviewOf(
    table('orders', 800, [text('customer_id', ['A', 'B'], 90), number('amount', 0.5, 90)]),
    { customer: customers },
    {
      joins: { customer: { table: 'customers', on: { customer_id: 'id' } } },
      dimensions: {
        customer_country: { label: 'Customer country', column: 'customer.country' },
        customer_phone: { label: 'Customer phone', column: 'customer.phone' },
      },
    },
  );
  expect(tiles['map']).toMatchObject({ region: { field: 'customer_country' } });
  expect(Object.values(tiles).filter(tile => tile.kind === 'bar')[0]).toMatchObject({
    x: { measure: 'total_amount' },
  });
  expect(chartFields(tiles)).not.toContain('customer_phone');
});

test.each([
  ['country', 'countries'],
  ['us-county', 'us-counties'],
  ['districts.geojson', 'districts.geojson'],
] as const)('a dimension with the role %s is on a map of %s, whatever its name and values', (role, shape) => {
  const visits = table('visits', 400, [text('zone', ['A', 'B', 'C', 'D', 'E'], 12), number('total', 1, 90)]);
  const tiles = overviewOf(visits, {}, { dimensions: { zone: { label: 'Zone', column: 'zone', role } } });
  expect(tiles['map']).toMatchObject({
    kind: 'map',
    shape,
    region: { field: 'zone' },
  });
});

test('a column that repeats one of a joined table gets one leaderboard; two roles of a table get two', () => {
  const known = ['Bonn', 'Oslo', 'Rome'];
  const customers = table('customers', 400, [text('id', ['A', 'B'], 400), text('city', known, 12)]);
  const joined = {
    joins: { customer: { table: 'customers', on: { customer_id: 'id' } } },
    dimensions: { customer_city: { label: 'Customer city', column: 'customer.city' } },
  };
  const own = [text('customer_id', ['A', 'B'], 400), number('amount', 0.5, 90)];
  const copied = overviewOf(
    table('orders', 800, [...own, text('ship_city', known, 12)]),
    { customer: customers },
    joined,
  );
  const citiesOf = (tiles: Readonly<Record<string, Tile>>) =>
    [...new Set(chartFields(tiles))].filter(field => field.endsWith('city')).toSorted();
  expect(citiesOf(copied)).toEqual(['ship_city']);
  const roles = overviewOf(
    table('orders', 800, [...own, text('payer_id', ['A', 'B'], 400)]),
    { customer: customers, payer: customers },
    {
      joins: { ...joined.joins, payer: { table: 'customers', on: { payer_id: 'id' } } },
      dimensions: { ...joined.dimensions, payer_city: { label: 'Payer city', column: 'payer.city' } },
    },
  );
  expect(citiesOf(roles)).toEqual(['customer_city', 'payer_city']);
});

test('a matrix leaves out a joined table of which nearly all rows refer to the same row', () => {
  const playlists = table('playlists', 12, [
    text('id', ['1', '2'], 12),
    { ...text('playlist', ['Music', 'Jazz', 'Rock'], 12), top: [] },
  ]);
  const matrixOf = (references: number) =>
    overviewOf(
      table('tracks', 800, [
        text('media', ['Tape', 'Disk', 'Card']),
        { ...text('playlist_id', [], 12), top: [{ value: '1', rows: references }] },
      ]),
      { playlist: playlists },
      {
        joins: { playlist: { table: 'playlists', on: { playlist_id: 'id' } } },
        dimensions: {
          playlist: { label: 'Playlist', column: 'playlist.playlist' },
          playlist_id: { label: 'Playlist ID', column: 'playlist_id', hidden: true },
        },
      },
    )['matrix'];
  expect(matrixOf(200)).toBeDefined();
  expect(matrixOf(600)).toBeUndefined();
});

test('a joined table of which few rows are referred to gets no leaderboard of what may be one value', () => {
  const top = ['Agent', 'Manager', 'Clerk'].map(value => ({ value, rows: 2 }));
  const shown = (references: number) =>
    chartFields(
      overviewOf(
        table('orders', 800, [text('agent_id', ['A', 'B'], references), number('amount', 0.5, 90)]),
        { agent: table('staff', 8, [text('id', ['A', 'B'], 8), { ...text('title', [], 5), top }]) },
        {
          joins: { agent: { table: 'staff', on: { agent_id: 'id' } } },
          dimensions: { agent_title: { label: 'Agent title', column: 'agent.title' } },
        },
      ),
    ).includes('agent_title');
  expect([3, 8].map(shown)).toEqual([false, true]);
});

describe('joined people', () => {
  const staff = table('staff', 8, [
    text('id', ['A', 'B'], 8),
    text('first_name', ['Ann', 'Bob'], 8),
    text('last_name', ['Lee', 'Ray'], 8),
    { ...text('city', [], 5), top: ['Oslo', 'Rome', 'Bonn'].map(value => ({ value, rows: 2 })) },
  ]);
  const tilesOf = (agents: number) =>
    overviewOf(
      table('orders', 800, [text('agent_id', ['A', 'B'], agents), number('amount', 0.5, 90), countries]),
      { agent: staff },
      {
        joins: { agent: { table: 'staff', on: { agent_id: 'id' } } },
        dimensions: {
          agent_name: { label: 'Agent', expr: "nullif(concat(agent.first_name, ' ', agent.last_name), ' ')" },
          agent_city: { label: 'Agent city', column: 'agent.city' },
        },
      },
    );
  const rowsOf = (tiles: Readonly<Record<string, Tile>>) =>
    (tiles['rows_table'] as { columns: unknown }).columns;

  test('have a leaderboard by their names', () => {
    expect(chartFields(tilesOf(8))).toContain('agent_name');
  });

  test('are listed by their names, without what is the same of all that are referred to', () => {
    expect(rowsOf(tilesOf(8))).toEqual(expect.arrayContaining(['agent_name', 'agent_city']));
    expect(rowsOf(tilesOf(2))).toContain('agent_name');
    expect(rowsOf(tilesOf(2))).not.toContain('agent_city');
  });
});

test('a map shows the role of a table that leads to the most of its places, and no map two or three', () => {
  const airports = table('airports', 1400, [
    text('code', ['JFK', 'LGA'], 1400),
    number('lat', 19.5, 71.2, 1400),
    number('lon', -176.5, -68.5, 1400),
  ]);
  const mapOf = (origins: number, destinations: number) =>
    overviewOf(
      table('flights', 30_000, [
        text('origin', ['JFK', 'LGA'], origins),
        text('dest', ['LAX', 'ATL'], destinations),
        number('delay', -20.5, 90),
      ]),
      { origin: airports, dest: airports },
      {
        joins: {
          origin: { table: 'airports', on: { origin: 'code' } },
          dest: { table: 'airports', on: { dest: 'code' } },
        },
        dimensions: {
          origin_lat: { label: 'Origin latitude', column: 'origin.lat', role: 'latitude' },
          origin_lon: { label: 'Origin longitude', column: 'origin.lon', role: 'longitude' },
          dest_lat: { label: 'Destination latitude', column: 'dest.lat', role: 'latitude' },
          dest_lon: { label: 'Destination longitude', column: 'dest.lon', role: 'longitude' },
        },
      },
    )['map'];
  expect(mapOf(3, 100)).toMatchObject({ latitude: { field: 'dest_lat' }, longitude: { field: 'dest_lon' } });
  expect(mapOf(100, 3)).toMatchObject({ latitude: { field: 'origin_lat' } });
  expect(mapOf(3, 2)).toBeUndefined();
});

test('a matrix has no row or column that holds nearly all', () => {
  const sized = (name: string, ...rows: readonly number[]) => ({
    ...text(name, [], rows.length),
    top: rows.map((times, i) => ({ value: `${name} ${i}`, rows: times })),
  });
  const even = sized('playlist', 300, 280, 220);
  const matrixOf = (other: ColumnProfile) => overviewOf(table('tracks', 800, [even, other]))['matrix'];
  expect(matrixOf(sized('media', 400, 250, 150))).toBeDefined();
  expect(matrixOf(sized('media', 700, 60, 40))).toBeUndefined();
});

test('figures of the lines of orders are revenue, the mean value of an order, and orders', () => {
  const tiles = overviewOf(
    table('order_details', 800, [
      number('unit_price', 0.5, 90),
      number('quantity', 1, 90),
      text('order_id', ['A', 'B'], 300),
    ]),
    {},
    {
      measures: {
        rows: { label: 'Order details', expr: 'count(*)' },
        revenue: { label: 'Revenue', expr: 'sum(unit_price * quantity)' },
        orders: { label: 'Orders', expr: 'count(distinct order_id)' },
        avg_order_value: {
          label: 'Average order value',
          expr: 'sum(unit_price * quantity) / nullif(count(distinct order_id), 0)',
        },
      },
    },
  );
  expect(Object.values(tiles).flatMap(tile => (tile.kind === 'kpi' ? [tile.value] : []))).toEqual([
    { measure: 'revenue' },
    { measure: 'total_quantity' },
    { measure: 'avg_order_value' },
    { measure: 'orders' },
  ]);
});

test.each([
  ['a level is worth a figure', ['permits', 'visits', 'sales', 'cost'], 'price', true],
  [
    'the mean of anything is not, where there are sums',
    ['permits', 'visits', 'sales', 'cost'],
    'admin',
    false,
  ],
  ['the mean of anything is, where there are none', [], 'admin', true],
] as const)('figures: %s', (_, amounts, mean, isShown) => {
  const tiles = overviewOf(
    table('log', 800, [...amounts.map(name => number(name, 0.5, 90)), number(mean, 0.5, 90), channels]),
  );
  expect(JSON.stringify(tiles).includes(`"value":{"measure":"avg_${mean}"}`)).toBe(isShown);
});

test('figures count what has a name before different values of a column', () => {
  const tiles = overviewOf(
    table('orders', 800, [
      number('freight', 0.5, 90),
      text('customer_id', ['A', 'B'], 89),
      text('ship_name', ['A', 'B'], 90),
    ]),
    {},
    { measures: { customers: { label: 'Customers', expr: 'count(distinct customer_id)' } } },
  );
  expect(Object.values(tiles).flatMap(tile => (tile.kind === 'kpi' ? [tile.value] : []))).toEqual([
    { measure: 'total_freight' },
    { measure: 'rows' },
    { measure: 'customers' },
    expect.objectContaining({ aggregate: 'distinct' }),
  ]);
});

const pool = [
  date('ordered', 300),
  countries,
  channels,
  text('product', ['Tea', 'Coffee', 'Milk'], 40),
  number('amount', 0.5, 90),
  number('quantity', 1, 90),
  number('temperature', 0.5, 40),
  text('phone', ['1'], 700),
];

test('every row of an overview is full, whatever columns its table has, and no figure is wider than a third', () => {
  for (let chosen = 1; chosen < 2 ** pool.length; chosen++) {
    const tiles = Object.values(
      overviewOf(
        table(
          'some',
          800,
          pool.filter((__, i) => chosen & (1 << i)),
        ),
      ),
    );
    const covered = new Set<string>();
    for (const { at, kind } of tiles) {
      const [left, top, columns, rows] = at!;
      if (kind === 'kpi') expect(columns).toBeLessThanOrEqual(8);
      for (let x = left; x < left + columns; x++)
        for (let y = top; y < top + rows; y++) {
          expect(covered.has(`${x} ${y}`)).toBe(false);
          covered.add(`${x} ${y}`);
        }
    }
    const rows = Math.max(...tiles.map(({ at }) => at![1] + at![3]));
    expect(covered.size).toBe(rows * gridColumns);
  }
});

test.each([
  [
    'a chart and the rows',
    [text('brand', ['Ace', 'Bolt', 'Core', 'Dash', 'Echo', 'Fox', 'Gem'], 7)],
    { figure_1: [0, 0, 8, 2], top_1: [0, 2, 8, 6], rows_table: [8, 0, 16, 8] },
  ],
  [
    'the trend',
    [channels, date('ordered', 300)],
    { figure_1: [0, 0, 8, 3], top_1: [0, 3, 8, 5], over_time: [8, 0, 16, 8], rows_table: [0, 8, 24, 10] },
  ],
])('an only figure stands above a chart, beside %s', (_, columns, boxes) => {
  const tiles = overviewOf(table('orders', 800, columns));
  expect(Object.fromEntries(Object.entries(tiles).map(([id, { at }]) => [id, at]))).toEqual(boxes);
});

test('an only figure and its few bars stand beside rows that are as high as they are', () => {
  const few = (name: string, rows: readonly number[]) => ({
    ...text(name, [], rows.length),
    top: rows.map((times, i) => ({ value: `${name} ${i}`, rows: times })),
  });
  const boxes = (rows: number) =>
    Object.values(overviewOf(table('employees', rows, [few('team', [4, 3, 2]), few('title', [5, 4])]))).map(
      ({ at }) => at,
    );
  expect(boxes(9)).toEqual([
    [0, 0, 8, 2],
    [0, 2, 8, 4],
    [0, 6, 8, 4],
    [8, 0, 16, 10],
  ]);
  expect(boxes(800).at(-1)).toEqual([8, 0, 16, 10]);
});

const barsOf = (...names: readonly string[]) =>
  names.map(name =>
    text(
      name,
      Array.from({ length: 20 }, (_, i) => `${name} ${i}`),
      20,
    ),
  );

test('figures without a comparison are lower than those with one', () => {
  const heights = (...more: readonly ColumnProfile[]) =>
    Object.values(overviewOf(table('orders', 800, [...barsOf('brand'), number('amount', 0.5, 90), ...more])))
      .filter(({ kind }) => kind === 'kpi')
      .map(({ at }) => at![3]);
  expect(new Set(heights(number('tax', 0.5, 9), number('cost', 0.5, 9)))).toEqual(new Set([2]));
  expect(new Set(heights(number('tax', 0.5, 9), number('cost', 0.5, 9), date('ordered', 300)))).toEqual(
    new Set([3]),
  );
});

test('two leaderboards of a few bars share the height of one, and three make a low row', () => {
  const few = (name: string, first: number) => ({
    ...text(name, ['A one', 'B two', 'C three']),
    top: [first, 300, 100].map((rows, i) => ({ value: ['A one', 'B two', 'C three'][i]!, rows })),
  });
  const heights = (...names: readonly string[]) => {
    const tiles = overviewOf(
      table('orders', 800, [
        ...names.map((name, i) => few(name, 400 - i * 10)),
        countries,
        date('ordered', 300),
        number('amount', 0.5, 90),
      ]),
    );
    return names.map((_, i) => tiles[`top_${i + 2}`]!.at).map(at => at!.slice(2));
  };
  expect(heights('channel', 'payment')).toEqual([
    [12, 4],
    [12, 4],
  ]);
  expect(heights('channel', 'payment', 'carrier')).toEqual([
    [8, 4],
    [8, 4],
    [8, 4],
  ]);
});

test('three leaderboards of a few bars stand below the trend', () => {
  const few = (name: string) => text(name, ['A one', 'B two', 'C three'], 3);
  const { over_time, top_1 } = overviewOf(
    table('orders', 800, [
      ...['channel', 'payment', 'carrier'].map((name, i) => ({
        ...few(name),
        top: few(name).top.map(({ value }, at) => ({ value, rows: 400 - i * 10 - at * 100 })),
      })),
      date('ordered', 300),
      ...['amount', 'cost', 'tax', 'discount'].map(name => number(name, 0.5, 90)),
    ]),
  );
  expect(top_1!.at![3]).toBe(4);
  expect(top_1!.at![1]).toBeGreaterThan(over_time!.at![1]);
});

test('a histogram leaves out the few values that would leave one bar beside specks', () => {
  const domainOf = (quartiles: Partial<ColumnProfile>) =>
    overviewOf(table('tracks', 800, [{ ...number('bytes', 0, 1000), ...quartiles }, countries]))[
      'distribution'
    ];
  expect(domainOf({ lowerQuartile: 10, upperQuartile: 20 })).toMatchObject({
    x: { bin: { step: 2 }, scale: { domain: [0, 52] } },
  });
  expect(domainOf({ lowerQuartile: 200, upperQuartile: 400 })).toMatchObject({
    x: { bin: { step: 50 }, scale: { domain: [0, 1050] } },
  });
  // Half of the rows have one number.
  expect(domainOf({ lowerQuartile: 1, upperQuartile: 1 })).toBeUndefined();
});

test('a counter is neither averaged nor spread', () => {
  const tiles = overviewOf(
    table('status', 500, [
      date('day', 300),
      number('requests', 8_990_000, 9_006_000, 480),
      number('connections', 2, 40, 38),
    ]),
  );
  expect(JSON.stringify(Object.values(tiles).filter(({ kind }) => kind !== 'table'))).not.toContain(
    'requests',
  );
});

test('a dimension of thousands of values has a leaderboard where little else has, if one of them leads', () => {
  const paths = (rows: number) => ({
    ...text('path', [], 1500),
    top: [{ value: '/index', rows }, ...['/a', '/b'].map(value => ({ value, rows: 20 }))],
  });
  const shown = (rows: number) => chartFields(overviewOf(table('access', 10_000, [paths(rows)])));
  expect(shown(900)).toContain('path');
  expect(shown(30)).not.toContain('path');
});

test('the rows of a table for each hour and weekday are not counted, with a line of totals or without', () => {
  const even = (name: string, values: number, nulls: number) => ({
    ...number(name, 1, values, values),
    nulls,
    top: Array.from({ length: Math.min(values, 10) }, (_, i) => ({
      value: String(i + 1),
      rows: Math.floor(168 / values),
    })),
  });
  const counted = (nulls: number) =>
    Object.values(
      overviewOf(
        table('trips', 168 + nulls, [
          even('hour', 24, nulls),
          even('weekday', 7, nulls),
          number('uber', 100.5, 2300),
        ]),
      ),
    ).some(tile => tile.kind === 'kpi' && JSON.stringify(tile.value) === '{"measure":"rows"}');
  expect([0, 1, 60].map(counted)).toEqual([false, false, true]);
});

test('a text that repeats another is listed once', () => {
  const login = (name: string) => text(name, ['ann', 'bob', 'cid'], 600);
  const { columns } = overviewOf(
    table('events', 800, [
      login('login'),
      login('display_login'),
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name, i) => text(`kind_${name}`, ['x', 'y', `z${i}`], 3 + i)),
    ]),
  )['rows_table'] as { columns: readonly string[] };
  expect(columns).toContain('login');
  expect(columns).not.toContain('display_login');
});

test('no figure counts the values of a column that has no plural', () => {
  const judges = text('judge3', ['Holmes', 'Murphy'], 37);
  const tiles = overviewOf(table('cases', 900, [judges, channels]));
  expect(Object.values(tiles).map(tile => tile.title)).not.toContain('Judge3s');
});

test('filters leave out names that nearly every row has of its own', () => {
  const employees = table('employees', 8, [
    text('last_name', ['Adams', 'Edwards'], 8),
    text('first_name', ['Andrew', 'Nancy'], 3),
    text('city', ['Calgary', 'Lethbridge', 'Edmonton'], 3),
  ]);
  const { model } = buildModel('employees', inferModel(employees), [employees]);
  expect(inferOverview(model!, employees).filters?.map(({ field }) => field)).toEqual(['city']);
});

test('the table of rows begins with a date made of its parts, which it then leaves out', () => {
  const tiles = overviewOf(
    table('flights', 900, [
      number('year', 2013, 2014, 2),
      number('month', 1, 12, 12),
      number('day', 1, 31, 31),
      text('carrier', ['UA', 'B6', 'DL']),
      number('distance', 80, 4983),
    ]),
  );
  expect(tiles['rows_table']).toMatchObject({ columns: ['date', 'carrier', 'distance'] });
});

test('columns without names and mostly empty ones are left out of the charts beside better ones', () => {
  const half = { ...number('score', 0, 100, 60), nulls: 800 };
  const tiles = overviewOf(
    table('airports', 900, [
      text('country', ['US', 'CA', 'AU', 'BR', 'DE']),
      text('status', ['open', 'closed', 'planned']),
      { ...text('action', ['a', 'b', 'c']), nulls: 700 },
      text('column10', ['U', 'A', 'E', 'N']),
      half,
    ]),
  );
  const charts = JSON.stringify(
    Object.values(tiles).filter(({ kind }) => kind !== 'table' && kind !== 'kpi'),
  );
  expect(charts).toContain('country');
  for (const field of ['action', 'column10', 'score']) expect(charts).not.toContain(field);
});

test('the figure of different names is called by their plural', () => {
  const tiles = overviewOf(
    table('airports', 7000, [text('city', ['Berlin', 'Paris', 'Rome'], 900), text('kind', ['a', 'b', 'c'])]),
  );
  expect(Object.values(tiles)).toContainEqual(
    expect.objectContaining({
      kind: 'kpi',
      value: { field: 'city', aggregate: 'distinct' },
      title: 'Cities',
    }),
  );
});

test('the figure of different names is not called as a measure is', () => {
  const cities = table('airports', 7000, [
    text('city', ['Berlin', 'Rome'], 900),
    text('kind', ['a', 'b', 'c']),
  ]);
  const tiles = overviewOf(cities, {}, { measures: { rows: { label: 'Cities', expr: 'count(*)' } } });
  expect(Object.values(tiles).filter(tile => JSON.stringify(tile).includes('distinct'))).toEqual([]);
});

test('the table of rows keeps the time of a table with many columns', () => {
  const others = Array.from({ length: 20 }, (_, i) => number(`value_${i}`, 0, 100 + i));
  const tiles = overviewOf(table('readings', 900, [...others, date('taken', 300)]));
  expect(tiles['rows_table']).toMatchObject({ columns: expect.arrayContaining(['taken']) });
});

test('no leaderboard begins with missing values, or has one bar beside specks', () => {
  const missing = { ...text('billing_state', ['CA', 'SP', 'ON', 'TX']), nulls: 320 };
  const flag: ColumnProfile = {
    ...text('dst', ['A', 'U', 'N']),
    top: [
      { value: 'A', rows: 830 },
      { value: 'U', rows: 50 },
      { value: 'N', rows: 20 },
    ],
  };
  const shown = JSON.stringify(
    Object.values(overviewOf(table('invoices', 900, [countries, missing, flag]))).filter(
      ({ kind }) => kind !== 'table',
    ),
  );
  expect(shown).toContain('country');
  for (const field of ['billing_state', 'dst']) expect(shown).not.toContain(field);
});

test('the table of rows begins with its time, without what says little of a row beside the rest', () => {
  const own = [
    number('hour', 0, 23, 24),
    text('street', ['Elm St 1'], 700),
    countries,
    channels,
    text('product', ['Tea', 'Coffee', 'Milk'], 40),
    number('amount', 0.5, 90),
    number('quantity', 1, 90),
    date('ordered', 300),
  ];
  expect(overviewOf(table('orders', 900, own))['rows_table']).toMatchObject({
    columns: ['ordered', 'country', 'channel', 'product', 'amount', 'quantity'],
  });
});

test('half of the people’s income is not what a survey is about', () => {
  const income = { ...number('income', 0, 200_000), nulls: 450 };
  expect(overviewOf(table('survey', 900, [income, countries]))['top_1']).toMatchObject({
    x: { measure: 'rows' },
  });
});

test('a matrix leaves out dimensions that many rows lack, which would be its darkest cell', () => {
  const few = (name: string) => text(name, name === 'race' ? ['a', 'b', 'c', 'd'] : ['f', 'm', 'x']);
  const lacking = (name: string) => ({ ...few(name), nulls: 60, empties: 60 });
  expect(overviewOf(table('stops', 900, [few('race'), few('gender')]))['matrix']).toBeDefined();
  expect(overviewOf(table('stops', 900, [lacking('race'), lacking('gender')]))['matrix']).toBeUndefined();
});

test('a sparkline of forty minutes has a point for each, not one for each of two hours', () => {
  const minutes: ColumnProfile = { ...number('at', 0, 40 * 60_000, 400), type: 'time' };
  const [figure] = Object.values(overviewOf(table('readings', 500, [minutes, number('load', 0.5, 9)])));
  expect(figure).toMatchObject({ kind: 'kpi', spark: { timeUnit: 'minute' } });
});
