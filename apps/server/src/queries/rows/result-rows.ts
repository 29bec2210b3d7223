import type { Cells, TileNote } from '@belvedere/api';
import type { QueryResult } from '@belvedere/engine';

/** Converts columns to rows, for pages of a hundred. */
export function resultRows(result: QueryResult): (string | number | boolean | null)[][] {
  return Array.from({ length: result.rowCount }, (_, i) =>
    result.columns.map(column => (column.values as readonly (string | number | boolean | null)[])[i] ?? null),
  );
}

/** No viewer reads longer texts in a cell, and no URL is longer. Exports contain the full text. */
const shownLength = 2000;

/**
 * Shortens long texts in rows for display: a page of cells that hold a file each would not fit into a
 * browser.
 */
export function shownRows(
  rows: readonly (readonly (string | number | boolean | null)[])[],
): (string | number | boolean | null)[][] {
  return rows.map(row =>
    row.map(value =>
      typeof value === 'string' && value.length > shownLength ? `${value.slice(0, shownLength)}…` : value,
    ),
  );
}

/** Returns a note if the source is unreachable and the result is its last one. */
export function lastResultNotes(result: Pick<QueryResult, 'asOf'> | Cells): TileNote[] {
  return 'asOf' in result && result.asOf !== undefined ? [{ kind: 'last-answer', at: result.asOf }] : [];
}
