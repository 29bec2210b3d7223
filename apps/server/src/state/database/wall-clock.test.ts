import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStateDatabase, type StateDatabase } from './state-database.ts';
import { WallClock } from './wall-clock.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const tenYears = 3650 * day;
let folder: string;
let state: StateDatabase;
let now: { wall: number; elapsed: number };
const pass = (ms: number) => (now = { wall: now.wall + ms, elapsed: now.elapsed + ms });
const start = () => WallClock.start(state, { wall: () => now.wall, elapsed: () => now.elapsed });

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-clock-'));
  state = await openStateDatabase({ folder });
  now = { wall: Date.UTC(2026, 0, 1), elapsed: 0 };
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

test('a clock that runs on is trusted, also after a night asleep and a week off', async () => {
  const clock = await start();
  expect(clock.isTrusted()).toBe(true);
  await clock.keep();
  pass(9 * hour);
  expect(clock.isTrusted()).toBe(true);
  now.wall += 7 * day;
  now.elapsed = minute;
  expect((await start()).isTrusted()).toBe(true);
});

test.each([tenYears, -tenYears, 2 * hour])(
  'a clock changed by %d ms is doubted until it has been steady for an hour',
  async ms => {
    const clock = await start();
    now.wall += ms;
    expect(clock.isTrusted()).toBe(false);
    pass(59 * minute);
    expect(clock.isTrusted()).toBe(false);
    pass(minute);
    expect(clock.isTrusted()).toBe(true);
  },
);

test('a machine that boots ten years ahead is doubted, and its times are not recorded', async () => {
  await (await start()).keep();
  now = { wall: now.wall + tenYears, elapsed: 0 };
  const ahead = await start();
  expect(ahead.isTrusted()).toBe(false);
  await ahead.keep();
  now = { wall: now.wall - tenYears + hour, elapsed: minute };
  expect((await start()).isTrusted()).toBe(true);
});
