import type { DashboardState, Search } from '@belvedere/api';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { chartKeys, tileKeys } from '../../dashboard/gestures/chart-keys.ts';
import { useKeys } from '../../keys/keys.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { t } from '../../messages/messages.ts';
import { kioskSeconds, useKiosk } from './kiosk.ts';

interface DashboardKeys {
  readonly live: DashboardStore;
  readonly search: Search;
  /** The number of the dashboard's pages, which kiosk mode shows in turn. */
  readonly pages: number;
  readonly go: (
    next: DashboardState,
    extra?: Record<string, string>,
    options?: { readonly replace?: boolean },
  ) => void;
  readonly canEdit: boolean;
  readonly onEdit: () => void;
}

/** The shortcuts of a dashboard, its charts and its tiles, and its kiosk mode. @returns `onKiosk` turns kiosk mode on and off */
export function useDashboardKeys({ live, search, pages, go, canEdit, onEdit }: DashboardKeys) {
  const navigate = useNavigate({ from: '/d/$dashboard' });
  const isKiosk = search['kiosk'] !== undefined;
  const large = search['tile'];
  useKiosk(
    kioskSeconds(search),
    useMemo(
      () =>
        pages > 1
          ? () =>
              go({ ...live.state, page: (live.state.page + 1) % pages }, large ? { tile: large } : {}, {
                replace: true,
              })
          : undefined,
      [go, live, pages, large],
    ),
  );
  const onKiosk = useCallback(() => {
    const { kiosk: _, ...others } = search;
    void navigate({ search: isKiosk ? others : { ...others, kiosk: '' } });
    void (
      isKiosk
        ? window.document.fullscreenElement && window.document.exitFullscreen()
        : window.document.documentElement.requestFullscreen()
    )?.catch(() => {});
  }, [navigate, search, isKiosk]);
  useKeys(
    t.keys.dashboard,
    useMemo(
      () => [
        ...(canEdit ? [{ press: 'e', label: t.dashboard.edit, does: onEdit }] : []),
        { press: 'r', label: t.keys.refresh, does: () => void live.load() },
        {
          press: 'f',
          label: t.keys.fullScreen,
          does: () =>
            void (
              window.document.fullscreenElement
                ? window.document.exitFullscreen()
                : window.document.documentElement.requestFullscreen()
            ).catch(() => {}),
        },
        { press: 'k', label: t.keys.kiosk, does: onKiosk },
        {
          press: 'Escape',
          label: t.keys.clearSelections,
          does: () => Object.keys(live.state.selections).length > 0 && go({ ...live.state, selections: {} }),
        },
        {
          press: 'Shift+X',
          label: t.palette.clear,
          does: () => go({ page: live.state.page, filters: {}, selections: {} }),
        },
      ],
      [live, go, canEdit, onEdit, onKiosk],
    ),
  );
  useKeys(
    t.keys.chart,
    useMemo(() => chartKeys(), []),
  );
  useKeys(
    t.keys.tile,
    useMemo(() => tileKeys(), []),
  );
  return { onKiosk };
}
