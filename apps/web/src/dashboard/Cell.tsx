import type { RowsPage } from '@belvedere/api';
import { formatDay, formatMoment, formatNumber, wordsIn } from '@belvedere/chart';
import { locale } from '../messages/messages.ts';

/** A value as it is: null and empty text are two things, whole numbers and decimals keep every digit. */
export function Cell({ value, type, format }: { readonly value: RowsPage['rows'][number][number]; readonly type: string; readonly format?: string | undefined }) {
  if (value === null) return <span className="text-text-3">–</span>;
  if (value === '') return <span className="text-text-3">{wordsIn(locale).empty}</span>;
  if (typeof value === 'boolean') return value ? wordsIn(locale).yes : wordsIn(locale).no;
  if (typeof value === 'number' && ['date', 'time', 'instant'].includes(type)) return type === 'date' ? formatDay(value, locale) : formatMoment(value, locale);
  if (typeof value === 'number') return format ? formatNumber(value, format, locale, 'full') : String(value).replace('-', '−');
  return String(value);
}
