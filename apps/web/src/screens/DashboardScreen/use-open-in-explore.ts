import type { DataType } from '@belvedere/model';
import { adjustTile } from '@belvedere/query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { exploreSearch } from '../../dashboard/tiles/menu/explore-search.ts';
import type { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';

/** Returns a function that opens a tile in Explore, as it is adjusted, with its filters and selections. */
export function useOpenInExplore(
  seen: ReturnType<typeof useResolvedDashboard>,
  live: DashboardStore,
): (tile: string) => void {
  const navigate = useNavigate({ from: '/d/$dashboard' });
  const { document, models } = seen;
  return useCallback(
    (id: string) => {
      const tile = document?.pages.map(page => page.tiles[id]).find(one => one !== undefined);
      const model = models.find(({ name }) => name === (tile?.model ?? document?.model));
      if (!document || !tile || !model) return;
      const typeOf = (field: string) => model.dimensions.find(({ name }) => name === field)?.type as DataType;
      const adjusted = adjustTile(tile, live.state.tiles?.[id], typeOf, model.hierarchies);
      void navigate({
        to: '/explore/$model',
        params: { model: model.name },
        search: exploreSearch(id, adjusted, document, live.state, Object.keys(model.filters ?? {})),
      });
    },
    [document, models, live, navigate],
  );
}
