import { isViewable, stateFromSearch, type DashboardState, type OpenDashboard } from '@belvedere/api';
import { knownSearch } from '../long-url.ts';
import { client } from '../data/server.ts';
import { DashboardStore } from './dashboard-store.ts';

/** The one that came with the page. */
let ahead: { readonly live: DashboardStore; readonly revision: string } | undefined;

/**
 * Opens what came with the page before anything is rendered: what is answered by then is in its first
 * picture.
 */
export function openAhead(dashboard: OpenDashboard): void {
  if (!isViewable(dashboard)) return;
  const { state } = stateFromSearch(Object.fromEntries(knownSearch()));
  ahead = { live: opened(dashboard, state), revision: dashboard.revision };
}

/** A dashboard that has asked for its answers: they come while its tiles are laid out. */
export function openLive(dashboard: OpenDashboard, state: DashboardState): DashboardStore {
  const before = ahead;
  ahead = undefined;
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
