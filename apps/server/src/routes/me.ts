import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Handlers } from './mount-contract.ts';

/** The user of local mode. */
const owner = 'owner';

/** Endpoints for the caller's own data. Local mode has one user. */
export function meRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
): Pick<Handlers, 'getMe' | 'putFavourite' | 'putRecent' | 'putView' | 'removeView'> {
  const { preferences } = dashboards;
  const isThere = (dashboard: string) => store.current.dashboards.has(dashboard);
  const documentId = (dashboard: string) => {
    if (!isThere(dashboard))
      throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
    return dashboards.documentId(dashboard);
  };
  return {
    getMe: () => preferences.of(owner, isThere),
    putFavourite: async ({ params, body }) => {
      await preferences.mark(owner, await documentId(params.id), body.isFavourite);
      return {};
    },
    putRecent: async ({ params, body }) => {
      await preferences.lookedAt(owner, await documentId(params.id), body.state);
      return {};
    },
    putView: async ({ params, body }) => ({
      dashboard: params.id,
      ...(await preferences.keepView(owner, await documentId(params.id), params.name, body.state)),
    }),
    removeView: async ({ params }) => {
      await preferences.removeView(owner, await dashboards.documentId(params.id), params.name);
      return {};
    },
  };
}
