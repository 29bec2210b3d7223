import type { RowsPage } from '@belvedere/api';
import { formatDay, formatExactly, formatMoment, formatNumber, chartMessagesIn } from '@belvedere/chart';
import { locale } from '../../messages/messages.ts';

export type CellValue = RowsPage['rows'][number][number];

/** A value as it is: null and empty text are two things, whole numbers and decimals keep every digit. */
export function cellText(value: CellValue, type: string, format?: string): string {
  if (value === null) return '–';
  if (value === '') return chartMessagesIn(locale).empty;
  if (typeof value === 'boolean') return value ? chartMessagesIn(locale).yes : chartMessagesIn(locale).no;
  if (typeof value === 'number' && ['date', 'time', 'instant'].includes(type))
    return type === 'date' ? formatDay(value, locale) : formatMoment(value, locale);
  if (typeof value === 'number')
    return format ? formatNumber(value, format, locale, 'full') : formatExactly(value, locale);
  // More digits than a number of a program's holds.
  return type === 'decimal' || type === 'integer' ? formatExactly(value, locale) : value;
}
