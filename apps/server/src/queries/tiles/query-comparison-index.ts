import { encodeFrame, type NamedAxis, type OfflineComparison } from '@belvedere/api';
import { orderedFrame } from '../frames/ordered-frame.ts';
import { fittingBrush } from '@belvedere/crossfilter';
import type { Comparison, Tile } from '@belvedere/document';
import {
  addUnits,
  allOf,
  comparisonFilter,
  comparisonRange,
  edgeOf,
  fieldsOf,
  periodOf,
  startOf,
  unitsBetween,
  withoutRange,
  yearsEarlier,
  type Filter,
} from '@belvedere/query';
import { brushAxesOf, checkSparse, withOther } from './query-brush-index.ts';
import { bare, cellsOf } from './cells-frame.ts';
import { resolveTile, type ResolvedTile } from './resolve-tile.ts';
import { dataEnd, dataStart } from '../data-times.ts';
import { runQuery, type DashboardContext } from '../dashboard-query-context.ts';

/**
 * Indexes a KPI's comparison against a brush on the active tile: the previous value for each of that tile's
 * steps.
 * If the brush runs along the model's time, the steps reach back as far as any previous period can.
 * @param along axes in place of the active tile's own, as for `queryBrushIndex`
 * @returns undefined for a tile without a comparison, and for a pair that cannot be indexed
 */
export async function queryComparisonIndex(
  context: DashboardContext,
  active: ResolvedTile,
  id: string,
  tile: Tile,
  along?: readonly NamedAxis[],
): Promise<OfflineComparison | undefined> {
  if (tile.kind !== 'kpi') return undefined;
  const passive = (await resolveTile(context, id, tile))!;
  const {
    model,
    base,
    shape: { compare: by, measures },
    parts,
  } = passive;
  if (by === undefined || model.time === undefined) return undefined;
  const brushed = along ?? brushAxesOf(active);
  const all = brushed.filter(axis => Object.hasOwn(model.dimensions, axis.field));
  const unbound = brushed.filter(axis => !all.includes(axis)).map(axis => axis.field);
  const period = periodNote(base, model.time);
  const isAlongTime = all.some(axis => axis.field === model.time);
  const end = await dataEnd(context, model);
  const start = typeof by === 'string' ? await dataStart(context, model) : undefined;
  const comparison = {
    by,
    period,
    ...(start !== undefined && { dataStart: start }),
    ...(end !== undefined && { dataEnd: end }),
  };

  if (typeof by !== 'object' && isAlongTime) {
    if (!isOnePeriod(base, model.time)) return undefined;
    const back = (axes: readonly NamedAxis[]) =>
      axes.map(axis => (axis.field === model.time ? reachingBack(axis, by) : axis));
    const index = await indexUnder(back(all), back(drawnAs(all)), steps =>
      allOf([
        withoutRange(base, model.time!),
        ...steps.flatMap(axis => (axis.field === model.time ? [rangeOf(axis)] : [])),
      ]),
    );
    return index === undefined ? undefined : { ...comparison, time: model.time, index };
  }
  const earlier = comparisonFilter(base, model, by, end);
  // A custom range does not depend on a brush along time.
  const brush = all.filter(axis => axis.field !== model.time);
  if (!earlier || brush.length === 0) return comparison;
  const index = await indexUnder(brush, drawnAs(brush), () => earlier.filter);
  return index === undefined ? undefined : { ...comparison, index };

  function drawnAs(brush: readonly NamedAxis[]): NamedAxis[] {
    if (along) return [];
    return brush.map(({ channel }) => active.axes.find(axis => axis.channel === channel)!);
  }

  async function indexUnder(
    own: readonly NamedAxis[],
    drawn: readonly NamedAxis[],
    whereOf: (steps: readonly NamedAxis[]) => Filter,
  ): Promise<string | undefined> {
    const merges = parts.parts.map(part => part.merge);
    const brush = withOther(own);
    if (along && merges.includes('none')) return undefined;
    const steps = along ? brush : fittingBrush({ brush, axes: [], merges }, withOther(drawn));
    if (!steps) return undefined;
    if (along) checkSparse(steps);
    const result = await runQuery(context, {
      kind: 'cells',
      model: model.name,
      axes: steps.map(bare),
      measures,
      where: whereOf(steps),
    });
    if (along) checkSparse([], result.rowCount);
    const free = isAlongTime && typeof by === 'object' ? [...unbound, model.time!] : unbound;
    const header = {
      kind: 'index',
      active: active.id,
      tile: id,
      part: 'previous',
      brush: steps,
      unbound: free,
      ...(along && { isSparse: true }),
      axes: [],
      merges,
    } as const;
    return Buffer.concat(encodeFrame(orderedFrame({ header, cells: cellsOf(result, true) }))).toString(
      'base64',
    );
  }
}

/** Whether a filter restricts the time to a single range and nothing else. */
function isOnePeriod(filter: Filter, time: string): boolean {
  const all = filter.kind === 'allOf' ? filter.filters : [filter];
  const about = all.filter(one => fieldsOf(one).includes(time));
  return about.length <= 1 && about.every(one => one.kind === 'range');
}

function periodNote(filter: Filter, time: string): OfflineComparison['period'] {
  const { from, below } = periodOf(filter, time);
  return { ...(Number.isFinite(from) && { from }), ...(Number.isFinite(below) && { below }) };
}

function rangeOf(axis: NamedAxis): Filter {
  if (axis.kind === 'categories') throw new RangeError('Categories have no range.');
  return { kind: 'range', field: axis.field, from: edgeOf(axis, 0), below: edgeOf(axis, axis.count) };
}

/** Returns a time axis that covers the previous period of any brush along the given axis. */
function reachingBack(axis: NamedAxis, by: Exclude<Comparison, object>): NamedAxis {
  if (axis.kind !== 'times') return axis;
  const { unit } = axis;
  const [begin, end] = [axis.from, edgeOf(axis, axis.count)];
  if (by === 'previous year') {
    // A short brush moves back by a year, one longer than a year by several.
    const from = startOf(unit, comparisonRange({ from: begin, below: end }, by).from);
    return { ...axis, from, count: unitsBetween(unit, from, yearsEarlier(end, 1) - 1) + 1 };
  }
  // Whole months are compared with the same number of months, which may be longer in days.
  const firstMonth =
    startOf('month', begin) === begin ? begin : addUnits('month', startOf('month', begin), 1);
  const months = Math.max(0, unitsBetween('month', firstMonth, end));
  const from = startOf(unit, Math.min(begin - (end - begin), addUnits('month', firstMonth, -months)));
  return { ...axis, from, count: unitsBetween(unit, from, end) };
}
