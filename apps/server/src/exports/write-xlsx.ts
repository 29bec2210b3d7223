import writeXlsxFile from 'write-excel-file/node';
import { wordsIn } from '@belvedere/chart';
import type { TakenColumn, TakenTable, TakenValue } from './taken-table.ts';

/** What stands on the first sheet: a name and what it is, line by line. */
export type AboutLines = readonly (readonly [string, string])[];

type Cell = Readonly<Record<string, unknown>> | null;

/** A workbook: first what it is about, then a sheet for each table, numbers as numbers in their formats. */
export async function writeXlsx(about: AboutLines, tables: readonly TakenTable[], locale: string): Promise<Uint8Array> {
  const taken = new Set<string>();
  const sheets = [
    { sheet: sheetName(about[0]?.[1] ?? 'Belvedere', taken), data: about.map(([name, value]): Cell[] => [{ value: name, fontWeight: 'bold', type: String }, { value, type: String }]), columns: [{ width: 24 }, { width: 80 }] },
    ...tables.map(table => ({
      sheet: sheetName(table.title || table.id, taken),
      stickyRowsCount: 1,
      columns: table.columns.map((column, i) => ({ width: Math.max(10, Math.min(48, column.label.length + 4, 60), ...table.rows.slice(0, 50).map(row => Math.min(48, String(row[i] ?? '').length + 2))) })),
      data: [
        table.columns.map((column): Cell => ({ value: column.label, fontWeight: 'bold', type: String, ...(column.type === 'number' && { align: 'right' }) })),
        ...table.rows.map((row, at) => row.map((value, i): Cell => cell(value, table.columns[i]!, locale, table.totals?.has(at) === true))),
      ],
    })),
  ];
  const buffer = await (writeXlsxFile as unknown as (sheets: unknown) => { toBuffer: () => Promise<Buffer> })(sheets).toBuffer();
  return new Uint8Array(buffer);
}

function cell(value: TakenValue, column: TakenColumn, locale: string, isTotal: boolean): Cell {
  const weight = isTotal ? { fontWeight: 'bold' } : {};
  if (value === null) return null;
  if (typeof value === 'number' && (column.type === 'date' || column.type === 'time')) return { value: new Date(value), type: Date, format: column.type === 'date' ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm', ...weight };
  if (typeof value === 'number') return { value, type: Number, format: excelFormat(column), ...weight };
  if (typeof value === 'boolean') return { value: value ? wordsIn(locale).yes : wordsIn(locale).no, type: String, ...weight };
  return { value, type: String, ...weight, ...(column.type === 'number' && { align: 'right' }) };
}

/** A measure's format in Excel's words. */
export function excelFormat({ format, unit }: Pick<TakenColumn, 'format' | 'unit'>): string {
  const after = unit && !format?.startsWith('currency') ? ` "${unit.replaceAll('"', '')}"` : '';
  if (format === 'percent') return '0.0%';
  if (format === 'integer') return `#,##0${after}`;
  if (format?.startsWith('currency')) return `[$${format.split(':')[1] ?? 'USD'}] #,##0.00`;
  const digits = /^,?\.(\d)/.exec(format ?? '')?.[1];
  if (digits !== undefined) return `#,##0${digits === '0' ? '' : `.${'0'.repeat(Number(digits))}`}${after}`;
  return format === 'plain' ? 'General' : `#,##0.####${after}`;
}

/** At most 31 characters, none of those Excel refuses, and no name twice. */
function sheetName(title: string, taken: Set<string>): string {
  const plain = title.replace(/[[\]:*?/\\]/g, ' ').replace(/^'|'$/g, '').trim().slice(0, 31) || 'Sheet';
  let name = plain;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain.slice(0, 28)} ${n}`;
  taken.add(name.toLowerCase());
  return name;
}
