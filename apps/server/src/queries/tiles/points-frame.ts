import type { Frame, RowsHeader } from '@belvedere/api';
import type { Model } from '@belvedere/model';
import { everything, dimensionOf, isOfRows, tooltipFields, type Filter } from '@belvedere/query';
import { runQuery, type DashboardContext } from '../dashboard-query-context.ts';
import { countRows } from '../rows/count-rows.ts';
import { dataNotes, resultRows } from '../rows/result-rows.ts';
import type { ResolvedTile } from './resolve-tile.ts';

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

export async function pointsFrames(
  context: DashboardContext,
  resolved: ResolvedTile,
  scope: 'base' | 'filtered',
  where: Filter,
): Promise<Frame[]> {
  const { tile, model, axes } = resolved;
  if (!(await showsPoints(context, resolved))) return [];
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
        tile: resolved.id,
        scope,
        total: result.rowCount,
        columns: result.columns.map(({ name, type }) => pointColumn(model, name, type)),
        rows: resultRows(result),
        axes: groupingAxes,
        notes: dataNotes(result, model, context.queryContext.workspace),
      },
    },
  ];
}

function pointColumn(model: Model, name: string, type: string): RowsHeader['columns'][number] {
  const { label, format } = dimensionOf(model, name);
  return { name, type, label, ...(format && { format }) };
}
