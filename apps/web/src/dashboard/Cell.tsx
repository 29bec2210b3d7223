import type { RowsPage } from '@belvedere/api';
import { formatDay, formatMoment, formatNumber, wordsIn } from '@belvedere/chart';
import { linkTo } from '@belvedere/document';
import { locale } from '../messages/messages.ts';

interface CellProps {
  readonly value: RowsPage['rows'][number][number];
  readonly type: string;
  readonly format?: string | undefined;
  /** Where its column's values lead. */
  readonly link?: string | undefined;
}

/** A value as it is: null and empty text are two things, whole numbers and decimals keep every digit. */
export function Cell({ value, type, format, link }: CellProps) {
  const address = link === undefined ? undefined : linkTo(link, value);
  if (address === undefined) return <Shown value={value} type={type} format={format} />;
  return <a href={address} {...(address.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' })} className="text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"><Shown value={value} type={type} format={format} /></a>;
}

function Shown({ value, type, format }: CellProps) {
  if (value === null) return <span className="text-text-3">–</span>;
  if (value === '') return <span className="text-text-3">{wordsIn(locale).empty}</span>;
  if (typeof value === 'boolean') return value ? wordsIn(locale).yes : wordsIn(locale).no;
  if (typeof value === 'number' && ['date', 'time', 'instant'].includes(type)) return type === 'date' ? formatDay(value, locale) : formatMoment(value, locale);
  if (typeof value === 'number') return format ? formatNumber(value, format, locale, 'full') : String(value).replace('-', '−');
  return String(value);
}
