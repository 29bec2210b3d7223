import type { Answer } from '@belvedere/engine';

/** Columns turned to rows, for pages of a hundred. */
export function rowsFrom(answer: Answer): (string | number | boolean | null)[][] {
  return Array.from({ length: answer.rowCount }, (_, i) => answer.columns.map(column => (column.values as readonly (string | number | boolean | null)[])[i] ?? null));
}
