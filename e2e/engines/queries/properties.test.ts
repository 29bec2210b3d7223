import {
  addUnits,
  allOf,
  groupsOf,
  slotOf,
  slotsOf,
  startOf,
  type Axis,
  type Filter,
  type GroupsQuery,
  type Value,
} from '@belvedere/query';
import { withPolicies } from '@belvedere/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  engineNames,
  loadEngines,
  modelOf,
  type LoadedEngine,
  type StatedTable,
} from '../loaded-engines.ts';
import { joins, randomFilter, randomWorld } from './random-queries.ts';
import { randomFrom } from '../../random/random-from.ts';

/** The properties of SAFETY part 4, which hold for any result, on every engine, under random filters. */

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = 12;
const world = randomWorld(randomFrom(seed), 400);
const random = randomFrom(seed + 7);
const [facts] = world.tables as [StatedTable, ...StatedTable[]];
/** The same rows in another order. */
const shuffled: StatedTable = {
  ...facts,
  name: 'shuffled',
  rows: facts.rows.toSorted((a, b) => ((Number(a[0]) * 7919) % 1009) - ((Number(b[0]) * 7919) % 1009)),
};

const dimensions = {
  id: {},
  kind: {},
  size: {},
  price: {},
  amount: {},
  flag: {},
  at: {},
  day: {},
  seen: {},
  side: { column: 'sort.side' },
  half: { column: 'half.called' },
};
const measures = Object.fromEntries(
  Object.entries({
    total: 'sum(size)',
    money: 'sum(price)',
    kinds: 'count(distinct kind)',
    filled: 'count(kind)',
    least: 'min(amount)',
    mean: 'avg(amount)',
    most: 'max(amount)',
  }).map(([name, expr]) => [name, { expr }]),
);
const model = modelOf({ table: 'facts', joins, dimensions, measures }, world.tables);
const shuffledModel = modelOf({ table: 'shuffled', joins, dimensions, measures }, [
  ...world.tables,
  shuffled,
]);
/**
 * The rows that one user's policies allow, found by a plain loop: texts compare exactly, with trailing blanks
 * and accents; null matches nothing.
 */
const reader = {
  groups: ['right'],
  attributes: { kinds: ['E', 'e ', "o'clock", 'back\\slash', '50%'], least: -5, side: 'Left' },
};
const policies = [
  { name: 'kinds', groups: ['right'], where: 'kind in (:user.kinds) and size >= :user.least' },
  { name: 'flagged', everyone: true as const, where: 'not flag and sort.side = :user.side' },
  { name: 'others', groups: ['left'], where: 'true' },
  { name: 'unknown', groups: ['right'], where: 'kind <> :user.nothing_of_it' },
];
const sides = new Map(world.tables[1]!.rows.map(([kind, side]) => [kind, side]));
const column = (row: StatedTable['rows'][number], name: string) =>
  row[facts.columns.findIndex(one => one.name === name)]!;
const isAdmitted = (row: StatedTable['rows'][number]) =>
  (reader.attributes.kinds.includes(String(column(row, 'kind'))) &&
    column(row, 'size') !== null &&
    Number(column(row, 'size')) >= reader.attributes.least) ||
  (column(row, 'flag') === false && sides.get(column(row, 'kind')) === reader.attributes.side);
/** Only rows that this user may see. */
const admitted: StatedTable = { ...facts, name: 'admitted', rows: facts.rows.filter(isAdmitted) };
const readModel = withPolicies(
  modelOf({ table: 'facts', joins, dimensions, measures, policies }, world.tables),
  reader,
);
const admittedModel = modelOf({ table: 'admitted', joins, dimensions, measures }, [
  ...world.tables,
  admitted,
]);
const everything: Filter = { kind: 'everything' };
const additive = ['rows', 'total', 'money'];
const filters = Array.from({ length: rounds }, () => randomFilter(random, 2));

