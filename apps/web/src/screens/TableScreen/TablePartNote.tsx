import type { TableSummary } from '@belvedere/api';
import { partOfTable } from '@belvedere/chart';
import { locale, t } from '../../messages/messages.ts';

/** Says of which part of a table the rows and columns are, while the rest is being imported. */
export function TablePartNote({ table: { part } }: { readonly table: Pick<TableSummary, 'part'> }) {
  return part ? <span className="text-12 text-text-2">{partOfTable(part, locale, t.data)}</span> : null;
}
