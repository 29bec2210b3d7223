import { areYearsAsNames, cellsOf, headerLines, type HeaderLines } from './header-lines.ts';
import { readFileStart } from '../../regular-file.ts';
import type { CsvMarks } from './csv-options.ts';

export const maxHeaderBytes = 256 * 1024;

/** Where the header of a file may begin, and the characters that divide its cells. */
type HeaderFormat = CsvMarks & { readonly skip: number };

/**
 * The line that could be a file's header, and its number of names. The cells themselves and a number or date
 * below decide whether it is a header. In a table of texts, a line equal to the first may be a row.
 */
export async function headerOf(
  file: string,
  { skip, comment, quote, delimiter }: HeaderFormat,
): Promise<{ text: string; cells: number; isOfNames: boolean } | undefined> {
  const lines = (await firstLinesOf(file)).slice(skip);
  const at = lines.findIndex(line => line !== '' && (comment === '' || !line.startsWith(comment)));
  const cells = at < 0 ? undefined : cellsOf(lines[at]!, delimiter, quote);
  if (!cells) return undefined;
  const areNames =
    cells.length > 1 &&
    new Set(cells).size === cells.length &&
    cells.every(cell => /^\s*[\p{L}_]/u.test(cell));
  // A line that ends within quotes has no cells of its own; the rest of its row is below.
  const below = lines
    .slice(at + 1, at + 20)
    .filter(line => line !== '' && line !== lines[at])
    .map(line => cellsOf(line, delimiter, quote))
    .find(found => found !== undefined);
  const isOfNames = areNames && (below ?? []).some(cell => /^\s*[-+]?\d/.test(cell));
  return { text: lines[at]!, cells: cells.length, isOfNames };
}

/**
 * The names of a file's columns if they span several lines. Lines are skipped physically, so names that
 * contain line breaks are not supported here.
 */
export async function namesInLines(
  file: string,
  { skip, quote, delimiter }: HeaderFormat,
): Promise<HeaderLines | undefined> {
  const lines = (await firstLinesOf(file)).slice(skip, skip + 3);
  const records = lines.map(line => cellsOf(line, delimiter, quote));
  return records.every(record => record !== undefined) ? headerLines(records) : undefined;
}

/** Whether the columns of a file without another header are named by years. */
export async function namesYears(
  file: string,
  { skip, delimiter, quote }: Pick<HeaderFormat, 'skip' | 'delimiter' | 'quote'>,
): Promise<boolean> {
  const lines = (await firstLinesOf(file))
    .slice(skip, skip + 20)
    .map(line => cellsOf(line, delimiter, quote) ?? []);
  const [first = [], ...below] = lines.filter(cells => cells.some(cell => cell.trim() !== ''));
  return areYearsAsNames(first, below);
}

/** The physical lines at a file's start, without their ends. */
async function firstLinesOf(file: string): Promise<string[]> {
  const start = (await readFileStart(file, maxHeaderBytes)).toString('utf8');
  return start.split('\n').map(line => line.replace(/\r$/, ''));
}
