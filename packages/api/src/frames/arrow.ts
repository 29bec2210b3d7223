import { bool, float64, tableFromArrays, tableToIPC, timestamp, TimeUnit, utf8 } from '@uwdata/flechette';

export const arrowMediaType = 'application/vnd.apache.arrow.stream';

/**
 * Encodes columns of plain values as an Arrow IPC stream: numbers as doubles, times as timestamps in
 * milliseconds, all else as text.
 */
export function encodeArrow(
  columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly values: ArrayLike<string | number | boolean | null>;
  }[],
): Uint8Array {
  const entries = columns.map(({ name, type, values }) => {
    const list = Array.from(values, value => value);
    const isNumber =
      (type === 'integer' || type === 'number') &&
      list.every(value => value === null || typeof value === 'number');
    const isTime =
      ['date', 'time', 'instant'].includes(type) &&
      list.every(value => value === null || typeof value === 'number');
    if (isNumber) return { name, values: list, type: float64() };
    if (isTime) return { name, values: list, type: timestamp(TimeUnit.MILLISECOND) };
    if (type === 'boolean') return { name, values: list, type: bool() };
    return { name, values: list.map(value => (value === null ? null : String(value))), type: utf8() };
  });
  const table = tableFromArrays(Object.fromEntries(entries.map(entry => [entry.name, entry.values])), {
    types: Object.fromEntries(entries.map(entry => [entry.name, entry.type])),
  });
  return tableToIPC(table, { format: 'stream' })!;
}
