import { countRecords, type Marks } from './count-records.ts';

/** A text file as it was read. */
export interface ReadFile {
  readonly file: string;
  readonly skip: number;
  readonly marks: Marks;
  readonly hasHeader: boolean;
}

/** Which lines were rejected: how many, and those that are known. */
export interface Rejected {
  readonly total: number;
  readonly rows: readonly { readonly line: number }[];
}

/** The lines that rows of a file begin with; none where it is not known which lines were left out. @param rows their numbers among those kept, from 0 */
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
