import type { Tile } from '@belvedere/document';
import { isTemporal, type DataType } from '@belvedere/model';

/** An event on a day, or from one moment until before another (calendar times). */
export interface NotedEvent {
  readonly from: string;
  readonly below?: string | undefined;
  readonly text: string;
}

/** Whether a tile can show events: it needs a time axis from left to right. */
export function showsEvents(tile: Tile, typeOf: (field: string) => DataType | undefined): boolean {
  return (
    (tile.kind === 'bar' || tile.kind === 'line' || tile.kind === 'area' || tile.kind === 'combo') &&
    'field' in tile.x &&
    tile.x.field !== undefined &&
    !('aggregate' in tile.x) &&
    isTemporal(typeOf(tile.x.field) ?? 'text')
  );
}

/** Adds the events to the tile as reference lines; returns it unchanged when it has no time axis. */
export function withEvents(
  tile: Tile,
  events: readonly NotedEvent[],
  typeOf: (field: string) => DataType | undefined,
): Tile {
  if (events.length === 0 || !showsEvents(tile, typeOf)) return tile;
  const references = events.map(({ from, below, text }) => ({
    x: below === undefined ? from : ([from, below] as [string, string]),
    label: text,
  }));
  return {
    ...tile,
    references: [...('references' in tile ? (tile.references ?? []) : []), ...references],
  } as Tile;
}
