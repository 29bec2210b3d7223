import { measureName, type Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { decomposeMeasures, isAdditive } from '../partial-aggregates.ts';
import { QueryError } from '../query-error.ts';
import { shapeByKind } from './shape-by-kind.ts';
import { isChange, type ShowAs } from './table-calculations.ts';
import { refuseIdleGuides, refuseStrayAnnotations } from './tile-guides.ts';
import { measuresOf, tooltipMeasures } from './tile-encodings.ts';
import { measureOf } from './tile-measure.ts';
import type { TileShape } from './tile-shape.ts';

/**
 * Derives the data a tile needs from its encodings.
 * @throws QueryError for a field or measure that the model does not have.
 */
export function tileShape(tile: Tile, model: Model): TileShape {
  refuseIdleGuides(tile, model);
  refuseStrayAnnotations(tile, model);
  const drawn = shapeByKind(tile, model);
  if (drawn.kind !== 'cells') return drawn;
  const tooltips = tooltipMeasures(tile).map(encoding => measureOf(model, measureName(encoding)).name);
  const shape = { ...drawn, measures: [...drawn.measures, ...tooltips] };
  const shows = [...measuresOf(tile).map(encoding => encoding.show ?? null), ...tooltips.map(() => null)];
  refuseSharesOfAverages(tile, model, shape.measures, shows);
  if (shows.every(show => show === null)) return shape;
  if (tile.kind === 'kpi' || tile.kind === 'gauge')
    throw new QueryError('type-mismatch', `A single number has no ${shows[0]}. Add an axis to the tile.`);
  if (shape.pivot) throw new QueryError('type-mismatch', 'A pivot shows plain values only.');
  return { ...shape, show: shows };
}

const wholes: readonly Tile['kind'][] = ['pie', 'donut', 'treemap', 'sunburst', 'sankey', 'waterfall'];

/** Rejects parts of a whole, and running totals or shares, of a measure whose groups do not add up. */
function refuseSharesOfAverages(
  tile: Tile,
  model: Model,
  measures: readonly string[],
  shows: readonly (ShowAs | null)[],
): void {
  const { parts, values } = decomposeMeasures(measures.map(name => measureOf(model, name)));
  const merges = parts.map(part => part.merge);
  if (wholes.includes(tile.kind) && !isChange(shows[0]) && !isAdditive(values[0]!, merges))
    throw new QueryError(
      'type-mismatch',
      `\`${measures[0]}\` is not additive, so a ${tile.kind} cannot show it as parts of a whole. Use bars.`,
    );
  for (const [i, show] of shows.entries())
    if (show && !isChange(show) && !isAdditive(values[i]!, merges))
      throw new QueryError('type-mismatch', `\`${measures[i]}\` is not additive, so it has no ${show}.`);
}
