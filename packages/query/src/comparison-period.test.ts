import type { Model } from '@belvedere/model';
import { expect, test } from 'vitest';
import { comparedPeriod, comparisonFilter } from './comparison-period.ts';
import { allOf, anyOf, type Filter } from './filter.ts';

const model = { name: 'sales', time: 'at' } as Model;
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const during = (from: string, below: string): Filter => ({
  kind: 'range',
  field: 'at',
  from: day(from),
  below: day(below),
});
const since = (from: string): Filter => ({ kind: 'range', field: 'at', from: day(from) });
const shop: Filter = { kind: 'oneOf', field: 'shop', values: ['north'] };

/** The days that a filter lets through, as stretches of them. */
function daysOf(filter: Filter): string[] {
  const passes = (inner: Filter, at: number): boolean => {
    switch (inner.kind) {
      case 'range':
        return (inner.from ?? -Infinity) <= at && at < (inner.below ?? Infinity);
      case 'allOf':
        return inner.filters.every(one => passes(one, at));
      case 'anyOf':
        return inner.filters.some(one => passes(one, at));
      default:
        return true;
    }
  };
  const days = Array.from({ length: 1000 }, (_, i) => day('2000-01-01') + i * 86_400_000);
  const name = (at: number) => new Date(at).toISOString().slice(0, 10);
  return days.flatMap((at, i) =>
    passes(filter, at) && !passes(filter, days[i - 1] ?? 0)
      ? [`${name(at)}…${name(days.slice(i).find(later => !passes(filter, later)) ?? Number.NaN)}`]
      : [],
  );
}

const spring = during('2001-04-01', '2001-07-01');
const brushed = during('2001-04-25', '2001-05-24');

test.each([
  ['months with the months before', spring, 'previous period', ['2001-01-01…2001-04-01']],
  ['days with as many days before', brushed, 'previous period', ['2001-03-27…2001-04-25']],
  [
    'a brush within the page’s filter, moved by its own length',
    allOf([spring, brushed, shop]),
    'previous period',
    ['2001-03-27…2001-04-25'],
  ],
  [
    'the same within a filter without an end',
    allOf([since('2001-04-01'), brushed]),
    'previous period',
    ['2001-03-27…2001-04-25'],
  ],
  [
    'the part of a brush inside the filter',
    allOf([spring, during('2001-06-21', '2001-08-01')]),
    'previous period',
    ['2001-06-11…2001-06-21'],
  ],
  [
    'two brushes, moved together',
    allOf([spring, anyOf([during('2001-05-01', '2001-05-04'), during('2001-05-06', '2001-05-08')])]),
    'previous period',
    ['2001-04-24…2001-04-27', '2001-04-29…2001-05-01'],
  ],
  [
    'two months with the months at the same distance',
    anyOf([during('2001-04-01', '2001-05-01'), during('2001-06-01', '2001-07-01')]),
    'previous period',
    ['2001-01-01…2001-02-01', '2001-03-01…2001-04-01'],
  ],
  [
    'a year and a half with that of two years before, which does not overlap it',
    during('2002-01-01', '2003-07-01'),
    'previous year',
    ['2000-01-01…2001-07-01'],
  ],
  [
    'a year with the year before',
    during('2001-01-01', '2002-01-01'),
    'previous year',
    ['2000-01-01…2001-01-01'],
  ],
  ['the same days a year before', allOf([spring, brushed]), 'previous year', ['2000-04-25…2000-05-24']],
] as const)('%s', (_, filter, by, expected) => {
  const earlier = comparisonFilter(filter, model, by)!;
  expect(daysOf(earlier.filter)).toEqual(expected);
  // What it is said to be compared with is what it is compared with.
  const name = (at: number) => new Date(at).toISOString().slice(0, 10);
  expect([name(earlier.range.from), name(earlier.range.below)]).toEqual([
    expected[0]!.split('…')[0],
    expected.at(-1)!.split('…')[1],
  ]);
});

test.each([
  ['an open-ended time range', since('2001-04-01')],
  ['no filter on time', shop],
  ['only one of two brushes has a time', anyOf([brushed, shop])],
  ['a brush beside the filter', allOf([spring, during('2001-08-01', '2001-09-01')])],
])('nothing to compare with: %s', (_, filter) => {
  expect(comparisonFilter(filter, model, 'previous period')).toBeUndefined();
});

test.each([
  [
    'a month that has just begun',
    'previous period',
    '2001-07-01',
    '2001-08-01',
    '2001-07-13',
    '2001-06-01…2001-06-13',
  ],
  ['a year to date', 'previous period', '2001-01-01', '2002-01-01', '2001-07-13', '2000-01-01…2000-07-13'],
  ['a year to date', 'previous year', '2001-01-01', '2002-01-01', '2001-07-13', '2000-01-01…2000-07-13'],
  [
    'a quarter that ends at a weekend',
    'previous period',
    '2001-04-01',
    '2001-07-01',
    '2001-06-30',
    '2001-01-01…2001-04-01',
  ],
  [
    'a period after the data',
    'previous period',
    '2001-04-01',
    '2001-05-01',
    '2001-03-01',
    '2001-03-01…2001-04-01',
  ],
] as const)('%s is compared with its counterpart (%s)', (_, by, from, below, end, expected) => {
  const earlier = comparisonFilter(during(from, below), model, by, day(end))!;
  expect(daysOf(earlier.filter)).toEqual([expected]);
});

test.each([
  ['half of it before the data', '2001-02-15', '2001-02-15'],
  ['two days before the data', '2001-01-03', undefined],
  ['all of it in the data', '2000-06-01', undefined],
  // Then there is no figure to compare with, which is said instead.
  ['all of it before the data', '2001-04-01', undefined],
])('a comparison period with %s tells where the data begins: %s → %s', (_, start, told) => {
  const period = { from: day('2001-01-01'), below: day('2001-04-01') };
  expect(comparedPeriod(period, day(start)).dataFrom).toBe(told && day(told));
});
