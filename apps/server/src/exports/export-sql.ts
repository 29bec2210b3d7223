import { maxExportRows } from '@belvedere/api';
import type { QueryResult } from '@belvedere/engine';
import { resultRows } from '../queries/rows/result-rows.ts';
import { exportRefused } from '../access/export-limit.ts';
import { ProblemError } from '../http/problems.ts';
import type { Exported } from './export-dashboard.ts';
import { streamParquet } from './formats/stream-parquet.ts';
import { streamXlsx } from './formats/stream-xlsx.ts';
import { exportColumn } from './tables/export-columns.ts';
import type { ExportTableRows } from './tables/export-table.ts';
import { begun, noMoreThan, withFirst } from './formats/row-chunks.ts';
import { writeCsv } from './formats/write-csv.ts';

type SqlFormat = 'csv' | 'xlsx' | 'parquet';

const types: Readonly<Record<SqlFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
};

interface SqlExport {
  readonly source: string;
  readonly sql: string;
  readonly format: SqlFormat;
  readonly locale: string;
  /** How many rows an export may have. */
  readonly maxRows: number;
  /** How many rows the caller may export; infinity without a limit. */
  readonly ownRows: number;
}

/**
 * Exports all rows of custom SQL as a file. Their number is unknown before the end, so an export that exceeds
 * the format's limit fails rather than omit rows.
 */
export async function exportSql(
  chunks: AsyncIterable<QueryResult>,
  { source, sql, format, locale, maxRows, ownRows }: SqlExport,
  signal: AbortSignal,
): Promise<Exported> {
  const rowCount = (chunk: QueryResult) => chunk.rowCount;
  // Before the response begins, so that a result whose first rows are too many is refused with the reason.
  const [all, first] = await withFirst(
    noMoreThan(
      format === 'xlsx' ? Math.min(maxExportRows.xlsx, maxRows) : maxRows,
      noMoreThan(ownRows, chunks, rowCount, exportRefused),
      rowCount,
    ),
  );
  if (!first) throw new ProblemError('query-failed', 'The statement returned no result.');
  const table: ExportTableRows = {
    id: source,
    title: source,
    columns: first.columns.map(({ name, type }) => exportColumn({ label: name, type })),
    pieces: (async function* () {
      for await (const chunk of all) yield resultRows(chunk);
    })(),
  };
  const name = `${source}.${format}`;
  if (format === 'csv') return { name, type: types.csv, body: writeCsv(table) };
  if (format === 'parquet') return { name, type: types.parquet, body: await streamParquet(table, signal) };
  return {
    name,
    type: types.xlsx,
    body: await begun(
      streamXlsx(
        [
          ['Belvedere', source],
          ['SQL', sql],
        ],
        [table],
        locale,
        signal,
      ),
    ),
  };
}
