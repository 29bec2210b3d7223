import { ApiError, type ServerEvent } from '@belvedere/api';
import { useSyncExternalStore } from 'react';
import { viewAsUrl, viewedAs } from '../session/view-as.ts';
import { client, dashboardKey, queryClient, tryAgainMs } from '../server.ts';

/**
 * Fetches the affected queries again. A response that is under way may be older than the change, so those
 * queries are fetched once more after it.
 */
function fetchAgain(queryKey: readonly string[]): void {
  const initialFetches = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(query => query.state.data === undefined);
  void queryClient.invalidateQueries({ queryKey });
  for (const query of initialFetches)
    void query.promise
      ?.catch(() => {})
      .then(() => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }));
}

/** Whether changes arrive: temporarily not (`lost`), or not until the user signs in again (`signed-out`). */
type ConnectionState = 'live' | 'lost' | 'signed-out';

/**
 * Messages between the pages of a browser: events and states come from the page that has the event stream,
 * `state-request` from a page that begins to listen.
 */
type TabMessage =
  | 'state-request'
  | { readonly state: ConnectionState; readonly isReachable: boolean }
  | { readonly event: ServerEvent; readonly isReply?: true };

/**
 * Listens to the server's events and fetches what changed. A browser has six connections per server, so a
 * seventh page with its own event stream would wait for ever. One visible page listens for the others (Web
 * Locks) and passes events on (a broadcast channel). A page with an editor listens itself, because its
 * presence lasts as long as its stream; and so does each page without Web Locks, which browsers lack over
 * plain HTTP.
 */
