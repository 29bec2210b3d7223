import { ApiError, type ServerEvent } from '@belvedere/api';
import { useSyncExternalStore } from 'react';
import { viewAsUrl, viewedAs } from './view-as.ts';
import { client, dashboardKey, queryClient } from './server.ts';

/**
 * Fetches what is shown of it again. The library takes a first answer that is on its way for a new one; it
 * may have been given before the change, so it is followed by another.
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

/**
 * Whether the server tells what changes: not now (`lost`), or not before this browser is let in again
 * (`signed-out`).
 */
type ConnectionState = 'live' | 'lost' | 'signed-out';

/**
 * What the page that hears the server tells the browser's other pages; `greeting` is one that begins to
 * listen.
 */
type TabMessage =
  | 'greeting'
  | { readonly state: ConnectionState; readonly answers: boolean }
  | { readonly event: ServerEvent; readonly isReply?: true };

/** Between two tries to be heard, ms, so that not all pages try at once. */
const tryAgainMs = () => 1000 + Math.random() * 5000;

/**
 * Whether the server is heard from, and its events put to use: what changed is fetched again. A browser has
 * six connections to a server, so
 * that its seventh page would wait for ever if each heard by itself: of all that are to be seen one hears for
 * the others (Web Locks), and
 * tells them (a broadcast channel). One that is edited on hears by itself, since it is present for as long as
 * it does; and so does each
 * where a browser has no locks, as it has none for a server of plain HTTP on another machine.
 */
class Connection {
  /** What the server calls this window by. */
  readonly window = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  #state: ConnectionState = 'live';
  /**
   * The server gives what it is asked for, whether or not it tells what changes: there may be more pages than
   * it tells.
   */
  #answers = true;
  /** The workspace's, as it was said last. */
  #revision: number | undefined;
  /** The workspace's when this page was given. */
  readonly #pageRevision = Number(document.documentElement.dataset.revision);
  readonly #together = `belvedere-events ${viewedAs ?? ''}`;
  readonly #channel = 'locks' in navigator ? new BroadcastChannel(this.#together) : undefined;
  /** How it hears now, and what ends that. */
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

  /** Is among those who have something open to change it, until what this returns is called. */
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
  /** Is told whenever the server begins to be heard: what it knew of this window may be gone. */
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
  /** Is told when the server answers again. */
  onAnswer(listener: () => void): () => void {
    this.#answerListeners.add(listener);
    return () => void this.#answerListeners.delete(listener);
  }
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

  /** Hears for all once it is this page's turn. @returns what gives the turn to another */
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

  /** What another page tells. */
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

  /** Hears the server until what this returns is called. */
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
        // One that was refused never tries again by itself.
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
