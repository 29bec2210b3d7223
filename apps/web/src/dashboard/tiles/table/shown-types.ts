import type { RowsPage } from '@belvedere/api';
import type { CellValue } from './cell-text.ts';

const dayMs = 86_400_000;

/**
 * The types to show columns with: times that are all at midnight, as dates exported by databases are, are shown as
 * dates.
 */
export function shownTypes(
  columns: readonly { readonly type: string }[],
  rows: RowsPage['rows'],
): readonly string[] {
  const isMidnight = (value: CellValue) =>
    value === null || (typeof value === 'number' && value % dayMs === 0);
  return columns.map(({ type }, i) =>
    type === 'time' && rows.length > 0 && rows.every(row => isMidnight(row[i]!)) ? 'date' : type,
  );
}
