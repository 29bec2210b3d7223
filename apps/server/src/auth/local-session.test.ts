import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalSessions } from './local-session.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const [minute, hour] = [60_000, 3_600_000];
const opened = () => {
  const sessions = new LocalSessions({ sessionIdleMs: hour, sessionLifeMs: 3 * hour });
  return { sessions, session: sessions.open(sessions.newStartToken())! };
};

test('an address lets in once, and only the newest does', () => {
  const sessions = new LocalSessions({ sessionIdleMs: hour, sessionLifeMs: hour });
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
