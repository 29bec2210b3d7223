/** How a cell's number format displays its number as a date or time. */
export interface TimeFormat {
  readonly shows: 'date' | 'clock' | 'duration';
  /** The number of decimals of the seconds. */
  readonly decimals: number;
}

/** A cell's number of days, and how the cell displays it. */
export interface TimeCell extends TimeFormat {
  readonly days: number;
}

/**
 * Parts of a format without date or time fields: texts, colours, conditions, currencies and spaces, but not
 * `[h]`, `[m]` and `[s]`.
 */
const noParts = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]|AM\/PM|A\/P|General/gi;

/**
 * The time format of a number format such as `yyyy-mm-dd hh:mm` or `[h]:mm:ss`; undefined for plain numbers.
 */
export function timeFormat(format: string): TimeFormat | undefined {
  const parts = format.replaceAll(noParts, ' ').split(';')[0]!.toLowerCase();
  const decimals = Math.min(3, /s\.(0+)/.exec(parts)?.[1]!.length ?? 0);
  if (/\[(h+|m+|s+)\]/.test(parts)) return { shows: 'duration', decimals };
  if (/[yd]/.test(parts) || (/m/.test(parts) && !/[hs]/.test(parts))) return { shows: 'date', decimals };
  return /[hs]/.test(parts) ? { shows: 'clock', decimals } : undefined;
}

const dayMs = 86_400_000;
/** Clock times of more than a day and less than this many days are durations. */
const longestShownDays = 100;
/** Macintosh workbooks count days from 1904: their day 0 is this day of other workbooks. */
const daysBefore1904 = 1462;

/** 31 December 9999, the last day that spreadsheets can display. Dates before the first day display no date either. */
const lastDay = 2_958_465;

function isDisplayed({ days, shows }: TimeCell, countsFrom1904: boolean): boolean {
  const end = lastDay + 1 - (countsFrom1904 ? daysBefore1904 : 0);
  return (shows === 'date' ? days >= 0 : days > -end) && days < end;
}

/**
 * A column's times as texts, each rounded to the precision of its cell, because a number of days is rarely a
 * whole number of seconds. The values of all cells together decide between dates and dates with times. Numbers that
 * are no time, which spreadsheets display as `####`, stay numbers.
 */
export function timeTexts(cells: readonly TimeCell[], countsFrom1904: boolean): string[] {
  const displayed = cells.filter(cell => isDisplayed(cell, countsFrom1904));
  const texts = displayedTexts(displayed, countsFrom1904).values();
  return cells.map(cell => (isDisplayed(cell, countsFrom1904) ? texts.next().value! : String(cell.days)));
}

function displayedTexts(cells: readonly TimeCell[], countsFrom1904: boolean): string[] {
  const isWithinDay = cells.every(({ days }) => days >= 0 && days < 1);
  const longest = cells.reduce((max, { days }) => Math.max(max, days), 0);
  const isLong = cells.every(({ shows }) => shows !== 'date') && longest < longestShownDays;
  const rounded = cells.map(({ days, decimals, shows }) => {
    const isMoment = !isWithinDay && !isLong && shows !== 'duration' && days >= 1;
    const unit = 10 ** (3 - decimals);
    return { ms: Math.round((days * dayMs) / unit) * unit, isMoment };
  });
  const areWholeDays = rounded.every(({ ms, isMoment }) => !isMoment || ms % dayMs === 0);
  const hasDecimals = rounded.some(({ ms }) => ms % 1000 !== 0);
  return rounded.map(({ ms, isMoment }) => {
    if (!isMoment) return clock(ms, hasDecimals);
    const day = dateOf(Math.floor(ms / dayMs) + (countsFrom1904 ? daysBefore1904 : 0));
    return areWholeDays ? day : `${day} ${clock(ms % dayMs, hasDecimals)}`;
  });
}

/** Formats hours (without an upper limit), minutes and seconds. */
function clock(ms: number, hasDecimals: boolean): string {
  const size = Math.abs(ms);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const text = `${ms < 0 ? '-' : ''}${two(size / 3_600_000)}:${two((size / 60_000) % 60)}:${two((size / 1000) % 60)}`;
  return hasDecimals ? `${text}.${String(size % 1000).padStart(3, '0')}` : text;
}

/**
 * Workbooks contain 29 February 1900, which did not exist. It is kept as displayed, and earlier days are
 * shifted by a day.
 */
function dateOf(day: number): string {
  if (day === 60) return '1900-02-29';
  const sinceThen = day < 60 ? day + 1 : day;
  return new Date(Date.UTC(1899, 11, 30) + sinceThen * dayMs).toISOString().slice(0, 10);
}
