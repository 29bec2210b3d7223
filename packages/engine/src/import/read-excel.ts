import readWorkbook from 'read-excel-file/node';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { streamRegularFile } from '../regular-file.ts';
import type { ProducedBytes } from './produced-bytes.ts';
import { ImportError } from './report.ts';

/**
 * Writes each sheet of a workbook as a CSV file, its formulas' values as they stand; empty sheets are left out.
 * @throws ImportError where it is no workbook, or has more in it than `produced` allows
 */
export async function sheetsAsCsv(file: string, folder: string, produced: ProducedBytes): Promise<{ sheet: string; file: string }[]> {
  let sheets: { sheet: string; data: unknown[][] }[];
  try {
    sheets = (await readWorkbook(await streamRegularFile(file))) as unknown as typeof sheets;
  } catch (error) {
    throw new ImportError(file, undefined, `This is not a workbook that can be read. ${(error as Error).message}`);
  }
  const written: { sheet: string; file: string }[] = [];
  for (const [index, { sheet, data }] of sheets.entries()) {
    const table = trimmed(data);
    if (table.length === 0) continue;
    const target = path.join(folder, `sheet-${index}.csv`);
    const out = createWriteStream(target);
    for (const row of table) {
      const line = `${row.map(cellText).join(',')}\n`;
      produced.add(line.length);
      out.write(line);
    }
    await new Promise<void>(resolve => out.end(resolve));
    written.push({ sheet, file: target });
  }
  return written;
}

/** Without empty rows, columns empty throughout, and title rows (one cell only) above the header. */
function trimmed(data: readonly (readonly unknown[])[]): unknown[][] {
  const rows = data.filter(row => row.some(isFilled));
  const width = Math.max(0, ...rows.map(row => row.length));
  const columns = Array.from({ length: width }, (_, i) => i).filter(i => rows.some(row => isFilled(row[i])));
  const dense = rows.map(row => columns.map(i => row[i]));
  let start = 0;
  while (columns.length > 2 && start < dense.length - 2 && dense[start]!.filter(isFilled).length <= 1) start++;
  return dense.slice(start);
}

/** Day 0, from which workbooks count. */
const dayOfTimes = '1899-12-30';

function isFilled(cell: unknown): boolean {
  return cell !== null && cell !== undefined && cell !== '';
}

function cellText(cell: unknown): string {
  if (!isFilled(cell)) return '';
  if (cell instanceof Date) {
    const iso = cell.toISOString();
    // A time of day is the part of a day, and has no date: as texts they sort rightly.
    if (iso.startsWith(dayOfTimes)) return iso.slice(11, 19);
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
  }
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : `"${String(cell).replaceAll('"', '""').trim()}"`;
}
