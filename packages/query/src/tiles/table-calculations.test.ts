import { describe, expect, test } from 'vitest';
import type { Axis } from '../axis.ts';
import { showAs, type ShowAs } from './table-calculations.ts';

const days: Axis = { kind: 'times', field: 'day', unit: 'day', from: 0, count: 3 };
const kinds: Axis = { kind: 'categories', field: 'kind', values: ['a', 'b'], other: true };
const shown = (values: readonly number[], axes: readonly Axis[], as: ShowAs) => {
  const out = Float64Array.from(values);
  showAs(out, axes, as);
  return [...out];
};
const nothing = Number.NaN;

describe('calculations along time keep the slots of nulls and of values outside', () => {
  test('a running total skips nulls', () => {
    expect(shown([1, nothing, 2, 10, 20], [days], 'running total')).toEqual([1, 1, 3, 10, 20]);
  });
  test('a percent change is relative to the size of the previous value, and null after 0', () => {
    expect(shown([4, 5, 0, 10, 20], [days], 'percent change')).toEqual([nothing, 0.25, -1, 10, 20]);
    expect(shown([0, 5, nothing, 10, 20], [days], 'percent change')).toEqual([
      nothing,
      nothing,
      nothing,
      10,
      20,
    ]);
    // A loss that shrinks is an improvement.
    expect(shown([-4, -2, 1, 10, 20], [days], 'percent change')).toEqual([nothing, 0.5, 1.5, 10, 20]);
  });
  test('a difference begins with null', () => {
    expect(shown([1, 4, 2, 10, 20], [days], 'difference')).toEqual([nothing, 3, -2, 10, 20]);
  });
});

test('each series is computed separately, whichever axis comes first', () => {
  // Days by kinds: for each day a, b, Other.
  expect(
    shown([1, 10, 100, 2, 20, 200, 3, 30, 300, 0, 0, 0, 0, 0, 0], [days, kinds], 'running total'),
  ).toEqual([1, 10, 100, 3, 30, 300, 6, 60, 600, 0, 0, 0, 0, 0, 0]);
  // Kinds by days: for each kind three days, nothing, outside.
  expect(shown([1, 2, 3, 0, 0, 10, 20, 30, 0, 0, 5, 5, 5, 0, 0], [kinds, days], 'running total')).toEqual([
    1, 3, 6, 0, 0, 10, 30, 60, 0, 0, 5, 10, 15, 0, 0,
  ]);
});

test('shares are of the total, with Other and values off the axis, and add up to one', () => {
  const shares = shown([1, 2, 3, 1, 1], [days], 'share of total');
  expect(shares).toEqual([0.125, 0.25, 0.375, 0.125, 0.125]);
  expect(shown([0, 0, 0], [kinds], 'share of total')).toEqual([nothing, nothing, nothing]);
  expect(shown([nothing, 1, 3], [kinds], 'share of total')).toEqual([nothing, 0.25, 0.75]);
});
