import type { DashboardState } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { DashboardStore, LiveState } from './dashboard-store.ts';

/* What React hears of a dashboard. A brush changes its state sixty times a second, and hardly anything on a page is worth rendering for that. */

/** The state as the last gesture left it: what hangs on it stays as it is while a brush moves. */
export function useSettled(
  live: DashboardStore,
): Pick<LiveState, 'applied' | 'dataTime'> & { readonly state: DashboardState } {
  const state = useStore(live.store, ({ settled }) => settled);
  const applied = useStore(live.store, now => now.applied);
  const dataTime = useStore(live.store, now => now.dataTime);
  return { state, applied, dataTime };
}

/** The tiles on which something is selected. */
export function useSelectedTiles(live: DashboardStore): readonly string[] {
  const key = useStore(live.store, ({ state }) =>
    JSON.stringify(Object.keys(state.selections).filter(tile => state.selections[tile]!.length > 0)),
  );
  return useMemo(() => JSON.parse(key) as string[], [key]);
}

/**
 * What is selected on a tile, with every step of a brush: for canvases as well, which follow it without
 * React.
 */
export interface TileSelection {
  readonly now: () => readonly Box[];
  /** @returns what stops it */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param canBe false where nothing is selected on the tile, whatever a link says */
export function useSelection(live: DashboardStore, tile: string, canBe: boolean): TileSelection {
  return useMemo(
    () => ({
      now: () => (canBe && live.state.selections[tile]) || nothing,
      onChange: listener => live.onSelection(tile, listener),
    }),
    [live, tile, canBe],
  );
}

/** How often what is brushed can be read. */
const readableMs = 120;

/**
 * Tells of a changed selection as often as somebody can read it while a brush moves.
 * @returns what stops it
 */
export function followReadably(selection: TileSelection, tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = selection.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tell();
    }, readableMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

const nothing: readonly Box[] = [];
