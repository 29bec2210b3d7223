import { extractName } from '../sources/extract-store.ts';

/** A database table and its extract are the same table. */
export function positionIn(source: string, table: string): string {
  return source === 'files' ? table : extractName(source, table);
}

/**
 * Whether a text contains a table's name as a whole word: with or without its schema, or the name of its
 * extract.
 */
export function namesTable(text: string, source: string, table: string): boolean {
  const called = [table, table.slice(table.lastIndexOf('.') + 1), positionIn(source, table)];
  return called.some(name =>
    new RegExp(
      `(?<![\\p{L}\\p{N}_])${name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}_])`,
      'iu',
    ).test(text),
  );
}
