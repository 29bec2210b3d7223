import type { Level } from '@belvedere/api';
import type { Caller } from '../../../access/caller.ts';
import { levelOf, notFound } from '../../../access/may.ts';
import { explorePrefix } from '../../../workspace/documents/dashboard-id.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';

/** Who may create a dashboard may not read what a deleted one left at its address. */
export function requireExisting(store: WorkspaceStore, caller: Caller, id: string): void {
  const isThere = id.startsWith(explorePrefix) || store.current.dashboards.has(id);
  if (caller.grants !== 'all' && !isThere) throw notFound({ kind: 'dashboard', id });
}

/** Returns the level of a caller at a dashboard that they may edit. */
export function levelInEditor(caller: Caller, id: string, store: WorkspaceStore): Level {
  return levelOf(caller, { kind: 'dashboard', id }, store.current) ?? 'edit';
}
