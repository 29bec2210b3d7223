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
  const { title: _, ...bare } = before;
  try {
    return title === titleOf(bare as Tile) ? (untitled as Tile) : after;
  } catch {
    // A parameter may stand where a field does: no title follows from it.
    return after;
  }
}
