import type { Sharing } from '../../../access/sharing.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import type { DashboardRecords } from '../../../state/documents/dashboard-records.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { DocumentTrash } from '../../../workspace/documents/document-trash.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { dashboardTextRoutes } from './dashboard-text-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { moveRoutes } from './move-routes.ts';
import { removeDashboardRoute } from './remove-dashboard-route.ts';

type EditingHandlers = Pick<
  Handlers,
  | 'saveDashboard'
  | 'getDashboardText'
  | 'saveDashboardText'
  | 'patchDashboard'
  | 'putDraft'
  | 'dropDraft'
  | 'listRevisions'
  | 'getRevision'
  | 'removeDashboard'
  | 'moveDashboard'
  | 'moveFolder'
>;

/** Endpoints for changing dashboards: text, drafts, history, positions and removal. */
export function editingRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  trash: DocumentTrash,
  sharing: Sharing,
  records: DashboardRecords | undefined,
  note: NoteCall,
): EditingHandlers {
  return {
    ...dashboardTextRoutes(store, dashboards, sharing, records),
    ...draftRoutes(store, dashboards),
    ...moveRoutes(store, dashboards, trash, sharing),
    ...removeDashboardRoute(trash, sharing, note),
  };
}
