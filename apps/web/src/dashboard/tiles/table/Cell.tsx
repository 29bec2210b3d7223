import { linkTo } from '@belvedere/document';
import { formatExactly } from '@belvedere/chart';
import { locale } from '../../../messages/messages.ts';
import { cellText, isTime, type CellValue } from './cell-text.ts';

interface CellProps {
  readonly value: CellValue;
  readonly type: string;
  readonly format?: string | undefined;
  /** The link of the column's values. */
  readonly link?: string | undefined;
}

/** A value, with a link if its column has one. */
export function Cell({ value, type, format, link }: CellProps) {
  const address = link === undefined ? undefined : linkTo(link, value);
  if (address === undefined) return <Shown value={value} type={type} format={format} />;
  return (
    <a
      href={address}
      {...(address.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
      className="text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"
    >
      <Shown value={value} type={type} format={format} />
    </a>
  );
}

function Shown({ value, type, format }: CellProps) {
  const text = cellText(value, type, format);
  if (value === null || value === '') return <span className="text-text-3">{text}</span>;
  const exact = typeof value === 'number' && text !== formatExactly(value, locale);
  return exact && !isTime(type) ? <span title={formatExactly(value, locale)}>{text}</span> : text;
}
