import { groupsOf, slotsOf } from '@belvedere/query';
import type { ChannelAxis } from './chart.ts';
import { placeName } from './guides/place-axis.ts';

/** The numbers of a picture as rows: the names of each group's places, then its value of each measure. */
export interface TwinRow {
  readonly group: number;
  readonly names: readonly string[];
  readonly values: readonly number[];
}

/**
 * The table that says what a picture shows, on the screen as in every file that is taken away. Every group that has a value; of pictures
 * with several axes those that are not nothing, and no empty corner of what has no value.
 * @param values for each of `measures` in turn one value for each group
 */
export function twinRows(axes: readonly ChannelAxis[], values: Float64Array, measures: number, locale: string): TwinRow[] {
  const sizes = axes.map(slotsOf);
  const groups = groupsOf(axes);
  return Array.from({ length: groups }, (_, group) => group).flatMap(group => {
    const own = Array.from({ length: measures }, (_, m) => values[m * groups + group]!);
    const places = placesOfGroup(group, sizes);
    const isNothing = own.every(value => Number.isNaN(value) || value === 0);
    if (own.every(Number.isNaN) || (isNothing && (axes.length > 1 || places.some((place, i) => axes[i]!.kind !== 'categories' && place >= sizes[i]! - 2)))) return [];
    return [{ group, names: places.map((place, i) => placeName(axes[i]!, place, locale)), values: own }];
  });
}

/** A group's slot on each axis. */
function placesOfGroup(group: number, sizes: readonly number[]): number[] {
  let rest = group;
  return sizes.toReversed().map(size => {
    const place = rest % size;
    rest = Math.floor(rest / size);
    return place;
  }).toReversed();
}
