import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { keyedHash } from '../secrets/local-secret.ts';
import { SessionStore } from './session-store.ts';

let folder: string;
let state: StateDatabase;
/** Ten years are a clock that was set wrong; an hour is time that passed. */
let now: { wall: number; elapsed: number; isTrusted: boolean };

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sessions-'));
  state = await openStateDatabase({ folder });
  now = { wall: Date.UTC(2026, 0, 1), elapsed: 5_000_000, isTrusted: true };
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const [minute, hour] = [60_000, 3_600_000];
const tenYears = 10 * 365 * 24 * hour;
const clock: Clock = { wall: () => now.wall, elapsed: () => now.elapsed, isTrusted: () => now.isTrusted };
const pass = (ms: number) => {
  now.wall += ms;
  now.elapsed += ms;
};
const limits = { sessionIdleMs: hour, sessionLifeMs: 3 * hour };
const secret = 'of this account';
const begun: SessionStore[] = [];
/** As after a restart: with what the runs before have saved. */
const begin = async () => {
  await Promise.all(begun.map(sessions => sessions.settled()));
  const sessions = await SessionStore.open(limits, state, clock, secret);
  begun.push(sessions);
  return sessions;
};
const kept = async () => {
  await Promise.all(begun.map(sessions => sessions.settled()));
  return state.db.selectFrom('local_session').select(['hash', 'created', 'used']).execute();
};
const opened = async () => {
  const sessions = await begin();
  const session = sessions.open(sessions.newStartToken())!;
  expect(sessions.isValid(session)).toBe(true);
  return { sessions, session };
};

test('a session that came with a folder, by an author who knows its token, is not valid', async () => {
  const token = 'known to the author';
  const times = { created: now.wall, used: now.wall };
  const hashes = [
    createHash('sha256').update(token).digest('base64url'),
    keyedHash(token, ''),
    keyedHash(token, 'of another account'),
    token,
  ];
  await state.db
    .insertInto('local_session')
    .values(hashes.map(hash => ({ hash, ...times })))
    .execute();
  expect((await begin()).isValid(token)).toBe(false);
  await state.db
    .insertInto('local_session')
    .values({ hash: keyedHash(token, secret), ...times })
    .execute();
  expect((await begin()).isValid(token)).toBe(true);
});

