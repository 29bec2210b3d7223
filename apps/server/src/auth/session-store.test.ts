import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../state/state-database.ts';
import type { Clock } from '../state/wall-clock.ts';
import { SessionStore } from './session-store.ts';

let folder: string;
let state: StateDatabase;
/** Ten years are a clock that was set wrong; an hour is time that passed. */
let now: { wall: number; elapsed: number; isTrusted: boolean };

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sessions-'));
  state = await openStateDatabase(folder);
  now = { wall: Date.UTC(2026, 0, 1), elapsed: 5_000_000, isTrusted: true };
});
afterEach(async () => {
  state.close();
  await rm(folder, { recursive: true });
});

const [minute, hour] = [60_000, 3_600_000];
const tenYears = 10 * 365 * 24 * hour;
const clock: Clock = { wall: () => now.wall, elapsed: () => now.elapsed, isTrusted: () => now.isTrusted };
const pass = (ms: number) => {
  now.wall += ms;
  now.elapsed += ms;
};
const begin = () => new SessionStore({ sessionIdleMs: hour, sessionLifeMs: 3 * hour }, state, clock);
const kept = () =>
  state.all<{ hash: string; created: number; used: number }>('select hash, created, used from session');
const opened = () => {
  const sessions = begin();
  const session = sessions.open(sessions.newStartToken())!;
  expect(sessions.isValid(session)).toBe(true);
  return { sessions, session };
};

describe('an address', () => {
  test('lets one browser in, and is spent once that browser uses its session', () => {
    const sessions = begin();
    const token = sessions.newStartToken();
    const session = sessions.open(token);
    expect([
      sessions.isValid(session),
      sessions.open(token),
      sessions.open(''),
      sessions.open('made-up'),
    ]).toEqual([true, undefined, undefined, undefined]);
  });

  test('that a preview has opened lets a browser in, and then the preview’s session is none', () => {
    const sessions = begin();
    const token = sessions.newStartToken();
    const [preview, browser] = [sessions.open(token), sessions.open(token)];
    expect([sessions.isValid(browser), sessions.isValid(preview), sessions.open(token)]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(kept()).toHaveLength(1);
  });

  test('that was opened is good for ten minutes; the session that it gave in time may be used later', () => {
    const sessions = begin();
    const token = sessions.newStartToken();
    const session = sessions.open(token);
    pass(10 * minute);
    expect(sessions.open(token)).toBeDefined();
    pass(1);
    expect(sessions.open(token)).toBeUndefined();
    expect(sessions.isValid(session)).toBe(true);
  });

  test('that is printed at the start waits to be opened, once; a fresh one does not', () => {
    const sessions = begin();
    const [start, fresh] = [sessions.newStartToken(), sessions.newFreshToken()];
    pass(hour);
    expect([sessions.open(start) !== undefined, sessions.open(start), sessions.open(fresh)]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  test('spends no other, and only the newest eight fresh ones are good', () => {
    const sessions = begin();
    const start = sessions.newStartToken();
    const fresh = Array.from({ length: 9 }, () => sessions.newFreshToken());
    const good = [start, ...fresh].map(token => sessions.isValid(sessions.open(token)));
    expect(good).toEqual([true, false, ...Array.from({ length: 8 }, () => true)]);
  });

  test('whose session nobody used is kept nowhere', () => {
    const sessions = begin();
    const session = sessions.open(sessions.newStartToken());
    expect(kept()).toEqual([]);
    expect(begin().isValid(session)).toBe(false);
  });
});

test('who is away for longer than the limit signs in anew', () => {
  const { sessions, session } = opened();
  pass(hour);
  expect(sessions.isValid(session)).toBe(true);
  pass(hour + 1);
  expect(sessions.isValid(session)).toBe(false);
  expect(sessions.isValid(session)).toBe(false);
});

test('who stays signs in anew after its whole life', () => {
  const { sessions, session } = opened();
  for (let i = 0; i < 6; i++) {
    pass(30 * minute);
    expect(sessions.isValid(session)).toBe(true);
  }
  pass(1);
  expect(sessions.isValid(session)).toBe(false);
});

test('nobody is let in without a session, or with one that was made up', () => {
  const { sessions } = opened();
  expect([undefined, '', 'made-up'].map(session => sessions.isValid(session))).toEqual([false, false, false]);
});

test('who is signed in stays so when Belvedere is started anew, by the same limits', () => {
  const { sessions, session } = opened();
  pass(50 * minute);
  expect(sessions.isValid(session)).toBe(true);
  expect(begin().isValid(session)).toBe(true);
  // Used after 50 minutes, not at the beginning.
  pass(50 * minute);
  const anew = begin();
  expect(anew.isValid(session)).toBe(true);
  expect([undefined, 'made-up'].map(other => anew.isValid(other))).toEqual([false, false]);
  pass(hour + 1);
  expect(begin().isValid(session)).toBe(false);
  expect(kept()).toEqual([]);
});

test('what is kept of a session lets nobody in', () => {
  const { session } = opened();
  const [only] = kept();
  expect(only!.hash).not.toContain(session);
  expect(begin().isValid(only!.hash)).toBe(false);
});

test('a state database that cannot be written keeps nobody out', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  state.run('pragma query_only = on');
  const { sessions, session } = opened();
  pass(2 * minute);
  expect(sessions.isValid(session)).toBe(true);
});

describe('a clock that is set', () => {
  test.each([tenYears, -tenYears])('by %d ms and back signs nobody out, before or after a restart', ms => {
    const { sessions, session } = opened();
    now.wall += ms;
    now.isTrusted = false;
    expect(sessions.isValid(session)).toBe(true);
    pass(30 * minute);
    expect(sessions.isValid(session)).toBe(true);
    now.wall -= ms;
    expect(sessions.isValid(session)).toBe(true);
    expect(begin().isValid(session)).toBe(true);
  });

  test('keeps no session alive: unused for too long is told by the clock that only goes on', () => {
    const { sessions, session } = opened();
    now.wall -= tenYears;
    now.elapsed += hour + 1;
    expect(sessions.isValid(session)).toBe(false);
    expect(kept()).toEqual([]);
  });

  test('ten years ahead when Belvedere starts refuses a session, deletes nothing, and lets it in once it is right', () => {
    const { session } = opened();
    now.wall += tenYears;
    now.isTrusted = false;
    const anew = begin();
    expect(anew.isValid(session)).toBe(false);
    expect(kept()).toHaveLength(1);
    now.wall -= tenYears;
    expect(anew.isValid(session)).toBe(true);
  });

  test('is put right in what is kept: a session begun ten years too early or too late ends when it should', () => {
    for (const ms of [tenYears, -tenYears]) {
      now.wall += ms;
      const { sessions, session } = opened();
      now.wall -= ms;
      pass(2 * minute);
      expect(sessions.isValid(session)).toBe(true);
      const { created, used } = kept()[0]!;
      expect([now.wall - created, now.wall - used]).toEqual([2 * minute, 0]);
      state.run('delete from session');
    }
  });
});
