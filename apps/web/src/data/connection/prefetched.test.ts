import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchUnlessPrefetched, type PendingPrefetch } from './prefetched.ts';

const path = '/api/v1/dashboards/shops/query';
const post = (body: string, signal?: AbortSignal) => ({ method: 'POST', body, ...(signal && { signal }) });
const text = async (response: Promise<Response>) => (await response).text();
let ahead: PendingPrefetch;
let sent: string[];

beforeEach(() => {
  ahead = {
    path,
    body: 'first',
    response: Promise.resolve(new Response('ahead')),
    controller: new AbortController(),
  };
  sent = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    sent.push(`${input} ${String(init?.body)}`);
    return new Response('sent');
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a prefetched query is not sent, once, whatever other requests were sent before', async () => {
  const send = fetchUnlessPrefetched(ahead);
  expect(await text(send('/api/v1/me', post('first')))).toBe('sent');
  expect(await text(send(path, post('first')))).toBe('ahead');
  expect(await text(send(path, post('first')))).toBe('sent');
  expect(sent).toEqual(['/api/v1/me first', `${path} first`]);
  expect(ahead.controller.signal.aborted).toBe(false);
});

test('a different query cancels the prefetched one', async () => {
  const send = fetchUnlessPrefetched(ahead);
  expect(await text(send(path, post('second')))).toBe('sent');
  expect(ahead.controller.signal.aborted).toBe(true);
  expect(await text(send(path, post('first')))).toBe('sent');
});

test('cancelling a request that uses the prefetched query cancels the query', async () => {
  const controller = new AbortController();
  expect(await text(fetchUnlessPrefetched(ahead)(path, post('first', controller.signal)))).toBe('ahead');
  controller.abort();
  expect(ahead.controller.signal.aborted).toBe(true);
});

test('a page without a prefetched query sends every request', async () => {
  expect(await text(fetchUnlessPrefetched(undefined)(path, post('first')))).toBe('sent');
});
