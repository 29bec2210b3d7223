import { didYouMean, type AlertFile, type Tile } from '@belvedere/document';
import { isTemporal, type Model } from '@belvedere/model';
import { hasNoQuery, isOfRows, measureOf, resultMeasures, tileShape } from '@belvedere/query';
import { ProblemError } from '../http/problem-error.ts';

/** Groups that one alert may watch. */
export const maxGroups = 1000;

export function unwatchable(): ProblemError {
  return new ProblemError(
    'request-invalid',
    'This kind of tile cannot be watched. Choose a figure or a chart, or watch a measure of a model.',
  );
}

/** The measures of a tile that an alert can watch, by name. @throws ProblemError, QueryError */
export function tileMeasures(tile: Tile, model: Model): readonly string[] {
  if (hasNoQuery(tile) || isOfRows(tile) || tile.kind === 'boxplot' || tile.kind === 'text')
    throw unwatchable();
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') throw unwatchable();
  return shape.measures;
}

/** The position of an alert's measure among its tile's. @throws ProblemError, QueryError */
export function measureIndex({ watch }: AlertFile, tile: Tile, model: Model): number {
  const names = tileMeasures(tile, model);
  // Tiles list the measures that they show first, then those of their tooltips.
  const shown = names.slice(0, Math.max(1, resultMeasures(tile).length));
  if (watch.measure === undefined) {
    if (shown.length === 1) return 0;
    throw new ProblemError(
      'request-invalid',
      `The tile shows several measures. Say which one: \`measure: ${shown.join('`, `')}\`.`,
    );
  }
  const index = names.indexOf(measureOf(model, watch.measure).name);
  if (index >= 0) return index;
  throw new ProblemError(
    'field-unknown',
    `\`${watch.measure}\`: the tile does not show this measure${didYouMean(watch.measure, [...names])}`,
  );
}

/** Whether a tile has a time axis, so that its newest complete period is watched. */
export function hasPeriods(tile: Tile, model: Model): boolean {
  const shape = tileShape(tile, model);
  if (tile.kind === 'kpi' || shape.kind !== 'cells') return false;
  return shape.axes.some(
    axis => axis.kind === 'times' || isTemporal(model.dimensions[axis.field]?.type ?? 'text'),
  );
}
