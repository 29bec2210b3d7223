import type { Tile } from '@belvedere/document';

/**
 * The changed tile with a new generated title, if its title was generated from its previous fields. A title
 * that a user wrote stays.
 * @param titleOf the title of a tile that has none of its own
 */
export function withFollowingTitle(before: Tile, after: Tile, titleOf: (tile: Tile) => string): Tile {
  const { title, ...untitled } = after;
  if (title === undefined || title !== before.title) return after;
  return title === generatedTitle(before, titleOf) ? (untitled as Tile) : after;
}

/**
 * The title generated from a tile's fields. Empty if a parameter chooses a field, because the title would be
 * wrong for others.
 */
export function generatedTitle(tile: Tile, titleOf: (tile: Tile) => string): string {
  const { title: _, ...bare } = tile;
  try {
    return titleOf(bare as Tile);
  } catch {
    return '';
  }
}
