import { isAtLeast } from '@belvedere/api';
import { ProblemError } from '../../../http/problems.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import type { CommentRouteServices, DashboardDiscussion } from './dashboard-discussion.ts';

const maxSuggestions = 20;

/** Endpoints that show comments, and that follow them. */
export function commentReadingRoutes(
  { dashboards, discussion, directory, settings }: CommentRouteServices,
  { published, audience, presenterFor, knownDocument }: DashboardDiscussion,
): Pick<Handlers, 'listComments' | 'markCommentsRead' | 'followComments' | 'findMentionable'> {
  const { comments, inbox, choices } = discussion;
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
  };
}
