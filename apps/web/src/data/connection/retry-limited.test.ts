import { ApiError } from '@belvedere/api';
import { expect, test, vi } from 'vitest';
import { withRetryOfReads } from './retry-limited.ts';

const limited = (retryAfterSeconds?: number) =>
  new ApiError({
    type: 'rate-limited',
    title: 'Too many requests',
    status: 429,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

test('a read that exceeds the rate limit is sent again', async () => {
  const queryTiles = vi.fn().mockRejectedValueOnce(limited(0)).mockResolvedValue('result');
  expect(await withRetryOfReads({ queryTiles }).queryTiles({})).toBe('result');
  expect(queryTiles).toHaveBeenCalledTimes(2);
});

test('a change is not sent again, nor a read that failed for another reason', async () => {
  const saveDashboard = vi.fn().mockRejectedValue(limited(0));
  const getSession = vi.fn().mockRejectedValue(limited());
  const client = withRetryOfReads({ saveDashboard, getSession });
  await expect(client.saveDashboard({})).rejects.toThrow('Too many requests');
  await expect(client.getSession({})).rejects.toThrow('Too many requests');
  expect([saveDashboard, getSession].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('a read that is no longer wanted ends its wait', async () => {
  const gone = new AbortController();
  const queryTiles = vi.fn((_: object, options: { readonly signal: AbortSignal }) => {
    setTimeout(() => gone.abort(), 0);
    return Promise.reject(options.signal.aborted ? new Error('sent') : limited(60));
  });
  await expect(
    withRetryOfReads({ queryTiles }).queryTiles({}, { signal: gone.signal }),
  ).rejects.toMatchObject({ name: 'AbortError' });
});
