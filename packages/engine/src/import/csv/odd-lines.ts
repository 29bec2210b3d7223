import type { CountedRecords } from './count-records.ts';
import { listed } from '../columns/column-notes.ts';
import type { Sniffed } from './sniff-csv.ts';
import { linesNamed } from './unreadable-bytes.ts';

/** Notes on the irregular lines of a CSV file. */
export function oddLines(
  { ragged, empty, comments, unbalanced }: CountedRecords,
  named: number,
  { columns, comment }: Sniffed,
  left: readonly number[],
): string[] {
  const emptied = {
    first: empty.first.filter(line => !left.includes(line)),
    total: empty.total - left.length,
  };
  const added = columns.slice(named).map(({ name }) => name);
  const more =
    added.length > 0
      ? ` ${listed(added)} ${added.length === 1 ? 'is a column' : 'are columns'} added for the extra values.`
      : '';
  const one = (lines: { readonly total: number }, single: string, many: string) =>
    lines.total === 1 ? single : many;
  return [
    ...(ragged.total > 0
      ? [
          `${linesNamed(ragged.first, ragged.total)} ${one(ragged, 'does', 'do')} not have the expected ${named} values. Missing values are null.${more}`,
        ]
      : []),
    ...(comments.total > 0
      ? [
          `${linesNamed(comments.first, comments.total)} ${one(comments, 'begins', 'begin')} with “${comment}” and ${one(comments, 'is', 'are')} skipped as ${one(comments, 'a comment', 'comments')}.`,
        ]
      : []),
    ...(unbalanced.total > 0
      ? [
          `${linesNamed(unbalanced.first, unbalanced.total)} ${one(unbalanced, 'has', 'have')} ` +
            'a quote that is never closed, so quotes in this file are read as text.',
        ]
      : []),
    ...(emptied.total > 0 && columns.length > 1
      ? [
          `${linesNamed(emptied.first, emptied.total)} ${one(emptied, 'is empty and', 'are empty and')} skipped.`,
        ]
      : []),
  ];
}

/** The note on lines, or rows of a sheet, that are the header once more. */
export function repeatedHeaders(lines: readonly number[], unit?: 'Line' | 'Row'): string {
  const named = linesNamed(lines, lines.length, unit);
  return `${named} ${lines.length === 1 ? 'repeats the header and is' : 'repeat the header and are'} skipped.`;
}
