import { useQuery } from '@tanstack/react-query';
import { isGuestPage } from '../data/session/guest.ts';
import { client, queryClient, useSession } from '../data/server.ts';
import { viewedAs } from '../data/session/view-as.ts';
import { locale } from '../messages/messages.ts';

const isOffered = () => viewedAs === undefined && !isGuestPage;

/** The alerts that the user may see. Not fetched while viewing as another user. */
export function useAlerts() {
  const isSignedIn = useSession().data !== undefined;
  return useQuery({
    queryKey: ['alerts', 'list'],
    queryFn: ({ signal }) => client.listAlerts({}, { signal }),
    enabled: isSignedIn && isOffered(),
  });
}

export const useAlert = (id: string) =>
  useQuery({
    queryKey: ['alerts', 'one', id],
    queryFn: ({ signal }) => client.getAlert({ params: { id }, query: { language: locale } }, { signal }),
  });

/** The alerts on a dashboard's tiles, with the times in which they fired. */
export const useTileAlerts = (dashboard: string, isOn: boolean) =>
  useQuery({
    queryKey: ['alerts', 'tiles', dashboard],
    queryFn: ({ signal }) => client.listTileAlerts({ params: { id: dashboard } }, { signal }),
    enabled: isOn && isOffered(),
  });

export const refreshAlerts = () => queryClient.invalidateQueries({ queryKey: ['alerts'] });
