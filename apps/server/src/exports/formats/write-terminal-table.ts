import stringWidth from 'string-width';
import { isoTime, shownCell } from '../tables/cell-text.ts';
import type { ExportColumn, ExportValue } from '../tables/export-table.ts';

/** Longer texts end in an ellipsis. */
const widest = 60;

/**
 * Formats a table for a terminal: a header, a rule and the rows, numbers right-aligned; no lines if it has no
 * columns.
 * A null is an en dash and an empty text is `""`. Times are ISO 8601, without the time of day if all values
 * are dates. Control characters become blanks.
 */
export function writeText(
  columns: readonly ExportColumn[],
  rows: readonly (readonly ExportValue[])[],
  locale: string,
): string[] {
  if (columns.length === 0) return [];
  const cells = columns.map((column, i) =>
    [
      column.label,
      ...shownIn(
        column,
        rows.map(row => row[i] ?? null),
        locale,
      ),
    ].map(fit),
  );
  const widths = cells.map(texts => texts.reduce((max, text) => Math.max(max, stringWidth(text)), 0));
  const line = (row: number) =>
    columns
      .map(({ type }, i) => padded(cells[i]![row]!, widths[i]!, type === 'number'))
      .join('  ')
      .trimEnd();
  return [line(0), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map((_, row) => line(row + 1))];
}

function shownIn(column: ExportColumn, values: readonly ExportValue[], locale: string): string[] {
  const { type } = column;
  if (type !== 'date' && type !== 'time')
    return values.map(value => (value === '' ? '""' : shownCell(value, column, locale)));
  const kind =
    type === 'date' || values.every(value => typeof value !== 'number' || value % 86_400_000 === 0)
      ? 'date'
      : 'time';
  return values.map(value => (typeof value === 'number' ? isoTime(value, kind) : '–'));
}

function fit(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  if (stringWidth(plain) <= widest) return plain;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(plain)) {
    if (stringWidth(kept + segment) >= widest) break;
    kept += segment;
  }
  return `${kept}…`;
}

function padded(text: string, width: number, isNumber: boolean): string {
  const blank = ' '.repeat(width - stringWidth(text));
  return isNumber ? blank + text : text + blank;
}
