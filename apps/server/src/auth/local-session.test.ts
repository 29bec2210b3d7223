import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../records/state-database.ts';
import { LocalSessions } from './local-session.ts';

let folder: string;
let state: StateDatabase;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sessions-'));
  state = await openStateDatabase(folder);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  state.close();
  await rm(folder, { recursive: true });
});

const [minute, hour] = [60_000, 3_600_000];
const begin = () => new LocalSessions({ sessionIdleMs: hour, sessionLifeMs: 3 * hour }, state);
const opened = () => {
  const sessions = begin();
  return { sessions, session: sessions.open(sessions.newStartToken())! };
};

test('an address lets in once, and only the newest does', () => {
  const sessions = begin();
  const [older, newest] = [sessions.newStartToken(), sessions.newStartToken()];
  expect([sessions.open(older), sessions.open('')]).toEqual([undefined, undefined]);
  expect(sessions.isValid(sessions.open(newest))).toBe(true);
  expect(sessions.open(newest)).toBeUndefined();
});

test('who is away for longer than the limit signs in anew', () => {
  const { sessions, session } = opened();
  vi.advanceTimersByTime(hour);
  expect(sessions.isValid(session)).toBe(true);
  vi.advanceTimersByTime(hour + 1);
  expect(sessions.isValid(session)).toBe(false);
  expect(sessions.isValid(session)).toBe(false);
});

test('who stays signs in anew after its whole life', () => {
  const { sessions, session } = opened();
  for (let i = 0; i < 6; i++) {
    vi.advanceTimersByTime(30 * minute);
    expect(sessions.isValid(session)).toBe(true);
  }
  vi.advanceTimersByTime(1);
  expect(sessions.isValid(session)).toBe(false);
});

test('nobody is let in without a session, or with one that was made up', () => {
  const { sessions } = opened();
  expect([undefined, '', 'made-up'].map(session => sessions.isValid(session))).toEqual([false, false, false]);
});

test('who is signed in stays so when Belvedere is started anew, by the same limits', () => {
  const { sessions, session } = opened();
  vi.advanceTimersByTime(50 * minute);
  expect(sessions.isValid(session)).toBe(true);
  expect(begin().isValid(session)).toBe(true);
  // Used after 50 minutes, not at the beginning.
  vi.advanceTimersByTime(50 * minute);
  const anew = begin();
  expect(anew.isValid(session)).toBe(true);
  expect([undefined, 'made-up'].map(other => anew.isValid(other))).toEqual([false, false]);
  vi.advanceTimersByTime(hour + 1);
  expect(begin().isValid(session)).toBe(false);
  expect(state.sql.prepare('select count(*) as count from session').get()).toEqual({ count: 0 });
});

test('what is kept of a session lets nobody in', () => {
  const { session } = opened();
  const [kept] = state.sql.prepare('select hash from session').all() as unknown as { readonly hash: string }[];
  expect(kept!.hash).not.toContain(session);
  expect(begin().isValid(kept!.hash)).toBe(false);
});

test('a state database that cannot be written keeps nobody out', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  state.sql.exec('pragma query_only = on');
  const { sessions, session } = opened();
  vi.advanceTimersByTime(2 * minute);
  expect(sessions.isValid(session)).toBe(true);
});
