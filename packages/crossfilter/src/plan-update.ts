import type { Box } from '@belvedere/query';
import { isSameBox, listensTo, type SelectionScope, type Selections } from './selections.ts';

/** How a tile reacts to a change of selections. */
export type TileUpdate = 'leave' | 'slice' | 'query';

/**
 * Decides how each tile reacts to a change of selections. A tile does nothing when the selections that bind
 * it are unchanged. It slices an index when only the active tile's selection changed and the pair has an
 * index. Otherwise it runs a query.
 */
export function planUpdate(
  before: Selections,
  after: Selections,
  tiles: readonly string[],
  active: string | undefined,
  hasIndex: (tile: string) => boolean,
  listening: SelectionScope,
): Readonly<Record<string, TileUpdate>> {
  const changed = tilesOf(before, after).filter(tile => !isSameSelection(before[tile], after[tile]));
  const plan: Record<string, TileUpdate> = {};
  for (const tile of tiles) {
    plan[tile] = 'leave';
    for (const other of changed) {
      if (listensTo(listening, tile, other))
        plan[tile] = plan[tile] !== 'query' && other === active && hasIndex(tile) ? 'slice' : 'query';
    }
  }
  return plan;
}

export function areSame(a: Selections, b: Selections): boolean {
  return tilesOf(a, b).every(tile => isSameSelection(a[tile], b[tile]));
}

function tilesOf(a: Selections, b: Selections): string[] {
  const tiles = Object.keys(a);
  for (const tile in b) if (!Object.hasOwn(a, tile)) tiles.push(tile);
  return tiles;
}

function isSameSelection(a: readonly Box[] = [], b: readonly Box[] = []): boolean {
  return a === b || (a.length === b.length && a.every((box, i) => isSameBox(box, b[i]!)));
}
