import type { Comment } from '@belvedere/api';
import type { Caller } from '../../../access/caller.ts';
import { CommentAudience, presentUser, type Discussion } from '../../../access/comment-audience.ts';
import type { Directory } from '../../../access/directory.ts';
import { notFound } from '../../../access/may.ts';
import { anchorsVisibleTo } from '../../../access/visible-comments.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { TeamSettings } from '../../../state/administration/team-settings.ts';
import type { CommentRecord } from '../../../state/messages/comments.ts';
import type { DashboardStore } from '../../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { WorkspaceDashboard } from '../../../workspace/workspace.ts';

/** The services with which comments are read and written. */
export interface CommentRouteServices {
  readonly store: WorkspaceStore;
  readonly dashboards: DashboardStore;
  readonly discussion: Discussion;
  readonly directory: Directory;
  readonly note: NoteCall;
  /** Undefined in local mode, which has no other users. */
  readonly settings: TeamSettings | undefined;
}

/** The functions that the endpoints of comments share: finding and presenting comments, and their audience. */
export type DashboardDiscussion = ReturnType<typeof openDashboardDiscussion>;

export function openDashboardDiscussion({
  store,
  dashboards,
  discussion,
  directory,
  settings,
}: CommentRouteServices) {
  const { comments } = discussion;
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
  return { published, audience, presenterFor, knownDocument, open, mentionsIn, tell };
}
