import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Housekeeping } from './housekeeping.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import { openHousekeeping } from '../services/open-housekeeping.ts';
import { openStateDatabase } from '../state/database/state-database.ts';
import { WallClock } from '../state/database/wall-clock.ts';

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
  const tasks = [
    { name: 'uploads', run: deletes },
    { name: 'links', run: async (time: number) => void given.push(time) },
  ];
  const keeping = new Housekeeping(clock, tasks, { periodMs: 5 });
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

describe('the job of the clean-up', () => {
  const open = async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-clean-up-'));
    const state = await openStateDatabase({ folder });
    const now = { wall: Date.UTC(2026, 0, 1, 0, 30), elapsed: 0 };
    const clock = await WallClock.start(state, { wall: () => now.wall, elapsed: () => now.elapsed });
    const jobs = openJobs({ state, clock, isAlone: true });
    const prune = vi.fn<(time: number) => Promise<void>>(async () => {});
    const parts = { clock, jobs, uploads: { removeAbandoned: prune } };
    const none = { prune: async () => {} };
    const housekeeping = await openHousekeeping({
      ...parts,
      trash: none,
      dashboards: none,
      accounts: undefined,
      links: undefined,
      records: undefined,
      accessRequests: undefined,
      inbox: none,
      alertStates: none,
      deliveries: { ...none, recover: async () => {} },
      reports: none,
      retention: () => undefined,
    });
    const list = () => jobs.records.list({ kind: 'clean-up' }, 10);
    const close = async () => {
      await housekeeping.close();
      await jobs.close();
      await state.close();
      await rm(folder, { recursive: true });
    };
    return { now, jobs, prune, housekeeping, list, close };
  };

  test('runs at start and every hour, says so in words that pages translate, and cannot be paused', async () => {
    const { now, jobs, prune, list, close } = await open();
    await jobs.runner.runDue();
    now.wall += 3_600_000;
    now.elapsed += 3_600_000;
    await jobs.scheduler.tick();
    await jobs.runner.runDue();
    expect(prune).toHaveBeenCalledTimes(2);
    const ran = await list();
    expect(ran.map(({ state, object, detail }) => [state, object, detail])).toEqual([
      ['done', 'workspace', 'Expired data deleted'],
      ['done', 'workspace', 'Expired data deleted'],
    ]);
    expect(jobs.runner.canPause('clean-up')).toBe(false);
    await close();
  });

  test('lists why a task failed, and tries again', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { now, jobs, prune, housekeeping, list, close } = await open();
    prune.mockRejectedValueOnce(new Error('The disk is full'));
    await jobs.runner.runDue();
    expect(await list()).toMatchObject([
      { state: 'queued', attempt: 1, error: 'uploads: The disk is full.' },
    ]);
    expect(housekeeping.problem).toContain('The disk is full');
    now.wall += 600_000;
    now.elapsed += 600_000;
    await jobs.runner.runDue();
    expect(await list()).toMatchObject([{ state: 'done' }]);
    expect(housekeeping.problem).toBeUndefined();
    log.mockRestore();
    await close();
  });

  test('is not needed for the clean-up: where no job runs, the work is done without one', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-clean-up-'));
    const state = await openStateDatabase({ folder });
    const clock = await WallClock.start(state);
    const run = vi.fn<() => Promise<void>>(async () => {});
    const keeping = new Housekeeping(clock, [{ name: 'uploads', run }], { periodMs: 1, waitsForJobMs: 20 });
    expect(run).not.toHaveBeenCalled();
    await expect.poll(() => run.mock.calls.length).toBeGreaterThan(1);
    await keeping.close();
    await state.close();
    await rm(folder, { recursive: true });
  });
});
