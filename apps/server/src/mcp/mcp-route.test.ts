import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { mountMcp } from './mcp-route.ts';

test('a request of a tool ends once its assistant has left, and has the address and the token of the assistant', async () => {
  const app = Fastify({ trustProxy: 'loopback' });
  mountMcp(app, '1');
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
