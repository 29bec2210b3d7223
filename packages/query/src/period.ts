import type { Calendar, Comparison, FilterDefault, TimeUnit } from '@belvedere/document';
import { addUnits, everyTimeUnit, onCalendar, startOf, unitsBetween } from './calendar.ts';

/** When “now” is for relative ranges, and where weeks and fiscal years begin. */
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
 * A relative range as a fixed one, whole units, the unit that holds the clock's now included:
 * `last 7 days` on a Wednesday is Thursday to Wednesday.
 */
export function resolvePeriod(period: Period, clock: Clock): Range {
  if ('this' in period) {
    const unit = onCalendar(period.this, clock.calendar);
    const from = startOf(unit, clock.now);
    return { from, below: addUnits(unit, from, 1) };
  }
  const { count, unit: named } = parseDuration(period.last);
  const unit = onCalendar(named, clock.calendar);
  const below = addUnits(unit, startOf(unit, clock.now), 1);
  return { from: addUnits(unit, below, -count), below };
}

export function parseDuration(text: string): { readonly count: number; readonly unit: TimeUnit } {
  const [, count, name] = /^(\d+) (\w+?)s?$/.exec(text) ?? [];
  const unit = everyTimeUnit.find(one => one === name);
  if (!unit) throw new RangeError(`${text} is not a duration.`);
  return { count: Number(count), unit };
}

/** The range of the same length just before, or the same range one year earlier. */
export function comparisonRange(range: Range, by: Exclude<Comparison, object>): Range {
  if (by === 'previous period') {
    // Three whole months are compared with the three months before, not with as many days.
    const months = unitsBetween('month', startOf('month', range.from), range.below);
    const isWhole =
      startOf('month', range.from) === range.from && startOf('month', range.below) === range.below;
    return {
      from: isWhole ? addUnits('month', range.from, -months) : range.from - (range.below - range.from),
      below: range.from,
    };
  }
  return { from: yearEarlier(range.from), below: yearEarlier(range.below) };
}

function yearEarlier(ms: number): number {
  const date = new Date(ms);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  // 29 February has no counterpart: the day before it has.
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}
