import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsOf } from '../../duckdb/read-result.ts';
import type { DiscoveredTable } from '../discovery/discovered-table.ts';
import { isNested } from '../nested/nested-columns.ts';
import type { NestedTables } from '../nested/nested-tables.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import type { TableRead } from '../report.ts';
import { fileText, rowsOf } from '../sql-text.ts';

/** Imports Parquet files into `main.data`; nested values are handled as in JSON files. */
export async function importParquet(
  connection: DuckDBConnection,
  { files, isHive, name }: DiscoveredTable,
  produced: UnpackedBytes,
  nested: NestedTables,
): Promise<TableRead> {
  const list = `[${files.map(fileText).join(', ')}]`;
  // `parquet_metadata` has a row for each column of each row group.
  const [[cells]] = (await rowsOf(
    connection,
    `select sum(row_group_num_rows::double) from parquet_metadata(${list})`,
  )) as [unknown[]];
  produced.addCells(Number(cells));
  const all = `select * from read_parquet(${list}, union_by_name = true, hive_partitioning = ${isHive}, hive_types_autocast = false)`;
  const { notes, keys } = await importNested(connection, all, name, nested);
  const [[kept], [counted]] = (await Promise.all([
    rowsOf(connection, 'select count(*) from data'),
    rowsOf(connection, `select sum(num_rows) from parquet_file_metadata(${list})`),
  ])) as [[unknown[]], [unknown[]]];
  return {
    rowsRead: Number(counted![0]),
    rowsKept: Number(kept![0]),
    rowsRejected: 0,
    rejected: [],
    notes: [...(files.length > 1 ? [`${files.length} files, one table.`] : []), ...notes],
    keys,
  };
}

/**
 * Creates `main.data` from a query, in one step if no column is nested.
 * @returns as `NestedTables.spread` does
 */
export async function importNested(
  connection: DuckDBConnection,
  query: string,
  name: string,
  nested: NestedTables,
): Promise<{ notes: string[]; keys: string[] }> {
  const fields = columnsOf(await connection.run(`from (${query}) limit 0`));
  if (!fields.some(({ engineType }) => isNested(engineType))) {
    await connection.run(`create table data as ${query}`);
    return { notes: [], keys: [] };
  }
  await connection.run(`create temp table raw as ${query}`);
  const done = await nested.spread(connection, 'raw', name);
  await connection.run('drop table raw');
  return done;
}
