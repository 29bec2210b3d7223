import type { Cells, Frame, NamedAxis, RowsHeader, Sampled, TileNote, TilePart } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import { joinedTables, type Model } from '@belvedere/model';
import {
  allOf,
  everything,
  hasNoQuery,
  dimensionOf,
  comparedPeriod,
  comparisonFilter,
  isOfRows,
  measureOf,
  decomposeMeasures,
  tileShape,
  tooltipFields,
  type Filter,
  type Axis,
  type DecomposedMeasures,
  type TileShape,
} from '@belvedere/query';
import { asForbiddenError } from '../../access/row-policies.ts';
import { ProblemError, problemFrom } from '../../http/problems.ts';
import { fileTableOf } from '../../workspace/workspace.ts';
import {
  contextOfTile,
  columnOf,
  dataEnd,
  dataStart,
  filtersFor,
  knownExtent,
  knownModel,
  runQuery,
  tileModel,
  type DashboardContext,
} from '../dashboard-query-context.ts';
import { queryKpi } from './batch-kpis.ts';
import { countRows } from '../rows/count-rows.ts';
import { cellsByValue, rankByValue, maxValues } from './rank-categories.ts';
import { lastResultNotes, resultRows, shownRows } from '../rows/result-rows.ts';
import { inOneStep, resolveAxes } from './resolve-axes.ts';
import { tableRows } from '../rows/table-pages.ts';

/** A tile with its axes laid out, shared by all of its results. */
export interface ResolvedTile {
  readonly id: string;
  readonly tile: Tile;
  readonly model: Model;
  readonly shape: Extract<TileShape, { kind: 'cells' }>;
  readonly axes: readonly NamedAxis[];
  readonly parts: DecomposedMeasures;
  readonly base: Filter;
  readonly selected: Filter;
  readonly notes: readonly TileNote[];
}

/** Lays out a tile's axes under its filters. @returns undefined for tiles without totals (tables, texts) */
export async function resolveTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
): Promise<ResolvedTile | undefined> {
  if (hasNoQuery(tile)) return undefined;
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return undefined;
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const { axes: own, notes } = await resolveAxes(shape.axes, shape.measures[0]!, model, base, {
    calendar: context.queryContext.calendar,
    runQuery: query => runQuery(context, query),
    knownExtent: field => knownExtent(context.queryContext.workspace, model, field),
    knownDistinct: field => columnOf(context.queryContext.workspace, model, field)?.distinct,
  });
  const axes =
    tile.kind === 'map' && tile.longitude && tile.latitude && !tile.longitude.bin && !tile.latitude.bin
      ? inOneStep(own)
      : own;
  const parts = decomposeMeasures(shape.measures.map(name => measureOf(model, name)));
  return {
    id,
    tile,
    model,
    shape,
    axes,
    parts,
    base,
    selected,
    notes: [...notes, ...notApplied.map(field => ({ kind: 'not-applied', field }) as const)],
  };
}

/**
 * Returns the results that a tile needs for the context's state. With `filtered`, only those that selections
 * change.
 */
export async function queryTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<Frame[]> {
  const results = await resultsOf(context, id, tile, scope);
  return (await Promise.all(results.map(({ frames }) => frames))).flat();
}

/**
 * Like `queryTile`, but returns a problem frame for each failed result, since one scope may fail without the
 * other.
 */
