import { withParameter, type DashboardState } from '@belvedere/api';
import { clear } from '@belvedere/crossfilter';
import type { ParameterValue } from '@belvedere/document';
import type { Adjustment, Box, FieldFilter } from '@belvedere/query';
import { useCallback } from 'react';
import type { DashboardStore } from '../../live/dashboard-store.ts';

/**
 * Returns the handlers of a dashboard's tiles and filter bar. Each changes the latest state and goes to its
 * address.
 * @param large the tile that is shown alone, which most changes keep
 */
export function useDashboardChanges(
  live: DashboardStore,
  go: (next: DashboardState, extra?: Record<string, string>) => void,
  large: string | undefined,
) {
  const onLarge = useCallback(
    (id: string, isLarge: boolean) => go(live.state, isLarge ? { tile: id } : {}),
    [live, go],
  );
  const onReset = useCallback(() => go({ page: live.state.page, filters: {}, selections: {} }), [live, go]);
  const onParameter = useCallback(
    (name: string, value: ParameterValue | undefined) =>
      go(withParameter(live.state, name, value), large ? { tile: large } : {}),
    [live, go, large],
  );
  const onAdjust = useCallback(
    (id: string, adjustment: Adjustment | undefined) => {
      const { [id]: _, ...others } = live.state.tiles ?? {};
      const { tiles: __, ...state } = live.state;
      const tiles = adjustment
        ? { ...others, [id]: adjustment as NonNullable<DashboardState['tiles']>[string] }
        : others;
      // A drilled-down tile shows a single mark, so its selection is cleared.
      const before = live.state.tiles?.[id];
      const isDeeper =
        (adjustment?.drill?.length ?? 0) !== (before?.drill?.length ?? 0) ||
        JSON.stringify(adjustment?.zoom) !== JSON.stringify(before?.zoom);
      go(
        {
          ...state,
          ...(isDeeper && { selections: clear(state.selections, id) as Record<string, Box[]> }),
          ...(Object.keys(tiles).length > 0 && { tiles }),
        },
        large ? { tile: large } : {},
      );
    },
    [live, go, large],
  );
  const onFilters = useCallback(
    (filters: Readonly<Record<string, FieldFilter>>, tile: string) =>
      go(
        {
          ...live.state,
          filters: { ...live.state.filters, ...filters },
          selections: clear(live.state.selections, tile) as Record<string, Box[]>,
        },
        large ? { tile: large } : {},
      ),
    [live, go, large],
  );
  const onCompare = useCallback(
    (compare: DashboardState['compare']) => {
      const { compare: _, ...state } = live.state;
      go({ ...state, ...(compare && { compare }) });
    },
    [live, go],
  );
  const onFilter = useCallback(
    (field: string, condition: FieldFilter | null | undefined) => {
      const { [field]: _, ...others } = live.state.filters;
      go(
        { ...live.state, filters: condition === undefined ? others : { ...others, [field]: condition } },
        large ? { tile: large } : {},
      );
    },
    [live, go, large],
  );
  const onClearSelection = useCallback(
    (tile: string) =>
      go({ ...live.state, selections: clear(live.state.selections, tile) as Record<string, Box[]> }),
    [live, go],
  );
  return { onLarge, onReset, onParameter, onAdjust, onFilters, onCompare, onFilter, onClearSelection };
}
