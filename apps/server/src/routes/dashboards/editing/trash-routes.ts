import type { Caller } from '../../../access/caller.ts';
import { levelOf } from '../../../access/may.ts';
import { ceilings } from '../../../access/rules.ts';
import type { Sharing } from '../../../access/sharing.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { TrashedDashboard } from '../../../state/documents/trash.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { folderOf } from './folder-of.ts';

/** Endpoints for the trash of dashboards. */
export function trashRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  sharing: Sharing,
  note: NoteCall,
): Pick<Handlers, 'removeDashboard' | 'listTrash' | 'restoreDashboard'> {
  /** Those who may manage the dashboard itself, or the folder that it was in. */
  const restorableBy = async (caller: Caller) => {
    if (caller.grants === 'all') return () => true;
    const own = ceilings[caller.role].dashboard === 'manage' && (await sharing.managedBy(caller.userId));
    return ({ dashboard, documentId }: TrashedDashboard) => {
      const level = levelOf(caller, { kind: 'folder', id: folderOf(dashboard) }, store.current);
      return (own && own.has(documentId)) || level === 'manage';
    };
  };

  return {
    removeDashboard: async ({ params, ...call }) => {
      const number = await dashboards.trash.remove(params.id);
      await sharing.follow();
      await note(call, 'dashboard.delete', `dashboard ${params.id}`);
      return { number };
    },

    listTrash: async ({ caller }) => {
      const mayRestore = await restorableBy(caller);
      const trashed = (await dashboards.trash.all()).filter(mayRestore);
      return {
        dashboards: trashed.map(({ number, dashboard, title, at }) => ({ number, dashboard, title, at })),
      };
    },

    restoreDashboard: async ({ params, ...call }) => {
      const mayRestore = await restorableBy(call.caller);
      const found = (await dashboards.trash.all()).find(({ number }) => number === params.number);
      if (!found || !mayRestore(found))
        throw new ProblemError('not-found', 'This dashboard is no longer in the trash.');
      const id = await dashboards.trash.restore(params.number);
      await sharing.follow();
      await note(call, 'dashboard.restore', `dashboard ${id}`);
      return { id };
    },
  };
}
