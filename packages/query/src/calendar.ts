import {
  months,
  weekdays,
  type Calendar,
  type Month,
  type TimeUnit,
  type Weekday,
} from '@belvedere/document';

/*
 * Times here are wall-clock times without a zone, as milliseconds since 1970-01-01T00:00 on that same clock.
 * Every day has 24 hours on it. The engine applies the zone when it converts an instant to a wall-clock time.
 */

type FiscalUnit = (typeof fiscalUnits)[number];

/**
 * A unit of time with the start of its weeks or fiscal years. `week` alone begins on Monday (ISO 8601).
 * Documents and links contain only a `TimeUnit`; `onCalendar` converts it.
 */
export type CalendarUnit = Exclude<TimeUnit, FiscalUnit> | `week:${Weekday}` | `${FiscalUnit}:${Month}`;

export function onCalendar(unit: TimeUnit, { weekStart, fiscalYearStart }: Calendar): CalendarUnit {
  if (unit === 'fiscalQuarter' || unit === 'fiscalYear') return `${unit}:${fiscalYearStart}`;
  return unit === 'week' && weekStart !== 'monday' ? `week:${weekStart}` : unit;
}

/** The unit's name in documents and in the interface. */
export function timeUnitOf(unit: CalendarUnit): TimeUnit {
  return unit.split(':')[0] as TimeUnit;
}

/** The units of fiscal years. */
const fiscalUnits = ['fiscalQuarter', 'fiscalYear'] as const satisfies readonly TimeUnit[];

/** The units of the calendar year, from the finest to the coarsest. */
export const timeUnits = [
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const satisfies readonly CalendarUnit[];

/** All units that documents and links may contain. */
export const everyTimeUnit: readonly TimeUnit[] = [...timeUnits, ...fiscalUnits];

/** The units that the interface offers: fiscal units only when the fiscal year does not begin in January. */
export function unitsOn({ fiscalYearStart }: Calendar): readonly TimeUnit[] {
  return fiscalYearStart === 'january' ? timeUnits : everyTimeUnit;
}

/** The next coarser unit; years have none. */
export function coarserUnit(unit: TimeUnit): TimeUnit | undefined {
  if (unit === 'fiscalQuarter') return 'fiscalYear';
  return unit === 'fiscalYear' ? undefined : timeUnits[timeUnits.indexOf(unit) + 1];
}

/**
 * How a unit repeats: every `ms` milliseconds from a moment, or every `months` months from a month (0 to 11).
 */
type Repeat =
  | { readonly ms: number; readonly from: number }
  | { readonly months: number; readonly from: number };

const dayMs = 86_400_000;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * dayMs;

const repeats = new Map<CalendarUnit, Repeat>([
  ['minute', { ms: 60_000, from: 0 }],
  ['hour', { ms: 3_600_000, from: 0 }],
  ['day', { ms: dayMs, from: 0 }],
  ['week', { ms: 7 * dayMs, from: firstMonday }],
  ...weekdays.map((day, i): [CalendarUnit, Repeat] => [
    `week:${day}`,
    { ms: 7 * dayMs, from: firstMonday + i * dayMs },
  ]),
  ['month', { months: 1, from: 0 }],
  ['quarter', { months: 3, from: 0 }],
  ['year', { months: 12, from: 0 }],
  ...months.flatMap((month, i): [CalendarUnit, Repeat][] => [
    [`fiscalQuarter:${month}`, { months: 3, from: i }],
    [`fiscalYear:${month}`, { months: 12, from: i }],
  ]),
]);

export function repeatOf(unit: CalendarUnit): Repeat {
  return repeats.get(unit)!;
}

/** The beginning of the unit that contains `ms`. */
export function startOf(unit: CalendarUnit, ms: number): number {
  const repeat = repeatOf(unit);
  if ('ms' in repeat) return Math.floor((ms - repeat.from) / repeat.ms) * repeat.ms + repeat.from;
  return monthStart(Math.floor((monthIndex(ms) - repeat.from) / repeat.months) * repeat.months + repeat.from);
}

/** `count` units later; `ms` must be a unit's beginning. */
export function addUnits(unit: CalendarUnit, ms: number, count: number): number {
  const repeat = repeatOf(unit);
  return 'ms' in repeat ? ms + count * repeat.ms : monthStart(monthIndex(ms) + count * repeat.months);
}

/** The number of units that begin after `from` and not after `to`; `from` must be a unit's beginning. */
export function unitsBetween(unit: CalendarUnit, from: number, to: number): number {
  const repeat = repeatOf(unit);
  return 'ms' in repeat
    ? Math.floor((to - from) / repeat.ms)
    : Math.floor((monthIndex(to) - monthIndex(from)) / repeat.months);
}

/**
 * The fiscal year that contains a moment, named after the year it ends in, and its quarter (1 to 4).
 * Undefined for units that are not fiscal.
 */
export function fiscalPositionIn(
  unit: CalendarUnit,
  ms: number,
): { readonly year: number; readonly quarter: number } | undefined {
  const repeat = repeatOf(unit);
  if ('ms' in repeat || !unit.startsWith('fiscal')) return undefined;
  const since = monthIndex(ms) - repeat.from;
  const year = Math.floor(since / 12);
  return { year: repeat.from === 0 ? year : year + 1, quarter: Math.floor((since - year * 12) / 3) + 1 };
}

/** Parses `2024`, `2024-03`, `2024-03-09` or `2024-03-09T14:30[:15]` as a wall-clock time. */
export function parseCalendarTime(text: string): number {
  const full = text + '0000-01-01T00:00:00'.slice(text.length);
  const ms = Date.parse(`${full}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`${text} is not a date.`);
  return ms;
}

/** Whether a text is a valid calendar time. `Date.parse` alone would read 30 February as a day of March. */
export function isCalendarTime(text: string): boolean {
  if (!/^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?)?$/.test(text)) return false;
  const ms = Date.parse(`${text}${'0000-01-01T00:00:00'.slice(text.length)}Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * The shortest text that `parseCalendarTime` reads back as `ms`: days without hours, hours without seconds.
 */
export function formatCalendarTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  if (ms % dayMs === 0) return iso.slice(0, 10);
  return ms % 60_000 === 0 ? iso.slice(0, 16) : iso.slice(0, 19);
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
