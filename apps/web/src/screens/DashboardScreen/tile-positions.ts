import type { Tile } from '@belvedere/document';

/** A tile's position on its page: left, top, width, height. */
export function positionIn(tile: Tile, index: number): readonly [number, number, number, number] {
  return tile.at ?? [(index % 2) * 12, Math.floor(index / 2) * 8, 12, 8];
}

/** The tiles that are nearest to a page's top. */
export function topmost(tiles: Readonly<Record<string, Tile>>, count: number): ReadonlySet<string> {
  const rows = Object.entries(tiles).map(([id, tile], i) => ({ id, row: positionIn(tile, i)[1] }));
  return new Set(
    rows
      .toSorted((a, b) => a.row - b.row)
      .slice(0, count)
      .map(({ id }) => id),
  );
}
