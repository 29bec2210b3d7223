import {
  ApiError,
  createClient,
  bootstrapDataId,
  sharedDashboardId,
  type OpenDashboard,
  type BootstrapData,
  type Session,
} from '@belvedere/api';
import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { readersLanguage } from '../messages/messages.ts';
import { keepOwnData } from './session/browser-data.ts';
import { asGuest, guestSession, isGuestPage, isServerLost } from './session/guest.ts';
import { oneAtATime } from './connection/one-at-a-time.ts';
import { fetchUnlessPrefetched, type PendingPrefetch } from './connection/prefetched.ts';
import { refreshMs } from './dashboards/refresh-interval.ts';
import { withRetryOfReads } from './connection/retry-limited.ts';
import { signedOut, withSignIn } from './session/sign-in-state.ts';
import { viewedAs } from './session/view-as.ts';
import { rememberZone } from './session/own-zone.ts';

export const client = withSignIn(
  withRetryOfReads(
    createClient(
      '',
      asGuest(
        fetchUnlessPrefetched(
          (globalThis as { readonly belvederePrefetch?: PendingPrefetch }).belvederePrefetch,
        ),
      ),
      viewedAs,
    ),
  ),
  () => void reportSignedOut(),
);

/** Only a workspace with accounts has a page to sign in on. */
async function reportSignedOut(): Promise<void> {
  const known = queryClient.getQueryData(session.queryKey)?.mode;
  const isTeam = known
    ? known === 'team'
    : await client.getSignIn({}).then(
        () => true,
        () => false,
      );
  if (isTeam) signedOut.set(true);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
      refetchOnWindowFocus: false,
    },
  },
});

type RelationshipEnds = Parameters<typeof client.countMatches>[0]['body'];

export const dashboardKey = (id: string) => ['workspace', 'dashboard', id];
const list = queryOptions({
  queryKey: ['workspace', 'dashboards'],
  queryFn: ({ signal }) => client.listDashboards({ query: { language: readersLanguage() } }, { signal }),
});
const tables = queryOptions({
  queryKey: ['workspace', 'tables'],
  queryFn: ({ signal }) => client.listTables({}, { signal }),
  enabled: viewedAs === undefined,
});
const session = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => asOwn(await client.getSession({}, { signal })),
});

/** Before anything of this browser is read: it may have had another user. */
function asOwn(session: Session): Session {
  if (session.mode === 'team') keepOwnData(session.user.id);
  rememberZone(session);
  return session;
}

if (isGuestPage) queryClient.setQueryData(session.queryKey, guestSession);

