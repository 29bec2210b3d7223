import {
  freeName,
  writeEntries,
  type DashboardFile,
  type Edit,
  type GridBox,
  type Path,
  type Tile,
  type TileFile,
} from '@belvedere/document';
import {
  autoPosition,
  boxesOf,
  changedBoxes,
  dropPosition,
  freePosition,
  position,
  type Boxes,
} from '../canvas/layout.ts';

/** The edits of a command, and what is selected afterwards. */
export interface Change {
  readonly edits: readonly Edit[];
  readonly selects?: readonly string[];
}

export const tilePath = (page: number, id: string): Path => ['pages', page, 'tiles', id];

/**
 * The tiles of a page in the text. A parameter's name may be in place of a value, which does not matter to
 * code that only moves values.
 */
export function tilesOf(document: DashboardFile, page: number): Readonly<Record<string, Tile>> {
  return (document.pages[page]?.tiles ?? {}) as Readonly<Record<string, Tile>>;
}

/** Each box that changed is one edit, of one line. */
export function positionEdits(page: number, before: Boxes, after: Boxes): readonly Edit[] {
  return Object.entries(changedBoxes(before, after)).map(([id, box]) => ({
    kind: 'set',
    path: [...tilePath(page, id), 'at'],
    value: box,
  }));
}

/**
 * Adds a tile where it was dropped, or where there is room. Tiles in its way make room.
 * @param canShare whether a tile that fills its row may make room for it
 */
export function addTile(
  document: DashboardFile,
  page: number,
  tile: Tile,
  wanted?: { readonly column: number; readonly row: number },
  canShare = true,
): Change {
  const tiles = tilesOf(document, page);
  const boxes = boxesOf(tiles);
  const kinds = Object.fromEntries(Object.entries(tiles).map(([id, { kind }]) => [id, kind]));
  const { box, others }: ReturnType<typeof autoPosition> = wanted
    ? { box: dropPosition(boxes, tile.kind, wanted), others: {} }
    : tile.at
      ? { box: freePosition(boxes, [tile.at[2], tile.at[3]]), others: {} }
      : autoPosition(boxes, kinds, tile.kind, canShare);
  const id = newId(document, tile);
  const after = position(boxes, { ...others, [id]: box });
  return {
    edits: [
      ...positionEdits(
        page,
        boxes,
        Object.fromEntries(Object.entries(after).filter(([other]) => other !== id)),
      ),
      { kind: 'set', path: tilePath(page, id), value: { ...tile, at: after[id]! } },
    ],
    selects: [id],
  };
}

export function removeTiles(page: number, ids: readonly string[]): Change {
  return { edits: ids.map(id => ({ kind: 'remove', path: tilePath(page, id) })), selects: [] };
}

/** Places copies below their originals, in the same order. */
export function duplicateTiles(document: DashboardFile, page: number, ids: readonly string[]): Change {
  return putTiles(
    document,
    page,
    ids.flatMap(id => (tilesOf(document, page)[id] ? [[id, tilesOf(document, page)[id]!] as const] : [])),
  );
}

/** Tiles from elsewhere, put below everything in the places they had to one another. */
export function putTiles(
  document: DashboardFile,
  page: number,
  tiles: readonly (readonly [id: string, tile: TileFile])[],
): Change {
  const boxes = boxesOf(tilesOf(document, page));
  const own = boxesOf(Object.fromEntries(tiles));
  const bottom = Math.max(0, ...Object.values(boxes).map(box => box[1] + box[3]));
  const top = Math.min(...Object.values(own).map(box => box[1]));
  const taken = takenIds(document);
  const named = tiles.map(
    ([id, tile]) =>
      [
        freeName(id, taken),
        { ...tile, at: [own[id]![0], own[id]![1] - top + bottom, own[id]![2], own[id]![3]] as GridBox },
      ] as const,
  );
  return {
    edits: named.map(([id, value]) => ({ kind: 'set', path: tilePath(page, id), value })),
    selects: named.map(([id]) => id),
  };
}

/** One key of a tile; nothing in place of a value takes it out. */
export function setKey(path: Path, value: unknown): Edit {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? { kind: 'remove', path }
    : { kind: 'set', path, value };
}

/** To another page, with the place it had there if that is free. */
export function moveToPage(
  document: DashboardFile,
  from: number,
  to: number,
  ids: readonly string[],
): Change {
  const moved = ids.map(id => [id, tilesOf(document, from)[id]!] as const);
  const boxes = boxesOf(tilesOf(document, to));
  const own = boxesOf(tilesOf(document, from));
  const after = position(boxes, Object.fromEntries(ids.map(id => [id, own[id]!])));
  return {
    edits: [
      ...positionEdits(
        to,
        boxes,
        Object.fromEntries(Object.entries(after).filter(([id]) => !ids.includes(id))),
      ),
      ...ids.map((id): Edit => ({ kind: 'remove', path: tilePath(from, id) })),
      ...moved.map(([id, tile]): Edit => ({
        kind: 'set',
        path: tilePath(to, id),
        value: { ...tile, at: after[id]! },
      })),
    ],
  };
}

/** Tiles as text that can be put into any dashboard's file, and be pasted into another dashboard. */
export function tilesAsText(document: DashboardFile, page: number, ids: readonly string[]): string {
  return writeEntries(Object.fromEntries(ids.map(id => [id, tilesOf(document, page)[id]])));
}

function newId(document: DashboardFile, tile: Tile): string {
  const { kind } = tile;
  const field = Object.values(tile as Readonly<Record<string, unknown>>).flatMap(value =>
    value !== null && typeof value === 'object' && 'field' in value ? [String(value.field)] : [],
  )[0];
  const measure = Object.values(tile as Readonly<Record<string, unknown>>).flatMap(value =>
    value !== null && typeof value === 'object' && 'measure' in value ? [String(value.measure)] : [],
  )[0];
  return freeName(
    tile.title ?? (kind === 'kpi' && measure ? measure : field ? `by_${field}` : kind),
    takenIds(document),
  );
}

/** Ids are unique in the whole dashboard: selections name tiles by them. */
function takenIds(document: DashboardFile): Set<string> {
  return new Set(document.pages.flatMap(page => Object.keys(page.tiles)));
}
