import type { DashboardState } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { DashboardStore, LiveState } from './dashboard-store.ts';

/*
 * React's subscriptions to a dashboard. A brush changes its state sixty times a second, so most of a page
 * subscribes to the settled state.
 */

/** Returns the state at the end of the last gesture, which does not change while a brush moves. */
export function useSettled(
  live: DashboardStore,
): Pick<LiveState, 'applied' | 'dataTime'> & { readonly state: DashboardState } {
  const state = useStore(live.store, ({ settled }) => settled);
  const applied = useStore(live.store, now => now.applied);
  const dataTime = useStore(live.store, now => now.dataTime);
  return { state, applied, dataTime };
}

/** Returns the tiles that have selections. */
export function useSelectedTiles(live: DashboardStore): readonly string[] {
  const key = useStore(live.store, ({ state }) =>
    JSON.stringify(Object.keys(state.selections).filter(tile => state.selections[tile]!.length > 0)),
  );
  return useMemo(() => JSON.parse(key) as string[], [key]);
}

/** The selection on a tile, at every step of a brush. Canvases follow it without React. */
export interface TileSelection {
  readonly now: () => readonly Box[];
  /** @returns a function that removes the listener */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param canSelect false for a tile without selections, even if a link has one */
export function useSelection(live: DashboardStore, tile: string, canSelect: boolean): TileSelection {
  return useMemo(
    () => ({
      now: () => (canSelect && live.state.selections[tile]) || nothing,
      onChange: listener => live.onSelection(tile, listener),
    }),
    [live, tile, canSelect],
  );
}

/** The shortest time in which a changed text can be read. */
const readableMs = 120;

/**
 * Calls back for a changed selection, at most every 120 ms, for texts that describe it.
 * @returns a function that ends it
 */
export function followReadably(selection: TileSelection, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = selection.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, readableMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

const nothing: readonly Box[] = [];
