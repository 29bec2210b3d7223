import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from '../sql-text.ts';

/** Tables up to this many rows are counted completely before a user would notice a delay. */
const unsampledRows = 4_000_000;
const sampledRows = 200_000;

/**
 * A condition in SQL that holds for one of `every` rows. The hash is salted: data made by `hash(i) % 5`, as
 * examples and A/B tests are, would otherwise be sampled from one of its five groups only.
 */
export const isSampledRow = (every: number) => `hash(rowid, 'sample') % ${every} = 0`;

/** Stores a uniform random sample beside the table. Charts of large tables show it first. */
export async function drawSample(connection: DuckDBConnection, rows: number): Promise<number | undefined> {
  if (rows <= unsampledRows) return undefined;
  await connection.run(
    `create table sample as select * from data where ${isSampledRow(Math.round(rows / sampledRows))}`,
  );
  const [count] = await rowsOf(connection, 'select count(*) from sample');
  return Number(count![0]);
}
