import type { commentEndpoints } from '@belvedere/api';
import { ProblemError } from '../../../http/problems.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import type { InboxEndpoint } from '../inbox.ts';
import { openDashboardDiscussion, type CommentRouteServices } from './dashboard-discussion.ts';
import { commentReadingRoutes } from './read-comments.ts';
import { commentWritingRoutes } from './write-comments.ts';

/** Endpoints for comments on dashboards. */
export function commentRoutes(
  services: CommentRouteServices,
): Pick<Handlers, Exclude<keyof typeof commentEndpoints, InboxEndpoint>> {
  const { settings, note } = services;
  const discussion = openDashboardDiscussion(services);
  return {
    ...commentReadingRoutes(services, discussion),
    ...commentWritingRoutes(services, discussion),

    switchViewerComments: async call => {
      const { isOn } = call.body;
      if (!settings) throw new ProblemError('not-found', 'Without accounts there are no viewers.');
      await settings.set('keepsViewersFromComments', !isOn);
      await note(call, 'comment.switch', 'comments by viewers', isOn ? 'on' : 'off');
      return {};
    },
  };
}
