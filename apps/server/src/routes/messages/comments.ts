import { includesLevel, isAtLeast, type Comment, type commentEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { levelOf, notFound } from '../../access/may.ts';
import { anchorsVisibleTo } from '../../access/visible-comments.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../problems.ts';
import type { CommentRecord, Comments, Mention } from '../../state/messages/comments.ts';
import type { Inbox, InboxRecord } from '../../state/messages/inbox.ts';
import type { NotificationChoices } from '../../state/messages/notification-choices.ts';
import { dashboardAt } from '../../state/documents/document-ids.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { User } from '../../state/accounts/users.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { WorkspaceDashboard } from '../../workspace/workspace.ts';
import type { Handlers } from '../contract/mount-contract.ts';

const maxSuggestions = 20;

export interface Discussion {
  readonly comments: Comments;
  readonly inbox: Inbox;
  readonly choices: NotificationChoices;
}

/**
 * Endpoints for comments on dashboards, and for the inbox. Each change is sent to every window that shows it.
 *
 * @param options.settings undefined in local mode, which has no other users
 */
export function commentRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  { comments, inbox, choices }: Discussion,
  directory: Directory,
  note: NoteCall,
  { settings, hasMail }: { readonly settings: TeamSettings | undefined; readonly hasMail: () => boolean },
): Pick<Handlers, keyof typeof commentEndpoints> {
  /** Drafts, revisions and explorations have no comments: they are not for everyone who sees the dashboard. */
  const published = (id: string): WorkspaceDashboard => {
    const found = store.current.dashboards.get(id);
    if (!found) throw notFound({ kind: 'dashboard', id });
    return found;
  };
  const maySee = (userId: string, id: string) => {
    const other = directory.callerOf(userId, store.current);
    return other !== undefined && levelOf(other, { kind: 'dashboard', id }, store.current) !== undefined;
  };
  const mayBeTold = (user: User | undefined, id: string): boolean =>
    user !== undefined && !user.isService && maySee(user.id, id);
  const userOf = (id: string, caller: Caller): Comment['author'] => {
    const name = id === caller.userId ? caller.name : directory.users.get(id)?.name;
    return { id, ...(name !== undefined && { name }) };
  };
  const canExplore = (caller: Caller, id: string) =>
    includesLevel(levelOf(caller, { kind: 'dashboard', id }, store.current), 'explore');
  const mayWrite = (caller: Caller, id: string) =>
    !settings?.keepsViewersFromComments || canExplore(caller, id);
  const requireWriter = (caller: Caller, id: string) => {
    if (!mayWrite(caller, id))
      throw new ProblemError(
        'not-allowed',
        'In this workspace, viewers may read comments but not write them.',
      );
  };
  const presenterFor = (caller: Caller, dashboard: WorkspaceDashboard) => {
    const anchorOf = anchorsVisibleTo(caller, dashboard, store.current);
    return (comment: CommentRecord): Comment => {
      const { id, parent, author, body, mentions, createdAt, editedAt, isDeleted, tile, resolved } = comment;
      return {
        id,
        ...(parent !== undefined && { parent }),
        author: userOf(author, caller),
        body,
        mentions: [...mentions],
        createdAt,
        ...(editedAt !== undefined && { editedAt }),
        isDeleted,
        isOwn: author === caller.userId,
        ...(tile !== undefined && { tile }),
        ...anchorOf(comment),
        ...(resolved && { resolved: { at: resolved.at, by: userOf(resolved.by, caller) } }),
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
  /**
   * Returns whether a caller may learn the name of a user: viewers only learn those whom the comments of the
   * dashboard name, since they have them already.
   */
  const knownTo = async (caller: Caller, dashboard: string): Promise<(user: string) => boolean> => {
    if (canExplore(caller, dashboard)) return () => true;
    const documentId = await knownDocument(dashboard);
    const all = documentId === undefined ? [] : await comments.of(documentId);
    const named = new Set(all.flatMap(({ author, mentions }) => [author, ...mentions.map(({ id }) => id)]));
    return id => named.has(id);
  };
  /**
   * Returns the people whose names a text mentions.
   * @throws ProblemError `request-invalid` for one who cannot see the dashboard
   */
  const mentionsIn = async (
    body: string,
    ids: readonly string[],
    dashboard: string,
    caller: Caller,
  ): Promise<Mention[]> => {
    const knows = ids.length > 0 ? await knownTo(caller, dashboard) : () => true;
    return [...new Set(ids)].flatMap(id => {
      const user = knows(id) ? directory.users.get(id) : undefined;
      if (!user || !mayBeTold(user, dashboard))
        throw new ProblemError(
          'request-invalid',
          user
            ? `${user.name} may not see this dashboard, so a comment cannot mention them.`
            : 'A person that the comment mentions does not exist.',
          { errors: [{ path: 'mentions', message: user?.name ?? 'unknown person' }] },
        );
      return body.includes(`@${user.name}`) ? [{ id, name: user.name }] : [];
    });
  };
  /** @param thread the thread of a new comment; undefined if the text of an old one has changed */
  const putIntoInboxes = async (
    { id }: Pick<CommentRecord, 'id'>,
    by: Caller,
    dashboard: string,
    documentId: string,
    mentions: readonly Mention[],
    thread?: readonly CommentRecord[],
  ) => {
    const chosen = await choices.of(documentId);
    const reasons = new Map<string, InboxRecord['reason']>([
      ...[...chosen].flatMap(([user, choice]) =>
        thread && choice === 'all' ? [[user, 'follow'] as const] : [],
      ),
      ...(thread ?? []).filter(one => !one.isDeleted).map(one => [one.author, 'reply'] as const),
      ...mentions.map(one => [one.id, 'mention'] as const),
    ]);
    reasons.delete(by.userId);
    for (const [user, choice] of chosen) if (choice === 'none') reasons.delete(user);
    const told = [...reasons].filter(([user]) => mayBeTold(directory.users.get(user), dashboard));
    return inbox.add(id, new Map(told));
  };
  const tell = (dashboard: string) => store.tell({ kind: 'comments', dashboard });
  const requireTeam = () => {
    if (!settings) throw new ProblemError('not-found', 'Without accounts there is no mail about comments.');
  };

  return {
    listComments: async ({ params, caller }) => {
      const dashboard = published(params.id);
      const documentId = await knownDocument(params.id);
      const present = presenterFor(caller, dashboard);
      return {
        comments: documentId === undefined ? [] : (await comments.of(documentId)).map(present),
        canWrite: mayWrite(caller, params.id),
        canResolve: canExplore(caller, params.id),
        canModerate: isAtLeast(caller.role, 'admin'),
        readTo: documentId === undefined ? 0 : await comments.readTo(documentId, caller.userId),
        notified:
          (documentId === undefined ? undefined : (await choices.of(documentId)).get(caller.userId)) ??
          'involved',
      };
    },

    addComment: async ({ params, body: given, caller }) => {
      const dashboard = published(params.id);
      requireWriter(caller, params.id);
      const { parent, tile, anchor, state, body } = given;
      if (tile === undefined && anchor !== undefined)
        throw new ProblemError('request-invalid', 'An anchor needs the tile that it is on.');
      if (tile !== undefined && !hasTile(dashboard, tile))
        throw new ProblemError('request-invalid', `This dashboard has no tile \`${tile}\`.`);
      const mentions = await mentionsIn(body, given.mentions, params.id, caller);
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
      await putIntoInboxes(added, caller, params.id, documentId, mentions, thread);
      tell(params.id);
      return presenterFor(caller, dashboard)(added);
    },

    updateComment: async ({ params, body: given, caller }) => {
      const { dashboard, documentId, found } = await open(params.id, params.comment);
      requireWriter(caller, params.id);
      if (found.author !== caller.userId)
        throw new ProblemError('not-allowed', 'Only its author may edit a comment.');
      const mentions = await mentionsIn(given.body, given.mentions, params.id, caller);
      await comments.update(found.id, given.body, mentions);
      await putIntoInboxes(found, caller, params.id, documentId, mentions);
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
      requireWriter(caller, params.id);
      const knows = await knownTo(caller, params.id);
      const search = query.search.toLowerCase();
      const people = [...directory.users.values()]
        .filter(
          user =>
            user.id !== caller.userId &&
            knows(user.id) &&
            user.name.toLowerCase().includes(search) &&
            mayBeTold(user, params.id),
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

    getInbox: async ({ caller, granted }) => {
      const seen = granted().dashboards;
      const items = (await inbox.of(caller.userId)).flatMap(item => {
        const dashboard = seen.get(item.dashboard);
        if (!dashboard) return [];
        const { comment, reason, author, body, mentions, at, isRead } = item;
        return {
          comment,
          reason,
          dashboard: { id: dashboard.id, title: dashboard.title },
          author: userOf(author, caller),
          body,
          mentions: [...mentions],
          createdAt: at,
          isRead,
        };
      });
      const chosen = [...(await choices.by(caller.userId))].flatMap(([path, notified]) => {
        const dashboard = seen.get(dashboardAt(path) ?? '');
        return dashboard ? [{ dashboard: { id: dashboard.id, title: dashboard.title }, notified }] : [];
      });
      return { items, unread: items.filter(({ isRead }) => !isRead).length, choices: chosen };
    },

    markInboxRead: async ({ body, caller }) => {
      await inbox.mark(caller.userId, body.comments, body.isRead);
      return {};
    },

    getMailChoice: async ({ caller }) => ({
      hasMail: hasMail(),
      isOn: settings !== undefined && (await inbox.wantsMail(caller.userId)),
    }),

    putMailChoice: async ({ body, caller }) => {
      requireTeam();
      await inbox.chooseMail(caller.userId, body.isOn);
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
