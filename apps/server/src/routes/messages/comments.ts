import { isAtLeast, type Comment, type commentEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { CommentAudience, presentUser, type Discussion } from '../../access/comment-audience.ts';
import type { Directory } from '../../access/directory.ts';
import { notFound } from '../../access/may.ts';
import { anchorsVisibleTo, fieldNotShown } from '../../access/visible-comments.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { CommentRecord, Comments } from '../../state/messages/comments.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { WorkspaceDashboard } from '../../workspace/workspace.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import type { InboxEndpoint } from './inbox.ts';

const maxSuggestions = 20;

/**
 * Endpoints for comments on dashboards. Each change is sent to every window that shows it.
 *
 * @param settings undefined in local mode, which has no other users
 */
export function commentRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  discussion: Discussion,
  directory: Directory,
  note: NoteCall,
  settings: TeamSettings | undefined,
): Pick<Handlers, Exclude<keyof typeof commentEndpoints, InboxEndpoint>> {
  const { comments, inbox, choices } = discussion;
  /** Drafts, revisions and explorations have no comments: they are not for everyone who sees the dashboard. */
  const published = (id: string): WorkspaceDashboard => {
    const found = store.current.dashboards.get(id);
    if (!found) throw notFound({ kind: 'dashboard', id });
    return found;
  };
  const audience = new CommentAudience(store, discussion, directory, settings);
  const presenterFor = (caller: Caller, dashboard: WorkspaceDashboard) => {
    const anchorOf = anchorsVisibleTo(caller, dashboard, store.current);
    return (comment: CommentRecord): Comment => {
      const { id, parent, author, body, mentions, createdAt, editedAt, isDeleted, tile, resolved } = comment;
      return {
        id,
        ...(parent !== undefined && { parent }),
        author: presentUser(author, caller, directory),
        body,
        mentions: [...mentions],
        createdAt,
        ...(editedAt !== undefined && { editedAt }),
        isDeleted,
        isOwn: author === caller.userId,
        ...(tile !== undefined && { tile }),
        ...anchorOf(comment),
        ...(resolved && { resolved: { at: resolved.at, by: presentUser(resolved.by, caller, directory) } }),
      };
    };
  };
  const knownDocument = (id: string) => dashboards.texts.ids.find(dashboards.fileOf(id));
  const open = async (id: string, comment: number) => {
    const dashboard = published(id);
    const documentId = await knownDocument(id);
    if (documentId === undefined) throw new ProblemError('not-found', 'This comment no longer exists.');
    return { dashboard, documentId, found: await comments.find(documentId, comment) };
  };
  const mentionsIn = async (
    { body, mentions }: { readonly body: string; readonly mentions: readonly string[] },
    dashboard: string,
    caller: Caller,
  ) => {
    if (mentions.length === 0) return [];
    const knows = await audience.namesKnownTo(caller, dashboard, await knownDocument(dashboard));
    return audience.mentionsIn(body, mentions, dashboard, knows);
  };
  const tell = (dashboard: string) => store.tell({ kind: 'comments', dashboard });

  return {
    listComments: async ({ params, caller }) => {
      const dashboard = published(params.id);
      const documentId = await knownDocument(params.id);
      const present = presenterFor(caller, dashboard);
      return {
        comments: documentId === undefined ? [] : (await comments.of(documentId)).map(present),
        canWrite: audience.mayWrite(caller, params.id),
        canResolve: audience.canExplore(caller, params.id),
        canModerate: isAtLeast(caller.role, 'admin'),
        readTo: documentId === undefined ? 0 : await comments.readTo(documentId, caller.userId),
        notified:
          (documentId === undefined ? undefined : (await choices.of(documentId)).get(caller.userId)) ??
          'involved',
      };
    },

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

    markCommentsRead: async ({ params, body: { readTo }, caller }) => {
      published(params.id);
      const documentId = await knownDocument(params.id);
      if (documentId === undefined) return {};
      await comments.markRead(documentId, caller.userId, readTo);
      await inbox.markRead(caller.userId, documentId, readTo);
      return {};
    },

    followComments: async ({ params, body: { notified }, caller }) => {
      published(params.id);
      if (!settings) throw new ProblemError('request-invalid', 'Notifications need accounts.');
      const documentId = await dashboards.documentId(params.id);
      await choices.set(documentId, caller.userId, notified === 'involved' ? undefined : notified);
      return {};
    },

    findMentionable: async ({ params, query, caller }) => {
      published(params.id);
      audience.requireWriter(caller, params.id);
      const knows = await audience.namesKnownTo(caller, params.id, await knownDocument(params.id));
      const search = query.search.toLowerCase();
      const people = [...directory.users.values()]
        .filter(
          user =>
            user.id !== caller.userId &&
            knows(user.id) &&
            user.name.toLowerCase().includes(search) &&
            audience.canNotify(user, params.id),
        )
        .slice(0, maxSuggestions)
        .map(({ id, name }) => ({ id, name }));
      return { people };
    },

    switchViewerComments: async call => {
      const { isOn } = call.body;
      if (!settings) throw new ProblemError('not-found', 'Without accounts there are no viewers.');
      await settings.set('keepsViewersFromComments', !isOn);
      await note(call, 'comment.switch', 'comments by viewers', isOn ? 'on' : 'off');
      return {};
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
