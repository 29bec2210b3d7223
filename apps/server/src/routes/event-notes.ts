import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Handlers } from './mount-contract.ts';

/** Event notes for all viewers of a dashboard. Each change is sent to every window that has it open. */
export function eventNoteRoutes(
  store: WorkspaceStore,
  { notes }: DashboardStore,
): Pick<Handlers, 'addEventNote' | 'updateEventNote' | 'removeEventNote'> {
  const found = (dashboard: string) => {
    if (!store.current.dashboards.has(dashboard))
      throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
    return dashboard;
  };
  const told = <T>(dashboard: string, done: T): T => {
    store.tell({ kind: 'notes', dashboard });
    return done;
  };
  return {
    addEventNote: ({ params, body }) => told(params.id, notes.add(found(params.id), body)),
    updateEventNote: ({ params, body }) => told(params.id, notes.change(found(params.id), params.note, body)),
    removeEventNote: ({ params }) => {
      notes.remove(found(params.id), params.note);
      return told(params.id, {});
    },
  };
}
