import { withPolicies, type Model, type PolicySubject } from '@belvedere/model';
import { allOf, type Filter, type GroupsQuery, type Value } from '@belvedere/query';
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
 * P18 for joined tables: under random policies on random tables, answers are those of a database that holds only the rows of each table
 * that the reader may see. The oracle decides each row with a plain loop over the data as it is.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const worlds = 4;

type Row = Readonly<Record<string, Cell>>;
type TableName = 'sales' | 'shops' | 'towns' | 'notes';

const columns = {
  sales: [
    { name: 'id', type: 'integer' },
    { name: 'shop', type: 'text' },
    { name: 'return_shop', type: 'text' },
    { name: 'before', type: 'integer' },
    { name: 'size', type: 'integer' },
  ],
  shops: [
    { name: 'code', type: 'text' },
    { name: 'town', type: 'text' },
    { name: 'grade', type: 'integer' },
  ],
  towns: [
    { name: 'name', type: 'text' },
    { name: 'land', type: 'text' },
    { name: 'people', type: 'integer' },
  ],
  notes: [
    { name: 'shop', type: 'text' },
    { name: 'note', type: 'text' },
    { name: 'day', type: 'integer' },
  ],
} as const;
const unique = { sales: ['id'], shops: ['code'], towns: ['name'], notes: undefined } as const;

const codes = ['a', 'A', 'b', 'ä', "o'c", 'back\\', '', 'x '];
const townNames = ['Ulm', 'ulm', 'Rom', 'Köln', 'Oslo'];
const maybe = (value: Cell): Cell => (random() < 0.08 ? null : value);
const data: Readonly<Record<TableName, readonly Row[]>> = {
  sales: Array.from({ length: 300 }, (_, id) => ({
    id,
    shop: maybe(pick(codes)),
    return_shop: maybe(pick(codes)),
    before: maybe(Math.floor(random() * 320)),
    size: maybe(Math.floor(random() * 50) - 10),
  })),
  shops: codes.slice(1).map((code, i) => ({ code, town: maybe(pick(townNames)), grade: i % 4 })),
  towns: townNames.slice(1).map((name, i) => ({ name, land: pick(['DE', 'IT', 'NO']), people: i * 10 })),
  // Some keys occur twice: they join to nothing, unless the reader sees but one of their rows.
  notes: Array.from({ length: 10 }, (_, day) => ({ shop: pick(codes), note: pick(['good', 'bad']), day })),
};

/** A policy's condition, and the same as a plain test of a row. */
type Rule = readonly [where: string, admits: (row: Row) => boolean];
const shopOf = (row: Row) => data.shops.find(({ code }) => code === row['shop']);
const townOf = (row: Row | undefined) => data.towns.find(({ name }) => name === row?.['town']);
const isAtLeast = (value: Cell | undefined, least: number) => typeof value === 'number' && value >= least;
const subject: PolicySubject = {
  groups: ['clerks'],
  attributes: { land: 'DE', codes: ['a', 'b', "o'c", 'back\\'], grade: 2 },
};
const rules: Readonly<Record<TableName, readonly Rule[]>> = {
  sales: [
    ['size >= 5', row => isAtLeast(row['size'], 5)],
    ['shop in (:user.codes)', row => ['a', 'b', "o'c", 'back\\'].includes(String(row['shop']))],
    // Depends on all rows, whichever shops and towns a user can see.
    ['sold_at.grade = :user.grade', row => shopOf(row)?.['grade'] === 2],
    ['town.land = :user.land', row => townOf(shopOf(row))?.['land'] === 'DE'],
  ],
  shops: [
    ['grade < 2', row => row['grade'] !== null && Number(row['grade']) < 2],
    ['place.land = :user.land', row => townOf(row)?.['land'] === 'DE'],
    ['code in (:user.codes)', row => ['a', 'b', "o'c", 'back\\'].includes(String(row['code']))],
    ['false', () => false],
  ],
  towns: [
    ['people >= 10', row => isAtLeast(row['people'], 10)],
    ['land <> :user.land', row => row['land'] !== 'DE'],
    ['land = :user.nothing', () => false],
  ],
  notes: [
    ["note = 'good'", row => row['note'] === 'good'],
    ['day >= 4', row => isAtLeast(row['day'], 4)],
  ],
};

/** Two roles of one table, several hops, the table itself, and one whose keys occur more than once. */
const joins = {
  town: { table: 'towns', on: { 'sold_at.town': 'name' } },
  sold_at: { table: 'shops', on: { shop: 'code' } },
  returned_to: { table: 'shops', on: { return_shop: 'code' } },
  earlier: { table: 'sales', on: { before: 'id' } },
  earlier_shop: { table: 'shops', on: { 'earlier.shop': 'code' } },
  earlier_town: { table: 'towns', on: { 'earlier_shop.town': 'name' } },
  note: { table: 'notes', on: { shop: 'shop' } },
};
const dimensions = {
  shop: {},
  size: {},
  sold_in: { column: 'sold_at.town' },
  land: { column: 'town.land' },
  grade_back: { column: 'returned_to.grade' },
  earlier_size: { column: 'earlier.size' },
  earlier_grade: { column: 'earlier_shop.grade' },
  earlier_land: { column: 'earlier_town.land' },
  note: { column: 'note.note' },
  both: { expr: "sold_at.town || '/' || returned_to.town" },
};
const measures = {
  total: { expr: 'sum(size)' },
  grades: { expr: 'sum(sold_at.grade)' },
  lands: { expr: 'count(distinct earlier_town.land)' },
  noted: { expr: 'count(*) filter (where note.note is not null)' },
  crowd: { expr: 'max(town.people)' },
};
const own = { shops: { place: { table: 'towns', on: { town: 'name' } } } } as const;

