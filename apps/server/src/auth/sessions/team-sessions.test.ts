import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../../state/database/state-database.ts';
import { TeamSessions } from './team-sessions.ts';
import { tokenHash } from '../secrets/token-hash.ts';
import { addAna } from '../accounts/user-fixture.ts';

let folder: string;
let state: StateDatabase;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sessions-'));
  state = await openStateDatabase({ folder });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await state.close();
  await rm(folder, { recursive: true });
});

const at = '2026-01-01T00:00:00.000Z';
const clock = { wall: () => Date.parse(at), elapsed: () => 0, isTrusted: () => true };
/** A session of Ana with the token `first`. */
async function addSession(): Promise<void> {
  await addAna(state, at);
  await state.db
    .insertInto('session')
    .values({
      id: 's',
      user_id: 'ana',
      token: tokenHash('first'),
      created_at: at,
      updated_at: at,
      expires_at: at,
    })
    .execute();
}

const limits = { sessionIdleMs: 3_600_000, sessionLifeMs: 3_600_000 };

test('a session is found by its ID after its token was replaced, until it ends', async () => {
  await addSession();
  const sessions = new TeamSessions(state, clock, limits);
  expect(await sessions.find('first')).toMatchObject({ id: 's' });
  await sessions.confirm('s');
  vi.advanceTimersByTime(60_000);
  expect(await sessions.find('first')).toBeUndefined();
  expect(await sessions.findById('s')).toMatchObject({ id: 's', userId: 'ana' });
  // As at another server, which has not seen the new token yet.
  expect(await new TeamSessions(state, clock, limits).findById('s')).toMatchObject({ userId: 'ana' });
  await sessions.end('s');
  expect(await sessions.findById('s')).toBeUndefined();
});

test('sessions that have expired are forgotten, so that other servers’ changes are not looked for in them', async () => {
  let elapsed = 0;
  const moving = { ...clock, wall: () => Date.parse(at) + elapsed, elapsed: () => elapsed };
  await addSession();
  const sessions = new TeamSessions(state, moving, limits);
  let ended = 0;
  sessions.subscribe(() => ended++);
  expect(await sessions.find('first')).toMatchObject({ id: 's' });
  elapsed = limits.sessionLifeMs + 1;
  await sessions.prune(moving.wall());
  // The session has gone from the database, and no listener is called for it.
  await sessions.followOthers();
  await sessions.settled();
  expect(ended).toBe(0);
});
