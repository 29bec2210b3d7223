import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/** A text as a SQL literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
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
