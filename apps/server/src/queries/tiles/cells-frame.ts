import type { Cells, Frame, NamedAxis, Sampled, TileNote, TilePart } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import {
  hasNoQuery,
  measureOf,
  decomposeMeasures,
  tileShape,
  type Filter,
  type Axis,
} from '@belvedere/query';
import { ProblemError } from '../../http/problems.ts';
import { fileTableOf } from '../../workspace/workspace.ts';
import { knownModel, runQuery, type DashboardContext } from '../dashboard-query-context.ts';
import { columnOf } from '../models/column-profiles.ts';
import { queryKpi } from './batch-kpis.ts';
import { cellsByValue, rankByValue, maxValues } from './rank-categories.ts';
import { dataNotes } from '../rows/result-rows.ts';
import type { ResolvedTile } from './resolve-tile.ts';

/** A part of a tile's picture: one query of cells, and one frame. */
interface CellsPart {
  readonly part: TilePart;
  readonly scope: 'base' | 'filtered';
  readonly axes: readonly NamedAxis[];
  readonly where: Filter;
  readonly notes: readonly TileNote[];
}

export async function cellsFrame(
  context: DashboardContext,
  resolved: ResolvedTile,
  { part, scope, axes, where, notes }: CellsPart,
): Promise<Frame> {
  const startedAt = performance.now();
  const result =
    (await byValue(context, resolved, axes, where)) ??
    (axes.length === 0
      ? await queryKpi(context, resolved.model, resolved.shape.measures, where)
      : await runQuery(context, {
          kind: 'cells',
          model: resolved.model.name,
          axes: axes.map(bare),
          measures: resolved.shape.measures,
          where,
        }));
  const { marksPerTile } = context.queryContext.workspace.limits;
  if ('rowCount' in result && result.rowCount > marksPerTile)
    throw new ProblemError(
      'query-too-large',
      `This tile has ${result.rowCount.toLocaleString('en')} marks; the maximum is ${marksPerTile.toLocaleString('en')}.`,
    );
  const merges = resolved.parts.parts.map(one => one.merge);
  const sampled =
    context.queryContext.resultRows === 'sample' ? sampleOf(context, resolved.model) : undefined;
  const cells = 'groups' in result ? result : cellsOf(result, axes.length > 0);
  const isOfNoRows =
    part === 'main' &&
    resolved.tile.kind !== 'kpi' &&
    !sampled &&
    isNothing(cells) &&
    !(await hasRows(context, resolved, where));
  return {
    header: {
      kind: 'cells',
      tile: resolved.id,
      part,
      scope,
      axes,
      merges,
      values: resolved.parts.values,
      ...(part === 'main' && resolved.shape.show && { show: resolved.shape.show }),
      notes: [...notes, ...dataNotes(result, resolved.model, context.queryContext.workspace)],
      ...(sampled && { sampled }),
      ...(isOfNoRows && { isOfNoRows }),
      engineMs: Math.round(performance.now() - startedAt),
    },
    cells: sampled ? scaledUp(cells, sampled.of / sampled.rows) : cells,
  };
}

function isNothing({ parts }: Cells): boolean {
  return parts.every(part => part.every(value => value === 0 || Number.isNaN(value)));
}

/**
 * Distinguishes no rows from a result that is empty for another reason: a measure that counts nothing, or
 * values outside an axis.
 */
async function hasRows(context: DashboardContext, { model }: ResolvedTile, where: Filter): Promise<boolean> {
  const counted = await queryKpi(context, model, ['rows'], where);
  return Number(counted.columns[0]!.values[0]) > 0;
}

/**
 * A chart of one category axis reuses the query that laid out its axis, which already returned all values.
 */
async function byValue(
  context: DashboardContext,
  resolved: ResolvedTile,
  axes: readonly NamedAxis[],
  where: Filter,
): Promise<Cells | undefined> {
  const [axis] = axes;
  if (
    axes.length !== 1 ||
    axis?.kind !== 'categories' ||
    axis.channel === 'color' ||
    where !== resolved.base ||
    resolved.parts.parts.some(part => part.merge === 'none')
  )
    return undefined;
  if ((columnOf(context.queryContext.workspace, resolved.model, axis.field)?.distinct ?? 0) > maxValues)
    return undefined;
  const result = await runQuery(
    context,
    rankByValue(resolved.model.name, axis.field, resolved.shape.measures, where),
  );
  return result.rowCount <= maxValues
    ? {
        ...cellsByValue(result, axis, resolved.parts),
        ...(result.asOf !== undefined && { asOf: result.asOf }),
      }
    : undefined;
}

/** The sample of a model's table; undefined for small tables. */
function sampleOf({ queryContext }: DashboardContext, model: Model): Sampled | undefined {
  const imported = fileTableOf(queryContext.workspace, model)?.imported;
  return imported?.sampleRows ? { rows: imported.sampleRows, of: imported.profile.rows } : undefined;
}

/**
 * Whether a tile's first result may come from a sample: only if all its measures are counts or sums, which
 * scale to all rows.
 */
export function canSample(context: DashboardContext, tile: Tile): boolean {
  if (hasNoQuery(tile) || tile.kind === 'table') return false;
  const model = knownModel(context, tile);
  if (!model || !sampleOf(context, model) || joinedTables(model.joins).includes(model.table)) return false;
  const shape = tileShape(tile, model);
  return (
    shape.kind === 'cells' &&
    decomposeMeasures(shape.measures.map(name => measureOf(model, name))).parts.every(
      part => part.merge === 'sum',
    )
  );
}

function scaledUp({ groups, parts }: Cells, factor: number): Cells {
  return { groups, parts: parts.map(part => Float64Array.from(part, value => value * factor)) };
}

/**
 * An axis without its channel and colours. They do not affect the query, so that tiles with equal queries
 * share a result.
 */
export function bare({ channel: _, gaps: __, ...axis }: NamedAxis): Axis {
  if (axis.kind !== 'categories') return axis;
  const { colours: ___, ...queried } = axis;
  return queried;
}

export function cellsOf(result: QueryResult, hasGroups: boolean): Cells {
  const columns = result.columns.map(column => column.values as Float64Array | Int32Array);
  if (!hasGroups) return { groups: Int32Array.of(0), parts: columns };
  const [groups, ...parts] = columns as [Float64Array | Int32Array, ...typeof columns];
  return { groups: groups instanceof Int32Array ? groups : new Int32Array(groups), parts };
}