class Connection {
  /** The server's ID of this window. */
  readonly window = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  #state: ConnectionState = 'live';
  /** Whether the server responds to requests, even while no events arrive: only six pages can have a stream. */
  #isReachable = true;
  /** The workspace's state from the last event. */
  #revision: number | undefined;
  /** The workspace's revision in the page's bootstrap data. */
  readonly #bootstrapRevision = Number(document.documentElement.dataset.revision);
  readonly #channelName = `belvedere-events ${viewedAs ?? ''}`;
  readonly #channel = 'locks' in navigator ? new BroadcastChannel(this.#channelName) : undefined;
  /** Which stream this page listens to, its own, the browser's shared one or none; and how to leave it. */
  #mode: 'own' | 'shared' | 'off' = 'off';
  #end = () => {};
  #isLeader = false;
  #editors = 0;
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: ServerEvent) => void>();
  readonly #openListeners = new Set<() => void>();
  readonly #reachableListeners = new Set<() => void>();

  open(): void {
    if (this.#channel)
      this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#handleMessage(data);
    document.addEventListener('visibilitychange', () => this.#updateMode());
    this.#updateMode();
  }

  /** Registers an open editor until the returned function is called. */
  registerEditor(): () => void {
    this.#editors++;
    this.#updateMode();
    return () => {
      this.#editors--;
      this.#updateMode();
    };
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** Subscribes to the server’s events. @returns ends the subscription */
  listen(listener: (event: ServerEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => void this.#eventListeners.delete(listener);
  }
  /** Calls back when listening begins, because the server may have forgotten this window. */
  onOpen(listener: () => void): () => void {
    this.#openListeners.add(listener);
    return () => void this.#openListeners.delete(listener);
  }
  /** Reconnects at once, for instance after signing in. */
  reopen(): void {
    this.#end();
    this.#mode = 'off';
    this.#updateMode();
  }
  /** Calls back when the server responds again. */
  onReachable = (listener: () => void): (() => void) => {
    this.#reachableListeners.add(listener);
    return () => void this.#reachableListeners.delete(listener);
  };
  state = () => this.#state;
  isReachable = () => this.#isReachable;

  #updateMode(): void {
    const mode =
      this.#editors > 0
        ? 'own'
        : document.visibilityState === 'hidden'
          ? 'off'
          : this.#channel
            ? 'shared'
            : 'own';
    if (mode === this.#mode) return;
    this.#end();
    this.#mode = mode;
    this.#end = mode === 'own' ? this.#stream() : mode === 'shared' ? this.#shareStream() : () => {};
  }

  /** Holds the browser's only event stream once it has the lock. @returns a function that releases the lock */
  #shareStream(): () => void {
    const request = new AbortController();
    const released = Promise.withResolvers<void>();
    let end = () => {};
    const lead = async () => {
      if (request.signal.aborted) return;
      this.#isLeader = true;
      end = this.#stream();
      await released.promise;
    };
    navigator.locks.request(this.#channelName, { signal: request.signal }, lead).catch(() => {});
    this.#post('state-request');
    return () => {
      request.abort();
      end();
      this.#isLeader = false;
      released.resolve();
    };
  }

  #post(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  /** A message of another page. */
  #handleMessage(message: TabMessage): void {
    if (message === 'state-request') {
      if (!this.#isLeader || this.#revision === undefined) return;
      this.#post({ state: this.#state, isReachable: this.#isReachable });
      this.#post({ event: { kind: 'workspace', revision: this.#revision }, isReply: true });
      return;
    }
    if (this.#isLeader || this.#mode === 'own') return;
    if ('state' in message) this.#setState(message.state, message.isReachable);
    else if (!message.isReply || !('revision' in message.event) || message.event.revision !== this.#revision)
      this.#handleEvent(message.event);
  }

  /** Listens to the server until the returned function is called. */
  #stream(): () => void {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;
    const connect = () => {
      source = new EventSource(viewAsUrl(`/api/v1/events?window=${this.window}`));
      source.onopen = () => {
        this.#setState('live', true);
        for (const listener of this.#openListeners) listener();
      };
      source.onerror = async () => {
        if (this.#state === 'live') this.#setState('lost', false);
        // A refused event stream does not reconnect by itself.
        if (source.readyState !== EventSource.CLOSED) return;
        const status = await client.getSession({}).then(
          () => 200,
          (error: unknown) => (error instanceof ApiError ? error.problem.status : undefined),
        );
        if (isClosed) return;
        this.#setState(status === 401 ? 'signed-out' : 'lost', status !== undefined && status < 500);
        timer = setTimeout(connect, tryAgainMs());
      };
      source.onmessage = message => {
        const event = JSON.parse(message.data as string) as ServerEvent;
        if (this.#isLeader) this.#post({ event });
        this.#handleEvent(event);
      };
    };
    connect();
    return () => {
      isClosed = true;
      clearTimeout(timer);
      source.close();
    };
  }

  #handleEvent(event: ServerEvent): void {
    for (const listener of this.#eventListeners) listener(event);
    if (event.kind === 'draft' || event.kind === 'presence') return;
    if (event.kind === 'access') {
      fetchAgain(['session']);
      fetchAgain(['workspace']);
      return;
    }
    if (event.kind === 'comments') {
      fetchAgain(['comments', event.dashboard]);
      fetchAgain(['inbox']);
      return;
    }
    if (event.kind === 'alert') {
      fetchAgain(['alerts']);
      return;
    }
    const queryKey =
      event.kind === 'workspace'
        ? ['workspace']
        : event.kind === 'notes'
          ? dashboardKey(event.dashboard)
          : ['workspace', 'tables'];
    // The first event repeats the revision of the bootstrap data if nothing has changed since: no response can be
    // older, so nothing is fetched again.
    const isUnchanged =
      this.#revision === undefined &&
      event.kind === 'workspace' &&
      event.revision === this.#bootstrapRevision;
    if (event.kind === 'workspace') this.#revision = event.revision;
    if (!isUnchanged) fetchAgain(queryKey);
    // Alerts are documents of the workspace.
    if (!isUnchanged && event.kind === 'workspace') fetchAgain(['alerts']);
  }

  #setState(state: ConnectionState, isReachable: boolean): void {
    const isBack = isReachable && !this.#isReachable;
    const isNew = state !== this.#state;
    this.#isReachable = isReachable;
    this.#state = state;
    if (this.#isLeader && (isNew || isBack)) this.#post({ state, isReachable });
    if (isBack) for (const listener of this.#reachableListeners) listener();
    if (isNew) for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();
export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.state);
