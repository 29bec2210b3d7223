import type { Comment, OpenDashboard } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { Box } from '@belvedere/query';
import { describeBoxes, fieldFormat, tileTitle } from '../../dashboard/tiles/describe.ts';
import { rowAsShown } from '../../dashboard/tiles/table/row-name.ts';
import { locale } from '../../messages/messages.ts';

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

/** Describes what was selected on a tile: `Bonn`. */
export function anchorText(dashboard: OpenDashboard, tile: string, anchor: readonly Box[]): string {
  const { models } = dashboard;
  const isRow = tilePlace(dashboard, tile)?.isTable === true;
  return describeBoxes(
    isRow ? anchor.map(row => rowAsShown(row, field => fieldFormat(models, field), locale)) : anchor,
    models,
  );
}

/** Whether the fields that a comment was about are no longer in the dashboard's models. */
export function isAnchorGone({ models }: OpenDashboard, { anchor = [] }: Pick<Comment, 'anchor'>): boolean {
  const fields = new Set(models.flatMap(({ dimensions }) => dimensions.map(({ name }) => name)));
  return anchor.some(box => Object.keys(box).some(field => !fields.has(field)));
}
