import type { FileEngine } from '@belvedere/engine';
import { expect, test } from 'vitest';
import { QueryService } from './query-service.ts';

test.each([
  ['a team, one place is left to others', true, ['ana', 'ana', 'ana', 'ben']],
  ['local mode, the only user has all places', false, ['ana', 'ana', 'ana', 'ana']],
] as const)('of the exports in %s', async (_, isShared, expected) => {
  const { exportQueue } = new QueryService(
    {} as FileEngine,
    { engineOf: () => undefined },
    { cacheBytes: 2 ** 20, runningQueries: 4, isShared },
  );
  const signal = new AbortController().signal;
  const begun: string[] = [];
  for (const user of ['ana', 'ana', 'ana', 'ana', 'ana', 'ben'])
    void exportQueue.run(user, signal, () => {
      begun.push(user);
      return new Promise(() => {});
    });
  await Promise.resolve();
  expect(begun).toEqual(expected);
});
