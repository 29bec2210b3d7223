import type { Tile } from '@belvedere/document';
import { isOfParts } from '@belvedere/query';
import type { CellsHeader } from './frames.ts';

/** The missing data of an empty chart: rows, values in those rows, parts of a whole, or parts above 0. */
export type EmptyReason = 'rows' | 'values' | 'parts' | 'positive';

/**
 * Returns why a chart is empty; undefined if it can be drawn. A value of 0 counts as data, because a share
 * may be 0 everywhere. However, a whole of 0 has no parts, nor has one
 * of amounts below 0, and a pivot shows no zeros.
 * @param values the drawn values, of every measure and group
 */
export function emptyReasonOf(
  tile: Tile,
  { sampled, isOfNoRows }: CellsHeader,
  values: Float64Array,
): EmptyReason | undefined {
  // A sample may lack rows that the data has.
  if (sampled) return undefined;
  if (isOfNoRows) return 'rows';
  if (values.every(Number.isNaN)) return 'values';
  if (!isOfParts(tile) && tile.kind !== 'pivot') return undefined;
  if (values.every(value => value === 0 || Number.isNaN(value))) return 'parts';
  // Only amounts above 0 are parts of a whole.
  return isOfParts(tile) && !values.some(value => value > 0) ? 'positive' : undefined;
}
