import { ApiError, type ServerEvent } from '@belvedere/api';
import { useSyncExternalStore } from 'react';
import { viewAsUrl, viewedAs } from './view-as.ts';
import { client, dashboardKey, queryClient, tryAgainMs } from './server.ts';

/**
 * Fetches the affected queries again. A response that is on its way may be older than the change, so it is
 * followed by another.
 */
function fetchAgain(queryKey: readonly string[]): void {
  const firstAnswers = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(query => query.state.data === undefined);
  void queryClient.invalidateQueries({ queryKey });
  for (const query of firstAnswers)
    void query.promise
      ?.catch(() => {})
      .then(() => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }));
}

/** Whether changes arrive: temporarily not (`lost`), or not until the user signs in again (`signed-out`). */
type ConnectionState = 'live' | 'lost' | 'signed-out';

/**
 * Messages of the page with the event stream to the browser's other pages; `greeting` is from a page that
 * begins to listen.
 */
type TabMessage =
  | 'greeting'
  | { readonly state: ConnectionState; readonly answers: boolean }
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
  /** The server answers requests even while no events arrive, since only so many pages can have a stream. */
  #answers = true;
  /** The workspace's state from the last event. */
  #revision: number | undefined;
  /** The workspace's when this page was given. */
  readonly #pageRevision = Number(document.documentElement.dataset.revision);
  readonly #together = `belvedere-events ${viewedAs ?? ''}`;
  readonly #channel = 'locks' in navigator ? new BroadcastChannel(this.#together) : undefined;
  /** The current way of listening, and the function that ends it. */
  #way: 'alone' | 'together' | 'not' = 'not';
  #end = () => {};
  #isTelling = false;
  #present = 0;
  readonly #listeners = new Set<() => void>();
  readonly #hearers = new Set<(event: ServerEvent) => void>();
  readonly #openers = new Set<() => void>();
  readonly #answerListeners = new Set<() => void>();

  open(): void {
    if (this.#channel) this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#listen(data);
    document.addEventListener('visibilitychange', () => this.#turn());
    this.#turn();
  }

  /** Registers an open editor until the returned function is called. */
  enter(): () => void {
    this.#present++;
    this.#turn();
    return () => {
      this.#present--;
      this.#turn();
    };
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** Subscribes to the server’s events. @returns ends the subscription */
  listen(hear: (event: ServerEvent) => void): () => void {
    this.#hearers.add(hear);
    return () => void this.#hearers.delete(hear);
  }
  /** Calls back when listening begins, because the server may have forgotten this window. */
  onOpen(open: () => void): () => void {
    this.#openers.add(open);
    return () => void this.#openers.delete(open);
  }
  /** Reconnects at once, for instance after signing in. */
  reopen(): void {
    this.#end();
    this.#way = 'not';
    this.#turn();
  }
  /** Calls back when the server responds again. */
  onAnswer = (listener: () => void): (() => void) => {
    this.#answerListeners.add(listener);
    return () => void this.#answerListeners.delete(listener);
  };
  state = () => this.#state;
  answers = () => this.#answers;

  #turn(): void {
    const way =
      this.#present > 0
        ? 'alone'
        : document.visibilityState === 'hidden'
          ? 'not'
          : this.#channel
            ? 'together'
            : 'alone';
    if (way === this.#way) return;
    this.#end();
    this.#way = way;
    this.#end = way === 'alone' ? this.#stream() : way === 'together' ? this.#hearTogether() : () => {};
  }

  /** Listens for all pages once it has the lock. @returns a function that releases the lock */
  #hearTogether(): () => void {
    const waiting = new AbortController();
    const over = Promise.withResolvers<void>();
    let end = () => {};
    const take = async () => {
      if (waiting.signal.aborted) return;
      this.#isTelling = true;
      end = this.#stream();
      await over.promise;
    };
    navigator.locks.request(this.#together, { signal: waiting.signal }, take).catch(() => {});
    this.#tell('greeting');
    return () => {
      waiting.abort();
      end();
      this.#isTelling = false;
      over.resolve();
    };
  }

  #tell(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  /** A message of another page. */
  #listen(message: TabMessage): void {
    if (message === 'greeting') {
      if (!this.#isTelling || this.#revision === undefined) return;
      this.#tell({ state: this.#state, answers: this.#answers });
      this.#tell({ event: { kind: 'workspace', revision: this.#revision }, isReply: true });
      return;
    }
    if (this.#isTelling || this.#way === 'alone') return;
    if ('state' in message) this.#set(message.state, message.answers);
    else if (!message.isReply || !('revision' in message.event) || message.event.revision !== this.#revision)
      this.#hear(message.event);
  }

  /** Listens to the server until the returned function is called. */
  #stream(): () => void {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const begin = () => {
      source = new EventSource(viewAsUrl(`/api/v1/events?window=${this.window}`));
      source.onopen = () => {
        this.#set('live', true);
        for (const open of this.#openers) open();
      };
      source.onerror = async () => {
        if (this.#state === 'live') this.#set('lost', false);
        // A refused event stream does not reconnect by itself.
        if (source.readyState !== EventSource.CLOSED) return;
        const status = await client.getSession({}).then(
          () => 200,
          (error: unknown) => (error instanceof ApiError ? error.problem.status : undefined),
        );
        if (isOver) return;
        this.#set(status === 401 ? 'signed-out' : 'lost', status !== undefined && status < 500);
        timer = setTimeout(begin, tryAgainMs());
      };
      source.onmessage = message => {
        const event = JSON.parse(message.data as string) as ServerEvent;
        if (this.#isTelling) this.#tell({ event });
        this.#hear(event);
      };
    };
    begin();
    return () => {
      isOver = true;
      clearTimeout(timer);
      source.close();
    };
  }

  #hear(event: ServerEvent): void {
    for (const hear of this.#hearers) hear(event);
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
    // As it was when the page was given, it was so in every answer since. The stream may have been kept
    // waiting longer than they were.
    const isAsGiven =
      this.#revision === undefined && event.kind === 'workspace' && event.revision === this.#pageRevision;
    if (event.kind === 'workspace') this.#revision = event.revision;
    if (!isAsGiven) fetchAgain(queryKey);
    // Their texts are documents of the workspace.
    if (!isAsGiven && event.kind === 'workspace') fetchAgain(['alerts']);
  }

  #set(state: ConnectionState, answers: boolean): void {
    const hasCome = answers && !this.#answers;
    const isNew = state !== this.#state;
    this.#answers = answers;
    this.#state = state;
    if (this.#isTelling && (isNew || hasCome)) this.#tell({ state, answers });
    if (hasCome) for (const listener of this.#answerListeners) listener();
    if (isNew) for (const listener of this.#listeners) listener();
  }
}

export const connection = new Connection();
export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.state);
