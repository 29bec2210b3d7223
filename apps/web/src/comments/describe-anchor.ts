import type { Comment, OpenDashboard } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { Box } from '@belvedere/query';
import { describeBoxes, tileTitle } from '../dashboard/tiles/describe.ts';

/** The current position and title of a tile. */
export interface TilePlace {
  readonly page: number;
  readonly pageTitle: string;
  readonly title: string;
  /** Its anchors are rows. */
  readonly isTable: boolean;
}

/** Returns the place of a tile; undefined if the dashboard has it no more. */
export function tilePlace({ document, models }: OpenDashboard, id: string): TilePlace | undefined {
  const page = document?.pages.findIndex(({ tiles }) => Object.hasOwn(tiles, id)) ?? -1;
  const found = document?.pages[page];
  const tile = found?.tiles[id];
  if (!found || !tile) return undefined;
  const model = models.find(({ name }) => name === (tile.model ?? document?.model));
  return {
    page,
    pageTitle: found.title,
    title: tileTitle(tile as Tile, model),
    isTable: tile.kind === 'table',
  };
}

/** Describes what was selected: `Bonn`. */
export function anchorText({ models }: OpenDashboard, anchor: readonly Box[]): string {
  return describeBoxes(anchor, models);
}

/** Whether the fields that a comment was about are no longer in the dashboard's models. */
export function isAnchorGone({ models }: OpenDashboard, { anchor = [] }: Pick<Comment, 'anchor'>): boolean {
  const fields = new Set(models.flatMap(({ dimensions }) => dimensions.map(({ name }) => name)));
  return anchor.some(box => Object.keys(box).some(field => !fields.has(field)));
}
