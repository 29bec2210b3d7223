import { edgeOf, type Axis, type PartialEnds } from './axis.ts';
import { startOf, timeUnitOf, type CalendarUnit } from './calendar.ts';

type TimeAxis = Extract<Axis, { kind: 'times' }>;

/**
 * An end with less room without data than this part of its unit counts as whole: a Sunday, a holiday, a night.
 * A week that ends on a Friday may as well have only begun, and would look like a fall, unless the data of
 * earlier weeks shows that it always does.
 */
function slackOf(unit: CalendarUnit): number {
  const own = timeUnitOf(unit);
  if (own === 'week') return 0.2;
  return own === 'month' || own === 'quarter' || own === 'year' ? 0.1 : 0.5;
}

/** So many weeks tell on which weekdays there usually is data. */
export const patternWeeks = 8;
const minWeeks = 4;

/** The days of a week on which there usually is data: from the first to below the last, counted from its begin. */
export interface UsualDays {
  readonly from: number;
  readonly below: number;
}

/**
 * Returns the usual days of weeks: those that have data in more than half of the weeks that have any.
 * @param days the begin of each day with data, in whole weeks
 * @param unit a unit of weeks
 * @returns undefined if the weeks are too few, or no day is usual
 */
export function usualDaysOf(days: readonly number[], unit: CalendarUnit): UsualDays | undefined {
  const weeks = new Set(days.map(day => startOf(unit, day)));
  const offsets = days.map(day => Math.round((day - startOf(unit, day)) / dayMs));
  const usual = [0, 1, 2, 3, 4, 5, 6].filter(
    offset => offsets.filter(one => one === offset).length > weeks.size / 2,
  );
  if (weeks.size < minWeeks || usual.length === 0) return undefined;
  return { from: usual[0]!, below: usual.at(-1)! + 1 };
}

/**
 * Whether an end of a time axis of weeks is without data for a day or more, so that it depends on the usual
 * days whether it is whole.
 */
export function dependsOnUsualDays(
  axis: TimeAxis,
  extent: readonly [number, number],
  grainMs: number,
): boolean {
  if (timeUnitOf(axis.unit) !== 'week' || axis.count < minUnits) return false;
  const missing = [extent[0] - edgeOf(axis, 0), edgeOf(axis, axis.count) - (extent[1] + grainMs)];
  return missing.some(ms => ms >= dayMs && ms < 7 * dayMs);
}

const dayMs = 86_400_000;

/** A filter that leaves out more of a unit than this cuts it. */
const minCut = 0.02;

/** With fewer units on an axis, each of them is the picture. */
const minUnits = 3;

/**
 * Returns the ends of a time axis that the data covers only in part, or undefined if it covers both.
 * @param axis its units, without their ends
 * @param extent the data's first and last time, wall-clock milliseconds
 * @param grainMs how long after its time a row lasts: a day for dates, 0 for moments
 * @param usual of weeks, the days on which there usually is data: a week is whole without the others
 * @param filtered the ends of a filter, which leaves no doubt about what is missing
 */
export function partialEnds(
  axis: TimeAxis,
  extent: readonly [number, number],
  grainMs: number,
  filtered: { readonly from?: number | undefined; readonly below?: number | undefined } = {},
  usual?: UsualDays,
): PartialEnds | undefined {
  if (axis.count < minUnits) return undefined;
  const slack = slackOf(axis.unit);
  const [begin, second] = [edgeOf(axis, 0), edgeOf(axis, 1)];
  const [last, end] = [edgeOf(axis, axis.count - 1), edgeOf(axis, axis.count)];
  const isCut = (missing: number, unit: number) => missing > unit * minCut;
  const isShort = usual
    ? {
        first: extent[0] - (begin + usual.from * dayMs) > dayMs / 2,
        last: last + usual.below * dayMs - (extent[1] + grainMs) > dayMs / 2,
      }
    : {
        first: extent[0] - begin > (second - begin) * slack,
        last: end - (extent[1] + grainMs) > (end - last) * slack,
      };
  const isFirst =
    (isShort.first && extent[0] < second) ||
    (filtered.from !== undefined && filtered.from < second && isCut(filtered.from - begin, second - begin));
  const isLast =
    (isShort.last && extent[1] >= last) ||
    (filtered.below !== undefined && filtered.below > last && isCut(end - filtered.below, end - last));
  return isFirst || isLast ? { ...(isFirst && { first: true }), ...(isLast && { last: true }) } : undefined;
}

/** The positions of an axis whose periods are whole: from, and the first that is not. */
export function wholePositions(axis: Axis, positions: number): readonly [from: number, below: number] {
  const { first, last } = (axis.kind === 'times' && axis.partial) || {};
  return [first ? 1 : 0, positions - (last ? 1 : 0)];
}
