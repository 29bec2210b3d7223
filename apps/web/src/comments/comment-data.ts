import { useQuery } from '@tanstack/react-query';
import { client, queryClient, useSession } from '../data/server.ts';
import { viewedAs } from '../data/session/view-as.ts';

const commentsKey = (dashboard: string) => ['comments', dashboard];
const inboxKey = ['inbox'];

/** The comments on a dashboard. Not fetched while viewing as another user, who has read others. */
export const useComments = (dashboard: string, isOffered = true) =>
  useQuery({
    queryKey: commentsKey(dashboard),
    queryFn: ({ signal }) => client.listComments({ params: { id: dashboard } }, { signal }),
    enabled: isOffered && viewedAs === undefined,
    // An event tells of changes, but only while this page listens.
    refetchOnMount: 'always',
  });

/** Comments that mention the user or reply to them; local mode has no other users. */
export function useInbox() {
  const isTeam = useSession().data?.mode === 'team';
  return useQuery({
    queryKey: inboxKey,
    queryFn: ({ signal }) => client.getInbox({}, { signal }),
    enabled: isTeam && viewedAs === undefined,
  });
}

/** Fetches the comments on a dashboard and the inbox again. */
export async function refreshComments(dashboard: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: commentsKey(dashboard) }),
    queryClient.invalidateQueries({ queryKey: inboxKey }),
  ]);
}

export const refreshInbox = () => queryClient.invalidateQueries({ queryKey: inboxKey });
