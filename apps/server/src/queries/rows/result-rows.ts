import type { Cells, TileNote } from '@belvedere/api';
import type { QueryResult } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import type { Workspace } from '../../workspace/workspace.ts';
import { partRead } from '../../workspace/tables/table-part.ts';

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

/** Returns notes if the result is the last one of a source that is unreachable, or of a part of a table. */
export function dataNotes(
  result: Pick<QueryResult, 'asOf'> | Cells,
  model: Model,
  workspace: Workspace,
): TileNote[] {
  const read = partRead(model, workspace);
  return [
    ...('asOf' in result && result.asOf !== undefined
      ? [{ kind: 'last-answer', at: result.asOf } as const]
      : []),
    ...(read ? [{ kind: 'part-of-table', ...read.part } as const] : []),
  ];
}
