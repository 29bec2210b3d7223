import type { GridBox, TileFile, TileKind } from '@belvedere/document';

export const gridColumns = 24;
export const rowHeight = 28;
export const gap = 12;
/** The smallest size of a tile, in columns and rows. */
const minSize = { width: 2, height: 2 } as const;

export type Boxes = Readonly<Record<string, GridBox>>;

/** The box of each tile of a page. Tiles without one are placed two to a row, as they are shown. */
export function boxesOf(tiles: Readonly<Record<string, TileFile>>): Boxes {
  return Object.fromEntries(
    Object.entries(tiles).map(([id, tile], i): [string, GridBox] => [
      id,
      tile.at
        ? [tile.at[0], tile.at[1], Math.min(tile.at[2], gridColumns - tile.at[0]), tile.at[3]]
        : [(i % 2) * 12, Math.floor(i / 2) * 8, 12, 8],
    ]),
  );
}

/** How large a new tile of a kind is. */
function sizeFor(kind: TileKind): readonly [width: number, height: number] {
  if (kind === 'kpi' || kind === 'gauge') return [6, kind === 'kpi' ? 3 : 6];
  if (kind === 'control') return [6, 2];
  if (kind === 'text' || kind === 'image') return [8, 4];
  if (kind === 'table' || kind === 'pivot') return [24, 10];
  return [12, 8];
}

const overlap = (a: GridBox, b: GridBox) =>
  a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

/**
 * Moves boxes to the wanted positions. Boxes in their way move down as little as possible, and push others
 * down. Nothing else moves, so a moved tile changes one line of the file.
 */
export function position(boxes: Boxes, wanted: Boxes): Boxes {
  const positioned = new Map(Object.entries(wanted).map(([id, box]) => [id, within(box)]));
  const others = Object.entries(boxes)
    .filter(([id]) => !positioned.has(id))
    .toSorted(([, a], [, b]) => a[1] - b[1] || a[0] - b[0]);
  for (const [id, box] of others) {
    let free = box;
    // Tiles that overlapped before the move are left as they were.
    const blocking = () =>
      [...positioned]
        .filter(
          ([other, its]) =>
            overlap(free, its) && !(other in boxes && !(other in wanted) && overlap(boxes[other]!, box)),
        )
        .map(([, its]) => its);
    for (let inTheWay = blocking(); inTheWay.length > 0; inTheWay = blocking())
      free = [free[0], Math.max(...inTheWay.map(its => its[1] + its[3])), free[2], free[3]];
    positioned.set(id, free);
  }
  return Object.fromEntries(Object.keys({ ...boxes, ...wanted }).map(id => [id, positioned.get(id)!]));
}

/** The boxes whose places changed. */
export function changedBoxes(before: Boxes, after: Boxes): Boxes {
  return Object.fromEntries(Object.entries(after).filter(([id, box]) => before[id]?.join() !== box.join()));
}

/** Moves boxes as one group, within the page's edges. */
export function moveBoxes(boxes: Boxes, ids: readonly string[], dx: number, dy: number): Boxes {
  const group = ids.filter(id => boxes[id]).map(id => boxes[id]!);
  const x = clamp(
    dx,
    -Math.min(...group.map(box => box[0])),
    Math.min(...group.map(box => gridColumns - box[0] - box[2])),
  );
  const y = Math.max(dy, -Math.min(...group.map(box => box[1])));
  return Object.fromEntries(
    ids
      .filter(id => boxes[id])
      .map((id, i): [string, GridBox] => [
        id,
        [group[i]![0] + x, group[i]![1] + y, group[i]![2], group[i]![3]],
      ]),
  );
}

export type Edge = 'e' | 's' | 'w' | 'n' | 'se' | 'sw' | 'ne' | 'nw';

export function resizeBox(box: GridBox, edge: Edge, dx: number, dy: number): GridBox {
  let [x, y, width, height] = box;
  if (edge.includes('e')) width = clamp(width + dx, minSize.width, gridColumns - x);
  if (edge.includes('s')) height = clamp(height + dy, minSize.height, 200);
  if (edge.includes('w')) {
    const right = x + width;
    x = clamp(x + dx, 0, right - minSize.width);
    width = right - x;
  }
  if (edge.includes('n')) {
    const bottom = y + height;
    y = clamp(y + dy, 0, bottom - minSize.height);
    height = bottom - y;
  }
  return [x, y, width, height];
}

