import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { Housekeeping } from './housekeeping.ts';
import { openStateDatabase } from './state/state-database.ts';
import { WallClock } from './state/wall-clock.ts';

test('old records are deleted periodically while Belvedere runs, despite failures, and not while the clock is doubted', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-housekeeping-'));
  const state = await openStateDatabase({ folder });
  const now = { wall: Date.UTC(2026, 0, 1), elapsed: 0 };
  const clock = await WallClock.start(state, { wall: () => now.wall, elapsed: () => now.elapsed });
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const given: number[] = [];
  let isFull = true;
  const deletes = async () => {
    if (isFull) throw new Error('The disk is full');
  };
  const keeping = new Housekeeping(clock, [deletes, async time => void given.push(time)], 5);
  await expect.poll(() => given.length).toBeGreaterThan(2);
  expect(keeping.problem).toBe('The disk is full. Belvedere tries again every hour.');
  isFull = false;
  await expect.poll(() => keeping.problem).toBeUndefined();
  now.wall += 3650 * 86_400_000;
  const before = given.length;
  await new Promise(resolve => setTimeout(resolve, 50));
  // One may have been under way.
  expect(given.length).toBeLessThanOrEqual(before + 1);
  now.elapsed += 3_600_000;
  now.wall += 3_600_000;
  await expect.poll(() => given.at(-1)).toBe(now.wall);
  await keeping.close();
  const after = given.length;
  await new Promise(resolve => setTimeout(resolve, 30));
  expect([given.length, log.mock.calls.length > 0]).toEqual([after, true]);
  log.mockRestore();
  await state.close();
  await rm(folder, { recursive: true });
});
