import { calendarOf } from '@belvedere/document';
import type { ServerEvent } from '@belvedere/api';
import type { Engine } from '@belvedere/engine';
import type { QueryService } from '../queries/query-service.ts';
import type { StreamCache } from '../queries/stream-cache.ts';
import { limits } from '../limits.ts';
import { EventStreams } from '../event-streams.ts';
import { Presence } from '../presence.ts';
import { plainProblem } from '../workspace/documents/document-repository.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Handlers } from './mount-contract.ts';

const heartbeatMs = 25_000;

export function systemRoutes(
  store: WorkspaceStore,
  answers: QueryService,
  streams: StreamCache,
  engine: Engine,
  about: { version: string; isSample: boolean },
): Pick<Handlers, 'getSession' | 'getEvents' | 'putPresence' | 'validate' | 'getSystem'> {
  const open = new EventStreams();
  const presence = new Presence();
  return {
    getSession: ({ caller: { reads } }) => ({
      role: reads === 'everything' ? 'owner' : 'reader',
      workspace: {
        title: store.current.title,
        isSample: about.isSample,
        timezone: store.current.timezone,
        calendar: calendarOf(store.current.settings),
      },
      version: about.version,
      people: reads === 'everything' ? [...store.current.people.keys()] : [],
    }),

    validate: async ({ body }) => {
      const read = await store.reader.read(body.kind, body.text, `${body.kind}.yaml`);
      return { errors: read.ok ? [] : read.problems.map(plainProblem) };
    },

    getSystem: () => ({
      running: answers.running,
      waiting: answers.waiting,
      executions: answers.executions,
      cacheHits: answers.cache.hits + streams.hits,
      cacheBytes: answers.memory.bytes,
      restarts: engine.status.restarts,
      rssBytes: process.memoryUsage.rss(),
    }),

    putPresence: ({ params, body: { document, position, isEditing = false } }) => {
      presence.put(
        params.window,
        document === undefined
          ? undefined
          : { document, isEditing, ...(position !== undefined && { position }) },
      );
      return { windows: document === undefined ? [] : presence.on(document) };
    },

    getEvents: ({ query, reply, caller }) => {
      const end = open.begin(caller.session ?? caller.name);
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
      // Only authors see events about drafts, windows and imports.
      const isTold = ({ kind }: ServerEvent) =>
        caller.reads === 'everything' || kind === 'workspace' || kind === 'notes';
      const send = (text: string) => {
        reply.raw.write(text);
        // A client that does not read is disconnected. It reconnects later and gets the current state.
        if (reply.raw.writableLength > limits.eventBytes) reply.raw.destroy();
      };
      const tell = (event: ServerEvent) => isTold(event) && send(`data: ${JSON.stringify(event)}\n\n`);
      tell({ kind: 'workspace', revision: store.current.revision });
      const stop = store.subscribe(tell);
      const stopPresence = presence.subscribe((document, windows) =>
        tell({ kind: 'presence', document, windows }),
      );
      const window = caller.reads === 'everything' ? query.window : undefined;
      if (window) presence.enter(window);
      const beat = setInterval(() => send(': still here\n\n'), heartbeatMs);
      reply.raw.on('close', () => {
        end();
        stop();
        stopPresence();
        if (window) presence.leave(window);
        clearInterval(beat);
      });
      return reply;
    },
  };
}
