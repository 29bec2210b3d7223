import { describe, expect, test } from 'vitest';
import { linePathOf } from './trend.ts';

describe('the course of values', () => {
  const line = Float64Array.from({ length: 20 }, (_, i) => 3 + 2 * i);

  test.each(['linear', 'loess'] as const)('that lie on a line is that line: %s', trend => {
    linePathOf(line, trend).forEach((value, i) => expect(value).toBeCloseTo(line[i]!, 9));
  });

  test('a straight one passes over gaps', () => {
    const gaps = line.map((value, i) => (i % 3 === 0 ? Number.NaN : value));
    linePathOf(gaps, 'linear').forEach((value, i) => expect(value).toBeCloseTo(line[i]!, 9));
  });

  test('a moving mean begins once it has as many places as it wants', () => {
    expect([...linePathOf([1, 2, 3, Number.NaN, 5], { movingAverage: 3 })]).toEqual([
      Number.NaN,
      Number.NaN,
      2,
      2.5,
      4,
    ]);
  });

  test.each(['linear', 'loess'] as const)('%s of nothing is nothing, of one value that value', trend => {
    expect([...linePathOf([Number.NaN, Number.NaN], trend)].every(Number.isNaN)).toBe(true);
    expect(linePathOf([7], trend)[0]).toBe(7);
  });
});
