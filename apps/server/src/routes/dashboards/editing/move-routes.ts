import type { Level } from '@belvedere/api';
import type { Caller } from '../../../access/caller.ts';
import { requireLevel } from '../../../access/may.ts';
import { furtherRules } from '../../../access/rules.ts';
import type { Sharing } from '../../../access/sharing.ts';
import { checkedId } from '../../../workspace/documents/dashboard-id.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { DocumentTrash } from '../../../workspace/documents/document-trash.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { folderOf } from './folder-of.ts';

/** Endpoints that move dashboards and folders. */
export function moveRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  trash: DocumentTrash,
  sharing: Sharing,
): Pick<Handlers, 'moveDashboard' | 'moveFolder'> {
  const requireFolder = (caller: Caller, folder: string, level: Level) =>
    requireLevel(caller, { kind: 'folder', id: folder }, level, store.current);
  /** Where a dashboard is put, others who see the folder will see it. */
  const requireTarget = (caller: Caller, to: string) => {
    if (to.includes('/')) requireFolder(caller, folderOf(to), furtherRules.fillFolder.level);
  };

  return {
    moveDashboard: async ({ params, body, caller }) => {
      requireTarget(caller, checkedId(body.to));
      // In another folder, others see it.
      if (folderOf(params.id) !== folderOf(body.to))
        requireLevel(caller, { kind: 'dashboard', id: params.id }, 'manage', store.current);
      await dashboards.moves.move(params.id, body.to);
      await sharing.follow();
      return {};
    },

    moveFolder: async ({ body, caller }) => {
      const [from, to] = [checkedId(body.from), checkedId(body.to)];
      requireFolder(caller, from, furtherRules.moveFolder.level);
      requireTarget(caller, to);
      // Its grants move along, so that in a folder that exists they would open what is there.
      const trashed = (await trash.all()).flatMap(({ kind, name }) => (kind === 'dashboard' ? [name] : []));
      if ([...store.current.dashboards.keys(), ...trashed].some(id => id.startsWith(`${to}/`)))
        requireFolder(caller, to, 'manage');
      const moved = await dashboards.moves.moveFolder(from, to);
      await sharing.follow({ from, to });
      return { moved };
    },
  };
}
