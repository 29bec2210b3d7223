import { describe, expect, test } from 'vitest';
import { daysIn, rangeOptions } from './range-options.ts';

describe('options of a range', () => {
  test('of times are named by its first and its last step', () => {
    const axis = { kind: 'times', field: 'day', unit: 'month', from: Date.UTC(2024, 0), count: 3 } as const;
    const { from, below, nextOf, previousOf } = rangeOptions(axis, position => `month ${position + 1}`);
    expect(from.map(({ label }) => label)).toEqual(['month 1', 'month 2', 'month 3']);
    expect(below.map(({ label }) => label)).toEqual(['month 1', 'month 2', 'month 3']);
    expect(below.map(({ value }) => Number(value))).toEqual([1, 2, 3].map(month => Date.UTC(2024, month)));
    // A range has at least one step.
    expect(nextOf(Date.UTC(2024, 2))).toBe(Date.UTC(2024, 3));
    expect(previousOf(Date.UTC(2024, 1))).toBe(Date.UTC(2024, 0));
  });

  test('of numbers are named by its edges', () => {
    const axis = { kind: 'bins', field: 'price', origin: -10, step: 5, count: 2 } as const;
    const { from, below } = rangeOptions(axis, position => String(-10 + position * 5));
    expect(from.map(({ label }) => label)).toEqual(['-10', '-5']);
    expect(below.map(({ label }) => label)).toEqual(['-5', '0']);
  });
});

test.each([
  ['2024-01-05T00:00', '2024-01-07T00:00', { start: '2024-01-05', end: '2024-01-06' }],
  // The data of a day that has only begun.
  ['2024-01-05T09:00', '2024-01-06T11:00', { start: '2024-01-05', end: '2024-01-06' }],
  ['2024-01-06T00:00', '2024-01-06T11:00', { start: '2024-01-06', end: '2024-01-06' }],
])('the days from %s to before %s', (from, below, days) => {
  expect(daysIn(Date.parse(`${from}Z`), Date.parse(`${below}Z`))).toEqual(days);
});
