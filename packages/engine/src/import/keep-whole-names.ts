import { namesThings } from '@belvedere/model';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from './sql-text.ts';

/** Above this, doubles do not represent every integer. */
const largestExact = 2 ** 53;

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
  for (const column of named) {
    const name = quoted(column);
    const [row] = await rowsOf(
      connection,
      `select count(${name}), count(*) filter (where isfinite(${name}::double) and ${name} = trunc(${name}) and abs(${name}) < ${largestExact}) from data`,
    );
    const [filled, whole] = row!.map(Number) as [number, number];
    if (filled === 0 || whole < filled) continue;
    await connection.run(`alter table data alter ${name} type bigint using ${name}::bigint`);
    converted.push(column);
  }
  return converted;
}
