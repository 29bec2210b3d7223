import { expect, test } from 'vitest';
import { ActiveOwners } from './active-owners.ts';

test('active owners are those with a query in the last two seconds, each counted once', () => {
  let now = 0;
  const active = new ActiveOwners(() => now);
  active.note('ana');
  now = 1500;
  active.note('ben');
  active.note('ben');
  expect(active.count).toBe(2);
  now = 2500;
  expect(active.count).toBe(1);
  active.note('ana');
  now = 4000;
  expect(active.count).toBe(1);
  now = 5000;
  expect(active.count).toBe(0);
});
