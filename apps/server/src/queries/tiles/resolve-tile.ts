import type { NamedAxis, TileNote } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import {
  hasNoQuery,
  measureOf,
  decomposeMeasures,
  tileShape,
  type Filter,
  type DecomposedMeasures,
  type TileShape,
} from '@belvedere/query';
import { runQuery, tileModel, type DashboardContext } from '../dashboard-query-context.ts';
import { columnOf, knownExtent } from '../models/column-profiles.ts';
import { filtersFor } from '../tile-filters.ts';
import { inOneStep, resolveAxes } from './resolve-axes.ts';

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