export type Alignment = 'left' | 'right' | 'top' | 'bottom' | 'same width' | 'same height';

/** The chosen tiles brought into line with the first of them. */
export function align(boxes: Boxes, ids: readonly string[], how: Alignment): Boxes {
  const first = boxes[ids[0]!]!;
  const aligned = (box: GridBox): GridBox => {
    switch (how) {
      case 'left':
        return [first[0], box[1], box[2], box[3]];
      case 'right':
        return [first[0] + first[2] - box[2], box[1], box[2], box[3]];
      case 'top':
        return [box[0], first[1], box[2], box[3]];
      case 'bottom':
        return [box[0], first[1] + first[3] - box[3], box[2], box[3]];
      case 'same width':
        return [box[0], box[1], first[2], box[3]];
      case 'same height':
        return [box[0], box[1], box[2], first[3]];
    }
  };
  return Object.fromEntries(ids.map(id => [id, within(aligned(boxes[id]!))]));
}

/** The first place, from the top, where so large a tile fits between the others. */
export function freePosition(boxes: Boxes, [width, height]: readonly [number, number]): GridBox {
  const all = Object.values(boxes);
  const bottom = bottomOf(boxes);
  for (let y = 0; y < bottom; y++) {
    for (let x = 0; x + width <= gridColumns; x++) {
      const box: GridBox = [x, y, width, height];
      if (!all.some(other => overlap(box, other))) return box;
    }
  }
  return [0, bottom, width, height];
}

/** Kinds that do not grow into free width. */
const narrowKinds: readonly TileKind[] = ['kpi', 'gauge', 'control', 'image'];
/** The least that a chart can be read in. */
const minChart = { width: 8, height: 6 } as const;

/**
 * The position of a new tile, so that rows are full: a figure beside other figures, a chart in free space
 * with the space's size, else in a row of its own. A chart that fills such a row shares it with the next one.
 * @param canShare whether other tiles may make room for it
 * @returns the new tile's box, and the boxes of tiles that make room for it
 */
export function autoPosition(
  boxes: Boxes,
  kinds: Readonly<Record<string, TileKind>>,
  kind: TileKind,
  canShare = true,
): { readonly box: GridBox; readonly others: Boxes } {
  const bottom = bottomOf(boxes);
  const [width, height] = sizeFor(kind);
  const isNarrow = narrowKinds.includes(kind);
  if (kind === 'kpi') {
    const beside = Object.entries(boxes)
      .filter(([id]) => kinds[id] === 'kpi')
      .map(([, [x, y, w, h]]): GridBox => [x + w, y, Math.min(width, gridColumns - x - w), h])
      .filter(box => box[2] >= 4 && !Object.values(boxes).some(other => overlap(box, other)))
      .toSorted((a, b) => a[1] - b[1] || a[0] - b[0])[0];
    if (beside) return { box: beside, others: {} };
  }
  const room = isNarrow
    ? freeRoom(boxes, width, height)
    : freeRoom(boxes, Math.min(width, minChart.width), Math.min(height, minChart.height));
  if (room) {
    const box: GridBox = isNarrow ? [room[0], room[1], width, height] : room;
    return { box, others: {} };
  }
  if (isNarrow) return { box: [0, bottom, width, height], others: {} };
  const last = Object.entries(boxes).filter(([, box]) => box[1] + box[3] === bottom);
  const [id, box] = last[0] ?? [];
  const isShared =
    canShare &&
    last.length === 1 &&
    width < gridColumns &&
    sizeFor(kinds[id!]!)[0] === width &&
    box!.join() === [0, bottom - height, gridColumns, height].join();
  return isShared
    ? {
        box: [width, bottom - height, gridColumns - width, height],
        others: { [id!]: [0, bottom - height, width, height] },
      }
    : { box: [0, bottom, gridColumns, height], others: {} };
}

/**
 * Where a new tile goes that is dropped at a cell: there, if it has room. A chart or table dropped over
 * others begins a row of its own at the nearest line that no tile crosses, so that no hole is left.
 */
