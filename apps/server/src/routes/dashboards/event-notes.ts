import { notFound } from '../../access/may.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** Event notes for all viewers of a dashboard. Each change is sent to every window that has it open. */
export function eventNoteRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
): Pick<Handlers, 'addEventNote' | 'updateEventNote' | 'removeEventNote'> {
  const { notes } = dashboards;
  const change = async <T>(dashboard: string, work: (documentId: string) => Promise<T>): Promise<T> => {
    if (!store.current.dashboards.has(dashboard)) throw notFound({ kind: 'dashboard', id: dashboard });
    const done = await work(await dashboards.documentId(dashboard));
    store.tell({ kind: 'notes', dashboard });
    return done;
  };
  return {
    addEventNote: ({ params, body, caller }) => change(params.id, id => notes.add(id, body, caller.userId)),
    updateEventNote: ({ params, body, caller, ifMatch }) =>
      change(params.id, id => notes.change(id, params.note, body, caller.userId, ifMatch)),
    removeEventNote: async ({ params }) => {
      await change(params.id, id => notes.remove(id, params.note));
      return {};
    },
  };
}
