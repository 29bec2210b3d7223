import type { DashboardState } from '@belvedere/api';
import type { Selections } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';
import { useCallback, useSyncExternalStore } from 'react';
import type { DashboardLive, LiveState } from './dashboard-live.ts';

/* What React hears of a dashboard. A brush changes its state sixty times a second, and hardly anything on a page is worth rendering for that. */

/** The state as the last gesture left it: what hangs on it stays as it is while a brush moves. */
export function useSettled(live: DashboardLive): Pick<LiveState, 'applied' | 'dataTime'> & { readonly state: DashboardState } {
  const state = useLive(live, ({ settled }) => settled);
  const applied = useLive(live, now => now.applied);
  const dataTime = useLive(live, now => now.dataTime);
  return { state, applied, dataTime };
}

function useLive<T>(live: DashboardLive, pick: (now: LiveState) => T): T {
  return useSyncExternalStore(live.store.subscribe, () => pick(live.store.getState()));
}

/** How often a brush is put into words. */
const readableMs = 120;

/** What is selected, also while a brush moves: as often as somebody can read it. */
export function useSelections(live: DashboardLive): Selections {
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = live.store.subscribe(({ state }, before) => {
        if (state.selections === before.state.selections) return;
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
    [live],
  );
  return useSyncExternalStore(subscribe, () => live.state.selections);
}

const nothing: readonly Box[] = [];

/** What is selected on a tile, with every step of a brush. */
export function useBoxes(live: DashboardLive, tile: string): readonly Box[] {
  return useLive(live, now => boxesOn(now, tile));
}

export function useIsSelected(live: DashboardLive, tile: string): boolean {
  return useLive(live, now => boxesOn(now, tile).length > 0);
}

function boxesOn({ state }: LiveState, tile: string): readonly Box[] {
  return state.selections[tile] ?? nothing;
}
