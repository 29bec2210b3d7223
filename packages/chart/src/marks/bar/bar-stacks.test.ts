import { describe, expect, test } from 'vitest';
import type { ChannelAxis } from '../../chart.ts';
import { valueScale } from '../../guides/value-axis.ts';
import { BarStacks, type BarMode } from './bar-stacks.ts';

const axis: ChannelAxis = {
  kind: 'categories',
  field: 'name',
  values: ['a', 'b'],
  other: false,
  channel: 'x',
};
const colour: ChannelAxis = {
  kind: 'categories',
  field: 'colour',
  values: ['p', 'q'],
  other: false,
  channel: 'color',
};
// Of `a` the values of `p` and `q`, then those of `b`.
const values = Float64Array.of(1, 3, -2, 4);
const scale = valueScale(-5, 5, 0, 100, { label: 'Value', format: 'number' } as never, 'en');

function amountsOf(mode: BarMode, hidden?: ReadonlySet<number>): number[] {
  const stacks = new BarStacks(mode, [axis, colour], axis, colour, hidden);
  return [0, 1].flatMap(position => {
    stacks.readAmounts(values, position, scale);
    return [...stacks.amounts];
  });
}

describe('bars of two colours', () => {
  test.each([
    ['grouped', [0, 1, 0, 3], [0, -2, 0, 4]],
    // Negative values are below the line, positive ones above.
    ['stacked', [0, 1, 1, 4], [0, -2, 0, 4]],
    ['normalized', [0, 0.25, 0.25, 1], [0, -1 / 3, 0, 2 / 3]],
  ] as const)('%s reach from and to', (mode, first, second) => {
    expect(amountsOf(mode)).toEqual([...first, ...second]);
  });

  test('a hidden series has no bar', () => {
    expect(amountsOf('stacked', new Set([0]))).toEqual([0, 3, 0, 4]);
  });

  test('the last bar is the upper one of a stack, the longest of a group, or that of a series', () => {
    const last = (mode: BarMode, position: number, only?: number) =>
      new BarStacks(mode, [axis, colour], axis, colour, undefined).lastBar(values, position, only, scale);
    expect(last('stacked', 0)).toEqual({ lane: 1, to: 4 });
    expect(last('grouped', 1)).toEqual({ lane: 1, to: 4 });
    expect(last('stacked', 1, 0)).toEqual({ lane: 0, to: -2 });
    expect(last('stacked', 0, 2)).toBeUndefined();
  });

  test('more groups than positions and colours are refused', () => {
    expect(() => new BarStacks('single', [axis, colour], axis, undefined, undefined)).toThrow(RangeError);
  });
});
