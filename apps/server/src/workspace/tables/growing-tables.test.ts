import type { DiscoveredTable } from '@belvedere/engine';
import { expect, test } from 'vitest';
import { GrowingTables, hasGrown } from './growing-tables.ts';

test('a table is imported at once the first time, not during an import, and then after twice its time', () => {
  const tables = new GrowingTables();
  expect(tables.pause('log', 0)).toBe(0);
  const queued = tables.queued('log');
  expect(tables.pause('log', 500)).toBe(Infinity);
  // It waits for others until 1 s.
  expect(tables.ended('log', queued, 1_000, 2_000)).toBe(true);
  expect([2_000, 3_000, 4_000, 9_000].map(now => tables.pause('log', now))).toEqual([2_000, 1_000, 0, 0]);
  expect(tables.pause('other', 2_000)).toBe(0);
});

test('a table that did not grow during its import is not looked at again', () => {
  const tables = new GrowingTables();
  expect(tables.ended('log', tables.queued('log'), 0, 10)).toBe(false);
  expect(tables.ended('log', tables.queued('log'), 100, 110)).toBe(false);
});

test('an import runs on when the one before it, which was cancelled, ends', () => {
  const tables = new GrowingTables();
  const cancelled = tables.queued('log');
  const queued = tables.queued('log');
  expect(tables.ended('log', cancelled, 0, 105)).toBe(false);
  expect(tables.pause('log', 110)).toBe(Infinity);
  expect(tables.ended('log', queued, 100, 200)).toBe(true);
  expect(tables.pause('log', 200)).toBe(200);
});

test('a pause is a minute at most, and a table that has gone is forgotten', () => {
  const tables = new GrowingTables();
  tables.ended('log', tables.queued('log'), 0, 3_600_000);
  expect(tables.pause('log', 3_600_000)).toBe(60_000);
  tables.keep(new Set(['other']));
  expect(tables.pause('log', 3_600_000)).toBe(0);
});

test.each([
  ['more bytes', ['a'], 10, ['a'], 11, true],
  ['another file', ['a'], 10, ['a', 'b'], 11, true],
  ['fewer bytes', ['a'], 10, ['a'], 9, false],
  ['as many bytes', ['a'], 10, ['a'], 10, false],
  ['a file has gone', ['a', 'b'], 10, ['b', 'c'], 90, false],
])('%s: grown is %s', (_, filesBefore, bytesBefore, filesAfter, bytesAfter, expected) => {
  const table = (files: string[], bytes: number) => ({ files, bytes }) as unknown as DiscoveredTable;
  expect(hasGrown(table(filesBefore, bytesBefore), table(filesAfter, bytesAfter))).toBe(expected);
});
