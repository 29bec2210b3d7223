import type { GridBox, Tile } from '@belvedere/document';
import { gridColumns, packTiles } from './pack-tiles.ts';

/** A tile to be placed, and the columns of the grid that it needs. */
export interface Planned {
  readonly id: string;
  readonly tile: Tile;
  readonly minColumns: number;
  /** The height that it needs, in rows of the grid; that of a chart if not given. */
  readonly rows?: number;
  /** Whether half the height of a chart is enough. */
  readonly isShort?: boolean;
}

export const maxFigures = 4;
export const figureColumns = gridColumns / maxFigures;
const onlyFigureColumns = 8;
/** The rows of a figure with its comparison below, and those of one without. */
export const figureRows = 3;
export const plainFigureRows = 2;
const chartRows = 8;
/** Charts other than of many bars can be as low as this. */
const lowChartRows = 6;
const maxTableRows = 10;

/** So many rows of the grid do bars need that are apart as lines of text are, below a title. */
export const rowsForBars = (bars: number) => Math.min(chartRows, Math.max(4, Math.ceil(1.5 + 0.6 * bars)));
/** So many need the rows of a table, between its title and its pages. */
export const rowsForRows = (rows: number) => Math.min(maxTableRows, Math.max(4, Math.ceil(3 + 0.63 * rows)));

/**
 * Four figures make a row. Two or three stand one above the other beside the first chart where they fill its
 * height; else two stand above a chart. An only one stands above a chart, and others, or the rows, beside both.
 */
export function placed(
  figures: readonly Planned[],
  graphs: readonly Planned[],
  table: Planned,
): Record<string, Tile> {
  const tiles: Record<string, Tile> = {};
  const put = ({ id, tile }: Planned, at: GridBox) => {
    tiles[id] = { ...tile, at };
  };
  let top = 0;
  const pack = (stacks: readonly Stack[]) => {
    const boxes = packTiles(
      stacks.map(([{ minColumns, rows }, ...more]) => ({
        minColumns,
        rows: more.length > 0 ? chartRows : (rows ?? chartRows),
      })),
      top,
    );
    stacks.forEach((stack, i) => putStack(stack, boxes[i]!, put));
    top = Math.max(top, ...boxes.map(([, y, , high]) => y + high));
  };
  /** Fills the rest of the first `rows` rows, from column `left` on. */
  const putBeside = (beside: readonly Planned[], left: number, rows: number) => {
    const columns = (gridColumns - left) / beside.length;
    beside.forEach((one, i) => put(one, [left + i * columns, 0, columns, rows]));
    top = rows;
  };
  const [first, ...others] = graphs;
  const [onlyFigure] = figures.length === 1 ? figures : [];
  const figureHeight = figures[0]?.rows ?? figureRows;
  let rest: Planned[] = [...graphs];
  if (figures.length === maxFigures) {
    pack(figures.map(figure => [figure]));
  } else if (onlyFigure && graphs.length > 0 && graphs.every(isLow) && graphs.length <= maxBesideFigure) {
    const heights = [figureHeight, ...graphs.map(heightOf)];
    const total = heights.reduce((sum, rows) => sum + rows, 0);
    if (heightOf(table) >= total - maxEmptyRows) {
      putColumn([onlyFigure, ...graphs], [0, onlyFigureColumns], heights, put);
      putBeside([table], onlyFigureColumns, total);
    } else {
      const rows = Math.max(...graphs.map(rowsBeside));
      put(onlyFigure, [0, 0, onlyFigureColumns, rows]);
      putBeside(graphs, onlyFigureColumns, rows);
    }
    rest = [];
  } else if (onlyFigure && first) {
    const isTrend = first.id === 'over_time' && others.length > 0;
    const [below, ...more] = isTrend ? others : lowerFirst(graphs);
    const count = isTrend ? 0 : besideOf(more.length);
    const beside = isTrend ? [first] : more.slice(0, count);
    const rows = Math.max(figureHeight + (below!.rows ?? chartRows), ...beside.map(heightOf));
    put(onlyFigure, [0, 0, onlyFigureColumns, figureHeight]);
    put(below!, [0, figureHeight, onlyFigureColumns, rows - figureHeight]);
    putBeside(beside.length > 0 ? beside : [table], onlyFigureColumns, rows);
    rest = more.slice(count);
  } else if (first) {
    const count = first.id === 'over_time' ? 1 : besideOf(graphs.length);
    const beside = graphs.slice(0, count);
    const rows = Math.max(figures.length * figureHeight, ...beside.map(rowsBeside));
    if (
      rows - figures.length * figureHeight > figures.length &&
      figures.length * figureColumns <= halfOfGrid
    ) {
      const [right = table] = others;
      const below = Math.max(heightOf(first), heightOf(right) - figureHeight);
      figures.forEach((figure, i) => put(figure, [i * figureColumns, 0, figureColumns, figureHeight]));
      put(first, [0, figureHeight, halfOfGrid, below]);
      putBeside([right], halfOfGrid, figureHeight + below);
      rest = others.slice(1);
    } else {
      putStack(figures, [0, 0, figureColumns, rows], put);
      putBeside(beside, figureColumns, rows);
      rest = graphs.slice(count);
    }
  }
  const short = rest.filter(({ isShort }) => isShort);
  if (short.length === shortsOfRow) {
    rest = rest.filter(({ isShort }) => !isShort);
    // The trend stays the first chart, with the one beside it.
    const before = rest[0]?.id === 'over_time' ? rest.splice(0, 2) : [];
    pack(before.map(one => [one]));
    pack(short.map(one => [one]));
  }
  pack(inStacks(rest));
  if (!tiles[table.id]) pack([[table]]);
  return tiles;
}

