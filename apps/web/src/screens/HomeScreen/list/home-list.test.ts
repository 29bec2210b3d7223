import type { DashboardSummary } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { foldersOf, homeList, isSelected } from './home-list.ts';

const dashboard = (id: string, more: Partial<DashboardSummary> = {}): DashboardSummary => ({
  id,
  title: id,
  folder: '',
  origin: 'saved',
  state: 'ready',
  tiles: 6,
  models: [],
  revision: '',
  level: 'view',
  record: { views: 0, isUnused: false, isSharedWithCaller: false },
  ...more,
});
const overview = (id: string, isLookup?: true) =>
  dashboard(id, { origin: 'overview', ...(isLookup && { isLookup }) });
const ids = (dashboards: readonly DashboardSummary[]) => dashboards.map(({ id }) => id).join(' ');
const nothing = { favourites: [], recent: [] };

describe('the list of Home', () => {
  test('shows favorites first, then recent dashboards, then the others, and the first eight as cards', () => {
    const all = [...'abcdefghij'].map(id => dashboard(id));
    const { cards, others } = homeList(all, undefined, { favourites: ['j', 'c'], recent: ['c', 'e', 'b'] });
    expect([ids(cards), ids(others)]).toEqual(['j c e b a d f g', 'h i']);
  });

  test('has saved dashboards as cards and overviews in the table', () => {
    const { cards, others } = homeList([overview('flights'), dashboard('a')], undefined, nothing);
    expect([ids(cards), ids(others)]).toEqual(['a', 'flights']);
  });

  test('folds overviews of code lists, unless they are favorites or all there is', () => {
    const all = [overview('flights'), overview('codes', true), overview('units', true)];
    const favourites = ['units'];
    expect(ids(homeList(all, undefined, { ...nothing, favourites }).folded)).toBe('codes');
    const lists = all.slice(1);
    expect(ids(homeList(lists, undefined, nothing).cards)).toBe('codes units');
  });

  test('has no cards for a search or a selection', () => {
    const all = [dashboard('a'), overview('codes', true)];
    expect(homeList(all, all.slice(1), nothing)).toEqual({ cards: [], others: all.slice(1), folded: [] });
  });
});

test('folders count the dashboards in them and below them', () => {
  const all = ['a/b', 'a', '', 'c'].map((folder, i) => dashboard(String(i), { folder }));
  expect(foldersOf(all)).toEqual([
    ['a', 2],
    ['a/b', 1],
    ['c', 1],
  ]);
});

test('a selected folder keeps the dashboards in it and below it', () => {
  const selection = { folder: 'a', filter: undefined, tag: undefined };
  const viewer = { userId: 'eva', favourites: [] };
  const kept = ['a', 'a/b', 'ab', ''].filter(folder =>
    isSelected(dashboard('x', { folder }), selection, viewer),
  );
  expect(kept).toEqual(['a', 'a/b']);
});
