import type { RelatedTable, TableRelationship } from '@belvedere/api';
import { Graph, layout } from '@dagrejs/dagre';
import { keyOf } from './relationship-key.ts';

/** A table's box: its place, and the columns that it lists. */
export interface TableBox {
  readonly table: RelatedTable;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly columns: readonly RelatedTable['columns'][number][];
  /** Further columns, which are not listed. */
  readonly more: number;
}

/** A line from the many to the one. */
export interface Link {
  readonly key: string;
  readonly relationship: TableRelationship;
  /** The SVG path of its line. */
  readonly path: string;
  /** Where it ends, and the side of the box: 1 to the right. */
  readonly from: LinkEnd;
  readonly to: LinkEnd;
}

export interface LinkEnd {
  readonly x: number;
  readonly y: number;
  readonly side: 1 | -1;
}

export interface DiagramLayout {
  readonly boxes: readonly TableBox[];
  readonly links: readonly Link[];
  readonly width: number;
  readonly height: number;
}

export const boxWidth = 208;
export const headHeight = 34;
export const columnHeight = 22;
const maxColumns = 12;
/** How far a line reaches that leaves and enters on the same side. */
const loopWidth = 44;
/** The layout's time grows with the square of this: 120 take 0.2 s, 500 would take 10 s. */
const maxPlacedLinks = 120;
const gap = { rows: 28, ranks: 110, grid: 28 };

/**
 * Places tables so that those that refer stand left of those that they refer to; tables without relationships
 * stand below. The same tables and links always have the same places.
 */
export function layoutTables(
  tables: readonly RelatedTable[],
  relationships: readonly TableRelationship[],
): DiagramLayout {
  const names = new Set(tables.map(({ name }) => name));
  const drawn = relationships.filter(({ from, to }) => names.has(from.table) && names.has(to.table));
  const linked = new Set(
    drawn.filter(({ from, to }) => from.table !== to.table).flatMap(({ from, to }) => [from.table, to.table]),
  );
  const sized = tables
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(table => ({ table, x: 0, y: 0, ...listedColumns(table, drawn) }));
  const [related, alone] = [
    sized.filter(({ table }) => linked.has(table.name)),
    sized.filter(({ table }) => !linked.has(table.name)),
  ];
  const ranked = inRanks(related, drawn);
  const top = Math.max(0, ...ranked.map(({ y, height }) => y + height + gap.grid * 2));
  const right = Math.max(1000, ...ranked.map(({ x }) => x + boxWidth));
  const boxes = [...ranked, ...inGrid(alone, top, right)].toSorted((a, b) => a.x - b.x || a.y - b.y);
  const byName = new Map(boxes.map(box => [box.table.name, box]));
  const links = drawn.map(one => linkBetween(one, byName));
  const loops = links.filter(({ from, to }) => from.side === to.side).map(({ from }) => from.x + loopWidth);
  return {
    boxes,
    links,
    width: Math.max(0, ...boxes.map(({ x }) => x + boxWidth), ...loops),
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)),
  };
}

/** The columns of relationships, with a key of the table. */
function listedColumns(
  table: RelatedTable,
  relationships: readonly TableRelationship[],
): Pick<TableBox, 'columns' | 'more' | 'height'> {
  const related = new Set(
    relationships.flatMap(({ from, to }) =>
      [from, to].flatMap(end => (end.table === table.name ? end.columns : [])),
    ),
  );
  const linked = table.columns.filter(({ name }) => related.has(name));
  const ownKey = linked.some(({ isKey }) => isKey)
    ? []
    : table.columns.filter(({ isKey }) => isKey).slice(0, 1);
  const listed = [...linked, ...ownKey].slice(0, maxColumns);
  const columns = table.columns.filter(column => listed.includes(column));
  const more = table.columns.length - columns.length;
  return { columns, more, height: headHeight + (columns.length + (more > 0 ? 1 : 0)) * columnHeight + 6 };
}

function inRanks(boxes: readonly TableBox[], relationships: readonly TableRelationship[]): TableBox[] {
  if (boxes.length === 0) return [];
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: gap.rows, ranksep: gap.ranks });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { table, height } of boxes) graph.setNode(table.name, { width: boxWidth, height });
  for (const [from, to] of placingEdges(relationships)) graph.setEdge(from, to);
  layout(graph);
  return boxes.map(box => {
    // Places are those of the centres.
    const { x = 0, y = 0 } = graph.node(box.table.name) as { x?: number; y?: number };
    return { ...box, x: Math.round(x - boxWidth / 2), y: Math.round(y - box.height / 2) };
  });
}

/** Pairs of tables that decide about places: a few of each table, if there are many. */
function placingEdges(relationships: readonly TableRelationship[]): readonly (readonly [string, string])[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of relationships) {
    const known = targets.get(from.table) ?? [];
    if (from.table !== to.table && !known.includes(to.table)) targets.set(from.table, [...known, to.table]);
  }
  const ranked = [...targets].flatMap(([from, all]) => all.toSorted().map((to, i) => ({ from, to, i })));
  return ranked
    .toSorted((a, b) => a.i - b.i || (a.from < b.from ? -1 : 1))
    .slice(0, maxPlacedLinks)
    .map(({ from, to }) => [from, to] as const);
}

