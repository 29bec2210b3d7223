import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { anonymous, rememberCaller } from '../../access/caller.ts';
import { MemoryBudget } from '../../queries/cache/bounded-cache.ts';
import { QueryQueue } from '../../queries/queue/query-queue.ts';
import { StreamCache } from '../../queries/cache/stream-cache.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { mountContract, type Handlers } from './mount-contract.ts';

/** Serves streams of tiles that the test holds up, before the handler or in it. */
async function serve() {
  const app = Fastify({ forceCloseConnections: true });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(rateLimit, { global: false });
  const held = { before: Promise.resolve(), within: Promise.resolve() };
  let calls = 0;
  app.addHook('preHandler', async request => {
    rememberCaller(request, anonymous);
    calls++;
    await held.before;
  });
  const queue = new QueryQueue({ atOnce: 4, perOwner: 1 });
  const listeners = new Set<() => void>();
  const handle = async () => {
    await held.within;
    return { key: crypto.randomUUID(), frames: async function* () {} };
  };
  mountContract(
    app,
    new StreamCache(new MemoryBudget(2 ** 20)),
    () => ({}) as Workspace,
    new Proxy({}, { get: () => handle }) as Handlers,
    {
      streamQueue: queue,
      onAccessChange: listener => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      isStillAllowed: async () => true,
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const send = () => {
    const request = http.request({
      port,
      method: 'POST',
      path: '/api/v1/dashboards/sales/query',
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    request.end(JSON.stringify({ state: { page: 0, filters: {}, selections: {} } }));
    return request;
  };
  return { app, queue, listeners, held, send, calls: () => calls };
}

test.each(['before', 'within'] as const)(
  'a client that leaves %s the handler of its stream keeps no place and no listener',
  async where => {
    const { app, queue, listeners, held, send, calls } = await serve();
    const hold = Promise.withResolvers<void>();
    held[where] = hold.promise;
    const closed = Promise.withResolvers<void>();
    app.server.on('connection', socket => socket.once('close', () => closed.resolve()));
    const request = send();
    await expect.poll(calls).toBe(1);
    request.destroy();
    await closed.promise;
    hold.resolve();
    held[where] = Promise.resolve();
    await new Promise(resolve => setTimeout(resolve, 50));
    expect([queue.running, queue.waiting, listeners.size]).toEqual([0, 0, 0]);
    await app.close();
  },
);
