import { isViewable, stateFromSearch, type DashboardState, type OpenDashboard } from '@belvedere/api';
import { knownSearch } from '../long-url.ts';
import { inOwnZone } from '../data/session/own-zone.ts';
import { client } from '../data/server.ts';
import { DashboardStore } from './dashboard-store.ts';

/** The dashboard that was embedded in the page. */
let prefetched: { readonly live: DashboardStore; readonly revision: string } | undefined;

/** Opens the dashboard that is embedded in the page before the first render, so that it can show results. */
export function openPrefetched(dashboard: OpenDashboard): void {
  if (!isViewable(dashboard)) return;
  const { state } = stateFromSearch(Object.fromEntries(knownSearch()));
  prefetched = { live: opened(dashboard, inOwnZone(dashboard, state)), revision: dashboard.revision };
}

/** Opens a dashboard. Its results load while its tiles are laid out. */
export function openLive(dashboard: OpenDashboard, state: DashboardState): DashboardStore {
  const before = prefetched;
  prefetched = undefined;
  if (
    before?.live.id === dashboard.id &&
    before.revision === dashboard.revision &&
    JSON.stringify(before.live.state) === JSON.stringify(state)
  )
    return before.live;
  before?.live.close();
  return opened(dashboard, state);
}

function opened(dashboard: OpenDashboard, state: DashboardState): DashboardStore {
  const live = new DashboardStore(client, dashboard, state);
  live.open();
  return live;
}
