import type { DashboardSummary } from '@belvedere/api';
import { expect, test } from 'vitest';
import { filtersFor, hasTag, keeps, tagsOf } from './home-filters.ts';

const record = { views: 0, isUnused: false, isSharedWithCaller: false };
const dashboard = (id: string, more: Partial<DashboardSummary> = {}): DashboardSummary => ({
  id,
  title: id,
  folder: '',
  origin: 'saved',
  state: 'ready',
  tiles: 1,
  models: [],
  revision: '',
  level: 'view',
  record,
  ...more,
});
const viewer = { userId: 'eva', favourites: ['a'] };
const verified = { at: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' };
const all = [
  dashboard('a', { tags: ['Finance', 'Monthly'] }),
  dashboard('b', { record: { ...record, isSharedWithCaller: true, verified }, tags: ['finance'] }),
  dashboard('c', { record: { ...record, owner: { id: 'eva', name: 'Eva' }, isUnused: true } }),
  dashboard('d', { record: { ...record, owner: { id: 'ana', name: 'Ana' } } }),
];

test.each([
  ['favourites', ['a']],
  ['shared', ['b']],
  ['verified', ['b']],
  ['mine', ['c']],
  ['unused', ['c']],
] as const)('%s keeps %s', (filter, ids) => {
  expect(all.filter(one => keeps(filter, one, viewer)).map(({ id }) => id)).toEqual(ids);
});

test('filters that would keep all or nothing are not offered', () => {
  expect(filtersFor(all, viewer).map(([filter]) => filter)).toEqual([
    'favourites',
    'shared',
    'mine',
    'verified',
    'unused',
  ]);
  expect(filtersFor([all[0]!], viewer)).toEqual([]);
  // A workspace without accounts has no records.
  const { record: _, ...local } = dashboard('local');
  expect(filtersFor([local, all[0]!], { userId: '', favourites: ['a'] })).toEqual([['favourites', 1]]);
});

test('tags are counted whatever their case, the most frequent first', () => {
  expect(tagsOf(all)).toEqual([
    ['Finance', 2],
    ['Monthly', 1],
  ]);
  expect(all.filter(one => hasTag(one, 'FINANCE')).map(({ id }) => id)).toEqual(['a', 'b']);
});
