import { countRecords } from './count-records.ts';
import type { CsvMarks } from './csv-options.ts';

/** An imported text file and its format. */
export interface ReadFile {
  readonly file: string;
  readonly skip: number;
  readonly marks: CsvMarks;
  readonly hasHeader: boolean;
}

/** Rejected lines: their total, and those with known numbers. */
export interface Rejected {
  readonly total: number;
  readonly rows: readonly { readonly line: number }[];
}

/**
 * The first line of each row of a file. Empty if it is unknown which lines were rejected.
 * @param rows indices among the kept rows, from 0
 */
export async function linesOfRows(
  { file, skip, marks, hasHeader }: ReadFile,
  rows: readonly number[],
  rejected: Rejected,
): Promise<Map<number, number>> {
  const lines = new Map<number, number>();
  if (rows.length === 0 || rejected.total > rejected.rows.length) return lines;
  const wanted = new Set(rows);
  const left = new Set(rejected.rows.map(({ line }) => line));
  let row = hasHeader ? -1 : 0;
  await countRecords(file, skip, marks, 0, line => {
    if (left.has(line)) return;
    if (wanted.has(row)) lines.set(row, line);
    row++;
  });
  return lines;
}