export function dropPosition(
  boxes: Boxes,
  kind: TileKind,
  { column, row }: { readonly column: number; readonly row: number },
): GridBox {
  const [width, height] = sizeFor(kind);
  const box: GridBox = [Math.min(column, gridColumns - width), row, width, height];
  const all = Object.values(boxes);
  if (narrowKinds.includes(kind) || !all.some(other => overlap(box, other))) return box;
  const lines = [0, ...all.map(([, y, , high]) => y + high)].filter(
    line => !all.some(([, y, , high]) => y < line && line < y + high),
  );
  const [nearest] = lines.toSorted((a, b) => Math.abs(a - row) - Math.abs(b - row) || a - b);
  return [0, nearest!, gridColumns, height];
}

/**
 * The first empty rectangle among the tiles of at least that size, from the top, as wide and as high as it is
 * free.
 */
function freeRoom(boxes: Boxes, width: number, height: number): GridBox | undefined {
  const all = Object.values(boxes);
  const bottom = bottomOf(boxes);
  const isFree = (box: GridBox) => !all.some(other => overlap(box, other));
  for (let y = 0; y + height <= bottom; y++) {
    for (let x = 0; x + width <= gridColumns; x++) {
      if (!isFree([x, y, width, height])) continue;
      let [wide, high] = [width, height];
      while (x + wide < gridColumns && isFree([x, y, wide + 1, high])) wide++;
      while (y + high < bottom && isFree([x, y, wide, high + 1])) high++;
      return [x, y, wide, high];
    }
  }
  return undefined;
}

const bottomOf = (boxes: Boxes) => Math.max(0, ...Object.values(boxes).map(box => box[1] + box[3]));

function within([x, y, width, height]: GridBox): GridBox {
  const inside = clamp(width, 1, gridColumns);
  return [clamp(x, 0, gridColumns - inside), Math.max(0, y), inside, clamp(height, 1, 200)];
}

const clamp = (value: number, from: number, to: number) => Math.min(to, Math.max(from, value));

/** The boxes that an area touches, in their order. The area is in fractions of columns and rows. */
export function boxesIn(
  boxes: Boxes,
  area: readonly [x: number, y: number, width: number, height: number],
): readonly string[] {
  return Object.entries(boxes)
    .filter(([, box]) => overlap(box, area as GridBox))
    .map(([id]) => id);
}

/**
 * A line along which boxes are aligned: a column line between two rows, or a row line between two columns.
 */
export interface ReferenceLine {
  readonly along: 'column' | 'row';
  readonly at: number;
  readonly from: number;
  readonly below: number;
}

/** The lines along which edges of moved boxes are aligned with the same edges of others. */
export function referenceLinesFor(boxes: Boxes, moved: readonly string[]): readonly ReferenceLine[] {
  const found = new Map<string, ReferenceLine>();
  const edges = ([x, y, width, height]: GridBox) =>
    [
      ['column', 'start', x, y, y + height],
      ['column', 'end', x + width, y, y + height],
      ['row', 'start', y, x, x + width],
      ['row', 'end', y + height, x, x + width],
    ] as const;
  const others = Object.entries(boxes)
    .filter(([id]) => !moved.includes(id))
    .flatMap(([, box]) => edges(box));
  for (const [along, side, at, from, below] of moved.flatMap(id => (boxes[id] ? edges(boxes[id]) : []))) {
    for (const other of others.filter(edge => edge[0] === along && edge[1] === side && edge[2] === at)) {
      const known = found.get(`${along} ${at}`);
      found.set(`${along} ${at}`, {
        along,
        at,
        from: Math.min(from, other[3], known?.from ?? from),
        below: Math.max(below, other[4], known?.below ?? below),
      });
    }
  }
  return [...found.values()];
}

/** The next tile in a direction: its middle is nearest, where distance to the side counts twice. */
export function nearestBox(
  boxes: Boxes,
  id: string,
  [dx, dy]: readonly [number, number],
): string | undefined {
  const middle = (box: GridBox) => [box[0] + box[2] / 2, (box[1] + box[3] / 2) * 0.7] as const;
  const [x, y] = middle(boxes[id]!);
  return Object.entries(boxes)
    .filter(([other]) => other !== id)
    .map(([other, box]) => {
      const [ox, oy] = middle(box);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      return { other, along, far: along + 2 * aside };
    })
    .filter(({ along }) => along > 0.5)
    .toSorted((a, b) => a.far - b.far)[0]?.other;
}
