import { searchFromState, type AlertSummary } from '@belvedere/api';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { DashboardStore } from '../live/dashboard-store.ts';
import type { NotedEvent } from '@belvedere/query';
import { useAlerts, useTileAlerts } from './alert-data.ts';
import { FiringMark } from './FiringMark.tsx';

interface DashboardAlerts {
  /** Marks of the tiles whose alerts fire. */
  readonly marks: ReadonlyMap<string, ReactNode>;
  /** When alerts fired, for the time charts of the tiles that they watch. */
  readonly events: ReadonlyMap<string, readonly NotedEvent[]>;
  /** Begins an alert on a tile, under the filters that are set; undefined for those who may make none. */
  readonly begin: ((tile: string) => void) | undefined;
}

/** The alerts on a dashboard's tiles. */
export function useDashboardAlerts(live: DashboardStore): DashboardAlerts {
  const { data } = useAlerts();
  const navigate = useNavigate();
  const { id } = live;
  const marks = useMemo(() => {
    const byTile = Map.groupBy(
      (data?.alerts ?? []).filter(alert => alert.state === 'firing' && alert.dashboard?.id === id),
      alert => alert.dashboard!.tile,
    );
    return new Map(Array.from(byTile, ([tile, alerts]) => [tile, markOf(alerts)]));
  }, [data, id]);
  const isWatched = data?.alerts.some(alert => alert.dashboard?.id === id) ?? false;
  const { data: watched } = useTileAlerts(id, isWatched);
  const events = useMemo(() => {
    const all = (watched?.alerts ?? []).flatMap(({ tile, title, fired }) =>
      fired.map(span => ({ tile, event: { ...span, text: title } })),
    );
    const byTile = Map.groupBy(all, ({ tile }) => tile);
    return new Map(Array.from(byTile, ([tile, found]) => [tile, found.map(({ event }) => event)]));
  }, [watched]);
  const begin = useCallback(
    (tile: string) => {
      const { filters } = live.state;
      const search = { ...searchFromState({ page: 0, filters, selections: {} }), dashboard: live.id, tile };
      void navigate({ to: '/alerts/new', search });
    },
    [live, navigate],
  );
  return { marks, events, begin: data?.canCreate ? begin : undefined };
}

const markOf = (alerts: readonly AlertSummary[]): ReactNode => <FiringMark alerts={alerts} />;
