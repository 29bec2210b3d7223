import { chartMessagesIn, formatDay, formatMoment, formatNumber, formatPlainly } from '@belvedere/chart';
import { offsetAt } from '@belvedere/query';
import type { ExportColumn, ExportValue } from './export-table.ts';

/** Formats a value as in the page's tables. */
export function shownCell(
  value: ExportValue,
  { type, format, unit }: ExportColumn,
  locale: string,
  blank = '–',
): string {
  const words = chartMessagesIn(locale);
  if (value === null) return blank;
  if (value === '') return '';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value !== 'number') return value;
  if (type === 'date' || type === 'time') return shownTime(value, type, locale);
  if (type === 'text') return String(value);
  return format === 'plain'
    ? formatPlainly(value, locale)
    : formatNumber(value, format, locale, 'full', unit);
}

/** Formats a date or time as on the page. */
function shownTime(ms: number, type: 'date' | 'time', locale: string): string {
  return type === 'date' ? formatDay(ms, locale) : formatMoment(ms, locale);
}

const dayMs = 86_400_000;
const days = new Map<number, string>();

/**
 * Formats a date or time in ISO 8601, which every program reads. Dates are cached, since long files repeat
 * them.
 */
export function isoTime(ms: number, type: 'date' | 'time'): string {
  const day = Math.floor(ms / dayMs);
  let text = days.get(day);
  if (text === undefined) {
    if (days.size > 50_000) days.clear();
    text = new Date(day * dayMs).toISOString().replace(/T.*$/, '');
    days.set(day, text);
  }
  if (type === 'date') return text;
  const second = Math.floor((ms - day * dayMs) / 1000);
  const two = (value: number) => (value < 10 ? `0${value}` : `${value}`);
  return `${text}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
}

/** Formats a date or time of a column in ISO 8601; moments have the offset of the column's zone. */
export function timeInFile(ms: number, { type, zone }: ExportColumn): string {
  if (type === 'date') return isoTime(ms, 'date');
  if (zone === undefined) return isoTime(ms, 'time');
  const offset = offsetAt(zone, ms);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${isoTime(ms + offset, 'time')}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
