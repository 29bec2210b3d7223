import type { RowsPage } from '@belvedere/api';
import {
  formatDay,
  formatExactly,
  formatMoment,
  formatNumber,
  formatPlainly,
  chartMessagesIn,
} from '@belvedere/chart';
import { locale } from '../../../messages/messages.ts';

export type CellValue = RowsPage['rows'][number][number];

/**
 * A value as it is: null and empty text are two things, whole numbers and decimals keep every digit.
 * Other numbers show six significant digits.
 */
export function cellText(value: CellValue, type: string, format?: string): string {
  if (value === null) return '–';
  if (value === '') return chartMessagesIn(locale).empty;
  if (typeof value === 'boolean') return value ? chartMessagesIn(locale).yes : chartMessagesIn(locale).no;
  if (typeof value === 'number' && isTime(type))
    return type === 'date' ? formatDay(value, locale) : formatMoment(value, locale);
  if (typeof value === 'number')
    return format ? formatNumber(value, format, locale, 'full') : formatPlainly(value, locale);
  // More digits than a number of a program's holds.
  return type === 'decimal' || type === 'integer' ? formatExactly(value, locale) : value;
}

/** Whether a column's numbers are moments, in milliseconds. */
export function isTime(type: string): boolean {
  return ['date', 'time', 'instant'].includes(type);
}
