import { functions, isTemporal, parseExpression, type Model } from '@belvedere/model';
import { formatCalendarTime } from '@belvedere/query';
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

/** The numbers 1, 2, 3, 4 and nothing, which aggregates' examples go over. */
const numbers: StatedTable = {
  name: 'numbers',
  columns: [{ name: 'n', type: 'integer' }],
  rows: [[1], [2], [3], [4], [null]],
};
const one: StatedTable = {
  name: 'one',
  columns: [
    { name: 'n', type: 'integer' },
    { name: 'rest', type: 'text' },
  ],
  rows: [[1, 'of it']],
};
const everything = { kind: 'everything' } as const;
const cases = Object.entries(functions).flatMap(([name, spec]) =>
  spec.examples.map(([text, expected]) => ({
    name,
    text,
    expected,
    group: spec.group,
    isAggregate: spec.aggregate === true,
  })),
);

let engines: LoadedEngine[];
beforeAll(async () => {
  engines = await loadEngines([numbers, one]);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

test('every function has examples that can be parsed', () => {
  expect(Object.entries(functions).filter(([, spec]) => spec.examples.length === 0)).toEqual([]);
  for (const { text } of cases) expect(() => parseExpression(text)).not.toThrow();
});

describe.each(engineNames)('on %s', name => {
  test.each(cases)('$text is $expected', async ({ text, expected, isAggregate }) => {
    const loaded = engines.find(engine => engine.name === name)!;
    expect(await valueOf(text, isAggregate, loaded)).toEqual(near(expected));
  });

  // The type of a constant's result is known in advance. For a column, a database may choose a type that is
  // too small.
  test('texts derived from a column’s are not cut when they are group keys', async () => {
    const loaded = engines.find(engine => engine.name === name)!;
    const ofColumns = cases
      .filter(({ group }) => group === 'text')
      .map(({ name: called, text, expected }) => {
        const wantsConstants = name === 'ClickHouse' && (called === 'replace' || called === 'split_part');
        return {
          text: text.replace(
            wantsConstants ? /'([^']*)'/ : /'([^']*)'/g,
            (literal, value: string) => `left(concat(${literal}, rest), ${[...value].length})`,
          ),
          expected,
        };
      });
    const given = await Promise.all(
      ofColumns.map(async ({ text }) => [text, await valueOf(text, false, loaded).catch(String)]),
    );
    expect(given).toEqual(ofColumns.map(({ text, expected }) => [text, expected]));
  });

  // Some databases know an order of each text, and do not choose between two.
  test('texts from different expressions can be combined', async () => {
    const loaded = engines.find(engine => engine.name === name)!;
    const texts = cases.filter(
      ({ group, expected, isAggregate }) => group === 'text' && typeof expected === 'string' && !isAggregate,
    );
    const given = await Promise.all(
      texts.map(async ({ text }) => [
        text,
        await valueOf(`concat_ws('|', ${text}, greatest(rest, 'a'), lower(rest))`, false, loaded).catch(
          String,
        ),
      ]),
    );
    expect(given).toEqual(texts.map(({ text, expected }) => [text, `${String(expected)}|of it|of it`]));
  });

  // Some databases have unsigned integers, and reject a negative result.
  test('every whole number is signed', async () => {
    const loaded = engines.find(engine => engine.name === name)!;
    const whole = cases.filter(({ expected }) => Number.isInteger(expected));
    const signed = await Promise.all(
      whole.map(async ({ text, expected, isAggregate }) => ({
        text,
        value: await valueOf(`(${text}) * -1 - 1`, isAggregate, loaded),
        expected: near(-Number(expected) - 1),
      })),
    );
    expect(signed.map(({ text, value }) => [text, value])).toEqual(
      signed.map(({ text, expected }) => [text, expected]),
    );
  });
});

async function valueOf(text: string, isAggregate: boolean, loaded: LoadedEngine): Promise<Cell> {
  // A measure needs an aggregate, so the scalar stands within one that keeps its value and type.
  const model: Model = isAggregate
    ? modelOf({ table: 'numbers', measures: { value: { expr: text } } }, [numbers])
    : modelOf({ table: 'one', dimensions: { value: { expr: text } } }, [one]);
  const answer = await ask(
    isAggregate
      ? { kind: 'groups', model: 'model', dimensions: [], measures: ['value'], where: everything }
      : {
          kind: 'groups',
          model: 'model',
          dimensions: [{ field: 'value' }],
          measures: ['rows'],
          where: everything,
        },
    model,
    'UTC',
    loaded,
  );
  const column = answer.columns[0]!;
  const value = column.values[0] as Cell;
  if (typeof value === 'number' && isTemporal(column.type))
    return column.type === 'date'
      ? formatCalendarTime(value).slice(0, 10)
      : new Date(value).toISOString().slice(0, 16);
  return value;
}

/** Doubles may differ in their last digits: engines add and raise to powers in their own ways. */
function near(expected: Cell): unknown {
  return typeof expected === 'number' && !Number.isInteger(expected)
    ? expect.closeTo(expected, 10)
    : typeof expected === 'number'
      ? expect.closeTo(expected, 9)
      : expected;
}
