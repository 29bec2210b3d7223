import type { TileView } from '../../live/live-tile.ts';

/**
 * Whether a tile still shows an earlier result because the server could not be reached. A click while the
 * connection is lost does not empty the page.
 */
export function isOutdated({ status, problem, base, filtered, rows, filteredRows }: TileView): boolean {
  const shown = filtered?.main ?? base.main ?? filteredRows ?? rows;
  return status === 'failed' && problem === undefined && shown !== undefined;
}
