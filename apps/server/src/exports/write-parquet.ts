import { parquetWriteBuffer } from 'hyparquet-writer';
import type { TakenTable } from './taken-table.ts';

/** Parquet with the columns' own types; numbers that no double holds stay texts, digit for digit. */
export function writeParquet(table: TakenTable): Uint8Array {
  const names = new Map<string, number>();
  const columnData = table.columns.map((column, i) => {
    const values = table.rows.map(row => row[i] ?? null);
    const count = names.get(column.label) ?? 0;
    names.set(column.label, count + 1);
    const name = count === 0 ? column.label : `${column.label} ${count + 1}`;
    if (column.type === 'date' || column.type === 'time') return { name, data: values.map(value => (typeof value === 'number' ? new Date(value) : null)), type: 'TIMESTAMP' as const };
    if (column.type === 'number' && values.every(value => value === null || typeof value === 'number')) return { name, data: values, type: 'DOUBLE' as const };
    if (column.type === 'boolean') return { name, data: values, type: 'BOOLEAN' as const };
    return { name, data: values.map(value => (value === null ? null : String(value))), type: 'STRING' as const };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
