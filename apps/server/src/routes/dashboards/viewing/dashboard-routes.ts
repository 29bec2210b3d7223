import type { RecordsFor } from '../../../presenters/present-records.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { dashboardAssetRoutes } from './dashboard-asset-routes.ts';
import { dashboardListRoutes } from './dashboard-list-routes.ts';
import { tileDetailRoutes } from './tile-detail-routes.ts';
import { tileStreamRoutes } from './tile-stream-routes.ts';

type DashboardHandlers = Pick<
  Handlers,
  | 'listDashboards'
  | 'findTiles'
  | 'findMovedDashboard'
  | 'getDashboard'
  | 'getThumbnail'
  | 'queryTiles'
  | 'getBrushIndex'
  | 'getTileRows'
  | 'explainTile'
  | 'getFieldValues'
  | 'getImage'
  | 'getMap'
>;

/** Endpoints that show dashboards. */
export function dashboardRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  queries: QueryService,
  recordsFor: RecordsFor,
): DashboardHandlers {
  const services = { store, dashboards, queries };
  return {
    ...dashboardListRoutes(services, recordsFor),
    ...tileStreamRoutes(services),
    ...tileDetailRoutes(services),
    ...dashboardAssetRoutes(store, dashboards),
  };
}
