import { includesLevel, type Level, type ServerEvent } from '@belvedere/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf, type Caller } from '../access/caller.ts';
import { isAuthor, levelOf, type ObjectName } from '../access/may.ts';
import { alertView } from '../alerts/visible-alert.ts';
import { limits } from '../limits.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { EventStreams } from './event-streams.ts';
import type { Presence } from './presence.ts';

/** Comments that keep the connection open, and how often a session is looked at, ms. */
const heartbeatMs = 25_000;
const sessionCheckMs = 4000;

interface Services {
  readonly store: WorkspaceStore;
  readonly presence: Presence;
  readonly open: EventStreams;
  readonly mode: 'local' | 'team';
  /** Called when what callers may see has changed. */
  readonly onAccessChange: (tell: () => void) => () => void;
  /** Returns the caller of an open stream as they are now; undefined if they are signed out. */
  readonly callerNow: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/**
 * Sends the workspace's events to a page for as long as it listens, and only those about what its user may see
 * at that moment. The stream ends within seconds of the session.
 */
export function streamEvents(
  { store, presence, open, mode, onAccessChange, callerNow }: Services,
  {
    query,
    reply,
    request,
    caller: first,
  }: {
    readonly query: { readonly window?: string | undefined };
    readonly reply: FastifyReply;
    readonly request: FastifyRequest;
    readonly caller: Caller;
  },
): FastifyReply {
  let caller = first;
  const end = open.begin(mode === 'team' ? principalOf(request) : (caller.session ?? caller.userId));
  reply.hijack();
  const headers = Object.fromEntries(
    Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  // Without a random delay, all pages would reconnect at once after a restart.
  reply.raw.write(`retry: ${Math.round(1000 + Math.random() * 5000)}\n\n`);
  const send = (text: string) => {
    reply.raw.write(text);
    // A client that does not read is disconnected. It reconnects later and gets the current state.
    if (reply.raw.writableLength > limits.eventBytes) reply.raw.destroy();
  };
  const tell = (event: ServerEvent) => {
    if (maySee(caller, event, store)) send(`data: ${JSON.stringify(event)}\n\n`);
  };
  /** What is shared may change at any time, and a session may end. */
  const refresh = async () => {
    const now = await callerNow(request).catch(() => caller);
    if (!now) return void reply.raw.destroy();
    if (caller.viewingAs === undefined) caller = now;
  };
  tell({ kind: 'workspace', revision: store.current.revision });
  const stops = [
    end,
    store.subscribe(tell),
    presence.subscribe((document, windows) => tell({ kind: 'presence', document, windows })),
    onAccessChange(() => void refresh().then(() => tell({ kind: 'access' }))),
  ];
  const wanted = caller.viewingAs === undefined ? query.window : undefined;
  const window = wanted !== undefined && presence.enter(wanted, caller.userId) ? wanted : undefined;
  const beat = setInterval(() => send(': still here\n\n'), heartbeatMs);
  const check = setInterval(() => void refresh(), sessionCheckMs);
  reply.raw.on('close', () => {
    for (const stop of stops) stop();
    if (window) presence.leave(window);
    clearInterval(beat);
    clearInterval(check);
  });
  return reply;
}

function maySee(caller: Caller, event: ServerEvent, { current }: WorkspaceStore): boolean {
  const may = (object: ObjectName, level: Level) => includesLevel(levelOf(caller, object, current), level);
  switch (event.kind) {
    case 'workspace':
    case 'access':
      return true;
    case 'notes':
    case 'comments':
      return may({ kind: 'dashboard', id: event.dashboard }, 'view');
    case 'draft':
    case 'presence':
      return isAuthor(caller) && may(documentObject(event.document), 'edit');
    case 'alert': {
      const alert = current.alerts.get(event.id);
      return alert !== undefined && alertView(caller, alert, current) !== undefined;
    }
    case 'importing':
      return caller.viewingAs === undefined && may({ kind: 'source', id: 'files' }, 'explore');
  }
}

/** @param document a dashboard's ID, or `model:NAME` */
export function documentObject(document: string): ObjectName {
  return document.startsWith('model:')
    ? { kind: 'model', id: document.slice('model:'.length) }
    : { kind: 'dashboard', id: document };
}
