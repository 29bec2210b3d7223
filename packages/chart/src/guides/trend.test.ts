import { describe, expect, test } from 'vitest';
import { linePathOf } from './trend.ts';

describe('a trend line', () => {
  const line = Float64Array.from({ length: 20 }, (_, i) => 3 + 2 * i);

  test.each(['linear', 'loess'] as const)('through values on a line equals that line: %s', trend => {
    linePathOf(line, trend).forEach((value, i) => expect(value).toBeCloseTo(line[i]!, 9));
  });

  test('that is straight passes over gaps', () => {
    const gaps = line.map((value, i) => (i % 3 === 0 ? Number.NaN : value));
    linePathOf(gaps, 'linear').forEach((value, i) => expect(value).toBeCloseTo(line[i]!, 9));
  });

  test('of a moving mean begins once its window is full', () => {
    expect([...linePathOf([1, 2, 3, Number.NaN, 5], { movingAverage: 3 })]).toEqual([
      Number.NaN,
      Number.NaN,
      2,
      2.5,
      4,
    ]);
  });

  test.each(['linear', 'loess'] as const)('(%s) of no value is empty, of one value that value', trend => {
    expect([...linePathOf([Number.NaN, Number.NaN], trend)].every(Number.isNaN)).toBe(true);
    expect(linePathOf([7], trend)[0]).toBe(7);
  });
});
