import { buildModel, parseExpression } from '@belvedere/model';
import { planQuery, type Query } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { clickhouse } from './dialects/clickhouse.ts';
import { duckdb } from './dialects/duckdb.ts';
import { definitionOf } from './function-macros.ts';
import { writeSql } from './write-sql.ts';

const { model } = buildModel(
  'flights',
  {
    version: 1,
    table: 'flights',
    joins: { from: { table: 'airports', on: { origin: 'iata' } } },
    dimensions: { origin: {}, delay: {}, at: {}, seen: {}, city: { column: 'from.city' } },
    measures: {
      late: { expr: "count(*) filter (where delay > 15 and origin <> 'O''Hare')" },
      rate: { expr: 'sum(delay) / count(*)' },
    },
  },
  [
    {
      name: 'flights',
      columns: [
        { name: 'origin', type: 'text' },
        { name: 'delay', type: 'integer' },
        { name: 'at', type: 'time' },
        { name: 'seen', type: 'instant' },
      ],
    },
    {
      name: 'airports',
      columns: [
        { name: 'iata', type: 'text' },
        { name: 'city', type: 'text' },
      ],
      unique: ['iata'],
    },
  ],
);
const sql = (question: Query) =>
  writeSql(planQuery(question, model!, 'Europe/Berlin'), duckdb, table => `"${table}"`);
const everything = { kind: 'everything' } as const;

describe('SQL for DuckDB', () => {
  test('texts from users and files are bound as parameters, never inlined', () => {
    const { text, parameters } = sql({
      kind: 'groups',
      model: 'flights',
      dimensions: [{ field: 'origin' }],
      measures: ['late'],
      where: {
        kind: 'allOf',
        filters: [
          { kind: 'oneOf', field: 'origin', values: ["'; drop", null] },
          { kind: 'contains', field: 'origin', text: '%' },
        ],
      },
    });
    expect(text).not.toMatch(/drop|Hare|%/);
    expect(parameters).toEqual(["O'Hare", "'; drop", '%']);
  });

  test('a division by zero is null', () => {
    expect(
      sql({ kind: 'groups', model: 'flights', dimensions: [], measures: ['rate'], where: everything }).text,
    ).toContain('((sum(t."delay"))::DOUBLE / nullif((count(*))::DOUBLE, 0))');
  });

  test('only the joins in use are written', () => {
    expect(
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [{ field: 'origin' }],
        measures: ['rows'],
        where: everything,
      }).text,
    ).not.toContain('join');
    expect(
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [{ field: 'city' }],
        measures: ['rows'],
        where: everything,
      }).text,
    ).toContain('left join "airports" as "from" on t."origin" = "from"."iata"');
  });

  test('instants are grouped and filtered by the zone’s clock', () => {
    const { text } = sql({
      kind: 'groups',
      model: 'flights',
      dimensions: [{ field: 'seen', timeUnit: 'day' }],
      measures: ['rows'],
      where: { kind: 'range', field: 'seen', from: Date.UTC(2024, 0, 1) },
    });
    expect(text).toContain(`date_trunc('day', timezone('Europe/Berlin', t."seen"))`);
    expect(text).toContain(`timezone('Europe/Berlin', t."seen") >= TIMESTAMP '2024-01-01 00:00:00.000'`);
  });

  test('the order is total: ties are broken by the other group keys, nulls come last', () => {
    expect(
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [{ field: 'origin' }],
        measures: ['rows'],
        where: everything,
        order: [{ by: 'rows', descending: true }],
        limit: 10,
      }).text,
    ).toMatch(/order by "rows" desc nulls last, "origin" asc nulls last\nlimit 10$/);
  });

  test('an exclusion includes the nulls', () => {
    expect(
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [],
        measures: ['rows'],
        where: { kind: 'not', filter: { kind: 'oneOf', field: 'origin', values: ['a'] } },
      }).text,
    ).toContain('not coalesce((t."origin" in ($1::VARCHAR)), false)');
  });

  test('ClickHouse receives the offsets of zones it gets wrong: half hours, and a clock set back over midnight', () => {
    expect(clickhouse.local('x', 'America/New_York')).not.toContain('multiIf');
    expect(clickhouse.local('x', 'Australia/Lord_Howe')).toContain('multiIf');
    expect(clickhouse.local('x', 'America/St_Johns')).toContain('multiIf');
  });

  test.each([Number.NaN, Infinity])('%d is no number to write', value => {
    expect(() =>
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [],
        measures: ['rows'],
        where: { kind: 'range', field: 'delay', from: value },
      }),
    ).toThrow(RangeError);
  });

  test('an unknown field or measure is named, with the nearest name', () => {
    expect(() =>
      sql({
        kind: 'groups',
        model: 'flights',
        dimensions: [{ field: 'orign' }],
        measures: [],
        where: everything,
      }),
    ).toThrow('`orign`: unknown dimension in model `flights`; did you mean `origin`?');
    expect(() =>
      sql({ kind: 'groups', model: 'flights', dimensions: [], measures: ['constructor'], where: everything }),
    ).toThrow('unknown measure');
  });
});

test.each([
  ['sign(', ')'],
  ['nullif(', ', 1)'],
  ['clamp(', ', 1, 2)'],
])('%s…%s nested forty times is refused before it is written out', (before, after) => {
  const call = parseExpression(`${before.repeat(40)}delay${after.repeat(40)}`);
  expect(call.kind === 'call' && (() => definitionOf(call))).toThrow(
    expect.objectContaining({ code: 'expression-invalid' }),
  );
});
