import stringWidth from 'string-width';
import { shownCell } from './render-page.ts';
import { isoTime, type ExportColumn, type ExportValue } from './export-table.ts';

/** Wider texts end in an ellipsis. */
const widest = 60;

/**
 * A table for a terminal: a line of names, a rule, the rows, numbers to the right; no line where there are no columns. Nothing is an en dash, an empty
 * text `""`, times are ISO 8601, days without an hour where all of them are. What would move a terminal's cursor is a blank.
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
  const widths = cells.map(texts => texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0));
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
