import type { Model } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { filterOn, timeOfEdge } from './filter.ts';

const types = {
  name: 'text',
  size: 'integer',
  share: 'number',
  day: 'date',
  at: 'instant',
  done: 'boolean',
  shape: 'other',
} as const;
const model = {
  dimensions: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { name, type }])),
} as unknown as Model;
const clock = {
  now: Date.UTC(2024, 5, 15),
  calendar: { weekStart: 'monday', fiscalYearStart: 'january' },
} as const;
const on = (field: string, condition: Parameters<typeof filterOn>[2]) =>
  filterOn(model, field, condition, clock);

describe('a condition on a field of type', () => {
  test.each([
    [
      'name',
      { oneOf: ['a', 10115, true, null] },
      { kind: 'oneOf', field: 'name', values: ['a', '10115', 'true', null] },
    ],
    [
      'size',
      { oneOf: [1, '9007199254740993'] },
      { kind: 'oneOf', field: 'size', values: [1, '9007199254740993'] },
    ],
    [
      'day',
      { oneOf: ['2024-03-09', null] },
      { kind: 'oneOf', field: 'day', values: [Date.UTC(2024, 2, 9), null] },
    ],
    ['done', { oneOf: [true, 'false'] }, { kind: 'oneOf', field: 'done', values: [true, 'false'] }],
    ['size', { from: '2024', below: '2025' }, { kind: 'range', field: 'size', from: 2024, below: 2025 }],
    [
      'day',
      { from: 2024, below: '2024-06' },
      { kind: 'range', field: 'day', from: Date.UTC(2024, 0), below: Date.UTC(2024, 5) },
    ],
    ['share', {}, { kind: 'everything' }],
    ['name', {}, { kind: 'everything' }],
    [
      'at',
      { this: 'month' },
      { kind: 'range', field: 'at', from: Date.UTC(2024, 5), below: Date.UTC(2024, 6) },
    ],
    ['shape', { oneOf: [1, 'a', true] }, { kind: 'oneOf', field: 'shape', values: [1, 'a', true] }],
  ] as const)('%s %j', (field, condition, filter) => {
    expect(on(field, condition as never)).toEqual(filter);
  });

  test.each([
    ['name', { from: 1 }, '`name` is text, so `1` does not apply.'],
    ['name', { below: '2024-01-01' }, '`name` is text, so `2024-01-01` does not apply.'],
    ['name', { last: '3 days' }, '`name` is text, so `last 3 days` does not apply.'],
    ['size', { this: 'year' }, '`size` is a number, so `this year` does not apply.'],
    ['share', { from: '2024-01-01' }, '`share` is a number, so `2024-01-01` does not apply.'],
    ['size', { noneOf: ['many'] }, '`size` is a number, so `many` does not apply.'],
    ['size', { oneOf: [true] }, '`size` is a number, so `true` does not apply.'],
    ['day', { oneOf: ['soon'] }, '`day` is a time, so `soon` does not apply.'],
    ['day', { from: 1.5 }, '`day` is a time, so `1.5` does not apply.'],
    ['day', { from: 1e300 }, '`day` is a time, so `1e+300` does not apply.'],
    ['at', { below: 8.64e15 + 1 }, '`at` is a time, so `8640000000000001` does not apply.'],
    ['day', { oneOf: [-1e300] }, '`day` is a time, so `-1e+300` does not apply.'],
    ['done', { oneOf: [1] }, '`done` is yes or no, so `1` does not apply.'],
  ] as const)('%s %j is refused with a message', (field, condition, said) => {
    expect(() => on(field, condition as never)).toThrow(said);
  });

  test('of a field that the model lacks is not applied', () => {
    expect(on('elsewhere', { from: 1 })).toBeUndefined();
  });
});

test('a time boundary is a text, a year or milliseconds', () => {
  expect([timeOfEdge('2024-03'), timeOfEdge(2024), timeOfEdge(900), timeOfEdge(Date.UTC(2024, 2))]).toEqual([
    Date.UTC(2024, 2),
    Date.UTC(2024, 0),
    Date.parse('0900-01-01T00:00:00Z'),
    Date.UTC(2024, 2),
  ]);
});
