import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/** A text as a SQL literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * A file's path as a SQL literal for functions that read files, which take `*`, `?` and `[` for patterns. Statements
 * that attach or write one file take the path as it is.
 */
export function fileText(file: string): string {
  return text(withoutPatterns(file));
}

/** The pattern that only this path matches, but for backslashes, which separate folders in patterns. */
export function withoutPatterns(file: string): string {
  return /[*?[]/.test(file) ? file.replaceAll(/[*?[]/g, '[$&]').replaceAll('\\', '?') : file;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * SQL that is true if a value is one of several texts, and null if it is null. The engine would turn `in` with
 * more than five constants into a join that copies all columns of the table, once for each `in` of a query.
 */
export function isOneOf(value: string, texts: readonly string[]): string {
  return texts.length === 0 ? 'false' : `list_contains([${texts.map(text).join(', ')}], ${value})`;
}

export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
