import type { TimeUnit } from '@belvedere/document';

/*
 * Times here are wall-clock times without a zone, as milliseconds since 1970-01-01T00:00 on that same clock. Every day has 24
 * hours on it; what a zone does to real days is settled where an instant becomes a wall-clock time, in the engine.
 */

const fixed: Partial<Record<TimeUnit, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const dayMs = 86_400_000;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * dayMs;

/** The beginning of the unit that holds `ms`. Weeks begin on Monday (ISO 8601). */
export function startOf(unit: TimeUnit, ms: number): number {
  const length = fixed[unit];
  if (length) return Math.floor(ms / length) * length;
  if (unit === 'week') return Math.floor((ms - firstMonday) / (7 * dayMs)) * 7 * dayMs + firstMonday;
  const month = monthIndex(ms);
  return monthStart(Math.floor(month / monthsIn(unit)) * monthsIn(unit));
}

/** `count` units later; `ms` must be a unit's beginning. */
export function addUnits(unit: TimeUnit, ms: number, count: number): number {
  const length = unit === 'week' ? 7 * dayMs : fixed[unit];
  return length ? ms + count * length : monthStart(monthIndex(ms) + count * monthsIn(unit));
}

/** How many units begin after `from` and not after `to`; `from` must be a unit's beginning. */
export function unitsBetween(unit: TimeUnit, from: number, to: number): number {
  const length = unit === 'week' ? 7 * dayMs : fixed[unit];
  if (length) return Math.floor((startOf(unit, to) - from) / length);
  return Math.floor(monthIndex(to) / monthsIn(unit)) - Math.floor(monthIndex(from) / monthsIn(unit));
}

/** Units from the finest to the coarsest. */
export const timeUnits: readonly TimeUnit[] = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

/** Reads `2024`, `2024-03`, `2024-03-09` or `2024-03-09T14:30[:15]` as a wall-clock time. */
export function parseCalendarTime(text: string): number {
  const full = text + '0000-01-01T00:00:00'.slice(text.length);
  const ms = Date.parse(`${full}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`${text} is not a date.`);
  return ms;
}

/** The shortest text that `parseCalendarTime` reads back as `ms`: days without hours, hours without seconds. */
export function formatCalendarTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  if (ms % dayMs === 0) return iso.slice(0, 10);
  return ms % 60_000 === 0 ? iso.slice(0, 16) : iso.slice(0, 19);
}

function monthsIn(unit: TimeUnit): number {
  return unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1;
}

function monthIndex(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthStart(index: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(index / 12), ((index % 12) + 12) % 12, 1);
  return date.getTime();
}
