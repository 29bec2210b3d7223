import type { DuckDBConnection } from '@duckdb/node-api';
import { missed } from './date-formats.ts';
import { quoted, rowsOf } from '../sql-text.ts';

/**
 * Browsers have no times beyond the year 275,760, and the engine cannot convert its own last ones to a time
 * zone.
 */
const lastYear = 270_000;
const bounded = /^(?:DATE|TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS|TIMESTAMP WITH TIME ZONE)$/;

/**
 * Replaces dates and times of `main.data` beyond any calendar by null, so that a single value never fails a
 * query. Returns notes on their number.
 */
export async function withoutExtremeTimes(connection: DuckDBConnection): Promise<string[]> {
  const columns = (await rowsOf(connection, 'describe data'))
    .map(([name, type]) => ({ name: String(name), type: String(type) }))
    .filter(({ type }) => bounded.test(type));
  const notes: string[] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50);
    const counts = some.map(column => `count(*) filter (where ${isExtreme(column)})`);
    const [row] = await rowsOf(connection, `select ${counts.join(', ')} from data`);
    for (const [i, column] of some.entries()) {
      const count = Number(row![i]);
      if (count === 0) continue;
      await connection.run(`update data set ${quoted(column.name)} = null where ${isExtreme(column)}`);
      notes.push(...missed(column.name, count));
    }
  }
  return notes;
}

function isExtreme({ name, type }: { readonly name: string; readonly type: string }): string {
  const column = quoted(name);
  const literal = (text: string) => `'${text}'::${type}`;
  return `isfinite(${column}) and (${column} > ${literal(`${lastYear}-01-01`)} or ${column} < ${literal(`${lastYear}-01-01 (BC)`)})`;
}
