import { isNumeric, isTemporal, type ColumnProfile, type TableProfile } from '@belvedere/model';
import type { QueryResult } from '../result.ts';
import type { DatabaseTable } from './connection.ts';

const topValues = 8;

/**
 * A profile estimated from a sample of a table's rows. It suffices to guess the meaning of columns; exact
 * figures need the whole table.
 */
export function sampleRows(table: DatabaseTable, result: QueryResult): TableProfile {
  const rows = Math.max(table.estimatedRows ?? 0, result.rowCount);
  return {
    name: table.name,
    rows,
    columns: result.columns.map((column, i) =>
      profileOf(
        { ...column, type: table.columns[i]!.type, name: table.columns[i]!.name },
        rows,
        result.rowCount,
      ),
    ),
  };
}

function profileOf(
  { name, type, values }: QueryResult['columns'][number],
  rows: number,
  seen: number,
): ColumnProfile {
  const counts = new Map<string | number | boolean, number>();
  let nulls = 0;
  for (const value of values) {
    if (value === null) nulls++;
    else counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const known = [...counts.keys()];
  const share = seen > 0 ? rows / seen : 1;
  // If no sampled value repeats, assume that the column's values are unique.
  const distinct =
    known.length === seen - nulls && known.length > 20 ? Math.round(known.length * share) : known.length;
  const numbers =
    isNumeric(type) || isTemporal(type)
      ? known
          .map(Number)
          .filter(Number.isFinite)
          .toSorted((a, b) => a - b)
      : [];
  const texts = type === 'text' ? known.map(String).toSorted((a, b) => (a < b ? -1 : 1)) : [];
  const at = (place: number) => numbers[Math.min(numbers.length - 1, Math.floor(place * numbers.length))];
  const bounds =
    numbers.length > 0
      ? {
          min: numbers[0]!,
          max: numbers.at(-1)!,
          ...(isNumeric(type) && { low: at(0.01)!, high: at(0.99)! }),
        }
      : texts.length > 0
        ? { min: texts[0]!.slice(0, 100), max: texts.at(-1)!.slice(0, 100) }
        : {};
  const isListed = type === 'text' || type === 'boolean' || (type === 'integer' && known.length <= 1000);
  const top = isListed
    ? [...counts]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, topValues)
        .map(([value, count]) => ({ value: String(value).slice(0, 200), rows: Math.round(count * share) }))
    : [];
  return {
    name,
    type,
    nulls: Math.round(nulls * share),
    empties: Math.round((counts.get('') ?? 0) * share),
    distinct,
    isDistinctExact: false,
    ...bounds,
    top,
  };
}
