import type { NamedAxis } from '@belvedere/api';
import { slotRuns } from '@belvedere/crossfilter';
import type { DashboardFilter } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import {
  edgeOf,
  filterOn,
  formatCalendarTime,
  hasNoQuery,
  slotsOf,
  startOf,
  timeUnitOf,
  unitsBetween,
  type Axis,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { clockOf } from '../../queries/data-times.ts';
import { filtersFor } from '../../queries/tile-filters.ts';
import {
  knownModel,
  runQuery,
  tilesOnPage,
  type DashboardContext,
} from '../../queries/dashboard-query-context.ts';
import { brushAxesOf, checkSparse, withOther } from '../../queries/tiles/query-brush-index.ts';
import { bare } from '../../queries/tiles/cells-frame.ts';
import { resolveTile, type ResolvedTile } from '../../queries/tiles/resolve-tile.ts';
import { ownResults } from './offline-filters.ts';
import {
  comparisonsOf,
  encoded,
  followersOf,
  indexFrames,
  isBrushed,
  isTooLarge,
  withoutIndex,
  type IdentifiedTile,
  type OfflineParts,
} from './offline-parts.ts';

type Comparisons = OfflineParts['comparisons'] extends ReadonlyMap<string, infer Of> ? Of : never;

/** What a page shows under any of its filters together. */
export interface OfflineCombinations {
  readonly fields: readonly string[];
  /** The default of each field that has one, in its steps. */
  readonly defaults: Box;
  /** The results without the filters. */
  readonly cleared: Uint8Array;
  readonly index: Uint8Array;
  readonly comparisons: Comparisons;
  /** What the others show under a selection on each of these tiles, beside the filters. */
  readonly selections: () => AsyncGenerator<{
    readonly tile: string;
    /** The fields that a selection can name. */
    readonly fields: readonly string[];
    readonly index: Uint8Array;
    readonly comparisons: Comparisons;
  }>;
}

/**
 * Queries what a page shows for every combination of its filters that has rows, and for those with a selection on
 * each chart. If there are too many, the filter with most values is left out, then the next, and dates last.
 * @param axes those of the filters on this page
 * @returns undefined if nothing is left
 */
export async function collectCombinations(
  context: DashboardContext,
  page: number,
  axes: readonly NamedAxis[],
  brokenTiles: Readonly<Record<string, string>>,
): Promise<OfflineCombinations | undefined> {
  const found = await Promise.all(axes.map(axis => withDefault(context, page, axis)));
  const defaults = new Map(found.flatMap(one => (one?.set ? [[one.axis.field, one.set]] : [])));
  let kept: readonly NamedAxis[] = found.flatMap(one => (one ? [one.axis] : []));
  for (; kept.length > 0; kept = withoutLargest(kept)) {
    const here = clearedContext(context, page, kept);
    const tiles = tilesOnPage(here).filter(([id, tile]) => !hasNoQuery(tile) && !(id in brokenTiles));
    const along = withOther(kept);
    const active = await anyTile(here, tiles);
    if (!active) return undefined;
    const index = await indexAlong(here, { ...active, id: '' }, along, tiles);
    if (!index) continue;
    return {
      fields: kept.map(({ field }) => field),
      defaults: Object.fromEntries(
        kept.flatMap(({ field }) => {
          const set = defaults.get(field);
          return set ? [[field, set]] : [];
        }),
      ),
      cleared: await ownResults(here, tiles),
      ...index,
      selections: () => selectionsBeside(here, along, tiles),
    };
  }
  return undefined;
}

async function* selectionsBeside(
  here: DashboardContext,
  filters: readonly NamedAxis[],
  tiles: readonly IdentifiedTile[],
): ReturnType<OfflineCombinations['selections']> {
  for (const [id, tile] of tiles) {
    here.queryContext.signal?.throwIfAborted();
    if (!isBrushed(tile)) continue;
    const active = await resolveTile(here, id, tile).catch((error: unknown) =>
      withoutIndex(error, undefined),
    );
    if (!active) continue;
    const brushed = brushAxesOf(active);
    if (brushed.length === 0) continue;
    const found = await indexAlong(here, active, joined(brushed, filters), followersOf(here, id, tiles));
    if (found) yield { tile: id, fields: brushed.map(({ field }) => field), ...found };
  }
}

/** The axes of a chart and then those of filters, of which a field has one: the finer, or that of the filter. */
function joined(brushed: readonly NamedAxis[], filters: readonly NamedAxis[]): NamedAxis[] {
  const of = (field: string) => filters.find(axis => axis.field === field);
  return [
    ...withOther(brushed).map(axis => {
      const filter = of(axis.field);
      if (!filter || (axis.kind !== 'categories' && slotsOf(axis) > slotsOf(filter))) return axis;
      return { ...filter, channel: axis.channel };
    }),
    ...filters.filter(axis => !brushed.some(({ field }) => field === axis.field)),
  ];
}

/** @returns undefined if it would be too large */
async function indexAlong(
  here: DashboardContext,
  active: ResolvedTile,
  along: readonly NamedAxis[],
  tiles: readonly IdentifiedTile[],
): Promise<{ readonly index: Uint8Array; readonly comparisons: Comparisons } | undefined> {
  try {
    await checkCombinations(here, along, tiles);
    const frames = await indexFrames(here, active, tiles, along);
    const comparisons = await comparisonsOf(here, active, tiles, along);
    return {
      index: encoded(frames),
      comparisons: Object.fromEntries(comparisons.flatMap(([id, of]) => (of ? [[id, of]] : []))),
    };
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

/** Counts the combinations of each model before every tile is queried for them. @throws ProblemError */
async function checkCombinations(
  here: DashboardContext,
  along: readonly NamedAxis[],
  tiles: readonly IdentifiedTile[],
): Promise<void> {
  const counted = new Set<string>();
  for (const [tileId, tile] of tiles) {
    const model = hasNoQuery(tile) ? undefined : knownModel(here, tile);
    if (!model || counted.has(model.name)) continue;
    counted.add(model.name);
    const axes = along.filter(({ field }) => Object.hasOwn(model.dimensions, field));
    if (axes.length === 0) continue;
    checkSparse(axes);
    const { base } = await filtersFor(here, model, { tileId, tile });
    const { rowCount } = await runQuery(here, {
      kind: 'cells',
      model: model.name,
      axes: axes.map(bare),
      measures: ['rows'],
      where: base,
    });
    checkSparse([], rowCount * perCombination);
  }
}

/** A chart divides each combination further. */
const perCombination = 4;

function clearedContext(
  context: DashboardContext,
  page: number,
  axes: readonly NamedAxis[],
): DashboardContext {
  const none = Object.fromEntries(axes.map(({ field }) => [field, null]));
  const { filters } = context.state;
  return { ...context, state: { ...context.state, page, selections: {}, filters: { ...filters, ...none } } };
}

async function anyTile(
  here: DashboardContext,
  tiles: readonly IdentifiedTile[],
): Promise<ResolvedTile | undefined> {
  for (const [id, tile] of tiles) {
    const found = await resolveTile(here, id, tile).catch((error: unknown) => withoutIndex(error, undefined));
    if (found) return found;
  }
  return undefined;
}

/**
 * The axis of a filter and its default, as a condition in the steps of the axis.
 * @returns undefined if the default is not in steps, so that the filter cannot be left to it
 */
async function withDefault(
  context: DashboardContext,
  page: number,
  axis: NamedAxis,
): Promise<{ readonly axis: NamedAxis; readonly set?: FieldFilter } | undefined> {
  const { field } = axis;
  const filters: readonly DashboardFilter[] = context.dashboard.filters ?? [];
  const set = context.state.filters[field] ?? filters.find(one => one.field === field)?.default;
  if (!set) return { axis };
  const resolved = modelsOn(context, page)
    .filter(model => Object.hasOwn(model.dimensions, field))
    .map(async model => filterOn(model, field, set, await clockOf(context, model)));
  const [filter, ...others] = await Promise.all(resolved);
  // “The last 30 days” end with the data of each model.
  if (others.some(other => JSON.stringify(other) !== JSON.stringify(filter))) return undefined;
  if (filter?.kind === 'oneOf' && axis.kind === 'categories') {
    // Values that are not in the data match no row.
    const values = axis.values.filter(value => filter.values.includes(value));
    return { axis, set: { oneOf: values } as FieldFilter };
  }
  if (filter?.kind !== 'range' || filter.from === undefined || filter.below === undefined) return undefined;
  const { from, below } = filter;
  const isTime = axis.kind === 'times';
  const range = (
    isTime ? { from: formatCalendarTime(from), below: formatCalendarTime(below) } : { from, below }
  ) as FieldFilter;
  const fitting = (isTime ? widerAxes(axis, { from, below }) : [axis]).find(one => slotRuns(one, range));
  return fitting && { axis: fitting, set: range };
}

function modelsOn(context: DashboardContext, page: number): readonly Model[] {
  const tiles = tilesOnPage({ ...context, state: { ...context.state, page } });
  const models = tiles.map(([, tile]) => (hasNoQuery(tile) ? undefined : knownModel(context, tile)));
  return [...new Set(models.filter(model => model !== undefined))];
}

/** The axis, longer where the range is beyond its ends, and the same in days. */
function widerAxes(axis: NamedAxis & { kind: 'times' }, range: { from: number; below: number }): NamedAxis[] {
  const own = timeUnitOf(axis.unit);
  const units = own === 'hour' || own === 'minute' ? [axis.unit] : [axis.unit, 'day' as const];
  return units.map(unit => {
    const { partial: _, ...rest } = axis;
    const from = startOf(unit, Math.min(axis.from, range.from));
    const end = Math.max(edgeOf(axis, axis.count), range.below);
    return { ...rest, unit, from, count: unitsBetween(unit, from, end - 1) + 1 };
  });
}

/** Without the filter of most values. Periods are set most often, and stay longest. */
function withoutLargest(axes: readonly NamedAxis[]): readonly NamedAxis[] {
  const isTime = ({ kind }: Axis) => Number(kind === 'times');
  const [largest] = axes.toSorted((a, b) => isTime(a) - isTime(b) || slotsOf(b) - slotsOf(a));
  return axes.filter(axis => axis !== largest);
}
