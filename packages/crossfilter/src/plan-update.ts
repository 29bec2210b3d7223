import { isSameBox, select, selectionsFor, type Listening, type Selections } from './selections.ts';

/** What a tile must do about a change of selections. */
export type TileUpdate = 'leave' | 'slice' | 'ask';

/**
 * Tells each tile what a change of selections means for it: nothing where what binds it is as before; a slice where only the active
 * tile's selection changed and there is an index for the pair; else a question.
 */
export function planUpdate(before: Selections, after: Selections, tiles: readonly string[], active: string | undefined, hasIndex: (tile: string) => boolean, listening: Listening): Readonly<Record<string, TileUpdate>> {
  return Object.fromEntries(
    tiles.map(tile => {
      const [was, is] = [selectionsFor(before, tile, listening), selectionsFor(after, tile, listening)];
      if (areSame(was, is)) return [tile, 'leave'] as const;
      const onlyActive = active !== undefined && active !== tile && areSame(select(was, active, []), select(is, active, []));
      return [tile, onlyActive && hasIndex(tile) ? 'slice' : 'ask'] as const;
    }),
  );
}

export function areSame(a: Selections, b: Selections): boolean {
  const tiles = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...tiles].every(tile => {
    const [x, y] = [a[tile] ?? [], b[tile] ?? []];
    return x.length === y.length && x.every((box, i) => isSameBox(box, y[i]!));
  });
}