export const useSession = () => useQuery(session);
export const useDashboards = () => useQuery(list);
/** Those with all words of a search in their titles, texts or fields; all of them without one. */
export const useFoundDashboards = (search: string) =>
  useQuery({
    queryKey: ['workspace', 'dashboards', search],
    queryFn: ({ signal }) =>
      client.listDashboards({ query: { language: readersLanguage(), search } }, { signal }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
export const useTrash = () =>
  useQuery({
    queryKey: ['workspace', 'trash'],
    queryFn: ({ signal }) => client.listTrash({}, { signal }),
  });
export const useTables = () => useQuery(tables);
export const useDashboard = (id: string) => useDashboardNamed(id);
/** Like `useDashboard`, and asks again at the dashboard's refresh interval while the page is visible. */
export const useRefreshedDashboard = (id: string) =>
  useQuery({ ...dashboardQuery(id), refetchInterval: ({ state }) => refreshMs(state.data) ?? false });
/** Like `useDashboard`; undefined without a name. */
export const useDashboardNamed = (id: string | undefined) =>
  useQuery({ ...dashboardQuery(id ?? ''), enabled: id !== undefined });
const dashboardQuery = (id: string) =>
  queryOptions({
    queryKey: dashboardKey(id),
    queryFn: async ({ signal }) => {
      // With it comes the user's time zone. Pages have it from the start, but for those viewed as another user.
      if (viewedAs !== undefined) await queryClient.ensureQueryData(session);
      return client.getDashboard({ params: { id }, query: { language: readersLanguage() } }, { signal });
    },
  });
/** The delay between attempts in ms, random so that pages do not try at once. */
export const tryAgainMs = () => 1000 + Math.random() * 5000;

/** The same for all attempts of this page, so that no update of it puts one off. */
const askAgainMs = tryAgainMs();
const guestsAskMs = 20_000;
const sharedKey = dashboardKey(sharedDashboardId);
/**
 * The dashboard of a guest's page, which no events reach. It is fetched regularly, which also shows when its
 * link ends and when the server is there again.
 */
export const useGuestDashboard = () =>
  useQuery({
    queryKey: sharedKey,
    queryFn: ({ signal }) => {
      const get = () =>
        client.getDashboard(
          { params: { id: sharedDashboardId }, query: { language: readersLanguage() } },
          { signal },
        );
      const isFirst = queryClient.getQueryData(sharedKey) === undefined;
      return isFirst ? get() : oneAtATime('belvedere-changes', get);
    },
    refetchInterval: useGuestInterval(),
    refetchOnWindowFocus: 'always',
  });

function useGuestInterval() {
  const isLost = useSyncExternalStore(isServerLost.subscribe, isServerLost.get);
  return ({ state }: { readonly state: { readonly data?: OpenDashboard | undefined } }) =>
    isLost ? askAgainMs : Math.min(guestsAskMs, refreshMs(state.data) ?? guestsAskMs);
}

/** Calls back when the server has answered a guest's page. @returns ends the subscription */
export const onGuestAnswer = (listener: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(event => {
    if (
      event.type === 'updated' &&
      event.action.type === 'success' &&
      event.query.queryKey[2] === sharedKey[2]
    )
      listener();
  });
export const useSources = () =>
  useQuery({
    queryKey: ['workspace', 'sources'],
    queryFn: ({ signal }) => client.listSources({}, { signal }),
  });
export const useSource = (name: string) =>
  useQuery({
    queryKey: ['workspace', 'source', name],
    queryFn: ({ signal }) => client.getSource({ params: { name } }, { signal }),
  });
export const useRelationships = (source: string) =>
  useQuery({
    queryKey: ['workspace', 'relationships', source],
    queryFn: ({ signal }) => client.getRelationships({ params: { name: source } }, { signal }),
    placeholderData: keepPreviousData,
  });
/** How many rows match between columns of two tables of a source. */
export const useMatches = (source: string, ends: RelationshipEnds | undefined) =>
  useQuery({
    queryKey: ['workspace', 'matches', source, ends],
    queryFn: ({ signal }) => client.countMatches({ params: { name: source }, body: ends! }, { signal }),
    enabled: ends !== undefined,
  });
export const useTable = (table: string) =>
  useQuery({
    queryKey: ['workspace', 'table', table],
    queryFn: ({ signal }) => client.getTable({ params: { table } }, { signal }),
  });
export const useTableRows = (table: string) =>
  useQuery({
    queryKey: ['workspace', 'table-rows', table],
    queryFn: ({ signal }) => client.getTableRows({ params: { table }, query: { limit: 50 } }, { signal }),
  });

/**
 * Puts the data of the page into the query cache. It has the user's permissions and language.
 * @returns its dashboard
 */
export function takeBootstrapData(): OpenDashboard | undefined {
  const text = document.getElementById(bootstrapDataId)?.textContent;
  if (!text || viewedAs !== undefined) return undefined;
  const given = JSON.parse(text) as BootstrapData;
  queryClient.setQueryData(session.queryKey, asOwn(given.session));
  if (given.language !== readersLanguage()) return undefined;
  queryClient.setQueryData(list.queryKey, given.dashboards);
  if (given.dashboard) queryClient.setQueryData(dashboardKey(given.dashboard.id), given.dashboard);
  return given.dashboard;
}