describe('a sign-in address', () => {
  test('signs one browser in, and expires once that browser uses its session', async () => {
    const sessions = await begin();
    const token = sessions.newStartToken();
    const session = sessions.open(token);
    expect([
      sessions.isValid(session),
      sessions.open(token),
      sessions.open(''),
      sessions.open('made-up'),
    ]).toEqual([true, undefined, undefined, undefined]);
  });

  test('opened by a link preview still signs a browser in, and the preview’s session ends', async () => {
    const sessions = await begin();
    const token = sessions.newStartToken();
    const [preview, browser] = [sessions.open(token), sessions.open(token)];
    expect([sessions.isValid(browser), sessions.isValid(preview), sessions.open(token)]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(await kept()).toHaveLength(1);
  });

  test('expires ten minutes after it is opened; a session created in time works later', async () => {
    const sessions = await begin();
    const token = sessions.newStartToken();
    const session = sessions.open(token);
    pass(10 * minute);
    expect(sessions.open(token)).toBeDefined();
    pass(1);
    expect(sessions.open(token)).toBeUndefined();
    expect(sessions.isValid(session)).toBe(true);
  });

  test('printed at the start stays valid until it is opened, once; a fresh one expires', async () => {
    const sessions = await begin();
    const [start, fresh] = [sessions.newStartToken(), sessions.newFreshToken()];
    pass(hour);
    expect([sessions.open(start) !== undefined, sessions.open(start), sessions.open(fresh)]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  test('does not invalidate others, but only the newest eight fresh ones are valid', async () => {
    const sessions = await begin();
    const start = sessions.newStartToken();
    const fresh = Array.from({ length: 9 }, () => sessions.newFreshToken());
    const good = [start, ...fresh].map(token => sessions.isValid(sessions.open(token)));
    expect(good).toEqual([true, false, ...Array.from({ length: 8 }, () => true)]);
  });

  test('leaves no stored session if its session is never used', async () => {
    const sessions = await begin();
    const session = sessions.open(sessions.newStartToken());
    expect(await kept()).toEqual([]);
    expect((await begin()).isValid(session)).toBe(false);
  });
});

test('an idle session expires at the limit, and its user has to sign in again', async () => {
  const { sessions, session } = await opened();
  pass(hour);
  expect(sessions.isValid(session)).toBe(true);
  pass(hour + 1);
  expect(sessions.isValid(session)).toBe(false);
  expect(sessions.isValid(session)).toBe(false);
});

test('an active session expires at its maximum age', async () => {
  const { sessions, session } = await opened();
  for (let i = 0; i < 6; i++) {
    pass(30 * minute);
    expect(sessions.isValid(session)).toBe(true);
  }
  pass(1);
  expect(sessions.isValid(session)).toBe(false);
});

test('requests without a session, or with an invented one, are refused', async () => {
  const { sessions } = await opened();
  expect([undefined, '', 'made-up'].map(session => sessions.isValid(session))).toEqual([false, false, false]);
});

test('sessions survive a restart, with the same limits', async () => {
  const { sessions, session } = await opened();
  pass(50 * minute);
  expect(sessions.isValid(session)).toBe(true);
  expect((await begin()).isValid(session)).toBe(true);
  // Used after 50 minutes, not at the beginning.
  pass(50 * minute);
  const anew = await begin();
  expect(anew.isValid(session)).toBe(true);
  expect([undefined, 'made-up'].map(other => anew.isValid(other))).toEqual([false, false]);
  pass(hour + 1);
  expect((await begin()).isValid(session)).toBe(false);
  expect(await kept()).toEqual([]);
});

test('the stored form of a session cannot be used to sign in', async () => {
  const { session } = await opened();
  const [only] = await kept();
  expect(only!.hash).not.toContain(session);
  expect((await begin()).isValid(only!.hash)).toBe(false);
});

test('an unwritable state database locks no user out', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await sql`pragma query_only = on`.execute(state.db);
  const { sessions, session } = await opened();
  pass(2 * minute);
  expect(sessions.isValid(session)).toBe(true);
});

describe('a changed system clock', () => {
  test.each([tenYears, -tenYears])(
    'by %d ms and back signs no user out, before or after a restart',
    async ms => {
      const { sessions, session } = await opened();
      now.wall += ms;
      now.isTrusted = false;
      expect(sessions.isValid(session)).toBe(true);
      pass(30 * minute);
      expect(sessions.isValid(session)).toBe(true);
      now.wall -= ms;
      expect(sessions.isValid(session)).toBe(true);
      expect((await begin()).isValid(session)).toBe(true);
    },
  );

  test('keeps no session alive: idle time is measured by the monotonic clock', async () => {
    const { sessions, session } = await opened();
    now.wall -= tenYears;
    now.elapsed += hour + 1;
    expect(sessions.isValid(session)).toBe(false);
    expect(await kept()).toEqual([]);
  });

  test('ten years ahead at the start refuses a session without deleting it, and accepts it once it is right', async () => {
    const { session } = await opened();
    now.wall += tenYears;
    now.isTrusted = false;
    const anew = await begin();
    expect(anew.isValid(session)).toBe(false);
    expect(await kept()).toHaveLength(1);
    now.wall -= tenYears;
    expect(anew.isValid(session)).toBe(true);
  });

  test('is corrected in stored sessions: one begun ten years too early or too late ends when it should', async () => {
    for (const ms of [tenYears, -tenYears]) {
      now.wall += ms;
      const { sessions, session } = await opened();
      now.wall -= ms;
      pass(2 * minute);
      expect(sessions.isValid(session)).toBe(true);
      const { created, used } = (await kept())[0]!;
      expect([now.wall - created, now.wall - used]).toEqual([2 * minute, 0]);
      await state.db.deleteFrom('local_session').execute();
    }
  });
});
