import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from './sql-text.ts';

/** Tables up to this many rows are counted completely before a user would notice a delay. */
const unsampledRows = 4_000_000;
const sampledRows = 200_000;

/** Stores a uniform random sample beside the table. Charts of large tables show it first. */
export async function drawSample(connection: DuckDBConnection, rows: number): Promise<number | undefined> {
  if (rows <= unsampledRows) return undefined;
  await connection.run(
    `create table sample as select * from data where hash(rowid) % ${Math.round(rows / sampledRows)} = 0`,
  );
  const [count] = await rowsOf(connection, 'select count(*) from sample');
  return Number(count![0]);
}
