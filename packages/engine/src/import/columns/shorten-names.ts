import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from '../sql-text.ts';

/** The longest name of a column, in characters: as long as one that a model or import options can name. */
export const longestName = 300;

/**
 * Cuts names of columns in `main.data` that are longer than 300 characters. A file can have names of a megabyte,
 * and each list of fields, search and label would process them.
 * @returns the new names by the earlier ones
 */
export async function shortenNames(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const names = (
    await rowsOf(connection, "select column_name from duckdb_columns() where table_name = 'data'")
  ).map(([name]) => String(name));
  // DuckDB compares names without regard to case.
  const taken = new Set(names.map(name => name.toLowerCase()));
  const shortened = new Map<string, string>();
  for (const name of names.filter(({ length }) => length > longestName)) {
    const short = freeShort(name, taken);
    taken.add(short.toLowerCase());
    await connection.run(`alter table data rename column ${quoted(name)} to ${quoted(short)}`);
    shortened.set(name, short);
  }
  return shortened;
}

function freeShort(name: string, taken: ReadonlySet<string>): string {
  // Not between the two halves of a character.
  const base = name.slice(0, longestName - 10).replace(/[\uD800-\uDBFF]$/, '');
  for (let number = 1; ; number++) {
    const short = number === 1 ? `${base}…` : `${base}… ${number}`;
    if (!taken.has(short.toLowerCase())) return short;
  }
}
