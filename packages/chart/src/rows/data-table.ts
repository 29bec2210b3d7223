import { groupsOf, slotsOf } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';

/** The numbers of a picture as rows: the names of each group's places, then its value of each measure. */
export interface DataTableRow {
  readonly group: number;
  /** Its slot on each axis. */
  readonly positions: readonly number[];
  readonly names: readonly string[];
  readonly values: readonly number[];
}

/**
 * The table of a chart's values, for the screen and for exports. It has a row for every group with a value;
 * with several axes it leaves out zeros.
 * @param values for each of `measures`, one value for each group
 * @param keepsPositions whether every combination of positions has a row
 */
export function dataTableRows(
  axes: readonly ChannelAxis[],
  values: Float64Array,
  measures: number,
  locale: string,
  keepsPositions = false,
): DataTableRow[] {
  const sizes = axes.map(slotsOf);
  const groups = groupsOf(axes);
  return Array.from({ length: groups }, (_, group) => group).flatMap(group => {
    const own = Array.from({ length: measures }, (_, m) => values[m * groups + group]!);
    const positions = placesOfGroup(group, sizes);
    const isNothing = own.every(value => Number.isNaN(value) || value === 0);
    const isBeyond = positions.some(
      (position, i) => axes[i]!.kind !== 'categories' && position >= sizes[i]! - 2,
    );
    if (keepsPositions && !isBeyond) return [rowOf()];
    if (own.every(Number.isNaN) || (isNothing && (axes.length > 1 || isBeyond))) return [];
    return [rowOf()];

    function rowOf(): DataTableRow {
      return {
        group,
        positions,
        names: positions.map((position, i) => positionName(axes[i]!, position, locale)),
        values: own,
      };
    }
  });
}

/** A group's slot on each axis. */
function placesOfGroup(group: number, sizes: readonly number[]): number[] {
  let rest = group;
  return sizes
    .toReversed()
    .map(size => {
      const position = rest % size;
      rest = Math.floor(rest / size);
      return position;
    })
    .toReversed();
}
