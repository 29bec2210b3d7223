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

test('firings of another tile are left out, also after the alert has returned to this one', () => {
  // The first check of a changed alert ends what fired before.
  const changes = [
    ...changesIn('a1+').map(change => ({ ...change, watch: 'this' })),
    ...changesIn('a2- a3+')
      .map(change => ({ ...change, watch: 'other' }))
      .toReversed(),
    ...changesIn('a4- a5+')
      .map(change => ({ ...change, watch: 'this' }))
      .toReversed(),
  ].toReversed();
  expect(firingSpans(changes, { watch: 'this' })).toEqual([{ from: 1, to: 2 }, { from: 5 }]);
  expect(firingSpans(changes, { watch: 'other' })).toEqual([{ from: 3, to: 4 }]);
});

test('a firing of an alert that was paused lasts to its last check', () => {
  expect(firingSpans(changesIn('a1+ a3- a5+'), { seenAt: 8 })).toEqual([
    { from: 1, to: 3 },
    { from: 5, to: 8 },
  ]);
});
