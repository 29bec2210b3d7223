import type { Candidate, Inclusion } from './relationships.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

/** A small table as it is written in a test: its columns' values, row by row. */
export type Columns = Readonly<Record<string, readonly (number | string | null)[]>>;

/** Profiles a small table as the import does, in plain code. */
export function profileOfRows(name: string, columns: Columns): TableProfile {
  const rows = Object.values(columns)[0]?.length ?? 0;
  return {
    name,
    rows,
    columns: Object.entries(columns).map(([column, values]) => columnProfile(column, values)),
  };
}

function columnProfile(name: string, values: readonly (number | string | null)[]): ColumnProfile {
  const filled = values.filter(value => value !== null);
  const numbers = filled.filter(value => typeof value === 'number').toSorted((a, b) => a - b);
  const isNumber = numbers.length > 0;
  const at = (part: number) => numbers[Math.floor((numbers.length - 1) * part)]!;
  return {
    name,
    type: isNumber ? (numbers.every(Number.isInteger) ? 'integer' : 'number') : 'text',
    nulls: values.length - filled.length,
    empties: filled.filter(value => value === '').length,
    distinct: new Set(filled).size,
    isDistinctExact: true,
    ...(isNumber && { min: at(0), max: at(1), low: at(0.01), high: at(0.99) }),
    top: [],
  };
}

/** Counts row by row how many references find their key. */
export function inclusionOfRows(
  { from, to }: Candidate,
  tables: Readonly<Record<string, Columns>>,
): Inclusion {
  const tuples = (table: string, columns: readonly string[]) => {
    const values = columns.map(column => tables[table]![column]!);
    const all = values[0]!.map((_, row) => values.map(column => column[row]));
    return all.filter(tuple => !tuple.includes(null)).map(tuple => JSON.stringify(tuple));
  };
  const [references, keys] = [tuples(from.table, from.columns), tuples(to.table, to.columns)];
  const known = new Set(keys);
  return {
    rows: references.length,
    matched: references.filter(reference => known.has(reference)).length,
    isUnique: known.size === keys.length,
  };
}
