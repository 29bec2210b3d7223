import type { Tile } from '@belvedere/document';
import { positionsOf } from '@belvedere/query';
import type { Picture } from '../../live/live-tile.ts';

/** More bars fill the height that charts have on phones. */
const maxFewBars = 7;

/**
 * The class of a tile in its grid. On phones, where tiles are below each other, it gives the tile its height:
 * a map of the world is twice as wide as it is high.
 */
export function heightClass(tile: Tile): string {
  if (tile.kind === 'kpi') return 'tile-kpi';
  if (tile.kind === 'text' || tile.kind === 'control') return 'tile-text';
  const isWorld = tile.kind === 'map' && tile.region !== undefined && tile.shape === 'countries';
  return isWorld ? 'tile-chart tile-world' : 'tile-chart';
}

/** How many bars run across a tile, where they are too few for the height that charts have on phones. */
export function fewBars(tile: Tile, picture: Picture | undefined): number | undefined {
  if (tile.kind !== 'bar' || !picture || tile.row || tile.column) return undefined;
  const axis = picture.axes.find(({ channel }) => channel === 'y');
  const bars = axis && positionsOf(axis);
  return bars !== undefined && bars >= 1 && bars <= maxFewBars ? bars : undefined;
}
