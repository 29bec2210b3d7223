import { isViewable } from './is-viewable.ts';
import { stateFromSearch } from './dashboard-url.ts';
import type { OpenDashboard } from './dashboards.ts';
import { routes } from './routes.ts';

/** What a dashboard's program asks first. The page that it comes with asks it by itself meanwhile. */
export interface Prefetch {
  readonly path: string;
  readonly body: string;
}

/** The `script` in the page that it stands in, as JSON. */
export const prefetchId = 'asked-ahead';

/**
 * @param search of the page's address
 * @returns to the letter what its program will ask (`DashboardLive.load`); nothing where it will not
 */
export function prefetchFor(dashboard: OpenDashboard, search: URLSearchParams): Prefetch | undefined {
  if (!isViewable(dashboard)) return undefined;
  const { state } = stateFromSearch(Object.fromEntries(search));
  return {
    path: routes.queryTiles.path.replace(':id', encodeURIComponent(dashboard.id)),
    body: JSON.stringify({ state, scope: 'both' }),
  };
}
