import { searchFromState, type DashboardState, type Search } from '@belvedere/api';
import type { DashboardFilter, Tile } from '@belvedere/document';
import type { FieldFilter } from '@belvedere/query';

/** Belongs to a tile's place in its dashboard, which it leaves. */
const ofItsPlace = new Set(['at', 'opens', 'selects', 'listens', 'showIf', 'model']);

/**
 * The address that explores a tile of a dashboard: the tile, and as filters everything that it is filtered by,
 * by the dashboard, the viewer, and selections on other tiles. A selection of several areas is left out, as no
 * filter says the same.
 */
export function exploreSearch(
  id: string,
  tile: Tile,
  filters: readonly DashboardFilter[],
  state: DashboardState,
): Search {
  const selected = Object.entries(state.selections)
    .filter(([other, boxes]) => other !== id && boxes.length === 1)
    .map(([, boxes]) => boxes[0]!);
  const conditions: Record<string, FieldFilter | null> = {
    ...Object.fromEntries(filters.flatMap(one => (one.default ? [[one.field, one.default]] : []))),
    ...state.filters,
    ...Object.assign({}, ...selected),
  };
  return {
    chart: JSON.stringify(
      Object.fromEntries(
        Object.entries(tile).filter(([key, value]) => !ofItsPlace.has(key) && value !== undefined),
      ),
    ),
    ...searchFromState({
      page: 0,
      filters: Object.fromEntries(
        Object.entries(conditions).filter((entry): entry is [string, FieldFilter] => entry[1] !== null),
      ),
      selections: {},
    }),
  };
}
