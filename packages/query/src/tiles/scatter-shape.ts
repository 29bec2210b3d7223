import { isMeasure, type FieldEncoding, type Tile } from '@belvedere/document';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';
import { positionLimits, type AxisRequest } from './axis-request.ts';
import { isOfGroups, isOfRows, shadingMeasures, tooltipFields, tooltipMeasures } from './tile-encodings.ts';
import type { ShapeParts, TileShape } from './tile-shape.ts';

type Scatter = Tile & { kind: 'scatter' };

/** A scatter of two measures has a point per value of `detail`; one of two fields has a point per row. */
export function scatterShape(tile: Scatter, parts: ShapeParts): TileShape {
  if (isOfGroups(tile)) return shapeOfGroups(tile, parts);
  if (shadingMeasures(tile).length > 0)
    throw new QueryError(
      'type-mismatch',
      'The `color` of a scatter of two fields is a field. Use a measure with a scatter of two measures.',
    );
  if (!isOfRows(tile)) throw new TypeError('a scatter has a point per group or per row');
  return shapeOfRows(tile, parts);
}

function shapeOfGroups(tile: Scatter, { measures, panels, colour, request }: ShapeParts): TileShape {
  if (!isMeasure(tile.x) || !isMeasure(tile.y))
    throw new QueryError(
      'type-mismatch',
      'A scatter needs two fields (a point per row) or two measures (a point per value of `detail`), not one of each.',
    );
  if (tile.tooltip && tile.tooltip.length > tooltipMeasures(tile).length)
    throw new QueryError(
      'type-mismatch',
      'The tooltip of a scatter of measures can show measures but not fields, since each point is many rows.',
    );
  if (tile.shape)
    throw new QueryError(
      'type-mismatch',
      'A scatter of measures has no `shape`. Use `shape` with a scatter of two fields, which has a point per row.',
    );
  if (!tile.detail)
    throw new QueryError(
      'field-unknown',
      'A scatter of two measures needs `detail`, the field with a point per value.',
    );
  if (tile.order && tile.order.field !== tile.detail.field)
    throw new QueryError(
      'type-mismatch',
      `The line must follow the order of the points’ own field: \`order: { field: ${tile.detail.field} }\`.`,
    );
  return {
    kind: 'cells',
    axes: [...panels, request('detail', tile.detail, positionLimits.points), ...colour],
    measures,
  };
}

type ScatterOfRows = Scatter & { readonly x: FieldEncoding; readonly y: FieldEncoding };

function shapeOfRows(tile: ScatterOfRows, parts: ShapeParts): TileShape {
  if (tooltipMeasures(tile).length > 0)
    throw new QueryError(
      'type-mismatch',
      'The tooltip of a scatter of two fields can show fields but not measures. Use measures with a scatter of two measures.',
    );
  if (tile.detail || tile.size || tile.order)
    throw new QueryError(
      'type-mismatch',
      'A scatter of two fields has a point per row, all of the same size. Use `detail`, `size` and `order` with a scatter of two measures.',
    );
  for (const { field } of tooltipFields(tile)) dimensionOf(parts.model, field);
  const shapes = shapesOfPoints(tile, parts);
  // The colour tells single points apart; a density plot has none.
  return {
    kind: 'cells',
    axes: [
      ...parts.panels,
      parts.request('x', tile.x, positionLimits.density),
      parts.request('y', tile.y, positionLimits.density),
      ...parts.colour,
      ...shapes,
    ],
    measures: ['rows'],
  };
}

/** A shape of the same field as the colour gets the same layout, because one legend explains both. */
function shapesOfPoints(
  { shape }: ScatterOfRows,
  { colour: [colour], request }: ShapeParts,
): readonly AxisRequest[] {
  if (!shape) return [];
  return colour?.field === shape.field
    ? [request('shape', colour.encoding, positionLimits.series)]
    : [request('shape', { limit: positionLimits.shapes, ...shape }, positionLimits.shapes)];
}
