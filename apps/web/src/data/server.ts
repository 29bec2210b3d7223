import { ApiError, createClient, pageGivenId, type OpenDashboard, type PageGiven, type ServerEvent } from '@belvedere/api';
import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { readersLanguage } from '../messages/messages.ts';
import { sendUnlessAsked, type OnItsWay } from './ask-ahead.ts';
import { seenAddress, seenAs } from './seen-as.ts';

export const client = createClient('', sendUnlessAsked((globalThis as { readonly belvedereAsked?: OnItsWay }).belvedereAsked), seenAs);

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: Infinity, retry: (count, error) => !(error instanceof ApiError) && count < 2, refetchOnWindowFocus: false } },
});

const dashboardKey = (id: string) => ['workspace', 'dashboard', id];
const list = queryOptions({ queryKey: ['workspace', 'dashboards'], queryFn: ({ signal }) => client.listDashboards({ query: { language: readersLanguage() } }, { signal }) });
const tables = queryOptions({ queryKey: ['workspace', 'tables'], queryFn: ({ signal }) => client.listTables({}, { signal }), enabled: seenAs === undefined });
const session = queryOptions({ queryKey: ['session'], queryFn: ({ signal }) => client.getSession({}, { signal }) });

export const useSession = () => useQuery(session);
export const useDashboards = () => useQuery(list);
/** Those with all words of a search in their titles, texts or fields; all of them without one. */
export const useFoundDashboards = (search: string) => useQuery({ queryKey: ['workspace', 'dashboards', search], queryFn: ({ signal }) => client.listDashboards({ query: { language: readersLanguage(), search } }, { signal }), enabled: search !== '', placeholderData: keepPreviousData });
export const useTables = () => useQuery(tables);
export const useDashboard = (id: string) => useQuery({ queryKey: dashboardKey(id), queryFn: ({ signal }) => client.getDashboard({ params: { id }, query: { language: readersLanguage() } }, { signal }) });
export const useSources = () => useQuery({ queryKey: ['workspace', 'sources'], queryFn: ({ signal }) => client.listSources({}, { signal }) });
export const useSource = (name: string) => useQuery({ queryKey: ['workspace', 'source', name], queryFn: ({ signal }) => client.getSource({ params: { name } }, { signal }) });
export const useTable = (table: string) => useQuery({ queryKey: ['workspace', 'table', table], queryFn: ({ signal }) => client.getTable({ params: { table } }, { signal }) });
export const useTableRows = (table: string) => useQuery({ queryKey: ['workspace', 'table-rows', table], queryFn: ({ signal }) => client.getTableRows({ params: { table }, query: { limit: 50 } }, { signal }) });

/**
 * Takes what came with the page for answered. It is as the reader themselves may see it, and in the language the server takes for theirs.
 * @returns the dashboard that is in it
 */
export function takeGiven(): OpenDashboard | undefined {
  const text = document.getElementById(pageGivenId)?.textContent;
  if (!text || seenAs !== undefined) return undefined;
  const given = JSON.parse(text) as PageGiven;
  queryClient.setQueryData(session.queryKey, given.session);
  if (given.language !== readersLanguage()) return undefined;
  queryClient.setQueryData(list.queryKey, given.dashboards);
  if (given.dashboard) queryClient.setQueryData(dashboardKey(given.dashboard.id), given.dashboard);
  return given.dashboard;
}

/** Fetches what is shown of it again. The library takes a first answer that is on its way for a new one; it may have been given before the change, so it is followed by another. */
function fetchAgain(queryKey: readonly string[]): void {
  const firstAnswers = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }).filter(query => query.state.data === undefined);
  void queryClient.invalidateQueries({ queryKey });
  for (const query of firstAnswers) void query.promise?.catch(() => {}).then(() => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }));
}

/** Whether the server is heard from: not at all (`lost`), or only to say that it does not know this browser (`signed-out`). */
export type ConnectionState = 'live' | 'lost' | 'signed-out';

/** Between two tries to be heard, ms, so that not all pages try at once. */
const tryAgainMs = () => 1000 + Math.random() * 5000;

/** Whether the server is heard from, and its events put to use: what changed is fetched again. */
class Connection {
  /** What the server calls this window by. */
  readonly window = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, '0')).join('');
  #state: ConnectionState = 'live';
  /** The stream has said how the workspace was when it began. */
  #hasBegun = false;
  /** The workspace's when this page was given. */
  readonly #pageRevision = Number(document.documentElement.dataset.revision);
  readonly #listeners = new Set<() => void>();
  readonly #hearers = new Set<(event: ServerEvent) => void>();
  readonly #openers = new Set<() => void>();

  open(): void {
    const source = new EventSource(seenAddress(`/api/events?window=${this.window}`));
    source.onopen = () => {
      this.#set('live');
      for (const open of this.#openers) open();
    };
    source.onerror = () => {
      if (this.#state === 'live') this.#set('lost');
      // One that was refused never tries again by itself.
      if (source.readyState === EventSource.CLOSED) void this.#openAgain();
    };
    source.onmessage = message => {
      const event = JSON.parse(message.data as string) as ServerEvent;
      for (const hear of this.#hearers) hear(event);
      if (event.kind === 'draft' || event.kind === 'presence') return;
      const queryKey = event.kind === 'workspace' ? ['workspace'] : event.kind === 'notes' ? dashboardKey(event.dashboard) : ['workspace', 'tables'];
      // As it was when the page was given, it was so in every answer since. The stream may have been kept waiting longer than they were.
      const isAsGiven = !this.#hasBegun && event.kind === 'workspace' && event.revision === this.#pageRevision;
      this.#hasBegun = true;
      if (!isAsGiven) fetchAgain(queryKey);
    };
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** Hears what the server says, for as long as nobody calls what this returns. */
  listen(hear: (event: ServerEvent) => void): () => void {
    this.#hearers.add(hear);
    return () => void this.#hearers.delete(hear);
  }
  /** Is told whenever the server begins to be heard: what it knew of this window may be gone. */
  onOpen(open: () => void): () => void {
    this.#openers.add(open);
    return () => void this.#openers.delete(open);
  }
  state = () => this.#state;
  isLive = () => this.#state === 'live';

  async #openAgain(): Promise<void> {
    const isSignedOut = await client.getSession({}).then(() => false, (error: unknown) => error instanceof ApiError && error.problem.status === 401);
    this.#set(isSignedOut ? 'signed-out' : 'lost');
    setTimeout(() => this.open(), tryAgainMs());
  }

  #set(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();
export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.state);
