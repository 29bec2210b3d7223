import type { Encoding, FieldEncoding, MeasureEncoding, Tile } from '@belvedere/document';
import { isNumeric, isTemporal, type Model } from '@belvedere/model';
import { isAdditive, takeApart } from './measure-parts.ts';
import { dimensionOf, measureOf, QuestionError } from './plan-query.ts';
import type { ShowAs } from './show-as.ts';

/** The channels of a chart along which its groups are laid out. */
export type Channel = 'x' | 'y' | 'color' | 'spark';

/** What an axis is to be, before the data has been looked at. */
export interface AxisRequest {
  readonly channel: Channel;
  readonly field: string;
  readonly kind: 'categories' | 'bins' | 'times';
  readonly encoding: FieldEncoding;
  /** The most places to show: categories past it become Other, bins and times get coarser. */
  readonly limit: number;
}

/** What a tile asks: totals along axes, or the table's own rows, or nothing. */
export type TileShape =
  | { readonly kind: 'cells'; readonly axes: readonly AxisRequest[]; readonly measures: readonly string[]; readonly show?: ShowAs; readonly compare?: 'previous period' | 'previous year' }
  | { readonly kind: 'rows'; readonly dimensions: readonly string[] }
  | { readonly kind: 'nothing' };

export const isMeasure = (encoding: Encoding): encoding is MeasureEncoding => 'measure' in encoding;

/** How many bars a chart shows before the rest becomes Other; at most so many series. */
export const placeLimits = { bars: 12, series: 6, heatmap: 40, numbers: 60, times: 2000, density: 48, bins: 40 } as const;

/** The way from a tile's encodings to what has to be asked. @throws QuestionError for a field or measure the model has not. */
export function tileShape(tile: Tile, model: Model): TileShape {
  const shape = shapeOf(tile, model);
  const show = shownAs(tile);
  if (!show || shape.kind !== 'cells') return shape;
  const { parts, values } = takeApart(shape.measures.map(name => measureOf(model, name)));
  if (show !== 'difference' && !isAdditive(values[0]!, parts.map(part => part.merge))) throw new QuestionError('type-mismatch', `\`${shape.measures[0]}\` does not add up, so there is no ${show} of it.`);
  if (tile.kind === 'kpi') throw new QuestionError('type-mismatch', `A single figure has no ${show}; give the tile an axis.`);
  return { ...shape, show };
}

function shownAs(tile: Tile): ShowAs | undefined {
  const encodings = [tile.kind === 'kpi' ? tile.value : undefined, 'x' in tile ? tile.x : undefined, 'y' in tile ? tile.y : undefined, tile.kind === 'heatmap' ? tile.color : undefined];
  return encodings.map(encoding => (encoding && isMeasure(encoding) ? encoding.show : undefined)).find(show => show !== undefined);
}

function shapeOf(tile: Tile, model: Model): TileShape {
  switch (tile.kind) {
    case 'text':
      return { kind: 'nothing' };
    case 'table':
      return { kind: 'rows', dimensions: (tile.columns ?? Object.keys(model.dimensions).slice(0, 30)).map(field => dimensionOf(model, field).name) };
    case 'kpi':
      return {
        kind: 'cells',
        axes: tile.spark ? [request('spark', tile.spark, placeLimits.bars)] : [],
        measures: [measureOf(model, tile.value.measure).name],
        ...(tile.compare && { compare: tile.compare }),
      };
    case 'scatter': {
      const axes = [request('x', tile.x, placeLimits.density), request('y', tile.y, placeLimits.density)];
      // The colour tells single points apart; a picture of their density has none.
      if (tile.color) axes.push(request('color', tile.color, placeLimits.series));
      return { kind: 'cells', axes, measures: ['rows'] };
    }
    case 'heatmap':
      return { kind: 'cells', axes: [request('x', tile.x, placeLimits.heatmap), request('y', tile.y, placeLimits.heatmap)], measures: [measureOf(model, tile.color.measure).name] };
    default: {
      const channels = [['x', tile.x], ['y', tile.y]] as const;
      const axes = channels.flatMap(([channel, encoding]) => (isMeasure(encoding) ? [] : [request(channel, encoding, placeLimits.bars)]));
      if (tile.color) axes.push(request('color', tile.color, placeLimits.series));
      const measures = channels.flatMap(([, encoding]) => (isMeasure(encoding) ? [measureOf(model, encoding.measure).name] : []));
      return { kind: 'cells', axes, measures: measures.length > 0 ? measures.slice(0, 1) : ['rows'] };
    }
  }

  function request(channel: Channel, encoding: FieldEncoding, limit: number): AxisRequest {
    const { type, sort } = dimensionOf(model, encoding.field);
    const common = { channel, field: encoding.field, encoding } as const;
    if (isTemporal(type)) return { ...common, kind: 'times', limit: placeLimits.times };
    const isPositional = tile.kind === 'scatter';
    if (isNumeric(type) && (encoding.bin || isPositional)) return { ...common, kind: 'bins', limit: isPositional ? placeLimits.density : placeLimits.bins };
    return { ...common, kind: 'categories', limit: encoding.limit ?? (sort ? Math.max(sort.length, limit) : isNumeric(type) && channel !== 'color' ? placeLimits.numbers : limit) };
  }
}

/** Whether a category axis runs by size of its measure, as bars do, or by its own order, as numbers and months do. */
export function runsByValue(request: AxisRequest, model: Model): boolean {
  const { sort } = request.encoding;
  if (sort) return sort === '-value' || sort === 'value';
  const dimension = dimensionOf(model, request.field);
  return !isNumeric(dimension.type) && !dimension.sort;
}
