import { isOwnText } from '../../../access/may.ts';
import { foundFor } from '../../../presenters/present-dashboard.ts';
import { dashboardContext, type DashboardContext } from '../../../queries/dashboard-query-context.ts';
import { queryContextOf } from '../../../queries/query-context.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { WorkspaceDashboard } from '../../../workspace/workspace.ts';
import type { Call } from '../../contract/mount-contract.ts';

/** The services with which the tiles of dashboards are queried. */
export interface DashboardQueryServices {
  readonly store: WorkspaceStore;
  readonly dashboards: DashboardStore;
  readonly queries: QueryService;
}

/**
 * Opens a dashboard in a state, for queries of its tiles.
 * @throws ProblemError `not-found`
 */
export async function openDashboard(
  id: string,
  state: DashboardContext['state'],
  { caller, granted, signal }: Pick<Call, 'caller' | 'granted' | 'signal'>,
  { store, dashboards, queries }: DashboardQueryServices,
): Promise<{ readonly dashboard: WorkspaceDashboard; readonly context: DashboardContext }> {
  const dashboard = await foundFor(caller, id, dashboards, granted());
  const workspace = isOwnText(id) ? granted() : store.current;
  const queryContext = {
    ...queryContextOf(workspace, dashboard?.document, caller, signal),
    allowsPart: true as const,
  };
  // Refuses a missing dashboard.
  const context = dashboardContext(dashboard, state, queryContext, queries);
  return { dashboard: dashboard!, context };
}
