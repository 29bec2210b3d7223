import type { Tile } from '@belvedere/document';
import { hasNoQuery, tileShape } from '@belvedere/query';
import { limits } from '../../limits.ts';
import { titleOf } from '../../presenters/tile-title.ts';
import { tileModel, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { queryTile } from '../../queries/tiles/query-tile.ts';
import { chartTable } from './chart-table.ts';
import type { ExportTable, ExportTableRows } from './export-table.ts';
import { pivotTable } from './pivot-table.ts';
import { groupChunks, rowChunks, wholeTable } from './table-tile-rows.ts';

/**
 * Returns a tile's numbers for export, or undefined for tiles without numbers.
 * @param limit maximum number of rows, and whether the table is drawn, with its sparklines
 */
export async function exportTable(
  context: DashboardContext,
  id: string,
  tile: Tile,
  locale: string,
  {
    limit = limits.tableGroups,
    isDrawn = false,
  }: { readonly limit?: number; readonly isDrawn?: boolean } = {},
): Promise<ExportTable | undefined> {
  const model = tile.kind === 'text' || hasNoQuery(tile) ? undefined : tileModel(context, tile);
  if (!model) return undefined;
  const title = titleOf(tile, model, locale);
  if (tile.kind === 'table')
    return { id, title, ...(await wholeTable({ context, id, tile, model }, locale, { limit, isDrawn })) };
  const frames = await queryTile(context, id, tile, 'both');
  return tile.kind === 'pivot'
    ? { id, title, ...pivotTable(tile, model, frames, locale, isDrawn) }
    : { id, title, ...chartTable(tile, model, frames, locale) };
}

/** How many rows a format holds, and whether further ones are left out of the file, instead of failing. */
export interface FormatLimit {
  readonly limit: number;
  readonly isCut: boolean;
}

/**
 * Returns a tile's numbers for export, at any length: a table's rows are queried as they are read.
 * @returns undefined for tiles without numbers
 */
export async function exportTableRows(
  context: DashboardContext,
  id: string,
  tile: Tile,
  locale: string,
  format: FormatLimit = { limit: context.queryContext.workspace.limits.exportRows, isCut: false },
): Promise<ExportTableRows | undefined> {
  const { exportRows = Infinity } = context.queryContext;
  if (tile.kind === 'table') {
    const source = { context, id, tile, model: tileModel(context, tile) };
    const head = { id, title: titleOf(tile, source.model, locale) };
    const limit = Math.min(format.limit, exportRows);
    // A file says in its name what the caller's limit leaves out.
    const isCut = format.isCut || exportRows <= format.limit;
    const shape = tileShape(tile, source.model);
    if (shape.kind === 'rows')
      return { ...head, ...(await rowChunks(source, shape.dimensions, { limit, isUtc: true })) };
    if (shape.kind === 'groups')
      return { ...head, ...(await groupChunks(source, shape, locale, { limit, isCut })) };
  }
  const table = await exportTable(context, id, tile, locale);
  if (!table) return undefined;
  const rows = table.rows.slice(0, exportRows);
  return {
    ...table,
    ...(rows.length < table.rows.length && { cut: { rows: rows.length, of: table.rows.length } }),
    pieces: (async function* () {
      yield rows;
    })(),
  };
}