interface World {
  readonly tables: readonly StatedTable[];
  readonly guarded: Model;
  readonly apart: Model;
  readonly said: string;
}

const stated = (table: TableName, called: string, rows: readonly Row[]): StatedTable => ({
  name: called,
  columns: columns[table],
  rows: rows.map(row => columns[table].map(({ name }) => row[name]!)),
  ...(unique[table] && { unique: unique[table] }),
});
const whole = (Object.keys(data) as TableName[]).map(table => stated(table, table, data[table]));

function worldOf(i: number): World {
  const chosen = (Object.keys(rules) as TableName[]).flatMap(table =>
    i === 0 || random() < 0.65
      ? [[table, Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(rules[table]))] as const]
      : [],
  );
  const policiesOf = (table: TableName) =>
    chosen
      .find(([name]) => name === table)?.[1]
      .map(([where], n) => ({ name: `rule ${n}`, groups: ['clerks'], where }));
  const admitted = (table: TableName) =>
    data[table].filter(
      row => chosen.find(([name]) => name === table)?.[1].some(([, admits]) => admits(row)) ?? true,
    );
  const called = (table: string) => `${table}_${i}`;
  const tables = (Object.keys(data) as TableName[]).map(table =>
    stated(table, called(table), admitted(table)),
  );
  const guards = (Object.keys(data) as TableName[]).flatMap(table => {
    const policies = policiesOf(table);
    return policies
      ? [
          modelOf(
            {
              table,
              ...(table === 'sales' ? { joins } : table === 'shops' ? { joins: own.shops } : {}),
              policies,
            },
            whole,
            table,
          ),
        ]
      : [];
  });
  const sales = policiesOf('sales');
  const model = modelOf(
    { table: 'sales', joins, dimensions, measures, ...(sales && { policies: sales }) },
    whole,
  );
  return {
    tables,
    guarded: withPolicies(model, subject, (_, table) => guards.filter(guard => guard.table === table)),
    apart: modelOf(
      {
        table: called('sales'),
        joins: Object.fromEntries(
          Object.entries(joins).map(([name, join]) => [name, { ...join, table: called(join.table) }]),
        ),
        dimensions,
        measures,
      },
      tables,
    ),
    said: JSON.stringify(chosen.map(([table, some]) => [table, some.map(([where]) => where)])),
  };
}

const all = Array.from({ length: worlds }, (_, i) => worldOf(i));
const names = Object.keys(dimensions);
const randomFilter = (): Filter =>
  pick<() => Filter>([
    () => ({ kind: 'everything' }),
    () => ({ kind: 'oneOf', field: pick(['land', 'earlier_land']), values: [pick(['DE', 'IT', null])] }),
    () => ({ kind: 'not', filter: { kind: 'oneOf', field: 'sold_in', values: [pick(townNames), null] } }),
    () => ({ kind: 'range', field: pick(['grade_back', 'earlier_size']), from: 1 }),
    () =>
      allOf([
        { kind: 'contains', field: 'both', text: 'o' },
        { kind: 'range', field: 'size', below: 30 },
      ]),
  ])();
const questions: readonly GroupsQuery[] = Array.from({ length: 12 }, (_, i) => {
  const fields = [...new Set(Array.from({ length: i % 3 }, () => pick(names)))];
  return {
    kind: 'groups',
    model: 'model',
    dimensions: fields.map(field => ({ field })),
    measures: ['rows', ...Object.keys(measures)],
    where: randomFilter(),
  };
});

let engines: LoadedEngine[];
beforeAll(async () => {
  console.log(`joined policies seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  engines = await loadEngines([...whole, ...all.flatMap(({ tables }) => tables)]);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

describe.each(engineNames)('joined tables on %s', name => {
  const rowsOf = async (question: GroupsQuery, model: Model): Promise<Value[][]> => {
    const answer = await ask(
      question,
      model,
      'UTC',
      engines.find(one => one.name === name)!,
    );
    return Array.from({ length: answer.rowCount }, (_, i) =>
      answer.columns.map(column => column.values[i] as Value),
    );
  };

  test.each(all.map((world, i) => [i, world] as const))(
    'P18: results of world %i are those of only the visible rows of each table',
    async (_, { guarded, apart, said }) => {
      for (const question of questions)
        expect([said, question, await rowsOf(question, guarded)]).toEqual([
          said,
          question,
          await rowsOf(question, apart),
        ]);
    },
  );

  test('rows are shown with the visible rows of their joined tables', async () => {
    const { guarded, apart } = all[0]!;
    const page = async (model: Model) => {
      const answer = await ask(
        {
          kind: 'rows',
          model: 'model',
          dimensions: ['size', ...names.filter(field => field !== 'size')],
          where: { kind: 'everything' },
          order: [{ by: 'size' }],
          limit: 1000,
        },
        model,
        'UTC',
        engines.find(one => one.name === name)!,
      );
      return Array.from({ length: answer.rowCount }, (_, i) =>
        JSON.stringify(answer.columns.map(column => column.values[i])),
      ).toSorted();
    };
    expect(await page(guarded)).toEqual(await page(apart));
  });

  test('medians, which some engines compute from numbered rows, are those of the visible rows', async () => {
    for (const { guarded, apart } of all.slice(0, 2)) {
      const question: GroupsQuery = {
        kind: 'groups',
        model: 'model',
        dimensions: [{ field: 'land' }],
        measures: ['median(earlier_grade)', 'rows'],
        where: { kind: 'everything' },
      };
      expect(await rowsOf(question, guarded)).toEqual(await rowsOf(question, apart));
    }
  });
});
