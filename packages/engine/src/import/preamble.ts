import { readFileStart } from '../regular-file.ts';

/**
 * How many lines stand above a table's header: leading lines with at most one filled cell, where a line with at least three follows.
 * Titles, dates of printing and blank lines are such; a table of one or two columns has none.
 */
export async function preambleLines(file: string): Promise<number> {
  return preambleIn((await readFileStart(file, 64 * 1024)).toString('utf8'));
}

/** The same of a text's beginning. */
export function preambleIn(start: string): number {
  const lines = start.split('\n').slice(0, 60);
  const counts = lines.map(line => Math.max(...[',', ';', '\t', '|'].map(mark => filledCells(line, mark))));
  const header = counts.findIndex(count => count >= 3);
  return header > 0 && counts.slice(0, header).every(count => count <= 1) ? header : 0;
}

function filledCells(line: string, mark: string): number {
  return line
    .replace(/"[^"]*"/g, '"')
    .split(mark)
    .filter(cell => cell.trim() !== '').length;
}
