import type { commentEndpoints } from '@belvedere/api';
import { presentUser, type Discussion } from '../../access/comment-audience.ts';
import type { Directory } from '../../access/directory.ts';
import { ProblemError } from '../../http/problems.ts';
import { dashboardAt } from '../../state/documents/document-ids.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** The endpoints of comments that concern a user's inbox, not one dashboard. */
export type InboxEndpoint = 'getInbox' | 'markInboxRead' | 'getMailChoice' | 'putMailChoice';

/**
 * Endpoints for a user's inbox, and for mail about what is in it.
 * @param settings undefined in local mode, which has no mail about comments
 */
export function inboxRoutes(
  { inbox, choices }: Pick<Discussion, 'inbox' | 'choices'>,
  directory: Directory,
  settings: TeamSettings | undefined,
  hasMail: () => boolean,
): Pick<Handlers, InboxEndpoint & keyof typeof commentEndpoints> {
  return {
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
          author: presentUser(author, caller, directory),
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
      if (!settings) throw new ProblemError('not-found', 'Without accounts there is no mail about comments.');
      await inbox.chooseMail(caller.userId, body.isOn);
      return {};
    },
  };
}
