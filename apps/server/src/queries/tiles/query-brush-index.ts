import type { Frame, NamedAxis } from '@belvedere/api';
import { selfAligned, brushAxis, fittingBrush } from '@belvedere/crossfilter';
import type { Tile } from '@belvedere/document';
import {
  allOf,
  hasNoQuery,
  dimensionOf,
  groupsOf,
  isSelectable,
  measureOf,
  decomposeMeasures,
} from '@belvedere/query';
import { ProblemError } from '../../http/problems.ts';
import { bare, cellsOf } from './cells-frame.ts';
import { picturesOf } from './query-tile.ts';
import { resolveTile, type ResolvedTile } from './resolve-tile.ts';
import { showsPoints } from './points-frame.ts';
import { contextOfTile, runQuery, tileModel, type DashboardContext } from '../dashboard-query-context.ts';
import { filtersFor } from '../tile-filters.ts';

/** Returns the bins or categories along which a tile can be brushed: its positional axes. */
export function brushAxesOf(active: ResolvedTile): NamedAxis[] {
  if (active.tile.kind === 'kpi') return [];
  const positional = active.axes.filter(axis => isSelectable(active.tile, axis.channel));
  // Two axes brush at the resolution at which they are drawn, since the product of their steps counts.
  if (positional.length > 1) return positional;
  return positional.map(axis => ({
    channel: axis.channel,
    ...brushAxis(bare(axis), dimensionOf(active.model, axis.field).type),
  }));
}

/**
 * Adds *Other* to the axes, so that every value has a position. A tile's own axis without *Other* covers only
 * the values that its filters leave. Another tile, model or period may have more, which would then count at
 * wrong positions.
 */
export function withOther(axes: readonly NamedAxis[]): NamedAxis[] {
  return axes.map(axis => (axis.kind === 'categories' ? { ...axis, other: true } : axis));
}

/**
 * Returns an active tile's brush index for a tile that listens to it: the passive tile's totals for each of
 * the active tile's steps, under all other selections.
 * Covers the tile's own groups only if it is brushed along its own axis. Returns no frames if the pair cannot
 * be indexed, and an `unmoved` frame if the tile's model has none of the brushed fields.
 * @param options `countsRows`: also counts rows, which distinguishes no rows from rows without a value.
 *   `along`: axes in place of the active tile's own, as many as needed. Their index is sparse.
 * @throws ProblemError `query-too-large` for a sparse index of more cells than a page can scan
 */
export async function queryBrushIndex(
  page: DashboardContext,
  active: ResolvedTile,
  id: string,
  tile: Tile,
  {
    countsRows = false,
    along,
  }: { readonly countsRows?: boolean; readonly along?: readonly NamedAxis[] } = {},
): Promise<Frame[]> {
  if (hasNoQuery(tile)) return [];
  const context = contextOfTile(page, id);
  const { dimensions } = tileModel(context, tile);
  const all = along ?? brushAxesOf(active);
  const brush = all.filter(axis => Object.hasOwn(dimensions, axis.field));
  const own = brush.map(({ channel }) => active.axes.find(axis => axis.channel === channel)!);
  const unbound = all.filter(axis => !brush.includes(axis)).map(axis => axis.field);
  if (brush.length === 0 && unbound.length > 0)
    return [{ header: { kind: 'unmoved', active: active.id, tile: id } }];
  const passive = await resolveTile(context, id, tile);
  if (!passive) return [];
  // Single points are not in an index of totals. They are few, so querying them is fast.
  if (await showsPoints(context, passive)) return [];
  const { base, selected } = await filtersFor(context, passive.model, {
    tileId: id,
    tile,
    without: active.id,
  });
  const counted = countsRows && tile.kind !== 'kpi';
  const measures = counted ? [...passive.shape.measures, 'rows'] : passive.shape.measures;
  const { parts, values } = decomposeMeasures(measures.map(name => measureOf(passive.model, name)));
  const merges = parts.map(part => part.merge);
  const rows = counted ? values.at(-1) : undefined;
  const isAlike =
    passive.model.name === active.model.name && JSON.stringify(passive.base) === JSON.stringify(active.base);
  const frames = picturesOf(passive)
    .flatMap(([part, axes]) => {
      if (along) return merges.includes('none') ? [] : [[part, axes, withOther(brush), false] as const];
      const isCovered = isAlike || selfAligned({ brush, axes }) !== undefined;
      const [fine, drawn] = isCovered ? [brush, own] : [withOther(brush), withOther(own)];
      const steps = fittingBrush({ brush: fine, axes, merges }, drawn);
      return steps ? [[part, axes, steps, steps !== fine] as const] : [];
    })
    .map(async ([part, axes, steps, isCoarse]): Promise<Frame> => {
      if (along) checkSparse([...steps, ...axes]);
      const result = await runQuery(context, {
        kind: 'cells',
        model: passive.model.name,
        axes: [...(!along && selfAligned({ brush: steps, axes }) ? [] : steps), ...axes].map(bare),
        measures,
        where: allOf([base, selected]),
      });
      if (along) checkSparse([], result.rowCount);
      return {
        header: {
          kind: 'index',
          active: active.id,
          tile: id,
          part,
          brush: steps,
          unbound,
          ...(isCoarse && { isCoarse: true }),
          ...(along && { isSparse: true }),
          axes,
          merges,
          ...(rows?.kind === 'part' && { rowsPart: rows.index }),
        },
        cells: cellsOf(result, true),
      };
    });
  return Promise.all(frames);
}

/** @throws ProblemError `query-too-large` */
export function checkSparse(axes: readonly NamedAxis[], cells = 0): void {
  if (groupsOf(axes) > mostGroups || cells > mostSparseCells)
    throw new ProblemError('query-too-large', 'This combination of filters has too many values.');
}

/** Groups are numbered by 32-bit integers. */
const mostGroups = 2 ** 31 - 1;
/** A page scans them within a frame or two. */
const mostSparseCells = 100_000;
