import type { Tile } from '@belvedere/document';
import { isTemporal, type DataType } from '@belvedere/model';

/** What happened on a day, or from one moment to before another (calendar times). */
export interface NotedEvent {
  readonly from: string;
  readonly below?: string | undefined;
  readonly text: string;
}

/** Whether events can be drawn on a tile: it has an axis of time from left to right. */
export function showsEvents(tile: Tile, typeOf: (field: string) => DataType | undefined): boolean {
  return (
    (tile.kind === 'bar' || tile.kind === 'line' || tile.kind === 'area' || tile.kind === 'combo') &&
    'field' in tile.x &&
    tile.x.field !== undefined &&
    !('aggregate' in tile.x) &&
    isTemporal(typeOf(tile.x.field) ?? 'text')
  );
}

/** The tile with what happened drawn on it, as its own references are; unchanged where it has no axis of time. */
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
