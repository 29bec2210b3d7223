import { withPolicies, buildModel, type TableSchema } from '@belvedere/model';
import { planQuery, type Axis, type Filter, type Plan, type Query, type Value } from '@belvedere/query';
import { duckdb, writeSql } from '@belvedere/sql';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryResult } from '../result.ts';
import { readResult } from '../duckdb/read-result.ts';
import { ColumnStore, type StoredTable } from './column-store.ts';
import { randomBelow } from './random-below.ts';

const rows = 100_000;
const zone = 'America/New_York';
const tables: readonly TableSchema[] = [
  {
    name: 'trips',
    columns: [
      { name: 'origin', type: 'text' },
      { name: 'delay', type: 'integer' },
      { name: 'price', type: 'number' },
      { name: 'few', type: 'number' },
      { name: 'at', type: 'time' },
      { name: 'seen', type: 'instant' },
      { name: 'day', type: 'date' },
      { name: 'ok', type: 'boolean' },
      { name: 'serial', type: 'text' },
      { name: 'hour_of', type: 'integer' },
    ],
  },
  {
    name: 'places',
    columns: [
      { name: 'code', type: 'text' },
      { name: 'city', type: 'text' },
    ],
    unique: ['code'],
  },
];
const { model } = buildModel(
  'trips',
  {
    version: 1,
    table: 'trips',
    joins: { from: { table: 'places', on: { origin: 'code' } } },
    dimensions: {
      origin: {},
      city: { column: 'from.city' },
      delay: {},
      price: {},
      at: {},
      seen: {},
      day: {},
      ok: {},
      serial: {},
      hour: { expr: 'extract(hour from at)' },
    },
    measures: {
      trips: { expr: 'count(*)' },
      late: { expr: 'count(*) filter (where delay > 15)' },
      mean: { expr: 'avg(delay)' },
      rate: { expr: '1.0 * count(*) filter (where delay < 15) / count(delay)' },
      least: { expr: 'min(delay)' },
      most: { expr: 'max(hour_of)' },
      money: { expr: 'sum(few)' },
      middle: { expr: 'median(delay)' },
    },
  },
  tables,
);

let folder: string;
let connection: DuckDBConnection;
let encoded: ColumnStore;
const stored = (name: string): StoredTable => ({
  name,
  alias: `${name}-1`,
  database: path.join(folder, `${name}.duckdb`),
  rows,
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-coded-'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'UTC'; select setseed(0.42)");
  const make = async (name: string, query: string) => {
    await connection.run(
      `attach '${path.join(folder, name)}.duckdb' as "${name}-1"; create table "${name}-1".data as ${query}; detach "${name}-1"; attach '${path.join(folder, name)}.duckdb' as "${name}-1" (read_only)`,
    );
  };
  await make(
    'places',
    "select * from (values ('a', 'Åbo'), ('b', 'Bonn'), ('c', null), ('', 'Nowhere'), ('it''s', 'Bonn')) t(code, city)",
  );
  await make(
    'trips',
    `select ['a', 'b', 'c', '', 'it''s', 'zz', null][1 + (random() * 7)::int % 7] as origin, case when random() < 0.9 then (random() * random() * 400)::int - 60 end as delay,
      case when random() < 0.9 then random() * 1000 - 100 end as price, ((random() * 40)::int / 4.0)::double as few, timestamp '2023-12-20 00:00:00' + to_seconds((random() * 90 * 86400)::int) as at,
      timestamptz '2024-03-05 00:00:00+00' + to_seconds((random() * 20 * 86400)::int) as seen, date '2024-01-01' + (random() * 500)::int as day, case when random() < 0.9 then random() < 0.3 end as ok, 'n' || i as serial, (random() * 23)::int as hour_of
     from range(${rows}) t(i)`,
  );
  encoded = new ColumnStore({
    tablesFolder: folder,
    spillFolder: folder,
    memoryBytes: 2 ** 30,
    threads: 2,
    minRows: 0,
    patientRows: Infinity,
    budgetBytes: 2 ** 30,
  });
  for (const question of everyField()) await answered(question);
  await encoded.settled();
});

afterAll(async () => {
  await encoded.close();
  await rm(folder, { recursive: true, force: true });
});

