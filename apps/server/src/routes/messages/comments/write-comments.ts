import { isAtLeast } from '@belvedere/api';
import { fieldNotShown } from '../../../access/visible-comments.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { CommentRecord, Comments } from '../../../state/messages/comments.ts';
import type { WorkspaceDashboard } from '../../../workspace/workspace.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import type { CommentRouteServices, DashboardDiscussion } from './dashboard-discussion.ts';

/** Endpoints that add, change, remove and resolve comments. Each change is sent to every window that shows it. */
export function commentWritingRoutes(
  { store, dashboards, discussion, directory, note }: CommentRouteServices,
  { published, audience, presenterFor, open, mentionsIn, tell }: DashboardDiscussion,
): Pick<Handlers, 'addComment' | 'updateComment' | 'removeComment' | 'resolveComment'> {
  const { comments } = discussion;
  return {
    addComment: async ({ params, body: given, caller }) => {
      const dashboard = published(params.id);
      audience.requireWriter(caller, params.id);
      const { parent, tile, anchor, state, body } = given;
      if (tile === undefined && anchor !== undefined)
        throw new ProblemError('request-invalid', 'An anchor needs the tile that it is on.');
      if (tile !== undefined && !hasTile(dashboard, tile))
        throw new ProblemError('request-invalid', `This dashboard has no tile \`${tile}\`.`);
      const stray =
        tile !== undefined && anchor
          ? fieldNotShown(caller, dashboard, store.current, { tile, anchor, ...(state && { state }) })
          : undefined;
      if (stray !== undefined)
        throw new ProblemError(
          'request-invalid',
          `The tile \`${tile}\` does not show \`${stray}\`, so an anchor on it cannot name this field.`,
        );
      const mentions = await mentionsIn(given, params.id, caller);
      const documentId = await dashboards.documentId(params.id);
      const thread = parent === undefined ? [] : await threadOf(comments, documentId, parent);
      const added = await comments.add(documentId, {
        author: caller.userId,
        body,
        mentions,
        ...(parent !== undefined && { parent }),
        ...(tile !== undefined && { tile }),
        ...(anchor && { anchor }),
        ...(state && { state }),
      });
      await audience.notify({ id: added.id, by: caller, mentions }, params.id, documentId, thread);
      tell(params.id);
      return presenterFor(caller, dashboard)(added);
    },

    updateComment: async ({ params, body: given, caller }) => {
      const { dashboard, documentId, found } = await open(params.id, params.comment);
      audience.requireWriter(caller, params.id);
      if (found.author !== caller.userId)
        throw new ProblemError('not-allowed', 'Only its author may edit a comment.');
      const mentions = await mentionsIn(given, params.id, caller);
      await comments.update(found.id, given.body, mentions);
      await audience.notify({ id: found.id, by: caller, mentions }, params.id, documentId);
      tell(params.id);
      return presenterFor(caller, dashboard)(await comments.find(documentId, found.id));
    },

    removeComment: async call => {
      const { params, caller } = call;
      const { found } = await open(params.id, params.comment);
      const isOwn = found.author === caller.userId;
      if (!isOwn && !isAtLeast(caller.role, 'admin'))
        throw new ProblemError('not-allowed', 'Only its author or an admin may delete a comment.');
      await comments.remove(found);
      tell(params.id);
      const author = directory.users.get(found.author)?.name ?? found.author;
      if (!isOwn) await note(call, 'comment.delete', `dashboard ${params.id}`, author);
      return {};
    },

    resolveComment: async ({ params, body: { isResolved }, caller }) => {
      const { dashboard, documentId, found } = await open(params.id, params.comment);
      if (found.parent !== undefined)
        throw new ProblemError('request-invalid', 'A thread is resolved with the comment that begins it.');
      await comments.resolve(found.id, isResolved ? caller.userId : undefined);
      tell(params.id);
      return presenterFor(caller, dashboard)(await comments.find(documentId, found.id));
    },
  };
}

function hasTile({ document }: WorkspaceDashboard, tile: string): boolean {
  return document?.pages.some(page => Object.hasOwn(page.tiles, tile)) === true;
}

/** @throws ProblemError `not-found`, `request-invalid` for a reply to a reply */
async function threadOf(comments: Comments, documentId: string, parent: number): Promise<CommentRecord[]> {
  const thread = (await comments.of(documentId)).filter(one => one.id === parent || one.parent === parent);
  const root = thread.find(one => one.id === parent);
  if (!root) throw new ProblemError('not-found', 'The thread no longer exists.');
  if (root.parent !== undefined)
    throw new ProblemError('request-invalid', 'Reply to the comment that begins the thread.');
  return thread;
}
