import { expect, test } from 'vitest';
import { QueryQueues } from './query-queues.ts';

test.each([
  ['a team, one place is left to others', true, ['ana', 'ana', 'ana', 'ben']],
  ['local mode, the only user has all places', false, ['ana', 'ana', 'ana', 'ana']],
] as const)('of the exports in %s', async (_, isShared, expected) => {
  const queues = new QueryQueues(4, isShared);
  const signal = new AbortController().signal;
  const started: string[] = [];
  for (const user of ['ana', 'ana', 'ana', 'ana', 'ana', 'ben'])
    void queues.exports.run(user, signal, () => {
      started.push(user);
      return new Promise(() => {});
    });
  await Promise.resolve();
  expect(started).toEqual(expected);
});

test('a source that is slow does not delay the queries of others', async () => {
  const queues = new QueryQueues(1, false);
  const signal = new AbortController().signal;
  const started: string[] = [];
  for (const source of ['shop', 'shop', 'files', 'visits'])
    void queues.ofSource(source).run('ana', signal, () => {
      started.push(source);
      return new Promise(() => {});
    });
  await Promise.resolve();
  expect(started).toEqual(['shop', 'files', 'visits']);
  expect([queues.running, queues.waiting]).toEqual([3, 1]);
});
