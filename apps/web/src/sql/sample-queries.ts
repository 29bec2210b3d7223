import { isNumeric, type DataType } from '@belvedere/model';
import type { SchemaTable } from '../model-editor/model-editing.ts';
import { quoted } from './sql-editor.ts';

/** Returns example queries: rows of the largest table, and the largest table with a text column grouped by it. */
export function sampleQueries(tables: readonly SchemaTable[]): readonly string[] {
  const largest = tables.toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0));
  const [first] = largest;
  if (!first) return [];
  const nameOf = ({ name }: SchemaTable) => name.split('.').map(quoted).join('.');
  const grouped = largest.flatMap(table => {
    const text = table.columns.find(({ type, name }) => type === 'text' && !/id$/i.test(name));
    return text ? [{ table, text }] : [];
  })[0];
  const rows = `select * from ${nameOf(first)} limit 100`;
  if (!grouped) return [rows];
  const number = grouped.table.columns.findLast(({ type }) => isNumeric(type as DataType));
  const field = quoted(grouped.text.name);
  const average = number ? `, avg(${quoted(number.name)}) as average` : '';
  return [
    rows,
    `select ${field}, count(*) as row_count${average}\nfrom ${nameOf(grouped.table)}\ngroup by ${field}\norder by row_count desc\nlimit 20`,
  ];
}
