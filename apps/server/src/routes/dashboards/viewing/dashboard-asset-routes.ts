import type { FastifyReply } from 'fastify';
import { dashboardVisibleTo } from '../../../access/exposed-fields.ts';
import { isAuthor } from '../../../access/may.ts';
import { workspaceVisibleTo } from '../../../access/row-policies.ts';
import { ProblemError } from '../../../http/problems.ts';
import { foundFor } from '../../../presenters/present-dashboard.ts';
import { placeholdersIn } from '../../../presenters/published-dashboard.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import { readWorkspaceAsset } from '../../../workspace/workspace-assets.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Call, Handlers } from '../../contract/mount-contract.ts';
import { sandboxPolicy } from '../exports.ts';

/** Endpoints for the images and maps of the workspace. */
export function dashboardAssetRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
): Pick<Handlers, 'getImage' | 'getMap'> {
  /** A file of the workspace, for those who write dashboards or see one that names it. */
  const sendAsset = async (
    folder: 'images' | 'maps',
    file: string,
    reply: FastifyReply,
    { caller, granted }: Pick<Call, 'caller' | 'granted'>,
  ) => {
    if (caller.guest) {
      const dashboard = await foundFor(caller, caller.guest.dashboard, dashboards, granted());
      // Placeholders are numbered in the dashboard as the guest sees it.
      const read = workspaceVisibleTo(store.current, caller);
      const { document } = dashboard ? dashboardVisibleTo(caller, dashboard, read) : {};
      const own =
        document && [...placeholdersIn(document)].find(([, placeholder]) => placeholder === file)?.[0];
      if (own === undefined) throw new ProblemError('not-found', 'File not found.');
      return sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, folder, own));
    }
    const isNamed = () =>
      [...granted().dashboards.values()].some(
        ({ document }) => document && placeholdersIn(document).has(file),
      );
    if (caller.grants !== 'all' && !isAuthor(caller) && !isNamed())
      throw new ProblemError('not-found', 'File not found, or not shared with you.');
    return sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, folder, file));
  };

  return {
    getImage: ({ params, reply, ...call }) => sendAsset('images', params.file, reply, call),
    getMap: ({ params, reply, ...call }) => sendAsset('maps', params.file, reply, call),
  };
}

/**
 * Sends an image with its exact type and no script permissions: an SVG may hold scripts, which must not run
 * under this origin.
 */
function sendOwnFile(
  reply: FastifyReply,
  { bytes, type }: { readonly bytes: Buffer; readonly type: string },
): FastifyReply {
  return reply.header('content-type', type).header('content-security-policy', sandboxPolicy).send(bytes);
}
