import { expect, test } from 'vitest';
import type { Axis } from './axis.ts';
import { partialEnds, wholePositions } from './partial-periods.ts';

const dayMs = 86_400_000;
const at = (text: string) => Date.parse(text);
const axis = (unit: 'month' | 'week' | 'day', from: string, count: number) =>
  ({ kind: 'times', field: 't', unit, from: at(from), count }) as const;
const months = axis('month', '2024-01-01', 5);

test.each([
  ['both ends covered', months, '2024-01-01', '2024-05-31', undefined],
  ['data that ends on the sixth of the last month', months, '2024-01-01', '2024-05-06', { last: true }],
  ['data that begins in the middle of the first month', months, '2024-01-15', '2024-05-31', { first: true }],
  ['both ends cut', months, '2024-01-15', '2024-05-06', { first: true, last: true }],
  ['a month whose last two days are a weekend', months, '2024-01-01', '2024-05-29', undefined],
  ['a week without its Sunday', axis('week', '2024-01-01', 4), '2024-01-01', '2024-01-27', undefined],
  ['a week that ends on a Friday', axis('week', '2024-01-01', 4), '2024-01-01', '2024-01-26', { last: true }],
  ['a week of three days', axis('week', '2024-01-01', 4), '2024-01-01', '2024-01-24', { last: true }],
  [
    'two months, each half the picture',
    axis('month', '2024-01-01', 2),
    '2024-01-15',
    '2024-02-06',
    undefined,
  ],
] as const)('dates > %s', (_, times, first, last, expected) => {
  expect(partialEnds(times, [at(first), at(last)], dayMs)).toEqual(expected);
});

test.each([
  ['a shop that closes in the evening', '2024-01-03T18:00Z', undefined],
  ['data that ends in the morning', '2024-01-03T09:00Z', { last: true }],
] as const)('moments > %s', (_, last, expected) => {
  expect(partialEnds(axis('day', '2024-01-01', 3), [at('2024-01-01T07:00Z'), at(last)], 0)).toEqual(expected);
});

test('a filter that cuts a week by a day makes it partial, data without a Sunday does not', () => {
  const weeks = axis('week', '2024-01-01', 4);
  const saturday = [at('2024-01-01'), at('2024-01-27')] as const;
  expect(partialEnds(weeks, saturday, dayMs)).toBeUndefined();
  expect(partialEnds(weeks, saturday, dayMs, { below: at('2024-01-28') })).toEqual({ last: true });
  expect(partialEnds(weeks, saturday, dayMs, { from: at('2024-01-02') })).toEqual({ first: true });
  expect(
    partialEnds(weeks, saturday, dayMs, { from: at('2024-01-01'), below: at('2024-01-29') }),
  ).toBeUndefined();
});

test('positions without partial ends are all whole; other axes have none', () => {
  const bins: Axis = { kind: 'bins', field: 'x', origin: 0, step: 1, count: 5 };
  expect(wholePositions(months, 5)).toEqual([0, 5]);
  expect(wholePositions(bins, 5)).toEqual([0, 5]);
  expect(wholePositions({ ...months, partial: { last: true } }, 5)).toEqual([0, 4]);
  expect(wholePositions({ ...months, partial: { first: true, last: true } }, 5)).toEqual([1, 4]);
});
