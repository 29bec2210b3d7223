import { isoTime, type TakenColumn, type TakenTable, type TakenValue } from './taken-table.ts';

/**
 * Comma-separated text (RFC 4180), UTF-8, lines ended by CR LF, numbers with all their digits and a point, times as ISO 8601. Nothing is an
 * empty field, an empty text is `""`. Texts that a spreadsheet would take for a formula are given an apostrophe (OWASP, “CSV Injection”).
 */
export function* writeCsv(table: TakenTable): Generator<string> {
  yield `${table.columns.map(column => quoted(safe(column.label))).join(',')}\r\n`;
  let lines = '';
  for (const row of table.rows) {
    lines += `${row.map((value, i) => cell(value, table.columns[i]!)).join(',')}\r\n`;
    if (lines.length > 64_000) {
      yield lines;
      lines = '';
    }
  }
  if (lines !== '') yield lines;
}

function cell(value: TakenValue, { type }: TakenColumn): string {
  if (value === null) return '';
  if (typeof value === 'number') return type === 'date' || type === 'time' ? isoTime(value, type) : String(value);
  if (typeof value === 'boolean') return String(value);
  // Whole numbers and decimals that no double holds come as text, digit for digit: they are numbers still.
  if (type === 'number' && /^-?[\d.]+$/.test(value)) return value;
  return value === '' ? '""' : quoted(safe(value));
}

function safe(text: string): string {
  return /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
