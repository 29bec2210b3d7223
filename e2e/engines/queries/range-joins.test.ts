import type { GroupsQuery, Value } from '@belvedere/query';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../../random/random-from.ts';
import {
  ask,
  engineNames,
  loadEngines,
  modelOf,
  type Cell,
  type LoadedEngine,
  type StatedTable,
} from '../loaded-engines.ts';

/*
 * Joins by date ranges on random tables with several versions of a row, against a plain loop: ranges that begin where the last one ended,
 * gaps, open ends, empty and reversed ranges, missing begins, and keys whose ranges overlap.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const below = (n: number) => Math.floor(random() * n);
const maybe = (value: Cell): Cell => (random() < 0.06 ? null : value);

const day = 86_400_000;
const first = Date.UTC(2024, 2, 1);
const products = Array.from({ length: 24 }, (_, i) => `p${i}`);
/** Of a range that begins at 0: by product, begin and end in units. */
const ranges = products.flatMap((product, i) => {
  let at = below(10);
  const versions = Array.from({ length: 1 + below(5) }, (_, n) => {
    const begin = at;
    const end = begin + 1 + below(12);
    at = end + (random() < 0.3 ? below(4) : 0);
    return { product, n, begin: begin as Cell, end: end as Cell };
  });
  const [last, any] = [versions.at(-1)!, versions[below(versions.length)]!];
  if (random() < 0.5) last.end = null;
  // Every sixth product has ranges that overlap, the same range twice, no begin, or an empty range.
  if (i % 6 === 1) versions.push({ ...any, n: 90, begin: Number(any.begin) - 1, end: Number(any.begin) + 1 });
  if (i % 6 === 2) versions.push({ ...any, n: 91 });
  if (i % 6 === 3) versions.push({ ...any, n: 92, begin: null });
  if (i % 6 === 4) versions.push({ ...any, n: 93, begin: 5, end: 5 }, { ...any, n: 94, begin: 9, end: 2 });
  return versions;
});

/** Dates are at midnight; of instants and times, a unit is nine hours. */
const unit = { date: day, time: 9 * 3_600_000, instant: 9 * 3_600_000 };
type Moment = keyof typeof unit;
const timeOf = (type: Moment, units: Cell): Cell =>
  units === null ? null : first + Math.round(Number(units) * unit[type]);

const versionsOf = (type: Moment): StatedTable => ({
  name: `versions_${type}`,
  columns: [
    { name: 'product', type: 'text' },
    { name: 'valid_from', type },
    { name: 'valid_to', type },
    { name: 'price', type: 'integer' },
    { name: 'grade', type: 'text' },
  ],
  rows: ranges.map(({ product, n, begin, end }, i) => [
    product,
    timeOf(type, begin),
    timeOf(type, end),
    i,
    `g${n % 3}`,
  ]),
});
const orders: StatedTable = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'day', type: 'date' },
    { name: 'moment', type: 'time' },
    { name: 'placed_at', type: 'instant' },
  ],
  rows: Array.from({ length: 300 }, (_, id) => [
    id,
    maybe(timeOf('date', below(50))),
    maybe(first + below(450) * 3_600_000),
    maybe(first + below(450) * 3_600_000),
  ]),
  unique: ['id'],
};
const lines: StatedTable = {
  name: 'lines',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'order_id', type: 'integer' },
    { name: 'product', type: 'text' },
    { name: 'amount', type: 'integer' },
  ],
  rows: Array.from({ length: 1200 }, (_, id) => [
    id,
    maybe(below(310)),
    maybe(products[below(products.length)] ?? null),
    below(90),
  ]),
  unique: ['id'],
};
const grades: StatedTable = {
  name: 'grades',
  columns: [
    { name: 'grade', type: 'text' },
    { name: 'title', type: 'text' },
  ],
  rows: [
    ['g0', 'Gold'],
    ['g1', 'Silver'],
  ],
  unique: ['grade'],
};
const tables = [orders, lines, grades, ...(['date', 'time', 'instant'] as const).map(versionsOf)];

