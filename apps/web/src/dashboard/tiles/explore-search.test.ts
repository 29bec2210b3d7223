import { stateFromSearch, type DashboardState } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { exploreSearch } from './explore-search.ts';

const tile: Tile = {
  kind: 'bar',
  title: 'By city',
  x: { measure: 'rows' },
  y: { field: 'city' },
  at: [0, 0, 8, 8],
  listens: false,
};
const state: DashboardState = {
  page: 2,
  filters: { kind: { oneOf: ['bus'] }, late: null },
  selections: {
    own: [{ city: { oneOf: ['Bern'] } }],
    days: [{ day: { from: '2024-01-01', below: '2024-02-01' } }],
    map: [{ country: { oneOf: ['Peru'] } }, { country: { oneOf: ['Chile'] } }],
  },
};

test('a tile is explored with the filters and the single selections that it has on its dashboard', () => {
  const filters = [
    { field: 'late', default: { oneOf: ['yes'] } },
    { field: 'year', default: { oneOf: [2024] } },
  ];
  const { chart, ...rest } = exploreSearch('own', tile, filters, state);
  expect(JSON.parse(chart!)).toEqual({
    kind: 'bar',
    title: 'By city',
    x: { measure: 'rows' },
    y: { field: 'city' },
  });
  expect(stateFromSearch(rest)).toMatchObject({
    isWhole: true,
    state: {
      filters: {
        kind: { oneOf: ['bus'] },
        year: { oneOf: [2024] },
        day: { from: '2024-01-01', below: '2024-02-01' },
      },
      selections: {},
    },
  });
});
