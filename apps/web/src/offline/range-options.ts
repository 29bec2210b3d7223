import { edgeOf, formatCalendarTime, type Axis } from '@belvedere/query';

interface RangeOption {
  readonly value: string;
  readonly label: string;
}

/**
 * Returns the ends that a range along an axis can have. A range of times ends with a whole step, so its end is named
 * by its last step: *January* to *March*. A range of numbers ends at an edge.
 * @param say names the step that begins at a position
 */
export function rangeOptions(
  axis: Exclude<Axis, { kind: 'categories' }>,
  say: (position: number) => string,
): {
  readonly from: readonly RangeOption[];
  readonly below: readonly RangeOption[];
  /** The edge after one, and before one. */
  readonly nextOf: (edge: number) => number;
  readonly previousOf: (edge: number) => number;
} {
  const edges = Array.from({ length: axis.count + 1 }, (_, position) => edgeOf(axis, position));
  const option = (position: number, named: number) => ({
    value: String(edges[position]!),
    label: say(named),
  });
  return {
    from: edges.slice(0, -1).map((_, position) => option(position, position)),
    below: edges.slice(1).map((_, i) => option(i + 1, axis.kind === 'bins' ? i + 1 : i)),
    nextOf: edge => edges.find(one => one > edge) ?? edges.at(-1)!,
    previousOf: edge => edges.findLast(one => one < edge) ?? edges[0]!,
  };
}

/** Returns the first and the last day of a range of times. Steps of hours may end within a day. */
export function daysIn(from: number, below: number): { readonly start: string; readonly end: string } {
  const dayOf = (ms: number) => formatCalendarTime(ms).slice(0, 10);
  return { start: dayOf(from), end: dayOf(below - 1) };
}
