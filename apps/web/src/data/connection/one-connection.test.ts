import { describe, expect, test, vi } from 'vitest';
import { overOneConnection } from './one-connection.ts';

/** Node has the Web Locks of browsers. */
const { locks } = navigator;
const isMultiplexed = false;
const next = () => new Promise(resolve => setTimeout(resolve, 5));

/** A server whose answers come when a test says so. */
function slowServer() {
  const requested: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<Response>>();
  const send: typeof fetch = (input, init) => {
    const path = String(input);
    const answer = Promise.withResolvers<Response>();
    requested.push(path);
    answers.set(path, answer);
    init?.signal?.addEventListener('abort', () => answer.reject(init.signal!.reason as Error));
    if (init?.signal?.aborted) answer.reject(init.signal.reason as Error);
    return answer.promise;
  };
  return {
    requested,
    send,
    answer: (path: string, body: BodyInit | null) => answers.get(path)!.resolve(new Response(body)),
  };
}

describe('the requests of frames', () => {
  test('wait until the one before was read to its end', async () => {
    const { requested, send, answer } = slowServer();
    const [one, other] = [send, send].map(each => overOneConnection(each, { isMultiplexed, locks }));
    const first = one!('/a');
    const second = other!('/b');
    await next();
    expect(requested).toEqual(['/a']);
    answer('/a', 'the rows');
    const response = await first;
    await next();
    expect(requested).toEqual(['/a']);
    expect(await response.text()).toBe('the rows');
    await vi.waitFor(() => expect(requested).toEqual(['/a', '/b']));
    answer('/b', null);
    expect((await second).status).toBe(200);
  });

  test.each([
    ['fails', (fail: () => void) => fail()],
    ['is cancelled', (_: () => void, abort: () => void) => abort()],
  ])('go on after one that %s', async (_, end) => {
    const controller = new AbortController();
    const failing = Promise.withResolvers<Response>();
    const { requested, send, answer } = slowServer();
    const one = overOneConnection(
      (_input, init) => {
        init!.signal!.addEventListener('abort', () => failing.reject(new Error('cancelled')));
        return failing.promise;
      },
      { isMultiplexed, locks },
    )('/a', { signal: controller.signal });
    const other = overOneConnection(send, { isMultiplexed, locks })('/b');
    await next();
    end(
      () => failing.reject(new TypeError('no network')),
      () => controller.abort(),
    );
    await expect(one).rejects.toThrow(/no network|cancelled/);
    await vi.waitFor(() => expect(requested).toEqual(['/b']));
    answer('/b', null);
    await other;
  });

  test('go on after one whose answer is not read', async () => {
    const { requested, send, answer } = slowServer();
    const lane = overOneConnection(send, { isMultiplexed, locks });
    const first = lane('/a');
    const second = lane('/b');
    await next();
    answer('/a', 'the rows');
    await (await first).body!.cancel();
    await vi.waitFor(() => expect(requested).toEqual(['/a', '/b']));
    answer('/b', null);
    await second;
  });

  test('pass one that takes long', async () => {
    const { requested, send, answer } = slowServer();
    const lane = overOneConnection(send, { isMultiplexed, locks });
    const slow = lane('/slow');
    const quick = lane('/quick');
    await vi.waitFor(() => expect(requested).toEqual(['/slow', '/quick']), { timeout: 2000 });
    answer('/quick', null);
    await quick;
    answer('/slow', null);
    await slow;
  });

  test('leave the queue when they are cancelled', async () => {
    const { requested, send, answer } = slowServer();
    const lane = overOneConnection(send, { isMultiplexed, locks });
    const controller = new AbortController();
    const first = lane('/a');
    const cancelled = lane('/b', { signal: controller.signal });
    await next();
    controller.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const third = lane('/c');
    answer('/a', null);
    await first;
    await vi.waitFor(() => expect(requested.at(-1)).toBe('/c'));
    answer('/c', null);
    await third;
  });

  test('keep their status and headers', async () => {
    const lane = overOneConnection(
      async () =>
        new Response('{"type":"gone"}', {
          status: 410,
          headers: { 'content-type': 'application/problem+json' },
        }),
      { isMultiplexed, locks },
    );
    const response = await lane('/a');
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      410,
      'application/problem+json',
      { type: 'gone' },
    ]);
  });

  test('never wait over HTTP/2, nor in browsers without locks', async () => {
    for (const options of [{ isMultiplexed: true }, { isMultiplexed, locks: null }]) {
      const { requested, send, answer } = slowServer();
      const lane = overOneConnection(send, options);
      const both = [lane('/a'), lane('/b')];
      await next();
      expect(requested).toEqual(['/a', '/b']);
      for (const path of requested) answer(path, null);
      await Promise.all(both);
    }
  });
});
