import { stateFromSearch, type DashboardState } from '@belvedere/api';
import type { Dashboard, Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { exploreSearch } from './explore-search.ts';

const tile: Tile = {
  kind: 'bar',
  title: 'By city',
  x: { measure: 'rows' },
  y: { field: 'city' },
  at: [0, 0, 8, 8],
};
const other: Tile = { kind: 'bar', x: { measure: 'rows' }, y: { field: 'kind' } };
const tiles = { own: tile, days: other, map: other, areas: other };
const dashboard = (own: Tile = tile, filters: Dashboard['filters'] = []): Dashboard => ({
  version: 1,
  title: 'Trips',
  filters,
  pages: [{ title: 'One', tiles: { ...tiles, own } }],
});
const state: DashboardState = {
  page: 0,
  filters: { kind: { oneOf: ['bus'] }, late: null },
  selections: {
    own: [{ city: { oneOf: ['Bern'] } }],
    days: [{ day: { from: '2024-01-01', below: '2024-02-01' } }],
    map: [{ country: { oneOf: ['Peru'] } }, { country: { oneOf: ['Chile'] } }],
    areas: [{ price: { from: 0, below: 5 } }, { price: { from: 10, below: 15 } }],
    hidden: [{ hour: { oneOf: [3] } }],
  },
};

/** The chart and the filters that Explore is asked for. */
function explored(of: Dashboard, seen = state) {
  const { chart, ...rest } = exploreSearch('own', of.pages[0]!.tiles['own']!, of, seen);
  const { isWhole, state } = stateFromSearch(rest);
  return {
    chart: JSON.parse(chart!) as object,
    filters: state.filters,
    isWhole,
    selections: state.selections,
  };
}

test('a tile is explored with the filters and the selections that it has on its dashboard', () => {
  const filters = [
    { field: 'late', default: { oneOf: ['yes'] } },
    { field: 'year', default: { oneOf: [2024] } },
  ];
  expect(explored(dashboard(tile, filters))).toEqual({
    chart: { kind: 'bar', title: 'By city', x: { measure: 'rows' }, y: { field: 'city' } },
    isWhole: true,
    filters: {
      kind: { oneOf: ['bus'] },
      year: { oneOf: [2024] },
      day: { from: '2024-01-01', below: '2024-02-01' },
      country: { oneOf: ['Peru', 'Chile'] },
    },
    selections: {},
  });
});

test('a tile that listens to no selection, or to one tile, is explored with no other', () => {
  expect(explored(dashboard({ ...tile, listens: false })).filters).toEqual({ kind: { oneOf: ['bus'] } });
  expect(explored(dashboard({ ...tile, listens: ['days'] })).filters).toEqual({
    kind: { oneOf: ['bus'] },
    day: { from: '2024-01-01', below: '2024-02-01' },
  });
});

test('a filter and a selection on one field both apply', () => {
  const late = { from: '2024-01-15', below: '2024-03-01' };
  const filters = [{ field: 'day', default: late }];
  const own = { field: 'city', default: { oneOf: ['Bonn'] } };
  const found = explored(dashboard({ ...tile, filters: [own] }, filters));
  expect(found.filters['day']).toEqual({ from: '2024-01-01', below: '2024-02-01' });
  expect(found.chart).toMatchObject({ filters: [own, { field: 'day', default: late }] });
});

test('a locked filter stays, whatever an address says', () => {
  const filters = [{ field: 'kind', default: { oneOf: ['train'] }, locked: true }];
  expect(explored(dashboard(tile, filters)).filters['kind']).toEqual({ oneOf: ['train'] });
});

test('a filter of the model that the dashboard leaves out is left out, too', () => {
  const of = dashboard(tile, [{ field: 'status' }]);
  const search = exploreSearch('own', tile, of, { ...state, selections: {} }, ['status', 'late', 'region']);
  expect(stateFromSearch(search).state.filters).toEqual({
    kind: { oneOf: ['bus'] },
    status: null,
    late: null,
  });
});
