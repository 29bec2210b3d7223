import { viewersZone } from '@belvedere/document';
import { isViewable } from '../is-viewable.ts';
import { stateFromSearch } from '../address/dashboard-url.ts';
import type { OpenDashboard } from '../endpoints/dashboards/dashboards.ts';
import { routes } from '../routes.ts';

/**
 * The first request of a dashboard's page. The server sends it in the page, which then starts it before its
 * script has loaded.
 */
export interface Prefetch {
  readonly path: string;
  readonly body: string;
}

/** The ID of the page's `script` element that contains it, as JSON. */
export const prefetchId = 'belvedere-prefetch';

/**
 * Builds a dashboard's first request.
 * @param search the query string of the page's address
 * @returns exactly the request that the page's script sends (`DashboardStore.load`); undefined if it sends
 *   none
 */
export function prefetchFor(dashboard: OpenDashboard, search: URLSearchParams): Prefetch | undefined {
  if (!isViewable(dashboard)) return undefined;
  const { state } = stateFromSearch(Object.fromEntries(search));
  // Only the page knows the browser's zone.
  if (dashboard.document?.timezone === viewersZone || state.zone !== undefined) return undefined;
  return {
    path: routes.queryTiles.path.replace(':id', encodeURIComponent(dashboard.id)),
    body: JSON.stringify({ state, scope: 'both' }),
  };
}
