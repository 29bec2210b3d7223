import { expect, test } from 'vitest';
import { changesFor, linkFilters } from './link-filters.ts';

const filters = [
  { field: 'country', default: { oneOf: ['DE'] } },
  { field: 'city' },
  { field: 'kind', default: { oneOf: ['web'] }, locked: true },
];

test('a filter can stay within what it is set to, if it is set to anything', () => {
  expect(filters.map(filter => changesFor(filter, filter.default ?? null))).toEqual([
    ['no', 'within', 'any'],
    ['no', 'any'],
    ['no'],
  ]);
});

test('filters that are not chosen keep the value of the page, or else of the dashboard', () => {
  const state = { filters: { city: { oneOf: ['Bonn'] }, kind: { oneOf: ['shop'] } } };
  expect(linkFilters(filters, {}, state)).toEqual({
    country: { change: 'no', value: { oneOf: ['DE'] } },
    city: { change: 'no', value: { oneOf: ['Bonn'] } },
    kind: { change: 'no', value: { oneOf: ['web'] } },
  });
  expect(linkFilters(filters, {}, { filters: { country: null } })['country']).toEqual({
    change: 'no',
    value: null,
  });
});

test('a choice that a filter does not have leaves it fixed', () => {
  const chosen = { country: 'within', city: 'within', kind: 'any' } as const;
  expect(linkFilters(filters, chosen, { filters: {} })).toEqual({
    country: { change: 'within', value: { oneOf: ['DE'] } },
    city: { change: 'no', value: null },
    kind: { change: 'no', value: { oneOf: ['web'] } },
  });
});
