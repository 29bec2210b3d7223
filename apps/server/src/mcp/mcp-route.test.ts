import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { anonymous } from '../access/caller.ts';
import { authenticateRequests, type Guard } from '../auth/authenticate.ts';
import { RateLimits } from '../auth/limits/rate-limits.ts';
import { ToolCalls } from '../auth/tokens/tool-calls.ts';
import { createHttpApp } from '../http/http-app.ts';
import { mountMcp } from './mcp-route.ts';

test('a request of a tool ends once its assistant has left, and has the address and the token of the assistant', async () => {
  const app = Fastify({ trustProxy: 'loopback' });
  mountMcp(app, '1', { rateLimits: undefined, toolCalls: new ToolCalls() }, () => undefined);
  const begun = Promise.withResolvers<unknown>();
  const closed = Promise.withResolvers<void>();
  app.post('/api/v1/models/:name/query', ({ ip, headers }, reply) => {
    reply.raw.on('close', () => closed.resolve());
    begun.resolve([ip, headers.authorization, headers['x-forwarded-for']]);
    return closed.promise;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const gone = new AbortController();
  const call = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer own',
      'x-forwarded-for': '203.0.113.7',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask', arguments: { model: 'orders', measures: ['rows'] } },
    }),
    signal: gone.signal,
  }).then(response => response.text());
  expect(await begun.promise).toEqual(['203.0.113.7', 'Bearer own', undefined]);
  gone.abort();
  await expect(call).rejects.toThrow('aborted');
  await closed.promise;
  await app.close();
});

test('each message counts as a request of its user, also in a batch', async () => {
  const rateLimits = new RateLimits({ read: 5, write: 0, export: 0, upload: 0 }, () => 0);
  const token = { name: 'one', scope: 'read' } as const;
  const guard = {
    hosts: () => new Set(['localhost']),
    identify: async ({ headers }) => (headers.authorization ? { ...anonymous, token } : undefined),
    isTeam: true,
    rateLimits,
    toolCalls: new ToolCalls(),
  } as Partial<Guard> as Guard;
  const app = createHttpApp(guard, {}, undefined);
  authenticateRequests(app, guard);
  mountMcp(app, '1', guard, () => undefined);
  const send = async (messages: number, authorization?: string) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        host: 'localhost',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization !== undefined && { authorization }),
      },
      payload: JSON.stringify(
        Array.from({ length: messages }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      ),
    });
    return statusCode;
  };
  expect([await send(2, 'Bearer x'), await send(3, 'Bearer x'), await send(1, 'Bearer x')]).toEqual([
    200, 200, 429,
  ]);
  const guesses = [];
  for (let i = 0; i < 6; i++) guesses.push(await send(1));
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  await app.close();
});
