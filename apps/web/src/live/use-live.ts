import type { DashboardState } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { DashboardLive, LiveState } from './dashboard-live.ts';

/* What React hears of a dashboard. A brush changes its state sixty times a second, and hardly anything on a page is worth rendering for that. */

/** The state as the last gesture left it: what hangs on it stays as it is while a brush moves. */
export function useSettled(live: DashboardLive): Pick<LiveState, 'applied' | 'dataTime'> & { readonly state: DashboardState } {
  const state = useStore(live.store, ({ settled }) => settled);
  const applied = useStore(live.store, now => now.applied);
  const dataTime = useStore(live.store, now => now.dataTime);
  return { state, applied, dataTime };
}

/** The tiles on which something is selected. */
export function useSelectedTiles(live: DashboardLive): readonly string[] {
  const key = useStore(live.store, ({ state }) => JSON.stringify(Object.keys(state.selections).filter(tile => state.selections[tile]!.length > 0)));
  return useMemo(() => JSON.parse(key) as string[], [key]);
}

/** What is selected on a tile, with every step of a brush: for canvases as well, which follow it without React. */
export interface TileSelection {
  readonly now: () => readonly Box[];
  /** @returns what stops it */
  readonly onChange: (listener: () => void) => () => void;
}

/** @param canBe false where nothing is selected on the tile, whatever a link says */
export function useSelection(live: DashboardLive, tile: string, canBe: boolean): TileSelection {
  return useMemo(() => ({
    now: () => (canBe ? boxesOn(live.store.getState(), tile) : nothing),
    onChange: listener => live.store.subscribe((now, before) => boxesOn(now, tile) !== boxesOn(before, tile) && listener()),
  }), [live, tile, canBe]);
}

/** How often what is brushed can be read. */
const readableMs = 120;

/** What is selected on a tile, as often as somebody can read it while a brush moves. */
export function useReadableBoxes(live: DashboardLive, tile: string): readonly Box[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = live.store.subscribe((now, before) => {
        if (boxesOn(now, tile) === boxesOn(before, tile)) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          listener();
        }, readableMs);
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
    [live, tile],
  );
  return useSyncExternalStore(subscribe, () => boxesOn(live.store.getState(), tile));
}

const nothing: readonly Box[] = [];

function boxesOn({ state }: LiveState, tile: string): readonly Box[] {
  return state.selections[tile] ?? nothing;
}
