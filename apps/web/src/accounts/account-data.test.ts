import { expect, test, vi } from 'vitest';
import { jobsQuery } from './account-data.ts';

vi.mock('../data/server.ts', () => ({ client: {}, queryClient: {} }));
vi.mock('./messages/words.ts', () => ({ words: {} }));

test('a list of jobs with several pages takes as many requests as one with a single page', () => {
  const interval = jobsQuery({}).refetchInterval as unknown as (query: object) => number;
  const requestsAMinute = (pages: number) =>
    pages * (60_000 / interval({ state: { data: { pages: Array.from({ length: pages }) } } }));
  expect([1, 2, 5, 40].map(requestsAMinute)).toEqual([20, 20, 20, 20]);
});