export async function resultOrProblems(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<Frame[]> {
  const problem = (of: Scope) => (error: unknown) => [problemFrame(context, id, of, error)];
  const results = await resultsOf(context, id, tile, scope).catch((error: unknown) => [
    { scope: 'base' as const, frames: Promise.resolve(problem('base')(error)) },
  ]);
  return (await Promise.all(results.map(one => one.frames.catch(problem(one.scope))))).flat();
}

export function problemFrame(
  { queryContext }: DashboardContext,
  tile: string,
  scope: Scope,
  error: unknown,
): Frame {
  return {
    header: {
      kind: 'problem',
      tile,
      scope,
      problem: problemFrom(asForbiddenError(error, queryContext.caller)),
    },
  };
}

type Scope = 'base' | 'filtered';

async function resultsOf(
  page: DashboardContext,
  id: string,
  tile: Tile,
  scope: Scope | 'both',
): Promise<readonly { readonly scope: Scope; readonly frames: Promise<Frame[]> }[]> {
  if (hasNoQuery(tile)) return [];
  const context = contextOfTile(page, id);
  if (tile.kind === 'table') {
    const { selected } = await filtersFor(context, tileModel(context, tile), { tileId: id, tile });
    return [
      {
        scope: isAll(selected) ? 'base' : 'filtered',
        frames: firstRows(context, id, tile).then(rows => [rows]),
      },
    ];
  }
  const settled = (await resolveTile(context, id, tile))!;
  const scopes = isAll(settled.selected)
    ? (['base'] as const)
    : scope === 'both'
      ? (['base', 'filtered'] as const)
      : ([scope] as const);
  return scopes.map(one => ({ scope: one, frames: framesUnder(context, settled, one) }));
}

function isAll(filter: Filter): boolean {
  return filter.kind === 'everything';
}

async function framesUnder(context: DashboardContext, settled: ResolvedTile, scope: Scope): Promise<Frame[]> {
  const where = scope === 'base' ? settled.base : allOf([settled.base, settled.selected]);
  const { compare } = settled.shape;
  const earlier =
    compare && comparisonFilter(where, settled.model, compare, await dataEnd(context, settled.model));
  const start = earlier && typeof compare === 'string' ? await dataStart(context, settled.model) : undefined;
  const notes: TileNote[] = [
    ...settled.notes,
    ...(earlier
      ? [{ kind: 'compared', ...comparedPeriod(earlier.range, start) } as const]
      : compare
        ? [{ kind: 'nothing-to-compare' } as const]
        : []),
  ];
  const frames = await Promise.all([
    ...picturesOf(settled).map(([part, axes]) =>
      cellsFrame(context, settled, part, scope, axes, where, part === 'main' ? notes : []),
    ),
    ...(earlier ? [cellsFrame(context, settled, 'previous', scope, [], earlier.filter, [])] : []),
    pointsFrames(context, settled, scope, where),
  ]);
  return frames.flat();
}

/**
 * Returns the parts of a tile, each with its axes.
 * A KPI's main value omits the sparkline's axis. A scatter plot's density omits colour and shape. A pivot
 * table's totals have one part for each prefix of its rows and columns; they are queried, never added up.
 */
export function picturesOf({
  tile,
  axes,
  shape,
}: ResolvedTile): readonly (readonly [TilePart, readonly NamedAxis[]])[] {
  if (tile.kind === 'kpi') return [['main', []], ...(axes.length > 0 ? [['spark', axes] as const] : [])];
  if (isOfRows(tile))
    return [['main', axes.filter(axis => axis.channel !== 'color' && axis.channel !== 'shape')]];
  if (!shape.pivot) return [['main', axes]];
  const { rows, columns } = shape.pivot;
  const totals = Array.from({ length: rows + 1 }, (_, r) =>
    Array.from({ length: columns + 1 }, (_, c) => [r, c] as const),
  )
    .flat()
    .filter(([r, c]) => r < rows || c < columns);
  return [
    ['main', axes],
    ...totals.map(([r, c]) => [`r${r}c${c}`, [...axes.slice(0, r), ...axes.slice(rows, rows + c)]] as const),
  ];
}

const maxPoints = 5000;

/** Whether a scatter plot draws single points: if its unfiltered table has few enough rows. */
export async function showsPoints(
  context: DashboardContext,
  { tile, model }: ResolvedTile,
): Promise<boolean> {
  return (
    (isOfRows(tile) || (tile.kind === 'map' && !tile.region && !tile.color)) &&
    (await countRows(context, model, everything)) <= maxPoints
  );
}

async function pointsFrames(
  context: DashboardContext,
  settled: ResolvedTile,
  scope: 'base' | 'filtered',
  where: Filter,
): Promise<Frame[]> {
  const { tile, model, axes } = settled;
  if (!(await showsPoints(context, settled))) return [];
  const positions = isOfRows(tile)
    ? [tile.x.field, tile.y.field]
    : tile.kind === 'map'
      ? [tile.longitude!.field, tile.latitude!.field]
      : [];
  const groupingAxes = axes.filter(axis => ['color', 'shape', 'row', 'column'].includes(axis.channel));
  const known = [...positions, ...groupingAxes.map(axis => axis.field)];
  const dimensions = [
    ...known,
    ...new Set(
      tooltipFields(tile)
        .map(encoding => encoding.field)
        .filter(field => !known.includes(field)),
    ),
  ];
  const result = await runQuery(context, {
    kind: 'rows',
    model: model.name,
    dimensions,
    where,
    limit: maxPoints,
  });
  return [
    {
      header: {
        kind: 'rows',
        tile: settled.id,
        scope,
        total: result.rowCount,
        columns: result.columns.map(({ name, type }) => pointColumn(model, name, type)),
        rows: resultRows(result),
        axes: groupingAxes,
        notes: lastResultNotes(result),
      },
    },
  ];
}

function pointColumn(model: Model, name: string, type: string): RowsHeader['columns'][number] {
  const { label, format } = dimensionOf(model, name);
  return { name, type, label, ...(format && { format }) };
}

async function cellsFrame(
  context: DashboardContext,
  settled: ResolvedTile,
  part: TilePart,
  scope: 'base' | 'filtered',
  axes: readonly NamedAxis[],
  where: Filter,
  notes: readonly TileNote[],
): Promise<Frame> {
  const began = performance.now();
  const result =
    (await byValue(context, settled, axes, where)) ??
    (axes.length === 0
      ? await queryKpi(context, settled.model, settled.shape.measures, where)
      : await runQuery(context, {
          kind: 'cells',
          model: settled.model.name,
          axes: axes.map(bare),
          measures: settled.shape.measures,
          where,
        }));
  const { marksPerTile } = context.queryContext.workspace.limits;
  if ('rowCount' in result && result.rowCount > marksPerTile)
    throw new ProblemError(
      'query-too-large',
      `This tile has ${result.rowCount.toLocaleString('en')} marks; the maximum is ${marksPerTile.toLocaleString('en')}.`,
    );
  const merges = settled.parts.parts.map(one => one.merge);
  const sampled = context.queryContext.resultRows === 'sample' ? sampleOf(context, settled.model) : undefined;
  const cells = 'groups' in result ? result : cellsOf(result, axes.length > 0);
  const isOfNoRows =
    part === 'main' &&
    settled.tile.kind !== 'kpi' &&
    !sampled &&
    isNothing(cells) &&
    !(await hasRows(context, settled, where));
  return {
    header: {
      kind: 'cells',
      tile: settled.id,
      part,
      scope,
      axes,
      merges,
      values: settled.parts.values,
      ...(part === 'main' && settled.shape.show && { show: settled.shape.show }),
      notes: [...notes, ...lastResultNotes(result)],
      ...(sampled && { sampled }),
      ...(isOfNoRows && { isOfNoRows }),
      engineMs: Math.round(performance.now() - began),
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
  settled: ResolvedTile,
  axes: readonly NamedAxis[],
  where: Filter,
): Promise<Cells | undefined> {
  const [axis] = axes;
  if (
    axes.length !== 1 ||
    axis?.kind !== 'categories' ||
    axis.channel === 'color' ||
    where !== settled.base ||
    settled.parts.parts.some(part => part.merge === 'none')
  )
    return undefined;
  if ((columnOf(context.queryContext.workspace, settled.model, axis.field)?.distinct ?? 0) > maxValues)
    return undefined;
  const result = await runQuery(
    context,
    rankByValue(settled.model.name, axis.field, settled.shape.measures, where),
  );
  return result.rowCount <= maxValues
    ? {
        ...cellsByValue(result, axis, settled.parts),
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

async function firstRows(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
): Promise<Frame> {
  const { isFiltered, ...page } = await tableRows(context, id, tile, {
    offset: 0,
    limit: Math.min(100, context.queryContext.exportRows ?? 100),
  });
  return {
    header: {
      kind: 'rows',
      tile: id,
      scope: isFiltered ? 'filtered' : 'base',
      ...page,
      rows: shownRows(page.rows),
    },
  };
}
