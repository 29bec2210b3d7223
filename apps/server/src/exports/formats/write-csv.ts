import { timeInFile } from '../tables/cell-text.ts';
import type { ExportColumn, ExportTableRows, ExportValue } from '../tables/export-table.ts';

/**
 * Writes comma-separated text (RFC 4180): UTF-8, lines ended by CR LF, numbers with all digits and a decimal
 * point, times in ISO 8601. A null is an empty field, an empty text is `""`.
 * Texts that a spreadsheet would take for a formula get an apostrophe (OWASP, “CSV Injection”).
 */
export async function* writeCsv(table: ExportTableRows): AsyncGenerator<string, void> {
  yield `${table.columns.map(column => quoted(withoutFormula(column.label))).join(',')}\r\n`;
  const { columns } = table;
  for await (const rows of table.pieces) {
    let lines = '';
    for (const row of rows) {
      for (let i = 0; i < columns.length; i++)
        lines += i === 0 ? cell(row[i]!, columns[i]!) : `,${cell(row[i]!, columns[i]!)}`;
      lines += '\r\n';
    }
    if (lines !== '') yield lines;
  }
}

function cell(value: ExportValue, column: ExportColumn): string {
  const { type } = column;
  if (value === null) return '';
  if (typeof value === 'number')
    return type === 'date' || type === 'time' ? timeInFile(value, column) : String(value);
  if (typeof value === 'boolean') return String(value);
  // Integers and decimals beyond double precision arrive as text, digit for digit, but are still numbers.
  if (type === 'number' && /^-?[\d.]+$/.test(value)) return value;
  return value === '' ? '""' : quoted(withoutFormula(value));
}

/**
 * Puts an apostrophe before text that a spreadsheet would take for a formula. Spreadsheets skip blanks, line
 * ends and control characters before a formula, and some treat full-width characters like ASCII.
 */
export function withoutFormula(text: string): string {
  return /^[\t\r\n\0]|^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]/u.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