const everything: Filter = { kind: 'everything' };
const measures = ['trips', 'late', 'mean', 'rate', 'least', 'most', 'money'];
const categories = (field: string, values: readonly Value[], other: boolean): Axis => ({
  kind: 'categories',
  field,
  values,
  other,
});
const axes: readonly Axis[] = [
  categories('origin', ['b', '', null], true),
  categories('origin', ['zz', 'c', 'b', "it's", '', 'a', null], false),
  categories('city', ['Bonn', 'Åbo', null], true),
  categories('hour', [0, 7, 23], true),
  categories('ok', [true, false, null], false),
  { kind: 'bins', field: 'delay', origin: -60, step: 7, count: 40 },
  { kind: 'bins', field: 'delay', origin: 0, step: 10, count: 5 },
  { kind: 'bins', field: 'price', origin: -100, step: 5, count: 220 },
  { kind: 'bins', field: 'price', origin: 0, step: 200, count: 3 },
  { kind: 'times', field: 'at', unit: 'day', from: Date.UTC(2023, 11, 20), count: 60 },
  { kind: 'times', field: 'at', unit: 'month', from: Date.UTC(2024, 0, 1), count: 2 },
  { kind: 'times', field: 'seen', unit: 'hour', from: Date.UTC(2024, 2, 9), count: 96 },
  { kind: 'times', field: 'day', unit: 'week', from: Date.UTC(2024, 0, 1), count: 80 },
  { kind: 'times', field: 'day', unit: 'week:sunday', from: Date.UTC(2023, 11, 31), count: 40 },
  { kind: 'times', field: 'at', unit: 'fiscalQuarter:november', from: Date.UTC(2023, 10, 1), count: 2 },
  { kind: 'times', field: 'day', unit: 'fiscalYear:july', from: Date.UTC(2023, 6, 1), count: 2 },
];
const filters: readonly Filter[] = [
  everything,
  { kind: 'oneOf', field: 'origin', values: ['a', null, ''] },
  { kind: 'range', field: 'delay', from: 0, below: 60 },
  { kind: 'range', field: 'price', below: 250 },
  { kind: 'range', field: 'at', from: Date.UTC(2024, 0, 1), below: Date.UTC(2024, 1, 1) },
  { kind: 'not', filter: { kind: 'oneOf', field: 'city', values: ['Bonn'] } },
  { kind: 'oneOf', field: 'ok', values: [true] },
  { kind: 'range', field: 'day', from: Date.UTC(2024, 5, 1) },
  {
    kind: 'anyOf',
    filters: [
      {
        kind: 'allOf',
        filters: [
          { kind: 'range', field: 'delay', from: 30 },
          { kind: 'oneOf', field: 'hour', values: [8, 9] },
        ],
      },
      { kind: 'oneOf', field: 'origin', values: ['b'] },
    ],
  },
];

function everyField(): Query[] {
  return [
    ...axes.map((axis): Query => ({
      kind: 'cells',
      model: 'trips',
      axes: [axis],
      measures,
      where: everything,
    })),
    {
      kind: 'cells',
      model: 'trips',
      axes: [categories('serial', ['n1'], true)],
      measures: ['trips'],
      where: everything,
    },
  ];
}

async function answered(question: Query): Promise<QueryResult | undefined> {
  return encoded.run(planQuery(question, model!, zone), stored, undefined);
}

function asked(question: Query, trips = 'trips'): Promise<QueryResult> {
  return askedPlan(
    planQuery(question, model!, zone),
    question.kind === 'cells' ? 'numbers' : 'values',
    trips,
  );
}

async function askedPlan(
  plan: Plan,
  as: 'numbers' | 'values' = 'numbers',
  trips = 'trips',
): Promise<QueryResult> {
  const { text, parameters } = writeSql(
    plan,
    duckdb,
    table => `"${table === 'trips' ? trips : table}-1".data`,
  );
  const prepared = await connection.prepare(text);
  parameters.forEach((value, i) => prepared.bindVarchar(i + 1, value));
  return readResult(await prepared.stream(), { as, maxRows: 1e6 });
}

/** Groups without anything in them are as good as absent. */
function filled(answer: QueryResult, groups: number): Map<number, readonly number[]> {
  const columns = answer.columns.map(column => Array.from(column.values, Number));
  const keys = groups > 0 ? columns[0]! : [0];
  const parts = groups > 0 ? columns.slice(1) : columns;
  return new Map(
    keys
      .flatMap((key, i) =>
        parts.some(part => part[i] !== 0 && !Number.isNaN(part[i]))
          ? [[key, parts.map(part => Number((part[i]! || 0).toPrecision(12)))] as const]
          : [],
      )
      .toSorted(([a], [b]) => a - b),
  );
}

