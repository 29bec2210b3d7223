import type { Model } from '@belvedere/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluatePlainly, rowsOf } from './evaluate-plainly.ts';
import { decimalText, isDecimal, isMoment, toDouble, type Row, type Value } from './evaluate-expression.ts';
import {
  ask,
  engineNames,
  loadEngines,
  modelOf,
  statementFor,
  type Cell,
  type LoadedEngine,
} from '../loaded-engines.ts';
import { joins, randomQuery, randomWorld, type RandomQuery } from './random-queries.ts';
import { randomFrom } from '../../random/random-from.ts';

/* Every engine answers the same random questions as a loop in JavaScript does. A failing question is made smaller while it still fails. */

const seed = Number(process.env['BELVEDERE_SEED']);
const questions = Number(process.env['BELVEDERE_QUESTIONS'] ?? 250);

let engines: LoadedEngine[];
let rows: readonly Row[];
const world = randomWorld(randomFrom(seed), 240);
beforeAll(async () => {
  console.log(`oracle seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  engines = await loadEngines(world.tables);
  rows = rowsOf(world.tables);
});
afterAll(() => Promise.all(engines?.map(engine => engine.close()) ?? []));

const only = process.env['BELVEDERE_ENGINE'];
describe.each(engineNames.filter(name => !only || name === only))('%s', name => {
  test(
    `${questions} random queries return the results of plain code (seed ${seed})`,
    { timeout: 3_600_000 },
    async () => {
      const loaded = engines.find(engine => engine.name === name)!;
      const random = randomFrom(seed + 1);
      let cells = 0;
      for (let i = 0; i < questions; i++) {
        const asked = randomQuery(random);
        const outcome = await compare(asked, loaded);
        if (typeof outcome === 'number') {
          cells += outcome;
          continue;
        }
        const { smallest, difference } = await shrunk(asked, outcome, loaded);
        expect.fail(
          `seed ${seed}, question ${i}: ${difference}\n${JSON.stringify({ dimensions: used(smallest), measures: smallest.measures, question: smallest.question, zone: smallest.zone }, null, 1)}\n${statementFor(smallest.question, modelFor(smallest), smallest.zone, loaded).text}`,
        );
      }
      expect(cells).toBeGreaterThan(questions * 5);
    },
  );
});

/** How many cells were the same, or the first difference. */
async function compare(asked: RandomQuery, loaded: LoadedEngine): Promise<number | string> {
  let model: Model;
  try {
    model = modelFor(asked);
  } catch {
    // Random expressions do not always fit together; no engine can run such a query.
    return 0;
  }
  const expected = evaluatePlainly(asked, model, rows);
  try {
    const answer = await ask(asked.question, model, asked.zone, loaded);
    if (answer.rowCount !== expected.length) return `${answer.rowCount} rows instead of ${expected.length}`;
    for (const [c, column] of answer.columns.entries()) {
      for (let r = 0; r < answer.rowCount; r++) {
        const got = column.values[r] as Cell;
        if (!isSame(got, expected[r]![c]!))
          return `row ${r}, \`${column.name}\`: ${JSON.stringify(got)} instead of ${shown(expected[r]![c]!)}`;
      }
    }
    return answer.rowCount * answer.columns.length;
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
}

function modelFor({ dimensions, measures }: RandomQuery): Model {
  return modelOf(
    {
      table: 'facts',
      joins,
      dimensions: Object.fromEntries(Object.entries(dimensions).map(([key, expr]) => [key, { expr }])),
      measures: Object.fromEntries(Object.entries(measures).map(([key, expr]) => [key, { expr }])),
    },
    world.tables,
  );
}

/** The same query without its optional parts. */
async function shrunk(
  asked: RandomQuery,
  difference: string,
  loaded: LoadedEngine,
): Promise<{ smallest: RandomQuery; difference: string }> {
  let smallest = asked;
  for (let again = true; again;) {
    again = false;
    for (const smaller of smallerThan(smallest)) {
      const outcome = await compare(smaller, loaded);
      if (typeof outcome !== 'string') continue;
      [smallest, difference, again] = [smaller, outcome, true];
      break;
    }
  }
  return { smallest, difference };
}

function* smallerThan(asked: RandomQuery): Generator<RandomQuery> {
  const { question } = asked;
  const change = (to: Partial<RandomQuery['question']>): RandomQuery => ({
    ...asked,
    question: { ...question, ...to },
  });
  const { limit: _, offset: __, ...unlimited } = question;
  if (question.limit !== undefined) yield { ...asked, question: unlimited };
  if (question.order?.length) yield { ...asked, question: { ...unlimited, order: [] } };
  if (question.where.kind !== 'everything') yield change({ where: { kind: 'everything' } });
  if (question.where.kind === 'allOf' || question.where.kind === 'anyOf')
    for (const where of question.where.filters) yield change({ where });
  if (question.where.kind === 'not') yield change({ where: question.where.filter });
  for (const dimension of question.dimensions)
    yield {
      ...asked,
      question: { ...unlimited, order: [], dimensions: question.dimensions.filter(one => one !== dimension) },
    };
  for (const measure of question.measures)
    if (question.measures.length > 1)
      yield change({ measures: question.measures.filter(one => one !== measure) });
  if (asked.zone !== 'UTC') yield { ...asked, zone: 'UTC' };
}

function used({ dimensions, question }: RandomQuery): object {
  return Object.fromEntries(question.dimensions.map(({ field }) => [field, dimensions[field]]));
}

/** Whole numbers, decimals, texts, times and counts to the digit; doubles to a billionth. */
function isSame(got: Cell, expected: Value): boolean {
  if (got === null || expected === null) return got === expected;
  if (typeof expected === 'bigint')
    return (
      String(got) === String(expected) ||
      (typeof got === 'number' && BigInt(Math.round(got)) === expected && Number.isInteger(got))
    );
  if (isDecimal(expected))
    return (
      (typeof got === 'string' ? got.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : String(got)) ===
        decimalText(expected) || Number(got) === toDouble(expected)
    );
  if (isMoment(expected)) return got === expected.ms;
  if (typeof expected === 'number')
    return Math.abs(Number(got) - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
  return got === expected;
}

function shown(value: Value): string {
  if (value !== null && isMoment(value)) return `${value.kind} ${new Date(value.ms).toISOString()}`;
  return value !== null && isDecimal(value)
    ? decimalText(value)
    : typeof value === 'bigint'
      ? `${value}`
      : JSON.stringify(value);
}
