import type { GridBox } from '@belvedere/document';

/** The columns of a page's grid. */
export const gridColumns = 24;

/** The room that a tile needs, in columns and rows of the grid. */
export interface TileSize {
  readonly minColumns: number;
  readonly rows: number;
}

/**
 * Boxes for tiles in reading order, from row `top` down: every row is filled to the last column, and its
 * tiles are equally high. Rows are
 * broken where that leaves the least to stretch, so that four tiles stand two by two rather than three and
 * one.
 * @throws RangeError when a tile needs more columns than the grid has
 */
export function packTiles(sizes: readonly TileSize[], top = 0): readonly GridBox[] {
  const tooWide = sizes.find(({ minColumns }) => minColumns < 1 || minColumns > gridColumns);
  if (tooWide) throw new RangeError(`A tile of ${tooWide.minColumns} columns does not fit the grid.`);
  let y = top;
  return brokenIntoRows(sizes).flatMap(row => {
    const rows = Math.max(...row.map(size => size.rows));
    const boxes = filled(row, y, rows);
    y += rows;
    return boxes;
  });
}

/** The rows whose slack, squared, is least in all: `best[n]` is that of the first `n` tiles. */
function brokenIntoRows(sizes: readonly TileSize[]): readonly (readonly TileSize[])[] {
  const best: { readonly cost: number; readonly rows: readonly (readonly TileSize[])[] }[] = [
    { cost: 0, rows: [] },
  ];
  for (let end = 1; end <= sizes.length; end++) {
    let columns = 0;
    for (let start = end - 1; start >= 0; start--) {
      columns += sizes[start]!.minColumns;
      if (columns > gridColumns) break;
      const cost = best[start]!.cost + (gridColumns - columns) ** 2;
      const known = best[end];
      if (!known || cost < known.cost)
        best[end] = { cost, rows: [...best[start]!.rows, sizes.slice(start, end)] };
    }
  }
  return best[sizes.length]!.rows;
}

/** One row, each tile stretched by its share of what is left over. */
function filled(row: readonly TileSize[], y: number, rows: number): readonly GridBox[] {
  const needed = row.reduce((sum, { minColumns }) => sum + minColumns, 0);
  let before = 0;
  return row.map(({ minColumns }): GridBox => {
    const from = Math.round((before / needed) * gridColumns);
    before += minColumns;
    return [from, y, Math.round((before / needed) * gridColumns) - from, rows];
  });
}