describe('display-resolution columns', () => {
  test('of joined rows belong to the rows visible to one user, and are not shared', async () => {
    const bitFields = buildModel(
      'places',
      {
        version: 1,
        table: 'places',
        dimensions: { code: {}, city: {} },
        policies: [{ name: 'own', everyone: true, where: 'code in (:user.codes)' }],
      },
      tables,
    ).model!;
    const readers = [['a'], ['b', "it's"], []].map(codes =>
      withPolicies(model!, { groups: [], attributes: { codes } }, (_, table) =>
        table === 'places' ? [bitFields] : [],
      ),
    );
    const question: Query = {
      kind: 'cells',
      model: 'trips',
      axes: [categories('city', ['Bonn', 'Åbo', null], true)],
      measures: ['trips'],
      where: { kind: 'not', filter: { kind: 'oneOf', field: 'city', values: ['Nowhere'] } },
    };
    const planned = [model!, ...readers].map(read => planQuery(question, read, zone));
    for (const plan of planned) await encoded.run(plan, stored, undefined);
    await encoded.settled();
    const seen = [];
    for (const plan of planned) {
      const answer = await encoded.run(plan, stored, undefined);
      expect(answer).toBeDefined();
      expect(filled(answer!, 4)).toEqual(filled(await askedPlan(plan), 4));
      seen.push(JSON.stringify([...filled(answer!, 4)]));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('return the engine’s results for random queries', async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    const queries = Array.from({ length: 120 }, (): Query => ({
      kind: 'cells',
      model: 'trips',
      axes: Array.from({ length: next(3) }, () => axes[next(axes.length)]!),
      measures: [measures[next(measures.length)]!, measures[next(measures.length)]!],
      where: {
        kind: 'allOf',
        filters: Array.from({ length: next(3) }, () => filters[next(filters.length)]!),
      },
    }));
    const before = encoded.executions;
    const passes = encoded.passes;
    // All at once, so that they are counted together, in one pass or a few.
    const together = await Promise.all(queries.map(answered));
    expect(encoded.executions - before).toBe(queries.length);
    expect(encoded.passes - passes).toBeLessThan(queries.length / 10);
    for (const [i, question] of queries.entries()) {
      const groups = question.kind === 'cells' ? question.axes.length : 0;
      expect(filled(together[i]!, groups), `seed ${seed}: ${JSON.stringify(question)}`).toEqual(
        filled(await asked(question), groups),
      );
    }
  });

  test.each<Query>([
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'origin' }],
      measures: ['trips', 'mean'],
      where: filters[2]!,
      order: [{ by: 'mean', descending: true }],
      limit: 4,
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'at', timeUnit: 'week' }],
      measures: ['rate'],
      where: everything,
      order: [{ by: 'at' }],
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'city' }, { field: 'ok' }],
      measures: ['late', 'least'],
      where: everything,
      order: [{ by: 'city', descending: true }],
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [],
      measures: ['trips'],
      extents: ['delay'],
      where: filters[1]!,
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'hour' }],
      measures: ['mean', 'trips'],
      where: filters[2]!,
      order: [{ by: 'hour' }],
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'hour' }, { field: 'ok' }],
      measures: ['late'],
      where: everything,
      order: [{ by: 'late', descending: true }, { by: 'hour' }, { by: 'ok' }],
      limit: 9,
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'city' }],
      measures: ['mean', 'money'],
      inParts: true,
      where: everything,
      order: [{ by: 'city' }],
    },
    {
      kind: 'groups',
      model: 'trips',
      dimensions: [],
      measures: ['mean'],
      where: { kind: 'oneOf', field: 'origin', values: ['nowhere'] },
    },
  ])('return values in order: %j', async question => {
    const [ours, theirs] = [await answered(question), await asked(question)];
    const plain = (answer: QueryResult | undefined) =>
      answer?.columns.map(column =>
        Array.from(column.values as readonly Value[], value =>
          typeof value === 'number' ? Number(value.toPrecision(12)) : value,
        ),
      );
    expect(plain(ours)).toEqual(plain(theirs));
  });

  test.each<[string, Query]>([
    [
      'an edge inside a bin',
      {
        kind: 'cells',
        model: 'trips',
        axes: [{ kind: 'bins', field: 'price', origin: 0.005, step: 10, count: 5 }],
        measures: ['trips'],
        where: everything,
      },
    ],
    [
      'a filter inside a bin',
      {
        kind: 'cells',
        model: 'trips',
        axes: [],
        measures: ['trips'],
        where: { kind: 'range', field: 'price', below: 12.345 },
      },
    ],
    [
      'a time within a unit',
      {
        kind: 'cells',
        model: 'trips',
        axes: [],
        measures: ['trips'],
        where: { kind: 'range', field: 'at', from: Date.UTC(2024, 0, 1) + 1 },
      },
    ],
    ['a median', { kind: 'cells', model: 'trips', axes: [], measures: ['middle'], where: everything }],
    [
      'a name unique to every row',
      {
        kind: 'cells',
        model: 'trips',
        axes: [categories('serial', ['n1'], true)],
        measures: ['trips'],
        where: everything,
      },
    ],
    [
      'a search',
      {
        kind: 'cells',
        model: 'trips',
        axes: [],
        measures: ['trips'],
        where: { kind: 'contains', field: 'origin', text: 'i' },
      },
    ],
    ['rows', { kind: 'rows', model: 'trips', dimensions: ['origin'], where: everything, limit: 10 }],
  ])('leave %s to the engine', async (_, question) => {
    expect(await answered(question)).toBeUndefined();
  });

  test('stay apart for joins of the same name, and for time zones', async () => {
    const own = path.join(folder, 'own');
    await mkdir(own);
    const other = new ColumnStore({
      tablesFolder: own,
      spillFolder: folder,
      memoryBytes: 2 ** 30,
      threads: 2,
      minRows: 0,
      patientRows: 0,
      budgetBytes: 2 ** 30,
    });
    const { model: backwards } = buildModel(
      'trips',
      {
        version: 1,
        table: 'trips',
        joins: { from: { table: 'places', on: { origin: 'city' } } },
        dimensions: { city: { column: 'from.city' } },
        measures: { trips: { expr: 'count(*)' } },
      },
      tables,
    );
    const byCity: Query = {
      kind: 'groups',
      model: 'trips',
      dimensions: [{ field: 'city' }],
      measures: ['trips'],
      where: everything,
      order: [{ by: 'city' }],
    };
    const byHour: Query = {
      kind: 'cells',
      model: 'trips',
      axes: [axes[11]!],
      measures: ['trips'],
      where: everything,
    };
    const plans = [
      planQuery(byCity, model!, zone),
      planQuery(byCity, backwards!, zone),
      planQuery(byHour, model!, zone),
      planQuery(byHour, model!, 'Asia/Kolkata'),
    ];
    const ask = () => Promise.all(plans.map(plan => other.run(plan, stored, undefined)));
    // Asked in one moment, so that they are wanted together.
    await ask();
    await other.settled();
    const answers = await ask();
    const counts = answers.map(answer =>
      answer?.columns.map(column => Array.from(column.values as readonly Value[], String)),
    );
    expect(counts.map(columns => columns !== undefined)).toEqual([true, true, true, true]);
    expect(counts[0]).not.toEqual(counts[1]);
    // No place is called as another's code is: none of them is found, and all rows are without a city.
    expect(counts[1]).toEqual([['null'], [String(rows)]]);
    expect(counts[2]).not.toEqual(counts[3]);
    await other.close();
  });

  test('persist across restarts, and belong to one version of the data', async () => {
    const again = new ColumnStore({
      tablesFolder: folder,
      spillFolder: folder,
      memoryBytes: 2 ** 30,
      threads: 2,
      minRows: 0,
      patientRows: Infinity,
      budgetBytes: 2 ** 30,
    });
    const question: Query = {
      kind: 'cells',
      model: 'trips',
      axes: [axes[0]!],
      measures: ['trips'],
      where: everything,
    };
    const plan = planQuery(question, model!, zone);
    try {
      expect(await again.run(plan, stored, undefined)).toEqual(await answered(question));
      expect(
        await again.run(plan, name => ({ ...stored(name), alias: `${name}-2` }), undefined),
      ).toBeUndefined();
      const overPlaces = planQuery(
        { kind: 'cells', model: 'trips', axes: [axes[2]!], measures: ['trips'], where: everything },
        model!,
        zone,
      );
      expect(
        await again.run(
          overPlaces,
          name => ({ ...stored(name), ...(name === 'places' && { alias: 'places-2' }) }),
          undefined,
        ),
      ).toBeUndefined();
    } finally {
      await again.close();
    }
  });

  test('are built in parts as queries need them, with rows aligned', async () => {
    const other = new ColumnStore({
      tablesFolder: folder,
      spillFolder: folder,
      memoryBytes: 2 ** 30,
      threads: 2,
      minRows: 0,
      patientRows: 0,
      budgetBytes: 2 ** 30,
    });
    const copy = (name: string) => ({ ...stored(name), alias: `${name}-3`, database: stored(name).database });
    const question = (which: readonly Axis[]): Query => ({
      kind: 'cells',
      model: 'trips',
      axes: which,
      measures: ['mean'],
      where: everything,
    });
    try {
      for (const which of [[axes[0]!], [axes[0]!, axes[5]!], [axes[2]!, axes[9]!]]) {
        expect(
          filled((await other.run(planQuery(question(which), model!, zone), copy, undefined))!, 1),
        ).toEqual(filled(await asked(question(which)), 1));
      }
    } finally {
      await other.close();
      await other.forget('trips-3');
    }
  });

  test('are encoded once, however many queries arrive in the meantime', async () => {
    const own = path.join(folder, 'once');
    await mkdir(own);
    const other = new ColumnStore({
      tablesFolder: own,
      spillFolder: folder,
      memoryBytes: 2 ** 30,
      threads: 2,
      minRows: 0,
      patientRows: Infinity,
      budgetBytes: 2 ** 30,
    });
    const plan = planQuery(
      { kind: 'cells', model: 'trips', axes: [axes[0]!, axes[5]!], measures: ['mean'], where: everything },
      model!,
      zone,
    );
    try {
      const ask = () => other.run(plan, stored, undefined);
      await ask();
      const asking = setInterval(() => void ask(), 10);
      await other.settled();
      clearInterval(asking);
      expect(await ask()).toBeDefined();
      expect((await readdir(own)).filter(name => name.endsWith('.codes'))).toEqual(['trips-1.0.codes']);
    } finally {
      await other.close();
    }
  });

  test('of time-ordered rows are counted by runs, with the engine’s results', async () => {
    const many = 1_100_000;
    await connection.run(
      `attach '${path.join(folder, 'ordered')}.duckdb' as "ordered-1"; create table "ordered-1".data as select t.* from "trips-1".data t, range(${many / rows}) order by t.at; detach "ordered-1"; attach '${path.join(folder, 'ordered')}.duckdb' as "ordered-1" (read_only)`,
    );
    // So many threads share the adding up as well.
    const ordered = new ColumnStore({
      tablesFolder: folder,
      spillFolder: folder,
      memoryBytes: 2 ** 30,
      threads: 4,
      minRows: 0,
      patientRows: 0,
      minRunRows: 0,
      budgetBytes: 2 ** 30,
    });
    const [days, months] = [axes[9]!, axes[10]!];
    const queries = [
      [days],
      [months],
      [axes[5]!, days],
      [axes[5]!, axes[0]!],
      [axes[5]!, axes[2]!],
      [days, axes[0]!],
      [axes[4]!, months],
    ].flatMap(along =>
      [everything, filters[2]!, filters[4]!].map((where): Query => ({
        kind: 'cells',
        model: 'trips',
        axes: along,
        measures: ['mean', 'rate'],
        where,
      })),
    );
    const ask = () =>
      Promise.all(
        queries.map(question =>
          ordered.run(
            planQuery(question, model!, zone),
            name =>
              name === 'trips'
                ? { name, alias: 'ordered-1', database: path.join(folder, 'ordered.duckdb'), rows: many }
                : stored(name),
            undefined,
          ),
        ),
      );
    try {
      await ask();
      await ordered.settled();
      const before = ordered.passesByRuns;
      const answers = await ask();
      expect(ordered.passesByRuns).toBeGreaterThan(before);
      for (const [i, question] of queries.entries())
        expect(
          filled(answers[i]!, (question as Query & { kind: 'cells' }).axes.length),
          JSON.stringify(question),
        ).toEqual(
          filled(await asked(question, 'ordered'), (question as Query & { kind: 'cells' }).axes.length),
        );
    } finally {
      await ordered.close();
      await connection.run('detach "ordered-1"');
      await ordered.forget('ordered-1');
    }
  });

  test('take about a byte for each row and field', () => {
    expect(encoded.bytes / rows).toBeLessThanOrEqual(16);
  });
});
