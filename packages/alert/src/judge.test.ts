import { describe, expect, test } from 'vitest';
import { judge, medianOf, spreadOf } from './judge.ts';
import type { Condition } from './condition.ts';

const kindOf = (when: Condition, value: number | null, more: object = {}, isActive = false) =>
  judge(when, { value, ...more }, isActive).kind;

describe('judge', () => {
  test('a limit itself is not past it', () => {
    expect([10, 10.5].map(value => kindOf({ above: 10 }, value))).toEqual(['ok', 'breach']);
    expect([10, 9.5].map(value => kindOf({ below: 10 }, value))).toEqual(['ok', 'breach']);
    expect([0, 1, 5, 9, 10].map(value => kindOf({ outside: [1, 9] }, value))).toEqual([
      'breach',
      'ok',
      'ok',
      'ok',
      'breach',
    ]);
  });

  test('a condition with `clear` ends only past that limit', () => {
    const when = { above: 10, clear: 8 };
    expect([9, 8, 7.9].map(value => kindOf(when, value, {}, true))).toEqual(['breach', 'breach', 'ok']);
    expect(kindOf(when, 9)).toBe('ok');
    expect([11, 12, 12.1].map(value => kindOf({ below: 10, clear: 12 }, value, {}, true))).toEqual([
      'breach',
      'breach',
      'ok',
    ]);
  });

  test('a change counts from its limit on, as a number or as a share', () => {
    const up20 = { change: { by: '20%', direction: 'up' } } as const;
    expect(kindOf(up20, 120, { earlier: 100 })).toBe('breach');
    expect(kindOf(up20, 119, { earlier: 100 })).toBe('ok');
    expect(kindOf(up20, 10, { earlier: 100 })).toBe('ok');
    expect(kindOf({ change: { by: 5 } }, 95, { earlier: 100 })).toBe('breach');
    // Shares are of the earlier value's size, so a fall below zero is a fall.
    expect(kindOf({ change: { by: '20%', direction: 'down' } }, -13, { earlier: -10 })).toBe('breach');
  });

  test('a change from zero is infinite as a share, and none if nothing changed', () => {
    const when = { change: { by: '20%', direction: 'up' } } as const;
    expect(kindOf(when, 1, { earlier: 0 })).toBe('breach');
    expect(kindOf(when, -1, { earlier: 0 })).toBe('ok');
    expect(kindOf(when, 0, { earlier: 0 })).toBe('ok');
  });

  test('without an earlier value nothing has changed', () => {
    expect(judge({ change: { by: 5 } }, { value: 9, earlier: null }, false)).toMatchObject({
      kind: 'ok',
      reason: { kind: 'noEarlier' },
    });
  });

  test('an unusual value is explained by the median and the typical deviation', () => {
    //                        median 10, distances 2 1 0 1 2 → median 1
    const comparable = [8, 9, 10, 11, 12];
    expect(judge({ unusual: { deviations: 3 } }, { value: 13.5, comparable }, false)).toEqual({
      kind: 'breach',
      value: 13.5,
      reason: { kind: 'unusual', median: 10, deviation: 1, spread: 'mad', compared: 5, low: 7, high: 13 },
    });
    expect(kindOf({ unusual: { deviations: 3 } }, 13, { comparable })).toBe('ok');
    expect(kindOf({ unusual: { deviations: 3, direction: 'down' } }, 99, { comparable })).toBe('ok');
  });

  test('if half of the values are equal, the mean deviation takes the median’s place', () => {
    expect(spreadOf([5, 5, 5, 5, 10], 5)).toEqual({ kind: 'mean', deviation: 1 });
    expect(spreadOf([5, 5, 5], 5)).toEqual({ kind: 'none', deviation: 0 });
    expect(kindOf({ unusual: {} }, 5, { comparable: [5, 5, 5, 5, 5] })).toBe('ok');
    expect(kindOf({ unusual: {} }, 5.1, { comparable: [5, 5, 5, 5, 5] })).toBe('breach');
  });

  test('with few earlier values none is unusual', () => {
    expect(judge({ unusual: {} }, { value: 99, comparable: [1, 2, 3, 4] }, false)).toMatchObject({
      kind: 'ok',
      reason: { kind: 'tooFew', compared: 4, min: 5 },
    });
  });

  test('`missing` judges the age of the newest data', () => {
    const when = { missing: '2 hours' };
    expect([7_200_000, 7_200_001, null].map(age => kindOf(when, age))).toEqual(['ok', 'breach', 'breach']);
  });

  test('a missing value is no verdict on the condition', () => {
    expect([null, Number.NaN].map(value => kindOf({ below: 1 }, value))).toEqual(['noData', 'noData']);
  });
});

test('the median of an even number of values is between the middle two', () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([10, 1, 2, 3])).toBe(2.5);
  expect(() => medianOf([])).toThrow(RangeError);
});