const zone = 'Europe/Berlin';
/** What a clock in Berlin shows; summer time begins on 31 March, within the data. */
const inBerlin = (ms: number) => ms + (ms < Date.UTC(2024, 2, 31, 1) ? 1 : 2) * 3_600_000;

const moments = [
  ['day', 'date'],
  ['day', 'time'],
  ['moment', 'date'],
  ['moment', 'time'],
  ['placed_at', 'instant'],
  ['placed_at', 'date'],
  ['moment', 'instant'],
] as const;

/** The version of each line, by trying each range. */
function expected(column: (typeof moments)[number][0], type: Moment) {
  const at = orders.columns.findIndex(({ name }) => name === column);
  const byId = new Map(orders.rows.map(row => [row[0]!, row[at] as number | null]));
  const versions = versionsOf(type).rows.map(([product, from, to, price, grade]) => ({
    product: String(product),
    from: from as number | null,
    to: to === null ? Infinity : Number(to),
    price: Number(price),
    grade: String(grade),
  }));
  const valid = versions.filter(one => one.from !== null && one.from < one.to);
  const overlapping = new Set(
    valid.flatMap(one =>
      valid.some(
        other =>
          other !== one && other.product === one.product && other.from! < one.to && one.from! < other.to,
      )
        ? [one.product]
        : [],
    ),
  );
  const clock = (ms: number, isInstant: boolean, areInstants: boolean) =>
    isInstant && !areInstants ? inBerlin(ms) : ms;
  const areInstants = column === 'placed_at' && type === 'instant';
  const found = lines.rows.map(([, order, product, amount]) => {
    const moment = order === null ? null : (byId.get(order!) ?? null);
    const version =
      moment === null || overlapping.has(String(product))
        ? undefined
        : valid.find(one => {
            const time = clock(moment, column === 'placed_at', areInstants);
            const end = one.to === Infinity ? Infinity : clock(one.to, type === 'instant', areInstants);
            return (
              one.product === product &&
              clock(one.from!, type === 'instant', areInstants) <= time &&
              time < end
            );
          });
    return { version, amount: Number(amount) };
  });
  return Object.entries(Object.groupBy(found, ({ version }) => version?.grade ?? ''))
    .map(([grade, group]) => [
      grade === '' ? null : grade,
      grade === 'g0' ? 'Gold' : grade === 'g1' ? 'Silver' : null,
      group!.length,
      group!.reduce((sum, { version, amount }) => sum + amount * (version?.price ?? 0), 0) || null,
    ])
    .toSorted();
}

let engines: LoadedEngine[];
beforeAll(async () => {
  console.log(`range joins seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  engines = await loadEngines(tables);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

describe.each(engineNames)('joins by date ranges on %s', name => {
  test.each(moments)(
    'find the version in whose range `%s` lies, of ranges of type %s',
    async (column, type) => {
      const model = modelOf(
        {
          table: 'lines',
          joins: {
            grade: { table: 'grades', on: { 'version.grade': 'grade' } },
            version: {
              table: `versions_${type}`,
              on: { product: 'product' },
              between: { [`order.${column}`]: ['valid_from', 'valid_to'] },
            },
            order: { table: 'orders', on: { order_id: 'id' } },
          },
          dimensions: { grade: { column: 'version.grade' }, title: { column: 'grade.title' } },
          measures: { revenue: { expr: 'sum(amount * version.price)' } },
        },
        tables,
      );
      const question: GroupsQuery = {
        kind: 'groups',
        model: 'model',
        dimensions: [{ field: 'grade' }, { field: 'title' }],
        measures: ['rows', 'revenue'],
        where: { kind: 'everything' },
      };
      const { columns, rowCount } = await ask(
        question,
        model,
        zone,
        engines.find(one => one.name === name)!,
      );
      const rows = Array.from({ length: rowCount }, (_, i) =>
        columns.map(({ values }) => values[i] as Value),
      ).toSorted();
      expect(rows).toEqual(expected(column, type));
    },
  );
});
