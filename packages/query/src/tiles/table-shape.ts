import { didYouMean, type Tile } from '@belvedere/document';
import { isNumeric, type Model } from '@belvedere/model';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';
import { measureOf } from './tile-measure.ts';
import type { TileShape } from './tile-shape.ts';

/** A table's columns: those it names, else the first 30 dimensions of its model. */
export function tableColumns({ columns }: Tile & { kind: 'table' }, model: Model): readonly string[] {
  return columns ?? Object.keys(model.dimensions).slice(0, 30);
}

/** A table without measures shows rows of the model; with a measure, it groups by its other columns. */
export function tableShape(tile: Tile & { kind: 'table' }, model: Model): TileShape {
  const columns = tableColumns(tile, model);
  const isMeasured = (name: string) =>
    !Object.hasOwn(model.dimensions, name) && (Object.hasOwn(model.measures, name) || name.includes('('));
  for (const name of tile.heat ?? []) refuseHeat(name, columns, model, isMeasured);
  const { sparklines = [] } = tile;
  if (!columns.some(isMeasured)) {
    if (sparklines.length > 0)
      throw new QueryError('type-mismatch', 'A sparkline needs a measure among the table’s columns.');
    return { kind: 'rows', dimensions: columns.map(field => dimensionOf(model, field).name) };
  }
  const dimensions = columns.filter(name => !isMeasured(name)).map(field => dimensionOf(model, field).name);
  const measured = columns.filter(isMeasured);
  for (const name of sparklines) {
    if (!measured.includes(name))
      throw new QueryError(
        'field-unknown',
        `\`${name}\` cannot have a sparkline: it is not a measure among the table’s columns${didYouMean(name, measured)}`,
      );
    if (!model.time)
      throw new QueryError(
        'type-mismatch',
        `The model \`${model.name}\` has no \`time\`, which a sparkline needs.`,
      );
    if (dimensions.includes(model.time))
      throw new QueryError(
        'type-mismatch',
        `A sparkline runs along \`${model.time}\`, and the rows are grouped by it too. Remove one of the two.`,
      );
  }
  return {
    kind: 'groups',
    dimensions,
    measures: measured.map(name => measureOf(model, name).name),
    sparklines,
  };
}

function refuseHeat(
  name: string,
  columns: readonly string[],
  model: Model,
  isMeasured: (name: string) => boolean,
): void {
  if (!columns.includes(name))
    throw new QueryError(
      'field-unknown',
      `\`${name}\` cannot be shaded: it is not among the table’s columns${didYouMean(name, columns)}`,
    );
  if (!isMeasured(name) && !isNumeric(dimensionOf(model, name).type))
    throw new QueryError('type-mismatch', `\`${name}\` cannot be shaded by value: it is not a number.`);
}
