import type { Frame, NamedAxis } from '@belvedere/api';
import type { DashboardFilter, Tile } from '@belvedere/document';
import { isNumeric, isTemporal, type Model } from '@belvedere/model';
import { groupsOf, hasNoQuery } from '@belvedere/query';
import { tilesOnPage, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { resolveTile } from '../../queries/tiles/resolve-tile.ts';
import { resultOrProblems } from '../../queries/tiles/query-tile.ts';
import {
  comparisonsOf,
  encoded,
  indexFrames,
  type IdentifiedTile,
  type OfflineParts,
} from './offline-parts.ts';

/** What one page shows under some of the dashboard's filters, while no other is changed and nothing selected. */
interface OfflineFilterPage {
  /** The results without the filters. Undefined if none has a default, since they are the page's own. */
  readonly cleared?: Uint8Array;
  /** The totals of every tile for each combination of the fields' values, as frames one after the other. */
  readonly index: Uint8Array;
  /** Along the fields, in the steps that every tile has. Empty if no tile of the page has the fields. */
  readonly axes: readonly NamedAxis[];
  readonly comparisons: OfflineParts['comparisons'] extends ReadonlyMap<string, infer Of> ? Of : never;
}

/** The filters of a dashboard that viewers can change, by field. */
export function changeableFilters({ dashboard }: DashboardContext): string[] {
  const filters: readonly DashboardFilter[] = dashboard.filters ?? [];
  const fixed = new Set(filters.flatMap(({ field, locked, hidden }) => (locked || hidden ? [field] : [])));
  const controls = dashboard.pages.flatMap(page =>
    Object.values(page.tiles).flatMap(tile => (tile.kind === 'control' ? [tile.field] : [])),
  );
  return [...new Set([...filters.map(({ field }) => field), ...controls])].filter(field => !fixed.has(field));
}

/** The filters of a dashboard that can be set together: pairs of the first of them. */
export function filterPairs(fields: readonly string[]): (readonly [string, string])[] {
  const paired = fields.slice(0, maxPaired);
  return paired.flatMap((field, i) => paired.slice(i + 1).map(other => [field, other] as const));
}

/**
 * Queries what each page shows for every value of a filter, or for every combination of two.
 * @returns one entry for each page; undefined if a filter has more values than an index can hold
 */
export async function collectOfflineFilter(
  context: DashboardContext,
  fields: readonly [string] | readonly [string, string],
  brokenTiles: Readonly<Record<string, string>>,
): Promise<OfflineFilterPage[] | undefined> {
  const hasDefault =
    context.dashboard.filters?.some(one => fields.includes(one.field) && one.default) === true;
  const none = Object.fromEntries(fields.map(field => [field, null]));
  const pages: OfflineFilterPage[] = [];
  for (const page of context.dashboard.pages.keys()) {
    context.queryContext.signal?.throwIfAborted();
    const here: DashboardContext = {
      ...context,
      state: { ...context.state, page, selections: {}, filters: { ...context.state.filters, ...none } },
    };
    const tiles = tilesOnPage(here).filter(([id, tile]) => !hasNoQuery(tile) && !(id in brokenTiles));
    const axis = axisTile(here, fields, tiles);
    const active = axis && (await resolveTile(here, `filter ${fields.join(' ')}`, axis));
    const cleared = hasDefault ? { cleared: await ownResults(here, tiles) } : {};
    if (!active) {
      pages.push({ ...cleared, index: new Uint8Array(), axes: [], comparisons: {} });
      continue;
    }
    // Values beyond those of the axis are one group, which no filter can divide.
    if (active.axes.some(one => one.kind === 'categories' && one.other)) return undefined;
    const comparisons = await comparisonsOf(here, active, tiles);
    const frames = await indexFrames(here, active, tiles);
    pages.push({
      ...cleared,
      index: encoded(frames),
      axes: coarsest(frames),
      comparisons: Object.fromEntries(comparisons.flatMap(([id, of]) => (of ? [[id, of]] : []))),
    });
  }
  return pages.some(({ index }) => index.length > 0) ? pages : undefined;
}

/** The results of tiles without a selection, as frames one after the other. */
export async function ownResults(
  context: DashboardContext,
  tiles: readonly IdentifiedTile[],
): Promise<Uint8Array> {
  const results = tiles.map(async ([id, tile]) => encoded(await resultOrProblems(context, id, tile, 'both')));
  return Buffer.concat(await Promise.all(results));
}

function coarsest(frames: readonly Frame[]): readonly NamedAxis[] {
  const brushes = frames.flatMap(({ header }) => (header.kind === 'index' ? [header.brush] : []));
  return brushes.toSorted((a, b) => groupsOf(a) - groupsOf(b))[0] ?? [];
}

/** A chart along the fields of filters, over the first model of a page that has them. It is never drawn. */
function axisTile(
  { dashboard, queryContext }: DashboardContext,
  fields: readonly [string] | readonly [string, string],
  tiles: readonly IdentifiedTile[],
): Tile | undefined {
  const names = [dashboard.model, ...tiles.map(([, tile]) => tile.model)];
  const model = names
    .map(name => queryContext.workspace.models.get(name ?? '')?.model)
    .find(
      (one): one is Model => one !== undefined && fields.every(field => Object.hasOwn(one.dimensions, field)),
    );
  if (!model) return undefined;
  const [field, other] = fields;
  const { type } = model.dimensions[field]!;
  const named = { model: model.name };
  const rows = { measure: 'rows' };
  if (other !== undefined) {
    const along = (name: string) => {
      const { type: kind } = model.dimensions[name]!;
      if (isTemporal(kind)) return { field: name };
      return isNumeric(kind) ? { field: name, bin: true as const } : { field: name, limit: maxValues };
    };
    return { kind: 'heatmap', ...named, x: along(field), y: along(other), color: rows };
  }
  if (isTemporal(type)) return { kind: 'line', ...named, x: { field }, y: rows };
  if (isNumeric(type)) return { kind: 'bar', ...named, x: { field, bin: true }, y: rows };
  return { kind: 'bar', ...named, x: rows, y: { field, limit: maxValues } };
}

const maxValues = 200;
/** Pairs multiply: six filters have fifteen. */
const maxPaired = 6;
