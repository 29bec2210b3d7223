import { expect, test } from 'vitest';
import { firingSpans } from './firing-spans.ts';

type Change = Parameters<typeof firingSpans>[0][number];

/** Changes from a text such as `a1+ a3-`: group, time, and whether it begins or ends to fire. */
const changesIn = (text: string): Change[] =>
  text
    .split(' ')
    .filter(part => part !== '')
    .map((part): Change => {
      const [, group = '', at, sign] = /^([a-z])(\d+)([+-])$/.exec(part)!;
      const [from, to] = sign === '+' ? (['ok', 'firing'] as const) : (['firing', 'ok'] as const);
      return { group, at: Number(at), from, to };
    })
    .toReversed();

test.each([
  ['', []],
  ['a1+ a3-', [[1, 3]]],
  ['a1+ a3- a5+', [[1, 3], [5]]],
  ['a1+ b2+ a3- b4-', [[1, 4]]],
  [
    'a1+ b2+ b3- a4- b6+ b7-',
    [
      [1, 4],
      [6, 7],
    ],
  ],
  // The begin was too long ago to be recorded.
  ['a3- a5+ a6-', [[5, 6]]],
])('the firings of %j', (text, expected) => {
  expect(
    firingSpans(changesIn(text)).map(({ from, to }) => (to === undefined ? [from] : [from, to])),
  ).toEqual(expected);
});
