import { sortingMeasure, type FieldEncoding, type Tile } from '@belvedere/document';
import { isNumeric, isTemporal, type Model } from '@belvedere/model';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';
import { isOfRows, type Channel } from './tile-encodings.ts';
import { measureOf } from './tile-measure.ts';

/** The requested layout of an axis, before the data is known. */
export interface AxisRequest {
  readonly channel: Channel;
  readonly field: string;
  readonly kind: 'categories' | 'bins' | 'times';
  readonly encoding: FieldEncoding;
  /** The maximum number of positions. Further categories become Other; bins and times get coarser. */
  readonly limit: number;
  /** The values divide a whole: the tile shows the largest, each in the colour it has on every tile. */
  readonly isPart?: boolean;
}

/** The default maximum number of positions, by kind of axis. Further bars and series become Other. */
export const positionLimits = {
  bars: 12,
  series: 6,
  heatmap: 40,
  numbers: 60,
  times: 2000,
  density: 48,
  bins: 40,
  slices: 6,
  levels: 12,
  rings: 8,
  boxes: 12,
  panels: 9,
  shapes: 6,
  regions: 4000,
  points: 300,
  pivot: 20,
  calendarDays: 3660,
} as const;

/**
 * The axis that a channel of a tile requests: times, bins, or categories up to `limit`.
 * @throws QueryError for an unknown field, or one whose type the channel cannot lay out.
 */
export function axisRequest(
  tile: Tile,
  model: Model,
  channel: Channel,
  encoding: FieldEncoding,
  limit: number,
): AxisRequest {
  const { type, sort } = dimensionOf(model, encoding.field);
  const common = { channel, field: encoding.field, encoding } as const;
  const sorting = sortingMeasure(encoding.sort);
  if (sorting) measureOf(model, sorting.measure);
  if (encoding.gaps && !isTemporal(type))
    throw new QueryError(
      'type-mismatch',
      `\`gaps\` needs a date or time, but \`${encoding.field}\` is not one.`,
    );
  if (isTemporal(type) && tile.kind !== 'pivot' && channel !== 'row' && channel !== 'column')
    return { ...common, kind: 'times', limit: tile.kind === 'calendar' ? limit : positionLimits.times };
  if (isTemporal(type)) return { ...common, kind: 'times', limit: 60 };
  const isPositional = (isOfRows(tile) || tile.kind === 'map') && (channel === 'x' || channel === 'y');
  if (isPositional && !isNumeric(type))
    throw new QueryError(
      'type-mismatch',
      `\`${encoding.field}\` is not a number, so it cannot position marks.`,
    );
  if (isNumeric(type) && (encoding.bin || isPositional))
    return { ...common, kind: 'bins', limit: isPositional ? limit : positionLimits.bins };
  const listed = Array.isArray(encoding.sort) ? encoding.sort : sort;
  return {
    ...common,
    kind: 'categories',
    limit:
      encoding.limit ??
      (listed
        ? Math.max(listed.length, limit)
        : isNumeric(type) && channel !== 'color'
          ? Math.max(limit, positionLimits.numbers)
          : limit),
  };
}

/**
 * Whether a category axis sorts by its measure, as bars do, or by its own order, as numbers and months do.
 */
export function runsByValue(request: AxisRequest, model: Model): boolean {
  const { sort } = request.encoding;
  if (Array.isArray(sort)) return false;
  if (sort) return typeof sort === 'object' || sort === '-value' || sort === 'value';
  const dimension = dimensionOf(model, request.field);
  return !isNumeric(dimension.type) && !dimension.sort;
}
