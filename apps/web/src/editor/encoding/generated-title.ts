import type { ModelSummary } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { tileTitle } from '../../dashboard/tiles/describe.ts';

/**
 * The changed tile without a title that only said what it showed before: it then has the title of what it shows now. A title that a user
 * wrote stays.
 */
export function withFollowingTitle(before: Tile, after: Tile, model: ModelSummary | undefined): Tile {
  const { title, ...untitled } = after;
  return title !== undefined && title === before.title && title === generatedTitle(before, model)
    ? (untitled as Tile)
    : after;
}

function generatedTitle({ title: _, ...untitled }: Tile, model: ModelSummary | undefined) {
  try {
    return tileTitle(untitled as Tile, model);
  } catch {
    // A parameter may stand where a field does: no title follows from it.
    return undefined;
  }
}
