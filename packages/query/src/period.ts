import type { Calendar, Comparison, FilterDefault, TimeUnit } from '@belvedere/document';
import { addUnits, everyTimeUnit, onCalendar, startOf, unitsBetween } from './calendar.ts';

/**
 * The moment that relative ranges count as “now”, and the calendar's first days of weeks and fiscal years.
 */
export interface Clock {
  /** The data's newest moment, as a wall-clock time. */
  readonly now: number;
  readonly calendar: Calendar;
}

export type Period = Extract<FilterDefault, { last: string } | { this: string }>;

export interface Range {
  readonly from: number;
  readonly below: number;
}

/**
 * Resolves a relative range to a fixed range of whole units, including the unit that holds the clock's now.
 * `last 7 days` on a Wednesday is Thursday to Wednesday; `last 7 complete days` is Wednesday to Tuesday.
 */
export function resolvePeriod(period: Period, clock: Clock): Range {
  if ('this' in period) {
    const unit = onCalendar(period.this, clock.calendar);
    const from = startOf(unit, clock.now);
    return { from, below: addUnits(unit, from, 1) };
  }
  const { count, unit: named, isComplete } = parseDuration(period.last);
  const unit = onCalendar(named, clock.calendar);
  const below = addUnits(unit, startOf(unit, clock.now), isComplete ? 0 : 1);
  return { from: addUnits(unit, below, -count), below };
}

interface Duration {
  readonly count: number;
  readonly unit: TimeUnit;
  /** Without the period that holds the newest data: `7 complete days`. */
  readonly isComplete: boolean;
}

export function parseDuration(text: string): Duration {
  const [, count, complete, name] = /^(\d+) (complete )?(\w+?)s?$/.exec(text) ?? [];
  const unit = everyTimeUnit.find(one => one === name);
  if (!unit) throw new RangeError(`${text} is not a duration.`);
  return { count: Number(count), unit, isComplete: complete !== undefined };
}

/** A range of the last periods with or without the current one; any other condition as it is. */
export function withCompletePeriods<Condition extends FilterDefault>(
  condition: Condition,
  isComplete: boolean,
): Condition {
  if (!('last' in condition)) return condition;
  const last = condition.last.replace('complete ', '');
  return { ...condition, last: isComplete ? last.replace(' ', ' complete ') : last };
}

/**
 * Returns the range of the same length just before, or the same range one year earlier. A range longer than a
 * year moves back by as many years as it takes to not overlap itself.
 */
export function comparisonRange(range: Range, by: Exclude<Comparison, object>): Range {
  if (by === 'previous period') {
    // Compares three whole months with the three months before, not with the same number of days.
    const months = unitsBetween('month', startOf('month', range.from), range.below);
    const isWhole =
      startOf('month', range.from) === range.from && startOf('month', range.below) === range.below;
    return {
      from: isWhole ? addUnits('month', range.from, -months) : range.from - (range.below - range.from),
      below: range.from,
    };
  }
  const years = yearsBack(range);
  return { from: yearsEarlier(range.from, years), below: yearsEarlier(range.below, years) };
}

/** The least number of years by which a range moves back to before itself. */
export function yearsBack({ from, below }: Range): number {
  let years = Math.max(1, new Date(below).getUTCFullYear() - new Date(from).getUTCFullYear());
  if (yearsEarlier(below, years) > from) years++;
  return years;
}

/** Returns the same moment some years earlier. */
export function yearsEarlier(ms: number, years: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - years);
  // 29 February has no counterpart in the year before, so it becomes 28 February.
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}
