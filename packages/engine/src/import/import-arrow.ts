import type { DuckDBConnection } from '@duckdb/node-api';
import path from 'node:path';
import type { DiscoveredTable } from './discovered-table.ts';
import { importNested } from './import-parquet.ts';
import type { NestedTables } from './nested-tables.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { arrowAsLines } from './read-arrow.ts';
import type { TableRead } from './report.ts';
import { quoted, rowsOf, text } from './sql-text.ts';

const minObjectBytes = 2 ** 20;

/**
 * Imports Arrow files into `main.data`; nested values are handled as in JSON files. Columns of several files
 * are combined by name.
 */
export async function importArrow(
  connection: DuckDBConnection,
  { files, name }: DiscoveredTable,
  folder: string,
  produced: UnpackedBytes,
  nested: NestedTables,
): Promise<TableRead> {
  const notes: string[] = files.length > 1 ? [`${files.length} files, one table.`] : [];
  const parts: string[] = [];
  let rowsRead = 0;
  for (const [i, file] of files.entries()) {
    const lines = path.join(folder, `arrow-${i}.ndjson`);
    const { columns, rows, longestLine, notes: said } = await arrowAsLines(file, lines, produced);
    rowsRead += rows;
    notes.push(...said.filter(note => !notes.includes(note)));
    const types = columns.map(column => `${quoted(column.name)}: ${text(column.type)}`).join(', ');
    parts.push(
      `select * from read_json(${text(lines)}, format = 'newline_delimited', columns = {${types}}, maximum_object_size = ${Math.max(minObjectBytes, longestLine + 1)}, maximum_depth = -1)`,
    );
  }
  const { notes: nestedNotes, keys } = await importNested(
    connection,
    parts.join(' union all by name '),
    name,
    nested,
  );
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  return {
    rowsRead,
    rowsKept: Number(kept![0]),
    rowsRejected: 0,
    rejected: [],
    notes: [...notes, ...nestedNotes],
    keys,
  };
}
