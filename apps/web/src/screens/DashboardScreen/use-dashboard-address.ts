import {
  searchFromState,
  stateFromSearch,
  type DashboardState,
  type OpenDashboard,
  type Search,
} from '@belvedere/api';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { inOwnZone } from '../../data/session/own-zone.ts';
import { useLiveDashboard } from '../../live/use-live-dashboard.ts';
import { useIsCurrentPage } from '../../shell/use-is-current-page.ts';

/**
 * Keeps the state of a dashboard and the page's address equal.
 * @returns `go` changes the state and the address; `requested` is the state that the address asks for
 */
export function useDashboardAddress(dashboard: OpenDashboard) {
  const search = useSearch({ from: '/d/$dashboard' }) as Search;
  const navigate = useNavigate({ from: '/d/$dashboard' });
  const isHere = useIsCurrentPage('/d/$dashboard');
  const requested = useMemo(() => {
    const { state, isWhole } = stateFromSearch(search);
    return { state: inOwnZone(dashboard, state), isWhole };
  }, [dashboard, search]);
  const live = useLiveDashboard(dashboard, requested.state);
  const kiosk = search['kiosk'];

  // Back, forward and edited links change the address only.
  useEffect(() => live.setState(requested.state), [live, requested.state]);
  // Only another page scrolls to its top.
  const go = useCallback(
    (
      next: DashboardState,
      extra: Record<string, string> = {},
      options: { readonly replace?: boolean } = {},
    ) => {
      if (!isHere()) return;
      const search = searchFromState(next);
      // Set at once, so that the next change starts from it even if the address follows later.
      live.setState(inOwnZone(dashboard, stateFromSearch(search).state));
      void navigate({
        search: { ...search, ...(kiosk !== undefined && { kiosk }), ...extra },
        resetScroll: next.page !== requested.state.page,
        ...options,
      });
    },
    [isHere, live, dashboard, navigate, requested.state.page, kiosk],
  );
  return { search, requested, live, go };
}
