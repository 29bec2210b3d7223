import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { allOf, tileShape, type TileShape } from '@belvedere/query';
import { filtersFor } from '../../queries/tile-filters.ts';
import type { DashboardContext } from '../../queries/dashboard-query-context.ts';
import { allGroups, allRows, sortOf, tableRows, type TablePage } from '../../queries/rows/table-pages.ts';
import { exportColumn, withCellColours, withMeasureLabel } from './export-columns.ts';
import type { ExportTable, ExportTableRows } from './export-table.ts';
import { noMoreThan } from '../formats/row-chunks.ts';

/** A table tile of a dashboard, to be exported. */
export interface TableSource {
  readonly context: DashboardContext;
  readonly id: string;
  readonly tile: Tile & { kind: 'table' };
  readonly model: Model;
}

type TableBody = Pick<ExportTable, 'columns' | 'rows' | 'totals' | 'cut' | 'sparklines' | 'bars'>;

/**
 * Returns the rows of a table tile, at most as many as requested.
 * @param isDrawn whether the table is drawn, with its sparklines
 */
export async function wholeTable(
  source: TableSource,
  locale: string,
  { limit, isDrawn }: { readonly limit: number; readonly isDrawn: boolean },
): Promise<TableBody> {
  const { context, id, tile, model } = source;
  const shape = tileShape(tile, model);
  if (shape.kind === 'rows') {
    const { pieces, ...head } = await rowChunks(source, shape.dimensions, { limit, isUtc: false });
    const shown = shownPositions(source, shape.dimensions).map(position => shape.dimensions[position]!);
    return { ...head, ...barsIn(tile, shown), rows: (await Array.fromAsync(pieces)).flat() };
  }
  const page = await tableRows(context, id, tile, { offset: 0, limit, isPlain: !isDrawn });
  const names = page.columns.map(({ name }) => name);
  const positions = shownPositions(source, names);
  const sparklines = new Map(
    positions.flatMap((position, i) => {
      const lines = page.sparklines?.of[names[position]!];
      return lines ? [[i, lines] as const] : [];
    }),
  );
  return {
    ...(sparklines.size > 0 && { sparklines }),
    ...barsIn(
      tile,
      positions.map(position => names[position]!),
    ),
    columns: shownColumns(source, page.columns, names, locale),
    rows: [...page.rows, ...(page.totals ? [page.totals] : [])].map(row =>
      positions.map(position => row[position]!),
    ),
    ...(page.totals && { totals: new Set([page.rows.length]) }),
    ...(page.total > page.rows.length && { cut: { rows: page.rows.length, of: page.total } }),
  };
}

function barsIn({ bars = [] }: TableSource['tile'], names: readonly string[]): Pick<ExportTable, 'bars'> {
  return bars.length === 0
    ? {}
    : { bars: new Set(names.flatMap((name, position) => (bars.includes(name) ? [position] : []))) };
}

/**
 * Returns the rows of a table tile from a single query, which makes them consistent, in the page's order. The
 * query runs once the rows are read.
 * @param isUtc whether the columns of instants hold moments and name their zone, instead of its times
 */
export async function rowChunks(
  source: TableSource,
  dimensions: readonly string[],
  { limit, isUtc }: { readonly limit: number; readonly isUtc: boolean },
): Promise<Pick<ExportTableRows, 'columns' | 'pieces' | 'cut'>> {
  const { context, id, tile, model } = source;
  const { base, selected } = await filtersFor(context, model, { tileId: id, tile });
  const { columns, total, pieces } = await allRows(context, model, dimensions, allOf([base, selected]), {
    limit,
    isUtc,
    ...sortOf(tile),
  });
  const positions = shownPositions(source, dimensions);
  return {
    columns: positions.map(position => {
      const column = withCellColours(exportColumn(columns[position]!), dimensions[position]!, tile);
      return isUtc && columns[position]!.type === 'instant'
        ? { ...column, zone: context.queryContext.zone }
        : column;
    }),
    pieces: withColumns(pieces, positions, dimensions.length),
    ...(total > limit && { cut: { rows: limit, of: total } }),
  };
}

/**
 * Like `rowChunks`, for an aggregated table; its last row contains the totals.
 * @param isCut whether rows past the maximum are left out, instead of failing
 */
export async function groupChunks(
  source: TableSource,
  shape: Extract<TileShape, { kind: 'groups' }>,
  locale: string,
  { limit, isCut }: { readonly limit: number; readonly isCut: boolean },
): Promise<Pick<ExportTableRows, 'columns' | 'pieces' | 'endsInTotal' | 'cut'>> {
  const { context, id, tile, model } = source;
  const { base, selected } = await filtersFor(context, model, { tileId: id, tile });
  const names = tile.columns!;
  const { columns, totals, pieces } = await allGroups(context, model, shape, allOf([base, selected]), names, {
    // One more than fits shows that there are more.
    limit: isCut ? limit : limit + 1,
    ...sortOf(tile),
  });
  const total = isCut ? await countTableRows(context, id, tile) : 0;
  const withTotals = (async function* () {
    // Reserves the last row for the totals.
    yield* noMoreThan(isCut ? limit : limit - 1, pieces, rows => rows.length);
    yield [totals];
  })();
  return {
    columns: shownColumns(source, columns, names, locale),
    pieces: withColumns(withTotals, shownPositions(source, names), names.length),
    endsInTotal: true,
    ...(total > limit && { cut: { rows: limit, of: total } }),
  };
}

/** Counts the rows of a table tile, without its totals. */
export async function countTableRows(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'table' },
): Promise<number> {
  return (await tableRows(context, id, tile, { offset: 0, limit: 1, isPlain: true })).total;
}

/** The columns of an aggregated table that the viewer has not hidden. */
function shownColumns(
  source: TableSource,
  columns: TablePage['columns'],
  names: readonly string[],
  locale: string,
): ExportTable['columns'] {
  return shownPositions(source, names).map(position => {
    const name = names[position]!;
    const column = withMeasureLabel(exportColumn(columns[position]!), name, source.model, locale);
    return withCellColours(column, name, source.tile);
  });
}

/** Returns the indexes of the columns that the viewer has not hidden. */
function shownPositions({ context, id }: TableSource, names: readonly string[]): number[] {
  const { without = [] } = context.state.tiles?.[id] ?? {};
  const shown = names.flatMap((name, position) => (without.includes(name) ? [] : [position]));
  return shown.length > 0 ? shown : [...names.keys()];
}

/** Selects some columns of each row. All are queried, since the rows may be sorted by a hidden one. */
async function* withColumns(
  pieces: AsyncIterable<TablePage['rows']>,
  positions: readonly number[],
  of: number,
): AsyncGenerator<TablePage['rows'], void> {
  for await (const rows of pieces)
    yield positions.length === of ? rows : rows.map(row => positions.map(position => row[position]!));
}
