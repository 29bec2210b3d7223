import { useQuery } from '@tanstack/react-query';
import { client } from '../../data/server.ts';

/** The workspace's title, and whether it must be set up first. Fails where there are no accounts. */
export const useSignIn = () =>
  useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => client.getSignIn({}, { signal }),
    staleTime: 0,
  });

/** Loads a page with a new session, so that nothing of the one before stays. */
export const enter = (address: string) => window.location.replace(address);
