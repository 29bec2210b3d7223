import type { DuckDBConnection } from '@duckdb/node-api';
import path from 'node:path';
import type { DiscoveredTable } from '../discovery/discovered-table.ts';
import { importNested } from '../columnar/import-parquet.ts';
import type { NestedTables } from '../nested/nested-tables.ts';
import { arrowAsLines } from '../columnar/read-arrow.ts';
import { avroAsLines } from '../columnar/read-avro.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import type { TableRead } from '../report.ts';
import { fileText, quoted, rowsOf, text } from '../sql-text.ts';
import type { TypedLines } from '../csv/typed-lines.ts';

const minObjectBytes = 2 ** 20;

/** Each writes a file's rows to `target` as lines of JSON. */
const readers: Readonly<
  Record<string, (file: string, target: string, produced: UnpackedBytes) => Promise<TypedLines>>
> = { arrow: arrowAsLines, avro: avroAsLines };

/**
 * Imports files whose rows have types, such as Arrow and Avro, into `main.data`; nested values are handled as in
 * JSON files. Columns of several files are combined by name.
 */
export async function importTyped(
  connection: DuckDBConnection,
  { kind, files, name }: DiscoveredTable,
  { folder, produced, nested }: { folder: string; produced: UnpackedBytes; nested: NestedTables },
): Promise<TableRead> {
  const notes: string[] = files.length > 1 ? [`${files.length} files, one table.`] : [];
  const parts: string[] = [];
  let rowsRead = 0;
  for (const [i, file] of files.entries()) {
    const lines = path.join(folder, `typed-${i}.ndjson`);
    const { columns, rows, longestLine, notes: said } = await readers[kind]!(file, lines, produced);
    rowsRead += rows;
    notes.push(...said.filter(note => !notes.includes(note)));
    const types = columns.map(column => `${quoted(column.name)}: ${text(column.type)}`).join(', ');
    parts.push(
      `select * from read_json(${fileText(lines)}, format = 'newline_delimited', columns = {${types}}, ` +
        `maximum_object_size = ${Math.max(minObjectBytes, longestLine + 1)}, maximum_depth = -1)`,
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
