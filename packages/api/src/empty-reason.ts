import type { Tile } from '@belvedere/document';
import { isOfParts } from '@belvedere/query';
import type { CellsHeader } from './frames.ts';

/** What a picture would be drawn of: rows, values that they have, parts of a whole. */
export type EmptyReason = 'rows' | 'values' | 'parts';

/**
 * What a picture would be drawn of and is not there; undefined where it can be drawn. A value of 0 is there, since a share may be 0 wherever
 * one looks, but a whole of 0 has no parts, and a pivot shows no zeros.
 * @param values as drawn, of every measure and group
 */
export function emptyReasonOf(
  tile: Tile,
  { sampled, isOfNoRows }: CellsHeader,
  values: Float64Array,
): EmptyReason | undefined {
  // Some rows may have none of what there is.
  if (sampled) return undefined;
  if (isOfNoRows) return 'rows';
  if (values.every(Number.isNaN)) return 'values';
  return (isOfParts(tile) || tile.kind === 'pivot') &&
    values.every(value => value === 0 || Number.isNaN(value))
    ? 'parts'
    : undefined;
}
