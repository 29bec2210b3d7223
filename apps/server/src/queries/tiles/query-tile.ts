import type { Frame, NamedAxis, TileNote, TilePart } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { allOf, comparedPeriod, hasNoQuery, comparisonFilter, isOfRows, type Filter } from '@belvedere/query';
import { asForbiddenError } from '../../access/row-policies.ts';
import { problemFrom } from '../../http/problems.ts';
import { contextOfTile, tileModel, type DashboardContext } from '../dashboard-query-context.ts';
import { dataEnd, dataStart } from '../data-times.ts';
import { filtersFor } from '../tile-filters.ts';
import { shownRows } from '../rows/result-rows.ts';
import { tableRows } from '../rows/table-pages.ts';
import { type ResolvedTile, resolveTile } from './resolve-tile.ts';
import { pointsFrames } from './points-frame.ts';
import { cellsFrame } from './cells-frame.ts';

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
  const resolved = (await resolveTile(context, id, tile))!;
  const scopes = isAll(resolved.selected)
    ? (['base'] as const)
    : scope === 'both'
      ? (['base', 'filtered'] as const)
      : ([scope] as const);
  return scopes.map(one => ({ scope: one, frames: framesUnder(context, resolved, one) }));
}

function isAll(filter: Filter): boolean {
  return filter.kind === 'everything';
}

async function framesUnder(
  context: DashboardContext,
  resolved: ResolvedTile,
  scope: Scope,
): Promise<Frame[]> {
  const where = scope === 'base' ? resolved.base : allOf([resolved.base, resolved.selected]);
  const { compare } = resolved.shape;
  const earlier =
    compare && comparisonFilter(where, resolved.model, compare, await dataEnd(context, resolved.model));
  const start = earlier && typeof compare === 'string' ? await dataStart(context, resolved.model) : undefined;
  const notes: TileNote[] = [
    ...resolved.notes,
    ...(earlier
      ? [{ kind: 'compared', ...comparedPeriod(earlier.range, start) } as const]
      : compare
        ? [{ kind: 'nothing-to-compare' } as const]
        : []),
  ];
  const frames = await Promise.all([
    ...picturesOf(resolved).map(([part, axes]) =>
      cellsFrame(context, resolved, { part, scope, axes, where, notes: part === 'main' ? notes : [] }),
    ),
    ...(earlier
      ? [
          cellsFrame(context, resolved, {
            part: 'previous',
            scope,
            axes: [],
            where: earlier.filter,
            notes: [],
          }),
        ]
      : []),
    pointsFrames(context, resolved, scope, where),
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
