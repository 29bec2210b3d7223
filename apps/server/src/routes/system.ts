import type { ServerEvent } from '@belvedere/api';
import type { Engine } from '@belvedere/engine';
import type { Answers } from '../answers/answer-question.ts';
import type { SharedStreams } from '../answers/shared-streams.ts';
import { limits } from '../limits.ts';
import { Presence } from '../presence.ts';
import { ProblemError } from '../problems.ts';
import { plainProblem } from '../workspace/document-texts.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Handlers } from './mount.ts';

const heartbeatMs = 25_000;

export function systemRoutes(store: WorkspaceStore, answers: Answers, streams: SharedStreams, engine: Engine, about: { version: string; isSample: boolean }): Pick<Handlers, 'getSession' | 'getEvents' | 'putPresence' | 'validate' | 'getSystem'> {
  let open = 0;
  const presence = new Presence();
  return {
    getSession: ({ caller: { reads } }) => ({ role: reads === 'everything' ? 'owner' : 'reader', workspace: { title: store.current.title, isSample: about.isSample }, version: about.version, people: reads === 'everything' ? [...store.current.people.keys()] : [] }),

    validate: async ({ body }) => {
      const read = await store.reader.read(body.kind, body.text, `${body.kind}.yaml`);
      return { errors: read.ok ? [] : read.problems.map(plainProblem) };
    },

    getSystem: () => ({
      running: answers.running,
      waiting: answers.waiting,
      executions: answers.executions,
      cacheHits: answers.cache.hits + streams.hits,
      cacheBytes: answers.cache.bytes + streams.bytes,
      restarts: engine.status.restarts,
      rssBytes: process.memoryUsage.rss(),
    }),

    putPresence: ({ params, body: { document, place, isEditing = false } }) => {
      presence.put(params.window, document === undefined ? undefined : { document, isEditing, ...(place !== undefined && { place }) });
      return { windows: document === undefined ? [] : presence.on(document) };
    },

    getEvents: ({ query, reply }) => {
      if (open >= limits.eventStreams) throw new ProblemError('rate-limited', 'Too many pages are open at once.');
      open++;
      reply.hijack();
      const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<string, string>;
      reply.raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' });
      // Were Belvedere started anew, all pages would else ask at once.
      reply.raw.write(`retry: ${Math.round(1000 + Math.random() * 5000)}\n\n`);
      const tell = (event: ServerEvent) => reply.raw.write(`data: ${JSON.stringify(event)}\n\n`);
      tell({ kind: 'workspace', revision: store.current.revision });
      const stop = store.subscribe(tell);
      const stopPresence = presence.subscribe((document, windows) => tell({ kind: 'presence', document, windows }));
      if (query.window) presence.enter(query.window);
      const beat = setInterval(() => reply.raw.write(': still here\n\n'), heartbeatMs);
      reply.raw.on('close', () => {
        open--;
        stop();
        stopPresence();
        if (query.window) presence.leave(query.window);
        clearInterval(beat);
      });
      return reply;
    },
  };
}
