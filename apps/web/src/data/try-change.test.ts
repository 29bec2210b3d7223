import { ApiError } from '@belvedere/api';
import { expect, test } from 'vitest';
import { tryChange } from './try-change.ts';

test.each([
  [200, undefined, 1],
  [412, 'revision-conflict', 1],
  [404, 'not-found', 1],
  [400, 'request-invalid', 0],
])('after %i %s, a list is fetched %i times', async (status, type, fetched) => {
  const error = type && new ApiError({ type, title: type, status });
  let count = 0;
  const work = async () => {
    if (error) throw error;
  };
  const failed = await tryChange(work, async () => void count++);
  expect([failed, count]).toEqual([error && { error }, fetched]);
});
