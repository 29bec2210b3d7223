import { namesThings } from '@belvedere/model';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from '../sql-text.ts';

/** Above this, doubles do not represent every integer. */
const largestExact = 2 ** 53;
const columnsAtOnce = 200;

/**
 * Converts columns of identifiers in `main.data` from decimals to integers, if every value is an integer.
 * Programs write customer numbers as `17850.0` in columns with gaps. Returns the columns' names.
 * @param columns those that hold doubles or decimals
 */
export async function convertWholeNames(
  connection: DuckDBConnection,
  columns: readonly string[],
): Promise<string[]> {
  const named = columns.filter(namesThings);
  const converted: string[] = [];
  // The time of a query grows with the number of the table's columns, so many are looked at together.
  for (let start = 0; start < named.length; start += columnsAtOnce) {
    const some = named.slice(start, start + columnsAtOnce);
    const [row] = await rowsOf(connection, `select ${some.flatMap(countsOf).join(', ')} from data`);
    for (const [i, column] of some.entries()) {
      const [filled, whole] = row!.slice(2 * i, 2 * i + 2).map(Number) as [number, number];
      if (filled === 0 || whole < filled) continue;
      const name = quoted(column);
      await connection.run(`alter table data alter ${name} type bigint using ${name}::bigint`);
      converted.push(column);
    }
  }
  return converted;
}

/** The number of values of a column, and of those that are exact whole numbers. */
function countsOf(column: string): string[] {
  const name = quoted(column);
  const isWhole = `isfinite(${name}::double) and ${name} = trunc(${name}) and abs(${name}) < ${largestExact}`;
  return [`count(${name})`, `count(*) filter (where ${isWhole})`];
}
