import type { Tile } from '@belvedere/document';

/**
 * The changed tile without a title that only said what it showed before: it then has the title of what it
 * shows now. A title that a user
 * wrote stays.
 * @param titleOf the title of a tile that has none of its own
 */
export function withFollowingTitle(before: Tile, after: Tile, titleOf: (tile: Tile) => string): Tile {
  const { title, ...untitled } = after;
  if (title === undefined || title !== before.title) return after;
  return title === generatedTitle(before, titleOf) ? (untitled as Tile) : after;
}

/**
 * The title that a tile has without one of its own, as its fields give it. Empty if a parameter stands for a
 * field, since no title follows from it.
 */
export function generatedTitle(tile: Tile, titleOf: (tile: Tile) => string): string {
  const { title: _, ...bare } = tile;
  try {
    return titleOf(bare as Tile);
  } catch {
    return '';
  }
}
