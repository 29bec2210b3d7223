import { useQuery } from '@tanstack/react-query';
import { client, queryClient, useSession } from '../server.ts';
import { viewedAs } from './view-as.ts';

const key = ['access-requests'];
const refreshedMs = 60_000;

/** Whether users may ask for access, and the requests that this user can answer; in a team only. */
export function useAccessRequests() {
  const isTeam = useSession().data?.mode === 'team';
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.listAccessRequests({}, { signal }),
    enabled: isTeam && viewedAs === undefined,
    // No event tells of new ones.
    refetchInterval: refreshedMs,
  });
}

export const refreshAccessRequests = () => queryClient.invalidateQueries({ queryKey: key });