/** A tile may have so many rows more than its content needs. */
const maxEmptyRows = 2;
const halfOfGrid = gridColumns / 2;

/** As few bars as this leave charts beside an only figure as low as it is. */
const isLow = ({ rows }: Planned) => rows !== undefined && rows <= 5;
const maxBesideFigure = 2;

/** So many leaderboards of a few bars make a low row of their own. */
const shortsOfRow = 3;

const heightOf = ({ rows }: Planned) => rows ?? chartRows;

/** Of the first two charts the lower one first, since it stands below a figure. */
function lowerFirst([first, second, ...others]: readonly Planned[]): readonly Planned[] {
  if (!first || !second) return first ? [first] : [];
  return heightOf(second) < heightOf(first) ? [second, first, ...others] : [first, second, ...others];
}

/** Figures beside a chart would be mostly empty if it were higher than it needs to be. */
const rowsBeside = ({ rows }: Planned) => rows ?? lowChartRows;

/** How many of several charts stand beside figures, so that those below come in pairs. */
const besideOf = (charts: number) => (charts % 2 === 1 ? 1 : 2);

/** Tiles that stand one above the other. */
type Stack = readonly [Planned, ...Planned[]];

/** Divides a box among tiles that stand one above the other. */
function putStack(
  stack: readonly Planned[],
  [x, y, columns, rows]: GridBox,
  put: (planned: Planned, at: GridBox) => void,
): void {
  const edge = (i: number) => Math.round((i * rows) / stack.length);
  stack.forEach((one, i) => put(one, [x, y + edge(i), columns, edge(i + 1) - edge(i)]));
}

/** Puts tiles of given heights one above the other, from the top of the grid down. */
function putColumn(
  tiles: readonly Planned[],
  [x, columns]: readonly [number, number],
  heights: readonly number[],
  put: (planned: Planned, at: GridBox) => void,
): void {
  let y = 0;
  for (const [i, tile] of tiles.entries()) {
    put(tile, [x, y, columns, heights[i]!]);
    y += heights[i]!;
  }
}

/** Two leaderboards of a few bars each share the height of one, which either would leave mostly empty. */
function inStacks(graphs: readonly Planned[]): readonly Stack[] {
  const short = graphs.filter(({ isShort }) => isShort);
  return graphs.flatMap((graph): readonly Stack[] => {
    const at = short.indexOf(graph);
    if (at % 2 === 1) return [];
    const below = at < 0 ? undefined : short[at + 1];
    return [below ? [graph, below] : [graph]];
  });
}