function inGrid(boxes: readonly TableBox[], top: number, width: number): TableBox[] {
  const perRow = Math.max(1, Math.floor((width + gap.grid) / (boxWidth + gap.grid)));
  let y = top;
  return Array.from({ length: Math.ceil(boxes.length / perRow) }, (_, row) => {
    const some = boxes.slice(row * perRow, (row + 1) * perRow);
    const placed = some.map((box, i) => ({ ...box, x: i * (boxWidth + gap.grid), y }));
    y += Math.max(...some.map(({ height }) => height)) + gap.grid;
    return placed;
  }).flat();
}

function linkBetween(relationship: TableRelationship, boxes: ReadonlyMap<string, TableBox>): Link {
  const [source, target] = [boxes.get(relationship.from.table)!, boxes.get(relationship.to.table)!];
  const isSelf = source === target;
  const isLeft = source.x + boxWidth <= target.x;
  const isRight = target.x + boxWidth <= source.x;
  // Boxes above each other are linked by a curve beside them.
  const sides: readonly [1 | -1, 1 | -1] =
    isSelf || (!isLeft && !isRight) ? [1, 1] : isLeft ? [1, -1] : [-1, 1];
  const from = endAt(source, relationship.from.columns[0]!, sides[0]);
  const to = endAt(target, relationship.to.columns[0]!, sides[1]);
  const bend = sides[0] === sides[1] ? loopWidth : Math.max(36, Math.abs(to.x - from.x) / 2);
  const path = `M${from.x} ${from.y}C${from.x + sides[0] * bend} ${from.y} ${to.x + sides[1] * bend} ${to.y} ${to.x} ${to.y}`;
  return { key: keyOf(relationship), relationship, path, from, to };
}

/** The side of a column's row; that of the box's head if the column is not listed. */
function endAt(box: TableBox, column: string, side: 1 | -1): LinkEnd {
  const row = box.columns.findIndex(({ name }) => name === column);
  const y = row < 0 ? headHeight / 2 : headHeight + (row + 0.5) * columnHeight + 2;
  return { x: box.x + (side === 1 ? boxWidth : 0), y: box.y + y, side };
}

/** The width of a bold letter, as a share of its size. */
const letterWidth = 0.6;
/** Smaller letters cannot be read at any scale; a longer name leaves its box instead. */
const minSize = 13;

/**
 * The lines of a name, broken at its words, in letters as large as fit into a box.
 * @param largest the size of letters that need be no larger
 */
export function farLines(
  name: string,
  room: { readonly width: number; readonly height: number },
  largest: number,
): { readonly lines: readonly string[]; readonly size: number } {
  const words = name.split(/(?<=[\s_.-])|(?<=[a-z])(?=[A-Z])/);
  const sizeOf = (lines: readonly string[]) =>
    Math.min(
      largest,
      room.width / (letterWidth * Math.max(...lines.map(line => line.trim().length))),
      room.height / (1.15 * lines.length),
    );
  const broken = words.map((_, i) => linesOf(words, i + 1));
  const [best] = broken.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.length - b.length);
  return { lines: best!, size: Math.max(minSize, sizeOf(best!)) };
}

/** Words in at most so many lines, each as long as the longest needs to be. */
function linesOf(words: readonly string[], count: number): readonly string[] {
  const total = words.join('').length;
  const width = Math.max(total / count, ...words.map(word => word.length));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && (last + word).trim().length <= width) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  return lines;
}

/** The table that an arrow key leads to: the nearest related one in that direction. */
export function neighbourOf(
  { boxes, links }: Pick<DiagramLayout, 'boxes' | 'links'>,
  table: string,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown',
): string | undefined {
  const own = boxes.find(box => box.table.name === table);
  if (!own) return undefined;
  const related = new Set(
    links.flatMap(({ relationship: { from, to } }) =>
      from.table === table ? [to.table] : to.table === table ? [from.table] : [],
    ),
  );
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const centre = (box: TableBox) => ({ x: box.x + boxWidth / 2, y: box.y + box.height / 2 });
  const middle = centre(own);
  const ahead = boxes
    .filter(box => box !== own)
    .map(box => {
      const [dx, dy] = [centre(box).x - middle.x, centre(box).y - middle.y];
      const [along, aside] = isAcross ? [dx * sign, Math.abs(dy)] : [dy * sign, Math.abs(dx)];
      return { name: box.table.name, along, distance: along + aside * 2 };
    })
    .filter(({ along }) => along > 1)
    .toSorted((a, b) => a.distance - b.distance);
  return (ahead.find(({ name }) => related.has(name)) ?? ahead[0])?.name;
}
