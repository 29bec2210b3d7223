import { describe, expect, test } from 'vitest';
import type { Axis } from './axis.ts';
import { dependsOnUsualDays, partialEnds, usualDaysOf, wholePositions } from './partial-periods.ts';

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

describe('weeks whose data lies on some of their days', () => {
  /** Midnights of 9 weeks from a Monday, on the chosen days from Monday on, up to and including `last`. */
  const midnights = (days: readonly number[], last: number) =>
    Array.from({ length: 63 }, (_, i) => i)
      .filter(i => days.includes(i % 7) && i <= last)
      .map(i => at('2024-01-01') + i * dayMs);

  test.each([
    ['Monday to Friday, up to a Friday', [0, 1, 2, 3, 4], 60, undefined],
    ['Monday to Friday, up to a Thursday', [0, 1, 2, 3, 4], 59, { last: true }],
    ['every day, up to a Friday', [0, 1, 2, 3, 4, 5, 6], 60, { last: true }],
    ['every day, up to a Saturday', [0, 1, 2, 3, 4, 5, 6], 61, { last: true }],
    ['Wednesdays', [2], 58, undefined],
    ['Tuesday and Saturday, up to a Tuesday', [1, 5], 57, { last: true }],
  ] as const)('%s', (_, days, last, expected) => {
    const all = midnights(days, last);
    const extent = [all[0]!, all.at(-1)!] as const;
    const weeks = axis('week', '2024-01-01', 9);
    const usual = usualDaysOf(
      all.filter(day => day < at('2024-02-26')),
      'week',
    );
    expect(dependsOnUsualDays(weeks, extent, dayMs)).toBe(true);
    expect(partialEnds(weeks, extent, dayMs, {}, usual)).toEqual(expected);
  });

  test('moments of Monday to Friday, in weeks that begin on Sunday', () => {
    const weeks = { ...axis('week', '2023-12-31', 9), unit: 'week:sunday' } as const;
    const usual = usualDaysOf(midnights([0, 1, 2, 3, 4], 55), 'week:sunday');
    expect(usual).toEqual({ from: 1, below: 6 });
    const first = at('2024-01-01T09:00Z');
    expect(partialEnds(weeks, [first, at('2024-03-01T16:00Z')], 0, {}, usual)).toBeUndefined();
    expect(partialEnds(weeks, [first, at('2024-02-29T16:00Z')], 0, {}, usual)).toEqual({ last: true });
  });

  test('a pattern needs four weeks, and days that most of them have', () => {
    expect(usualDaysOf(midnights([0, 4], 20), 'week')).toBeUndefined();
    expect(usualDaysOf(midnights([0, 4], 27), 'week')).toEqual({ from: 0, below: 5 });
    // One Saturday in eight weeks is no usual day; a holiday is no day without data.
    const odd = midnights([0, 1, 2, 3, 4], 55).filter(day => day !== at('2024-01-05'));
    expect(usualDaysOf([...odd, at('2024-01-13')], 'week')).toEqual({ from: 0, below: 5 });
  });
});

/*
 * Random weeks against the plain rule: with the days that data usually has, the last week is whole once its last
 * usual day has data, and the first one if its first usual day has.
 */
const seed = Number(process.env['BELVEDERE_SEED'] ?? 43);
let state = seed;
const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
const below = (n: number) => Math.floor(random() * n);

test(`the usual days of 500 random patterns tell whole weeks from cut ones (seed ${seed})`, () => {
  const begin = at('2024-01-01');
  const weeks = 8 + below(30);
  let cut = 0;
  for (let i = 0; i < 500; i++) {
    const usual = [0, 1, 2, 3, 4, 5, 6].filter(() => random() < 0.6);
    const [first, last] = [usual[0], usual.at(-1)];
    if (first === undefined || last === undefined) continue;
    const from = below(7);
    const until = (weeks - 1) * 7 + below(7);
    const days = Array.from({ length: weeks * 7 }, (_, day) => day).filter(
      // Now and then a holiday, but not at the ends.
      day =>
        usual.includes(day % 7) &&
        day >= from &&
        day <= until &&
        (day < 7 || day >= (weeks - 1) * 7 || random() < 0.9),
    );
    const [firstDay, lastDay] = [days[0]!, days.at(-1)!];
    // Other first and last weeks are other axes.
    if (firstDay >= 7 || lastDay < (weeks - 1) * 7) continue;
    const isFirst = firstDay % 7 > first;
    const isLast = lastDay % 7 < last;
    const times = days.map(day => begin + day * dayMs);
    const expected =
      isFirst || isLast ? { ...(isFirst && { first: true }), ...(isLast && { last: true }) } : undefined;
    const whole = times.filter(time => time >= begin + 7 * dayMs && time < begin + (weeks - 1) * 7 * dayMs);
    const found = partialEnds(
      axis('week', '2024-01-01', weeks),
      [times[0]!, times.at(-1)!],
      dayMs,
      {},
      usualDaysOf(whole, 'week'),
    );
    expect([usual, firstDay, lastDay, found]).toEqual([usual, firstDay, lastDay, expected]);
    if (expected) cut++;
  }
  expect(cut).toBeGreaterThan(50);
});