let engines: LoadedEngine[];
beforeAll(async () => {
  console.log(`properties seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  engines = await loadEngines([...world.tables, shuffled, admitted]);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

describe.each(engineNames)('on %s', name => {
  const engine = () => engines.find(one => one.name === name)!;
  const rowsOf = async (question: Partial<GroupsQuery>, zone = 'UTC', of = model): Promise<Value[][]> => {
    const answer = await ask(
      { kind: 'groups', model: 'model', dimensions: [], measures: additive, where: everything, ...question },
      of,
      zone,
      engine(),
    );
    return Array.from({ length: answer.rowCount }, (_, i) =>
      answer.columns.map(column => column.values[i] as Value),
    );
  };
  const totals = async (where: Filter, zone?: string) =>
    (await rowsOf({ where }, zone))[0]!.map(value => exact(value));
  const sumOf = (rows: readonly Value[][], from: number) =>
    additive.map((_, i) => rows.reduce((sum, row) => sum + exact(row[from + i]!), 0n));

  test('P1: the groups of an additive measure, null included, add up to the total', async () => {
    for (const where of filters)
      for (const field of ['kind', 'flag', 'size', 'side'])
        expect([field, sumOf(await rowsOf({ where, dimensions: [{ field }] }), 1)]).toEqual([
          field,
          await totals(where),
        ]);
  });

  test('P2, P4: a filter and its exclusion together cover all rows, nulls with the exclusion', async () => {
    const all = await totals(everything);
    for (const where of filters)
      expect(plus(await totals(where), await totals({ kind: 'not', filter: where }))).toEqual(all);
  });

  test('P18: results under policies equal those of a table with only the visible rows', async () => {
    expect(admitted.rows.length).toBeGreaterThan(5);
    expect(admitted.rows.length).toBeLessThan(facts.rows.length / 2);
    for (const where of [everything, ...filters]) {
      for (const dimensions of [
        [],
        [{ field: 'kind' }],
        [{ field: 'side' }, { field: 'flag' }],
        [{ field: 'day', timeUnit: 'month' as const }],
      ]) {
        const question = { where, dimensions, measures: [...additive, 'kinds', 'filled', 'least', 'most'] };
        expect(await rowsOf(question, 'Europe/Berlin', readModel)).toEqual(
          await rowsOf(question, 'Europe/Berlin', admittedModel),
        );
      }
    }
  });

  test('P3: filters commute, and a repeated filter changes nothing', async () => {
    for (const [i, a] of filters.entries()) {
      const b = filters[(i + 1) % filters.length]!;
      const both = await totals(allOf([a, b]));
      expect(await totals(allOf([b, a]))).toEqual(both);
      expect(await totals(allOf([a, a, b]))).toEqual(both);
    }
  });

  test('P5: adjacent ranges partition their union; a range over all values leaves out only nulls', async () => {
    for (const [field, edges] of [
      ['size', [-30, 0, 7, 60]],
      ['amount', [-200, -0.25, 99.75, 400]],
      ['at', [0, Date.UTC(1999, 5, 1), Date.UTC(2011, 11, 30, 10), Date.UTC(2100, 0, 1)]],
    ] as const) {
      const part = (from: number, below: number): Filter => ({ kind: 'range', field, from, below });
      const parts = await Promise.all([0, 1, 2].map(i => totals(part(edges[i]!, edges[i + 1]!))));
      const whole = await totals(part(edges[0], edges[3]));
      expect([field, parts.reduce(plus)]).toEqual([field, whole]);
      expect([field, plus(whole, await totals({ kind: 'oneOf', field, values: [null] }))]).toEqual([
        field,
        await totals(everything),
      ]);
    }
  });

  test('P7: the first N are a prefix of the first N + 1, with ties broken by key; they and Other add up to the total', async () => {
    const top = (limit: number, where: Filter) =>
      rowsOf({ where, dimensions: [{ field: 'kind' }], order: [{ by: 'rows', descending: true }], limit });
    for (const where of filters.slice(0, 4)) {
      let before: Value[][] = [];
      for (const limit of [1, 2, 3, 5, 8]) {
        const now = await top(limit, where);
        expect(now.slice(0, before.length)).toEqual(before);
        before = now;
      }
      const axis: Axis = {
        kind: 'categories',
        field: 'kind',
        values: before.slice(0, 3).map(row => row[0]!),
        other: true,
      };
      const cells = await ask(
        { kind: 'cells', model: 'model', axes: [axis], measures: ['rows'], where },
        model,
        'UTC',
        engine(),
      );
      expect((cells.columns[0]!.values as Float64Array).every(group => group < groupsOf([axis]))).toBe(true);
      expect(exact((cells.columns[1]!.values as Float64Array).reduce((sum, rows) => sum + rows, 0))).toBe(
        (await totals(where))[0],
      );
    }
  });

  test('P9, P10: days roll up to months, quarters and years; another zone moves rows between them and keeps the total', async () => {
    for (const field of ['at', 'seen', 'day']) {
      for (const zone of ['UTC', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/New_York']) {
        const by = async (timeUnit: 'day' | 'month' | 'quarter' | 'year') =>
          new Map(
            (await rowsOf({ dimensions: [{ field, timeUnit }] }, zone)).map(row => [row[0]!, exact(row[1]!)]),
          );
        const days = await by('day');
        expect([...days.values()].reduce((sum, rows) => sum + rows, 0n)).toBe(
          BigInt(facts.rows.length) * 10_000n,
        );
        for (const [unit, months] of [
          ['month', 1],
          ['quarter', 3],
          ['year', 12],
        ] as const) {
          const rolled = new Map<Value, bigint>();
          for (const [day, rows] of days) {
            const date = day === null ? undefined : new Date(Number(day));
            const key = date
              ? Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months, 1)
              : null;
            rolled.set(key, (rolled.get(key) ?? 0n) + rows);
          }
          const sorted = (map: ReadonlyMap<Value, bigint>) =>
            [...map].toSorted(([a], [b]) => Number(a ?? Infinity) - Number(b ?? Infinity));
          expect([field, zone, unit, sorted(await by(unit))]).toEqual([field, zone, unit, sorted(rolled)]);
        }
      }
    }
  });

  test('an axis of time counts the days that lie in each of its units, wherever weeks and years begin', async () => {
    for (const unit of [
      'day',
      'week',
      'week:sunday',
      'week:saturday',
      'month',
      'quarter',
      'fiscalQuarter:november',
      'fiscalYear:july',
      'year',
    ] as const) {
      const days = new Map(
        (await rowsOf({ dimensions: [{ field: 'seen', timeUnit: 'day' }] }, 'Australia/Lord_Howe')).map(
          row => [row[0]!, Number(row[1]!)],
        ),
      );
      const begin = startOf(unit, Math.min(...[...days.keys()].filter(day => day !== null).map(Number)));
      const axis: Axis = { kind: 'times', field: 'seen', unit, from: addUnits(unit, begin, 1), count: 40 };
      const expected = Array.from({ length: slotsOf(axis) }, () => 0);
      for (const [day, rows] of days) expected[slotOf(axis, day)]! += rows;
      const cells = await ask(
        { kind: 'cells', model: 'model', axes: [axis], measures: ['rows'], where: everything },
        model,
        'Australia/Lord_Howe',
        engine(),
      );
      const found = Array.from({ length: slotsOf(axis) }, () => 0);
      for (let i = 0; i < cells.rowCount; i++)
        found[Number(cells.columns[0]!.values[i])] = Number(cells.columns[1]!.values[i]);
      expect([unit, found]).toEqual([unit, expected]);
    }
  });

  test('P11, P13: a figure has as many rows behind it as it counts; pages do not overlap and are repeatable', async () => {
    for (const where of filters.slice(0, 5)) {
      const rows = (await totals(where))[0]! / 10_000n;
      const page = async (offset: number) => {
        const answer = await ask(
          {
            kind: 'rows',
            model: 'model',
            dimensions: ['kind', 'id'],
            where,
            order: [{ by: 'kind' }],
            limit: 50,
            offset,
          },
          model,
          'UTC',
          engine(),
        );
        return Array.from({ length: answer.rowCount }, (_, i) => answer.columns[1]!.values[i] as number);
      };
      const ids: number[] = [];
      for (let offset = 0; offset < Number(rows) + 50; offset += 50) ids.push(...(await page(offset)));
      expect([ids.length, new Set(ids).size]).toEqual([Number(rows), Number(rows)]);
      expect(await page(50)).toEqual(ids.slice(50, 100));
    }
  });

  test('P13: there are as many groups as counted, and their pages do not overlap', async () => {
    for (const where of filters.slice(0, 5)) {
      const groups = {
        kind: 'groups',
        model: 'model',
        dimensions: [{ field: 'kind' }, { field: 'flag' }],
        where,
      } as const;
      const counted = await ask({ ...groups, measures: [], isCounted: true }, model, 'UTC', engine());
      const all = await rowsOf({
        where,
        dimensions: [...groups.dimensions],
        order: [{ by: 'rows', descending: true }],
      });
      expect([
        counted.rowCount,
        counted.columns.map(({ name }) => name),
        Number(counted.columns[0]!.values[0]),
      ]).toEqual([1, ['groups'], all.length]);
      const pages: Value[][] = [];
      for (let offset = 0; offset <= all.length; offset += 3)
        pages.push(
          ...(await rowsOf({
            where,
            dimensions: [...groups.dimensions],
            order: [{ by: 'rows', descending: true }],
            limit: 3,
            offset,
          })),
        );
      expect(pages).toEqual(all);
    }
  });

  test('P15: results do not depend on the order of rows in the table', async () => {
    const question = {
      dimensions: [{ field: 'kind' }],
      measures: ['rows', 'total', 'money', 'kinds', 'least', 'most'],
    };
    for (const where of filters.slice(0, 5))
      expect(await rowsOf({ ...question, where }, 'UTC', shuffledModel)).toEqual(
        await rowsOf({ ...question, where }),
      );
  });

  test('P17: distinct values are at most values, and values at most rows; the mean lies between minimum and maximum', async () => {
    for (const where of filters) {
      for (const [, rows, filled, kinds, least, mean, most] of await rowsOf({
        where,
        dimensions: [{ field: 'side' }],
        measures: ['rows', 'filled', 'kinds', 'least', 'mean', 'most'],
      })) {
        expect(Number(kinds) <= Number(filled) && Number(filled) <= Number(rows)).toBe(true);
        if (mean !== null)
          expect(Number(least) - 1e-9 <= Number(mean) && Number(mean) <= Number(most) + 1e-9).toBe(true);
      }
    }
  });
});

/** To the digit: everything as ten-thousandths. */
function exact(value: Value): bigint {
  const [whole, fraction = ''] = String(value ?? 0).split('.');
  return BigInt(`${whole}${fraction.padEnd(4, '0')}`);
}

function plus(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  return a.map((value, i) => value + b[i]!);
}
