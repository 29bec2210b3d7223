import { expect, test } from 'vitest';
import { FairScheduler } from './fair-scheduler.ts';

test('a burst of one owner runs over several turns, and others run in the next turn', async () => {
  const scheduler = new FairScheduler(3);
  const order: string[] = [];
  const done = Promise.withResolvers<void>();
  for (let i = 0; i < 10; i++) scheduler.take('burst', () => void order.push(`burst ${i}`));
  scheduler.take('other', () => void order.push('other'));
  scheduler.take('burst', () => done.resolve());
  expect(order).toEqual(['burst 0', 'burst 1', 'burst 2']);
  await done.promise;
  expect(order.indexOf('other')).toBe(4);
  expect(order.filter(one => one !== 'other')).toEqual(Array.from({ length: 10 }, (_, i) => `burst ${i}`));
});
