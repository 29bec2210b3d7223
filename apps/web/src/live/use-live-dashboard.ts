import type { DashboardState, OpenDashboard } from '@belvedere/api';
import { useEffect, useState } from 'react';
import type { DashboardStore } from './dashboard-store.ts';
import { openLive } from './open-live.ts';

/** Returns the store of an open dashboard. A new revision gets a new store with the same state. */
export function useLiveDashboard(dashboard: OpenDashboard, state: DashboardState): DashboardStore {
  const [live, setLive] = useState(() => openLive(dashboard, state));
  const [revision, setRevision] = useState(dashboard.revision);
  if (revision !== dashboard.revision) {
    setRevision(dashboard.revision);
    setLive(openLive(dashboard, live.state));
  }
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  return live;
}
