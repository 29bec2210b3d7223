import { searchFromState, type DashboardState, type Search } from '@belvedere/api';
import { listeningIn, selectionsFor } from '@belvedere/crossfilter';
import type { Dashboard, Tile } from '@belvedere/document';
import type { Box, FieldFilter } from '@belvedere/query';

/** Belongs to a tile's place in its dashboard, which it leaves. */
const ofItsPlace = new Set(['at', 'opens', 'selects', 'listens', 'showIf', 'model', 'filters']);

type FieldCondition = readonly [field: string, condition: FieldFilter];

/**
 * The address that explores a tile of a dashboard: the tile, and as filters everything that it is filtered by,
 * by the dashboard, the viewer, and selections on tiles to which it listens. Of several conditions on a field,
 * the last is a filter of the page, and the others are the tile's own. A selection of several areas is left
 * out, as no filter says the same.
 * @param dashboard without the tiles that are not shown, since their selections filter nothing
 * @param defaults the fields that the tile's model filters unless a dashboard or its viewer says otherwise
 */
export function exploreSearch(
  id: string,
  tile: Tile,
  dashboard: Pick<Dashboard, 'pages' | 'filters'>,
  state: DashboardState,
  defaults: readonly string[] = [],
): Search {
  const isShown = (other: string) => dashboard.pages.some(page => Object.hasOwn(page.tiles, other));
  const selected = Object.entries(selectionsFor(state.selections, id, listeningIn(dashboard)))
    .filter(([other]) => isShown(other))
    .flatMap(([, boxes]) => Object.entries(asOneBox(boxes) ?? {}));
  const conditions = [...filtersIn(dashboard, state), ...selected];
  const ofPage = new Map(conditions);
  const ofTile = conditions.filter(([field, condition]) => ofPage.get(field) !== condition);
  const filters = [
    ...(tile.filters ?? []),
    ...ofTile.map(([field, condition]) => ({ field, default: condition })),
  ];
  return {
    chart: JSON.stringify({
      ...Object.fromEntries(
        Object.entries(tile).filter(([key, value]) => !ofItsPlace.has(key) && value !== undefined),
      ),
      ...(filters.length > 0 && { filters }),
    }),
    ...searchFromState({
      page: 0,
      filters: { ...cleared(defaults, dashboard, state), ...Object.fromEntries(ofPage) },
      selections: {},
    }),
  };
}

/** The filters that apply: the dashboard's as the viewer set them, unless they are locked, and the viewer's own. */
function filtersIn(
  { filters = [] }: Pick<Dashboard, 'filters'>,
  state: DashboardState,
): readonly FieldCondition[] {
  const set = { ...state.filters };
  for (const { field, locked, default: initial } of filters)
    if (locked || set[field] === undefined) set[field] = initial ?? null;
  return Object.entries(set).flatMap(([field, condition]) =>
    condition ? [[field, condition as FieldFilter] as const] : [],
  );
}

/** The filters of the model that do not apply on the dashboard, to be cleared in Explore too. */
function cleared(
  defaults: readonly string[],
  { filters = [] }: Pick<Dashboard, 'filters'>,
  state: DashboardState,
): Readonly<Record<string, null>> {
  const isSaid = (field: string) =>
    Object.hasOwn(state.filters, field) || filters.some(filter => filter.field === field);
  return Object.fromEntries(defaults.filter(isSaid).map(field => [field, null]));
}

/** A selection as one box, such as three bars of a field. Undefined if none says the same. */
function asOneBox(boxes: readonly Box[]): Box | undefined {
  const [first] = boxes;
  if (!first || boxes.length === 1) return first;
  const [field, ...others] = Object.keys(first);
  if (field === undefined || others.length > 0) return undefined;
  const values = boxes.map(box => {
    const condition = Object.keys(box).length === 1 ? box[field] : undefined;
    return condition && 'oneOf' in condition ? condition.oneOf : undefined;
  });
  return values.every(list => list !== undefined)
    ? { [field]: { oneOf: [...new Set(values.flat())] } }
    : undefined;
}
