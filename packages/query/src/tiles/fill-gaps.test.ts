import { expect, test } from 'vitest';
import type { Axis } from '../axis.ts';
import { fillGaps, type Gaps } from './fill-gaps.ts';

const _ = Number.NaN;
const days: Axis = { kind: 'times', field: 'day', unit: 'day', from: 0, count: 5 };
const kinds: Axis = { kind: 'categories', field: 'kind', values: ['a'], other: true };
const filled = (values: readonly number[], axes: readonly Axis[], along: number, gaps: Gaps) => {
  const out = Float64Array.from(values);
  fillGaps(out, axes, along, gaps);
  return [...out];
};

// Five days, then the slots for no day and for other days.
test.each<[Gaps, number[]]>([
  ['zero', [0, 4, 0, 0, 1, _, 9]],
  ['carry', [_, 4, 4, 4, 1, _, 9]],
  ['interpolate', [_, 4, 3, 2, 1, _, 9]],
])('%s', (gaps, expected) => expect(filled([_, 4, _, _, 1, _, 9], [days], 0, gaps)).toEqual(expected));

test('each series is filled separately, whichever axis comes first, to the end of the axis', () => {
  expect(filled([1, _, _, 8, 3, _, _, _, _, _, _, _, _, _], [days, kinds], 0, 'carry')).toEqual([
    1,
    _,
    1,
    8,
    3,
    8,
    3,
    8,
    3,
    8,
    _,
    _,
    _,
    _,
  ]);
  expect(filled([1, _, _, 4, _, _, _, _, 8, _, _, 2, _, _], [kinds, days], 1, 'interpolate')).toEqual([
    1,
    2,
    3,
    4,
    _,
    _,
    _,
    _,
    8,
    6,
    4,
    2,
    _,
    _,
  ]);
});

test('a series without values can be filled with zeros, but not by carrying values', () => {
  expect(filled([_, _, _, _, _, _, _], [days], 0, 'carry')).toEqual([_, _, _, _, _, _, _]);
  expect(filled([_, _, _, _, _, _, _], [days], 0, 'zero')).toEqual([0, 0, 0, 0, 0, _, _]);
});
