import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/** A text as a SQL literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}
