import { edgeOf, type Axis, type PartialEnds } from './axis.ts';
import { timeUnitOf, type CalendarUnit } from './calendar.ts';

type TimeAxis = Extract<Axis, { kind: 'times' }>;

/**
 * An end with less room without data than this part of its unit counts as whole: a Sunday, a holiday, a night.
 * A week that ends on a Friday may as well have only begun, and would look like a fall.
 */
function slackOf(unit: CalendarUnit): number {
  const own = timeUnitOf(unit);
  if (own === 'week') return 0.2;
  return own === 'month' || own === 'quarter' || own === 'year' ? 0.1 : 0.5;
}

/** A filter that leaves out more of a unit than this cuts it. */
const minCut = 0.02;

/** With fewer units on an axis, each of them is the picture. */
const minUnits = 3;

/**
 * Returns the ends of a time axis that the data covers only in part, or undefined if it covers both.
 * @param axis its units, without their ends
 * @param extent the data's first and last time, wall-clock milliseconds
 * @param grainMs how long after its time a row lasts: a day for dates, 0 for moments
 * @param filtered the ends of a filter, which leaves no doubt about what is missing
 */
export function partialEnds(
  axis: TimeAxis,
  extent: readonly [number, number],
  grainMs: number,
  filtered: { readonly from?: number | undefined; readonly below?: number | undefined } = {},
): PartialEnds | undefined {
  if (axis.count < minUnits) return undefined;
  const slack = slackOf(axis.unit);
  const [begin, second] = [edgeOf(axis, 0), edgeOf(axis, 1)];
  const [last, end] = [edgeOf(axis, axis.count - 1), edgeOf(axis, axis.count)];
  const isCut = (missing: number, unit: number) => missing > unit * minCut;
  const isFirst =
    (extent[0] - begin > (second - begin) * slack && extent[0] < second) ||
    (filtered.from !== undefined && filtered.from < second && isCut(filtered.from - begin, second - begin));
  const isLast =
    (end - (extent[1] + grainMs) > (end - last) * slack && extent[1] >= last) ||
    (filtered.below !== undefined && filtered.below > last && isCut(end - filtered.below, end - last));
  return isFirst || isLast ? { ...(isFirst && { first: true }), ...(isLast && { last: true }) } : undefined;
}

/** The positions of an axis whose periods are whole: from, and the first that is not. */
export function wholePositions(axis: Axis, positions: number): readonly [from: number, below: number] {
  const { first, last } = (axis.kind === 'times' && axis.partial) || {};
  return [first ? 1 : 0, positions - (last ? 1 : 0)];
}
