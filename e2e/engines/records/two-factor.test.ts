import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../team/sign-in/authenticator-app.ts';
import type { Accounts } from '../../../apps/server/src/auth/accounts/accounts.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import type { SignedIn, Visit } from '../../../apps/server/src/auth/sign-in/sign-in.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/** The second step of signing in, on both databases, with a test clock. */

const emptyState = stateDatabases();
let folder: string;

const minute = 60_000;
const limits = { sessionIdleMs: 7 * 24 * 60 * minute, sessionLifeMs: 30 * 24 * 60 * minute };
const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' };
const bob = { name: 'Bob', email: 'bob@example.org', password: 'staple paper window' };
const commandLine = { label: 'command line', role: 'owner' } as const;
const refused = { type: 'not-allowed' };
const expired = { type: 'not-signed-in' };

describe.each(stateKinds)('two-factor sign-in on %s', kind => {
  let database: StateDatabase;
  let accounts: Accounts;
  let now: number;
  let elapsed: number;
  const pass = (ms: number) => {
    now += ms;
    elapsed += ms;
  };
  const start = () =>
    openAccounts(database, {
      limits,
      clock: { wall: () => now, elapsed: () => elapsed, isTrusted: () => true },
      folder,
      port: () => 4600,
    });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-two-factor-'));
    [now, elapsed] = [1_800_000_000_000, 5_000_000];
    database = await emptyState(kind, folder);
    accounts = await start();
    return async () => {
      await accounts.sessions.settled();
      await database.close();
      await rm(folder, { recursive: true });
    };
  });

  const visit = (from?: SignedIn, address = '10.0.0.1'): Visit => ({
    address,
    userAgent: 'Firefox',
    cookies: from?.cookies.map(one => one.split(';')[0]).join('; '),
  });
  const setUp = () => accounts.signUp.setUp({ ...ana, code: accounts.signUp.setupCode! }, visit());
  const sessionOf = async (signedIn: SignedIn) => (await accounts.userOf(visit(signedIn).cookies))!;
  /** Sets up Ana with an authenticator app. */
  async function withApp() {
    const signedIn = await setUp();
    const caller = await sessionOf(signedIn);
    const { key } = accounts.twoFactor.start(caller, 'Shop');
    const backupCodes = await accounts.twoFactor.enable(caller, codeOf(key, now), visit(signedIn));
    pass(minute);
    return { signedIn, caller, key, backupCodes };
  }
  const addBob = async () => {
    const { token } = await accounts.administration.invite(
      { email: bob.email, role: 'viewer', groups: [] },
      commandLine,
    );
    return accounts.signUp.acceptInvitation(token, bob, visit());
  };
  const signIn = (address?: string) => accounts.signIn(ana, visit(undefined, address));

  test('is on after a code of the new key, not before, and the key is encrypted', async () => {
    const signedIn = await setUp();
    const caller = await sessionOf(signedIn);
    const { key, address } = accounts.twoFactor.start(caller, 'Shop');
    expect(address).toContain(`secret=${key}`);
    await expect(accounts.twoFactor.enable(caller, '000000', visit(signedIn))).rejects.toMatchObject(refused);
    expect((await signIn()).next).toBeUndefined();
    const codes = await accounts.twoFactor.enable(caller, codeOf(key, now), visit(signedIn));
    expect(codes).toHaveLength(10);
    const stored = JSON.stringify([
      await database.db.selectFrom('totp').selectAll().execute(),
      await database.db.selectFrom('backup_code').selectAll().execute(),
    ]);
    for (const secret of [key, ...codes]) expect(stored).not.toContain(secret);
    expect(() => accounts.twoFactor.start(caller, 'Shop')).toThrow('already on');
  });

  test('turning it on ends the other sessions', async () => {
    const signedIn = await setUp();
    const other = await accounts.signIn(ana, visit());
    const caller = await sessionOf(signedIn);
    const { key } = accounts.twoFactor.start(caller, 'Shop');
    await accounts.twoFactor.enable(caller, codeOf(key, now), visit(signedIn));
    expect(await accounts.userOf(visit(other).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeDefined();
  });

  test('turning it off ends the other sessions', async () => {
    const { caller, key, signedIn } = await withApp();
    const other = await accounts.twoFactor.finish(codeOf(key, now), visit(await signIn()));
    pass(30_000);
    const given = { password: ana.password, code: codeOf(key, now) };
    await accounts.twoFactor.disable(caller, given, visit(signedIn));
    expect(await accounts.userOf(visit(other).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeDefined();
  });

  test('begins no session by the password alone, and one by a code, once', async () => {
    const { key } = await withApp();
    const sessions = async () => (await database.db.selectFrom('session').select('id').execute()).length;
    const before = await sessions();
    const pending = await signIn();
    expect(pending.next).toBe('code');
    expect(await sessions()).toBe(before);
    expect(await accounts.userOf(visit(pending).cookies)).toBeUndefined();
    const code = codeOf(key, now);
    const done = await accounts.twoFactor.finish(code, visit(pending));
    expect(await accounts.userOf(visit(done).cookies)).toMatchObject({ user: { name: 'Ana' } });
    await expect(accounts.twoFactor.finish(code, visit(pending))).rejects.toMatchObject(expired);
    // The code of the same time step is not accepted again, in another sign-in either.
    const again = await signIn();
    await expect(accounts.twoFactor.finish(code, visit(again))).rejects.toMatchObject(refused);
    pass(30_000);
    await accounts.twoFactor.finish(codeOf(key, now), visit(again));
  });

  test('two requests at once with one code begin one session', async () => {
    const { key } = await withApp();
    const pending = [await signIn(), await signIn()];
    const both = await Promise.allSettled(
      pending.map(one => accounts.twoFactor.finish(codeOf(key, now), visit(one))),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('accepts a code one step early or late, and no earlier one after it', async () => {
    const { key } = await withApp();
    const finish = async (at: number) => accounts.twoFactor.finish(codeOf(key, at), visit(await signIn()));
    await expect(finish(now + 60_000)).rejects.toMatchObject(refused);
    await expect(finish(now - 60_000)).rejects.toMatchObject(refused);
    await finish(now + 30_000);
    await expect(finish(now)).rejects.toMatchObject(refused);
    await expect(finish(now - 30_000)).rejects.toMatchObject(refused);
  });

  test('takes each backup code once, however it is typed', async () => {
    const { backupCodes } = await withApp();
    const [first, second] = backupCodes as [string, string];
    await accounts.twoFactor.finish(first.toLowerCase().replaceAll('-', ' '), visit(await signIn()));
    await expect(accounts.twoFactor.finish(first, visit(await signIn()))).rejects.toMatchObject(refused);
    const pending = [await signIn(), await signIn()];
    const both = await Promise.allSettled(pending.map(one => accounts.twoFactor.finish(second, visit(one))));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await accounts.twoFactor.countBackupCodes((await signIn()).userId)).toBe(8);
  });

  test('belongs to one browser, for ten minutes, and ends with the password or the account', async () => {
    const { key, signedIn } = await withApp();
    const code = () => codeOf(key, now);
    await signIn();
    await expect(accounts.twoFactor.finish(code(), visit())).rejects.toMatchObject(expired);
    const late = await signIn();
    pass(10 * minute);
    await expect(accounts.twoFactor.finish(code(), visit(late))).rejects.toMatchObject(expired);
    const pending = await signIn();
    const token = await accounts.administration.createPasswordReset(pending.userId, commandLine);
    const reset = await accounts.resetPassword(token, 'eleven tall trees fall', visit());
    expect(reset.next).toBe('code');
    await expect(accounts.twoFactor.finish(code(), visit(pending))).rejects.toMatchObject(expired);
    expect(await accounts.userOf(visit(reset).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeUndefined();
    await accounts.twoFactor.finish(code(), visit(reset));
  });

  test('a disabled account cannot complete its sign-in', async () => {
    const { key } = await withApp();
    const invited = await addBob();
    await accounts.administration.updateUser(invited.userId, { role: 'owner' }, commandLine);
    const pending = await signIn();
    await accounts.administration.updateUser(pending.userId, { isDisabled: true }, commandLine);
    await expect(accounts.twoFactor.finish(codeOf(key, now), visit(pending))).rejects.toMatchObject(expired);
    await accounts.administration.updateUser(pending.userId, { isDisabled: false }, commandLine);
    await expect(accounts.twoFactor.finish(codeOf(key, now), visit(pending))).rejects.toMatchObject(expired);
  });

  test('limits wrong codes for an account, but not on a device that signed in before', async () => {
    const { key, signedIn } = await withApp();
    for (let i = 0; i < 10; i++)
      await expect(
        accounts.twoFactor.finish('000000', visit(await signIn(`10.0.1.${i}`))),
      ).rejects.toMatchObject(refused);
    const limited = { type: 'rate-limited' };
    const stranger = await signIn('10.0.2.1');
    await expect(accounts.twoFactor.finish(codeOf(key, now), visit(stranger))).rejects.toMatchObject(limited);
    const known = visit(signedIn, '10.0.3.1');
    const pending = await accounts.signIn(ana, known);
    const both = { ...known, cookies: `${known.cookies}; ${visit(pending).cookies}` };
    await accounts.twoFactor.finish(codeOf(key, now), both);
    pass(15 * minute);
    await accounts.twoFactor.finish(codeOf(key, now), visit(await signIn()));
  });

  test('is confirmed with the password and a code', async () => {
    const { caller, key, signedIn } = await withApp();
    const at = visit(signedIn);
    const { password } = ana;
    await expect(accounts.confirm(caller, { password }, at)).rejects.toMatchObject(refused);
    await expect(
      accounts.confirm(caller, { password: 'x', code: codeOf(key, now) }, at),
    ).rejects.toMatchObject({
      ...refused,
      errors: [{ path: 'password' }],
    });
    await accounts.confirm(caller, { password, code: codeOf(key, now) }, at);
    pass(10 * minute + 1);
    await expect(
      accounts.changePassword(caller, { current: password, next: 'eleven tall trees fall' }, at),
    ).rejects.toMatchObject({ type: 'confirmation-needed' });
  });

  test('is turned off, and its backup codes renewed, with password and code only', async () => {
    const { caller, key, signedIn, backupCodes } = await withApp();
    const { twoFactor } = accounts;
    const at = visit(signedIn);
    const { password } = ana;
    const code = () => codeOf(key, now);
    for (const given of [
      { password, code: '000000' },
      { password: 'wrong', code: code() },
    ]) {
      await expect(twoFactor.disable(caller, given, at)).rejects.toMatchObject(refused);
      await expect(twoFactor.renewBackupCodes(caller, given, at)).rejects.toMatchObject(refused);
    }
    const renewed = await twoFactor.renewBackupCodes(caller, { password, code: code() }, at);
    expect(renewed).not.toEqual(backupCodes);
    await expect(twoFactor.finish(backupCodes[0]!, visit(await signIn()))).rejects.toMatchObject(refused);
    await twoFactor.disable(caller, { password, code: renewed[0]! }, at);
    expect((await signIn()).next).toBeUndefined();
    expect(await twoFactor.countBackupCodes(caller.userId)).toBe(0);
  });

  test('survives a restart, and without the instance’s secret only backup codes work', async () => {
    const { key, backupCodes } = await withApp();
    accounts = await start();
    await accounts.twoFactor.finish(codeOf(key, now), visit(await signIn()));
    await rm(path.join(folder, 'secrets'), { recursive: true });
    accounts = await start();
    pass(minute);
    await expect(accounts.twoFactor.finish(codeOf(key, now), visit(await signIn()))).rejects.toMatchObject(
      refused,
    );
    await accounts.twoFactor.finish(backupCodes[0]!, visit(await signIn()));
  });

  test('when required, leads users to set it up before there is a session', async () => {
    const { caller, signedIn } = await withApp();
    const first = await addBob();
    const anaActs = accounts.actor(caller.userId, visit());
    await accounts.administration.requireTwoFactor(true, anaActs);
    expect(await accounts.userOf(visit(first).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeDefined();
    const pending = await accounts.signIn(bob, visit());
    expect(pending.next).toBe('set-up');
    expect(await accounts.userOf(visit(pending).cookies)).toBeUndefined();
    await expect(accounts.twoFactor.finish('000000', visit(pending))).rejects.toMatchObject(expired);
    const { key } = accounts.twoFactor.startRequired(visit(pending), 'Shop');
    const { signedIn: done } = await accounts.twoFactor.finishRequired(codeOf(key, now), visit(pending));
    expect(await accounts.userOf(visit(done).cookies)).toMatchObject({ user: { name: 'Bob' } });
    const bobs = await sessionOf(done);
    pass(minute);
    await expect(
      accounts.twoFactor.disable(bobs, { password: bob.password, code: codeOf(key, now) }, visit(done)),
    ).rejects.toMatchObject({ message: expect.stringContaining('requires') as string });
    // A set-up cannot replace a second factor that is on.
    const again = await accounts.signIn(bob, visit());
    expect(again.next).toBe('code');
    expect(() => accounts.twoFactor.startRequired(visit(again), 'Shop')).toThrow('expired');
    // A record that is lost in the database signs nobody in.
    await database.db.deleteFrom('totp').where('user_id', '=', bobs.userId).execute();
    await accounts.people.load();
    expect(await accounts.userOf(visit(done).cookies)).toBeUndefined();
    accounts = await start();
    expect(accounts.settings.requiresTwoFactor).toBe(true);
    expect((await accounts.signIn(bob, visit())).next).toBe('set-up');
  });

  test('is required by an owner who has it, and reset by an admin, but not for an owner', async () => {
    const owner = await setUp();
    const acting = accounts.actor(owner.userId, visit());
    await expect(accounts.administration.requireTwoFactor(true, acting)).rejects.toMatchObject({
      type: 'request-invalid',
    });
    const { userId: bobId } = await addBob();
    const session = await sessionOf(await accounts.signIn(bob, visit()));
    const { key } = accounts.twoFactor.start(session, 'Shop');
    await accounts.twoFactor.enable(session, codeOf(key, now), visit());
    await accounts.administration.updateUser(bobId, { role: 'admin' }, commandLine);
    const admin = accounts.actor(bobId, visit());
    const own = await sessionOf(owner);
    const { key: ownKey } = accounts.twoFactor.start(own, 'Shop');
    await accounts.twoFactor.enable(own, codeOf(ownKey, now), visit());
    await expect(accounts.administration.resetTwoFactor(owner.userId, admin)).rejects.toMatchObject(refused);
    await expect(accounts.administration.resetTwoFactor(bobId, admin)).rejects.toMatchObject({
      type: 'request-invalid',
    });
    await accounts.administration.resetTwoFactor(bobId, acting);
    expect((await accounts.signIn(bob, visit())).next).toBeUndefined();
    const entries = await accounts.audit.list({ limit: 100 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.enable-two-factor', 'user.reset-two-factor']),
    );
    const text = JSON.stringify(entries);
    expect([text.includes(key), text.includes(ana.password)]).toEqual([false, false]);
  });
});
