import { describe, expect, test, vi } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

/** Node has the Web Locks of browsers. */
const { locks } = navigator;
const next = () => new Promise(resolve => setTimeout(resolve, 0));

describe('requests that run one at a time', () => {
  test('begin once the one before has ended, also with an error', async () => {
    const log: string[] = [];
    const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, i) =>
      oneAtATime(
        'order',
        async () => {
          log.push(`begins ${i}`);
          await promise;
          return i;
        },
        { locks },
      ).catch(() => 'failed'),
    );
    await next();
    expect(log).toEqual(['begins 0']);
    ends[0]!.reject(new Error('no answer'));
    await vi.waitFor(() => expect(log).toEqual(['begins 0', 'begins 1']));
    ends[1]!.resolve();
    ends[2]!.resolve();
    expect(await Promise.all(all)).toEqual(['failed', 1, 2]);
  });

  test('do not wait for one that hangs', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const hanging = Promise.withResolvers<void>();
    void locks.request('hang', () => hanging.promise);
    expect(await oneAtATime('hang', async () => 'ran', { locks })).toBe('ran');
    hanging.resolve();
    vi.restoreAllMocks();
  });

  test.each([
    ['lacks locks', null],
    ['refuses them', { request: () => Promise.reject(new DOMException('opaque origin', 'SecurityError')) }],
  ])('run at once where the browser %s', async (_, given) => {
    expect(await oneAtATime('none', async () => 'ran', { locks: given })).toBe('ran');
  });
});
