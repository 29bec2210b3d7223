import { expect, test } from 'vitest';
import { ExpiringRecords } from './expiring-records.ts';

const recordsAt = (clock: { now: number }) => new ExpiringRecords<string>(100, 2, () => clock.now);

test('a record is taken once', () => {
  const records = recordsAt({ now: 0 });
  records.set('a', 'first');
  expect([records.get('a'), records.take('a'), records.take('a')]).toEqual(['first', 'first', undefined]);
});

test('a record expires', () => {
  const clock = { now: 0 };
  const records = recordsAt(clock);
  records.set('a', 'first');
  clock.now = 99;
  expect(records.get('a')).toBe('first');
  clock.now = 100;
  expect([records.get('a'), records.take('a')]).toEqual([undefined, undefined]);
});

test('the oldest is forgotten when there are too many', () => {
  const records = recordsAt({ now: 0 });
  for (const key of ['a', 'b', 'a', 'c']) records.set(key, key);
  expect(['a', 'b', 'c'].map(key => records.get(key))).toEqual(['a', undefined, 'c']);
});

test('records are forgotten by what they hold', () => {
  const records = recordsAt({ now: 0 });
  records.set('a', 'mine');
  records.set('b', 'yours');
  records.deleteWhere(value => value === 'mine');
  expect([records.get('a'), records.get('b')]).toEqual([undefined, 'yours']);
});
