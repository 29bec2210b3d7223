import { readFileStart } from '../../regular-file.ts';

/** A first line that tells Excel the delimiter: `sep=;`. */
const delimiterLine = /^\ufeff?"?sep=.?"?\r?\n/i;

/**
 * The number of lines above a table's header: leading lines with at most one filled cell, followed by a line
 * with at least three. Such lines are titles, print dates and blank lines. Tables of one or two columns have
 * none. A line `sep=;` is always above the header.
 */
export async function preambleLines(file: string): Promise<number> {
  return preambleIn((await readFileStart(file, 64 * 1024)).toString('utf8'));
}

/** The same for the start of a text. */
export function preambleIn(start: string): number {
  const above = delimiterLine.test(start) ? 1 : 0;
  const lines = start.split('\n').slice(above, above + 60);
  const counts = lines.map(line => Math.max(...[',', ';', '\t', '|'].map(mark => filledCells(line, mark))));
  const header = counts.findIndex(count => count >= 3);
  return header > 0 && counts.slice(0, header).every(count => count <= 1) ? above + header : above;
}

function filledCells(line: string, mark: string): number {
  return line
    .replace(/"[^"]*"/g, '"')
    .split(mark)
    .filter(cell => cell.trim() !== '').length;
}

/** The note on skipped lines above the header. */
export function skippedLines(lines: number): string {
  return lines === 1 ? '1 line above the header is skipped.' : `${lines} lines above the header are skipped.`;
}
