import { isNumeric, type DataType } from '@belvedere/model';
import type { SchemaTable } from '../model-editor/model-editing.ts';
import { quoted } from './sql-editor.ts';

/** Queries to begin with: the rows of the largest table, and its first text column counted or added up. */
export function sampleQueries(tables: readonly SchemaTable[]): readonly string[] {
  const table = tables.toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0))[0];
  if (!table) return [];
  const name = table.name.split('.').map(quoted).join('.');
  const text = table.columns.find(({ type }) => type === 'text');
  const number = table.columns.findLast(({ type }) => isNumeric(type as DataType));
  return [
    `select * from ${name} limit 100`,
    ...(text
      ? [
          `select ${quoted(text.name)}, count(*) as row_count${number ? `, avg(${quoted(number.name)}) as average` : ''}\nfrom ${name}\ngroup by ${quoted(text.name)}\norder by row_count desc\nlimit 20`,
        ]
      : []),
  ];
}
