import type { RowsPage } from '@belvedere/api';
import { exportColumn } from '../exports/tables/export-columns.ts';
import type { ExportTableRows } from '../exports/tables/export-table.ts';
import { writeCsv } from '../exports/formats/write-csv.ts';
import { writeText } from '../exports/formats/write-terminal-table.ts';

/** Formats a result for a terminal, line by line. */
export function rowsAsText({ columns, rows }: RowsPage): string[] {
  return writeText(columns.map(exportColumn), rows, 'en');
}

/** Formats a result as CSV, with the model's names as its header. */
export function rowsAsCsv({ columns, rows }: RowsPage): AsyncIterable<string> {
  const table: ExportTableRows = {
    id: 'answer',
    title: '',
    columns: columns.map(({ name, type }) => exportColumn({ label: name, type })),
    pieces: (async function* () {
      yield rows;
    })(),
  };
  return writeCsv(table);
}
