import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Handlers } from './mount-contract.ts';

/** Endpoints for the caller's own data. Local mode has one user. */
export function meRoutes(
  store: WorkspaceStore,
  { preferences }: DashboardStore,
): Pick<Handlers, 'getMe' | 'putFavourite' | 'putRecent' | 'putView' | 'removeView'> {
  const owner = 'owner';
  const isThere = (dashboard: string) => store.current.dashboards.has(dashboard);
  const found = (dashboard: string) => {
    if (!isThere(dashboard))
      throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
    return dashboard;
  };
  return {
    getMe: () => preferences.of(owner, isThere),
    putFavourite: ({ params, body }) => {
      preferences.mark(owner, found(params.id), body.isFavourite);
      return {};
    },
    putRecent: ({ params, body }) => {
      preferences.lookedAt(owner, found(params.id), body.state);
      return {};
    },
    putView: ({ params, body }) => preferences.keepView(owner, found(params.id), params.name, body.state),
    removeView: ({ params }) => {
      preferences.removeView(owner, params.id, params.name);
      return {};
    },
  };
}
