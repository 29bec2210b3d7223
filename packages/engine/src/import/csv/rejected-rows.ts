import type { DuckDBConnection } from '@duckdb/node-api';
import type { RejectedRow } from '../report.ts';
import { rowsOf } from '../sql-text.ts';

export const keptRejects = 1000;

/** The rows of a file that the engine rejected, the first of them with their texts. */
export async function rejectedRows(
  connection: DuckDBConnection,
  file: string,
): Promise<{ total: number; rows: RejectedRow[] }> {
  const [count] = await rowsOf(connection, 'select count(distinct line) from reject_errors');
  const rows = await rowsOf(
    connection,
    `select line, any_value(column_name), any_value(error_message), any_value(csv_line) from reject_errors group by 1 order by 1 limit ${keptRejects}`,
  );
  return {
    total: Number(count![0]),
    rows: rows.map(([line, column, reason, csvLine]) => ({
      file,
      line: Number(line),
      ...(column !== null && { column: String(column) }),
      reason: firstSentence(String(reason)),
      ...(csvLine !== null && { text: String(csvLine).slice(0, 200) }),
    })),
  };
}

/** The first sentence of an engine's message. */
export function firstSentence(message: string): string {
  return message
    .replace(/^[A-Za-z ]+Error: /, '')
    .split('\n')[0]!
    .slice(0, 300);
}
