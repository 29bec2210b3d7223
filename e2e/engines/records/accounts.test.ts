import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Accounts } from '../../../apps/server/src/auth/accounts/accounts.ts';
import { authSchema } from '../../../apps/server/src/auth/accounts/better-auth.ts';
import { BreachedPasswords } from '../../../apps/server/src/auth/passwords/breached-passwords.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import type { SignedIn, Visit } from '../../../apps/server/src/auth/sign-in/sign-in.ts';
import { tokenHash } from '../../../apps/server/src/auth/secrets/token-hash.ts';
import { AuditLog } from '../../../apps/server/src/state/administration/audit-log.ts';
import { Groups } from '../../../apps/server/src/state/accounts/groups.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

const emptyState = stateDatabases();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-accounts-'));
  return () => rm(folder, { recursive: true });
});

const [minute, day] = [60_000, 86_400_000];
const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' };
const bob = { name: 'Bob', email: 'bob@example.org', password: 'staple paper window' };
const commandLine = { label: 'command line', role: 'owner' } as const;

describe.each(stateKinds)('accounts on %s', kind => {
  let database: StateDatabase;
  let accounts: Accounts;
  let now: number;
  let elapsed: number;
  const pass = (ms: number) => {
    now += ms;
    elapsed += ms;
  };
  const start = (breached?: BreachedPasswords) =>
    openAccounts(database, {
      breached,
      limits,
      clock: { wall: () => now, elapsed: () => elapsed, isTrusted: () => true },
      folder,
      port: () => 4600,
    });
  beforeEach(async () => {
    [now, elapsed] = [Date.now(), 5_000_000];
    database = await emptyState(kind, folder);
    accounts = await start();
    return async () => {
      await accounts.sessions.settled();
      await database.close();
    };
  });

  const visit = (from?: SignedIn | string, address = '10.0.0.1'): Visit => ({
    address,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    cookies:
      typeof from === 'string' ? from.split(';')[0] : from?.cookies.map(one => one.split(';')[0]).join('; '),
  });
  const setUp = () => accounts.signUp.setUp({ ...ana, code: accounts.signUp.setupCode! }, visit());
  const sessionOf = async (signedIn: SignedIn) => (await accounts.userOf(visit(signedIn).cookies))!;
  const addBob = async () => {
    const { token } = await accounts.administration.invite(
      { email: bob.email, role: 'viewer', groups: [] },
      commandLine,
    );
    await accounts.signOut(visit(await accounts.signUp.acceptInvitation(token, bob, visit())));
    return accounts.people.findByEmail(bob.email)!;
  };
  const actions = async () =>
    (await accounts.audit.list({ limit: 100 })).map(
      ({ action, outcome, actor, object, detail }) =>
        `${action} ${outcome}: ${actor ?? 'nobody'}${object ? ` on ${object}` : ''}${detail ? ` (${detail})` : ''}`,
    );

  test('have all tables and columns that better-auth expects', async () => {
    const server = createRequire(path.resolve(import.meta.dirname, '../../../apps/server/package.json'));
    const { getMigrations } = (await import(server.resolve('better-auth/db/migration'))) as {
      getMigrations(options: object): Promise<{ toBeCreated: unknown[]; toBeAdded: unknown[] }>;
    };
    const { toBeCreated, toBeAdded } = await getMigrations({
      ...authSchema,
      database: { db: database.db, type: kind === 'SQLite' ? 'sqlite' : 'postgres' },
      emailAndPassword: { enabled: true },
      logger: { disabled: true },
    });
    expect([toBeCreated, toBeAdded]).toEqual([[], []]);
  });

  test('begin with one owner, created with the code that was printed, once', async () => {
    expect(accounts.signUp.needsSetup).toBe(true);
    const code = accounts.signUp.setupCode!;
    expect(code).toMatch(/^([A-Z2-9]{4}-){7}[A-Z2-9]{4}$/);
    await expect(accounts.signUp.setUp({ ...ana, code: 'AAAA-AAAA' }, visit())).rejects.toMatchObject({
      type: 'not-allowed',
      message: expect.not.stringContaining(code) as string,
    });
    const signedIn = await accounts.signUp.setUp({ ...ana, code: code.toLowerCase() }, visit());
    expect(await sessionOf(signedIn)).toMatchObject({ user: { name: 'Ana', role: 'owner' } });
    expect([accounts.signUp.needsSetup, accounts.signUp.setupCode]).toEqual([false, undefined]);
    await expect(accounts.signUp.setUp({ ...bob, code }, visit())).rejects.toMatchObject({
      type: 'not-allowed',
    });
    expect((await start()).signUp.setupCode).toBeUndefined();
    expect(await actions()).toEqual([
      'server.set-up refused: nobody',
      'server.set-up done: Ana (ana@example.org)',
      'server.set-up refused: nobody',
    ]);
  });

  test('two set-ups at once create one owner', async () => {
    const code = accounts.signUp.setupCode!;
    const both = await Promise.allSettled(
      [ana, bob].map(one => accounts.signUp.setUp({ ...one, code }, visit())),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(accounts.people.byId.size).toBe(1);
  });

  test('refuse passwords of a file of breached ones, wherever a password is set', async () => {
    const known = ['four leaked random words', 'another one of them'];
    const hashes = known.map(one => createHash('sha1').update(one).digest('hex').toUpperCase());
    const file = path.join(folder, 'breached.txt');
    await writeFile(
      file,
      hashes
        .toSorted()
        .map(hash => `${hash}:3`)
        .join('\r\n'),
    );
    const breached = await BreachedPasswords.open(file);
    accounts = await start(breached);
    const code = accounts.signUp.setupCode!;
    const [password = ''] = known;
    const refused = {
      type: 'request-invalid',
      message: expect.stringContaining('published in a data breach'),
    };
    await expect(accounts.signUp.setUp({ ...ana, password, code }, visit())).rejects.toMatchObject(refused);
    // The code was not used up, and two requests at once still create one owner.
    const both = await Promise.allSettled([1, 2].map(() => accounts.signUp.setUp({ ...ana, code }, visit())));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { userId } = (both.find(one => one.status === 'fulfilled') as PromiseFulfilledResult<SignedIn>)
      .value;
    const invited = { email: bob.email, role: 'viewer', groups: [] } as const;
    const { token } = await accounts.administration.invite({ ...invited, groups: [] }, commandLine);
    await expect(
      accounts.signUp.acceptInvitation(token, { name: bob.name, password }, visit()),
    ).rejects.toMatchObject(refused);
    const reset = await accounts.administration.createPasswordReset(userId, commandLine);
    await expect(accounts.resetPassword(reset, password, visit())).rejects.toMatchObject(refused);
    const signedIn = await accounts.resetPassword(reset, 'not in the file at all', visit());
    const session = (await accounts.userOf(visit(signedIn).cookies))!;
    await expect(
      accounts.changePassword(
        session,
        { current: 'not in the file at all', next: password },
        visit(signedIn),
      ),
    ).rejects.toMatchObject(refused);
  });

  test('sign in by password, in a new session each time, with only hashes stored', async () => {
    const first = await setUp();
    const second = await accounts.signIn({ ...ana, email: ' Ana@Example.org' }, visit(first));
    const token = /belvedere-4600=([^;]+)/.exec(second.cookies[0]!)![1]!;
    expect(second.cookies[0]).toMatch(
      /^belvedere-4600=\w{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await accounts.userOf(visit(first).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(second).cookies)).toBeDefined();
    const rows = await database.db.selectFrom('session').select('token').execute();
    expect(rows).toEqual([{ token: tokenHash(token) }]);
    expect(await accounts.userOf(`belvedere-4600=${tokenHash(token)}`)).toBeUndefined();
    const [account] = await database.db.selectFrom('account').select('password').execute();
    expect(account!.password).toMatch(/^scrypt:/);
  });

  test('refuse unknown addresses, wrong passwords and disabled accounts with one answer', async () => {
    await setUp();
    const { id } = await addBob();
    await accounts.administration.updateUser(id, { isDisabled: true }, commandLine);
    const attempts = [
      { ...ana, password: 'wrong' },
      { ...ana, email: 'nobody@example.org' },
      { ...ana, email: 'no address' },
      bob,
    ];
    const answers = [];
    for (const one of attempts)
      answers.push(await accounts.signIn(one, visit()).catch((error: unknown) => error));
    for (const answer of answers)
      expect(answer).toMatchObject({
        type: 'not-signed-in',
        message: 'The e-mail address or the password is wrong.',
      });
  });

  test('limit attempts for an account, but not on a device that signed in before', async () => {
    const known = await setUp();
    const wrong = { ...ana, password: 'wrong' };
    for (let i = 0; i < 10; i++)
      await accounts.signIn(wrong, visit(undefined, `10.0.1.${i}`)).catch(() => {});
    await expect(accounts.signIn(ana, visit(undefined, '10.0.2.1'))).rejects.toMatchObject({
      type: 'rate-limited',
      retryAfterSeconds: 900,
    });
    expect(await accounts.userOf(visit(known).cookies)).toBeDefined();
    await accounts.signIn(ana, visit(known, '10.0.2.1'));
    pass(15 * minute);
    await accounts.signIn(ana, visit(undefined, '10.0.2.1'));
  });

  test('limit attempts from an address', async () => {
    await setUp();
    for (let i = 0; i < 59; i++) await accounts.signUp.findInvitation('unknown', visit()).catch(() => {});
    await expect(accounts.signIn(ana, visit())).rejects.toMatchObject({ type: 'rate-limited' });
    await accounts.signIn(ana, visit(undefined, '10.0.0.2'));
  });

  test('end sessions that are idle for seven days or thirty days old, also after a restart', async () => {
    let signedIn = await setUp();
    const isIn = async () => (await accounts.userOf(visit(signedIn).cookies)) !== undefined;
    pass(7 * day);
    expect(await isIn()).toBe(true);
    await accounts.sessions.settled();
    accounts = await start();
    for (let i = 0; i < 7; i++) {
      pass(3 * day);
      expect(await isIn()).toBe(true);
    }
    await accounts.sessions.settled();
    accounts = await start();
    expect(await isIn()).toBe(true);
    pass(2 * day + 1);
    expect(await isIn()).toBe(false);
    signedIn = await accounts.signIn(ana, visit());
    expect(await isIn()).toBe(true);
    pass(7 * day + 1);
    expect(await isIn()).toBe(false);
    await accounts.sessions.settled();
    expect(await database.db.selectFrom('session').select('id').execute()).toEqual([]);
  });

  test('end a session at once when its user signs out, or when the account is disabled', async () => {
    await setUp();
    const { id } = await addBob();
    const [here, there] = [await accounts.signIn(bob, visit()), await accounts.signIn(bob, visit())];
    expect(await accounts.signOut(visit(here))).toMatch(/^belvedere-4600=; Max-Age=0/);
    expect(await accounts.userOf(visit(here).cookies)).toBeUndefined();
    expect(await accounts.userOf(visit(there).cookies)).toBeDefined();
    await accounts.administration.updateUser(id, { isDisabled: true }, commandLine);
    expect(await accounts.userOf(visit(there).cookies)).toBeUndefined();
    await accounts.administration.updateUser(id, { isDisabled: false }, commandLine);
    expect(await accounts.userOf(visit(there).cookies)).toBeUndefined();
    await accounts.signIn(bob, visit());
  });

  test('list the sessions of a user, who can end each of them', async () => {
    await setUp();
    const [here, there] = [await accounts.signIn(ana, visit()), await accounts.signIn(ana, visit())];
    await addBob();
    const other = await sessionOf(await accounts.signIn(bob, visit()));
    const caller = await sessionOf(here);
    const { sessionId } = await sessionOf(there);
    const listed = await accounts.listSessions(caller);
    expect(listed).toHaveLength(3);
    expect(listed.find(({ isCurrent }) => isCurrent)).toMatchObject({
      id: caller.sessionId,
      device: 'Firefox, Linux',
      address: '10.0.0.1',
    });
    await accounts.endSession(caller, sessionId, visit());
    expect(await accounts.userOf(visit(there).cookies)).toBeUndefined();
    await expect(accounts.endSession(caller, other.sessionId, visit())).rejects.toMatchObject({
      type: 'not-found',
    });
  });

  test('end all sessions of a user when an admin signs them out, but not those of an owner', async () => {
    const signedIn = await setUp();
    const { id } = await addBob();
    const both = [await accounts.signIn(bob, visit()), await accounts.signIn(bob, visit())];
    const admin = { label: 'admin', role: 'admin' } as const;
    await accounts.administration.endSessionsOf(id, admin);
    for (const one of both) expect(await accounts.userOf(visit(one).cookies)).toBeUndefined();
    await expect(
      accounts.administration.endSessionsOf((await sessionOf(signedIn)).userId, admin),
    ).rejects.toMatchObject({
      type: 'not-allowed',
    });
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeDefined();
    expect((await actions())[0]).toBe('user.end-sessions done: admin on Bob (bob@example.org)');
    await accounts.signIn(bob, visit());
  });

  test('ask for the password after ten minutes, and give the session a new token', async () => {
    const signedIn = await setUp();
    const caller = await sessionOf(signedIn);
    accounts.requireConfirmation({ session: caller.sessionId });
    pass(10 * minute + 1);
    const needed = { type: 'confirmation-needed' };
    expect(() => accounts.requireConfirmation({ session: caller.sessionId })).toThrow(
      expect.objectContaining(needed),
    );
    expect(() => accounts.requireConfirmation({})).toThrow(expect.objectContaining(needed));
    await expect(accounts.confirm(caller, { password: 'wrong' }, visit())).rejects.toMatchObject({
      type: 'not-allowed',
    });
    const cookie = await accounts.confirm(caller, { password: ana.password }, visit());
    expect((await accounts.userOf(visit(cookie).cookies))?.sessionId).toBe(caller.sessionId);
    accounts.requireConfirmation({ session: caller.sessionId });
    accounts = await start();
    expect(await accounts.userOf(visit(signedIn).cookies)).toBeUndefined();
    expect((await accounts.userOf(visit(cookie).cookies))?.sessionId).toBe(caller.sessionId);
    accounts.requireConfirmation({ session: caller.sessionId });
  });

  test('have access tokens, which are stored as hashes, expire, and survive a restart until then', async () => {
    const signedIn = await setUp();
    const { userId } = await sessionOf(signedIn);
    const { token, secret } = await accounts.tokens.create(
      userId,
      { name: 'nightly', scope: 'read', days: 30 },
      userId,
    );
    const stored = await database.db.selectFrom('access_token').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(stored[0]!.token_hash).toBe(tokenHash(secret));
    const found = () => accounts.tokens.find(`Bearer ${secret}`)?.id;
    pass(minute);
    expect(found()).toBe(token.id);
    await accounts.tokens.settled();
    accounts = await start();
    expect(accounts.tokens.list(userId)).toMatchObject([
      { isExpired: false, usedAt: new Date(now).toISOString() },
    ]);
    expect(accounts.people.find(userId)?.lastSeenAt).toBe(new Date(now).toISOString());
    pass(30 * day - minute - 1);
    expect(found()).toBe(token.id);
    pass(1);
    expect(found()).toBeUndefined();
    expect(accounts.tokens.list(userId)).toMatchObject([{ name: 'nightly', isExpired: true }]);
    await accounts.tokens.settled();
    pass(30 * day);
    await accounts.prune(now);
    expect(accounts.tokens.list(userId)).toEqual([]);
  });

  test('change a password, which ends all other sessions', async () => {
    const [here, there] = [await setUp(), await accounts.signIn(ana, visit())];
    const caller = await sessionOf(here);
    const change = (current: string, next: string) =>
      accounts.changePassword(caller, { current, next }, visit(here));
    await expect(change('wrong', bob.password)).rejects.toMatchObject({ type: 'not-allowed' });
    await expect(change(ana.password, 'short')).rejects.toMatchObject({ type: 'request-invalid' });
    const cookie = await change(ana.password, bob.password);
    expect(await accounts.userOf(visit(cookie).cookies)).toBeDefined();
    expect(await accounts.userOf(visit(there).cookies)).toBeUndefined();
    await expect(accounts.signIn(ana, visit())).rejects.toMatchObject({ type: 'not-signed-in' });
    await accounts.signIn({ ...ana, password: bob.password }, visit());
  });

  test('reset a password once, with a link that replaces earlier ones', async () => {
    await setUp();
    const { id } = await addBob();
    const before = await accounts.signIn(bob, visit());
    const first = await accounts.administration.createPasswordReset(id, commandLine);
    const token = await accounts.administration.createPasswordReset(id, commandLine);
    const reset = (one: string) => accounts.resetPassword(one, 'another long secret', visit());
    await expect(reset(first)).rejects.toMatchObject({ type: 'not-found' });
    const signedIn = await reset(token);
    expect(await sessionOf(signedIn)).toMatchObject({ userId: id });
    expect(await accounts.userOf(visit(before).cookies)).toBeUndefined();
    await expect(reset(token)).rejects.toMatchObject({ type: 'not-found' });
    const late = await accounts.administration.createPasswordReset(id, commandLine);
    pass(day + 1);
    await expect(reset(late)).rejects.toMatchObject({ type: 'not-found' });
    expect(JSON.stringify(await accounts.audit.list({ limit: 100 }))).not.toContain(token);
  });

  test('invite users with a role and groups; each invitation is accepted once', async () => {
    const admin = accounts.actor((await setUp()).userId, visit());
    const group = await accounts.administration.saveGroup(
      'sales',
      { name: 'Sales', attributes: { region: ['eu'] } },
      admin,
    );
    const invite = (email: string) =>
      accounts.administration.invite({ email, role: 'editor', groups: [group.id] }, admin);
    const { token: replaced } = await invite(bob.email);
    const { token } = await invite(bob.email);
    expect(await accounts.administration.openInvitations()).toHaveLength(1);
    await expect(accounts.signUp.findInvitation(replaced, visit())).rejects.toMatchObject({
      type: 'not-found',
    });
    expect(await accounts.signUp.findInvitation(token, visit())).toMatchObject({ email: bob.email });
    await expect(
      accounts.signUp.acceptInvitation(token, { name: 'Bob', password: 'bob@example1' }, visit()),
    ).rejects.toMatchObject({ type: 'request-invalid' });
    const accepted = await Promise.allSettled([
      accounts.signUp.acceptInvitation(token, bob, visit()),
      accounts.signUp.acceptInvitation(token, bob, visit()),
    ]);
    expect(accepted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(accounts.people.findByEmail(bob.email)).toMatchObject({ role: 'editor', groups: ['sales'] });
    await expect(invite(bob.email)).rejects.toMatchObject({ type: 'request-invalid' });
    const { token: old } = await invite('late@example.org');
    pass(7 * day + 1);
    await expect(accounts.signUp.findInvitation(old, visit())).rejects.toMatchObject({ type: 'not-found' });
    const { token: revoked, invitation } = await invite('revoked@example.org');
    await accounts.administration.revokeInvitation(invitation.id, admin);
    await expect(accounts.signUp.acceptInvitation(revoked, bob, visit())).rejects.toMatchObject({
      type: 'not-found',
    });
    await expect(accounts.administration.revokeInvitation(invitation.id, admin)).rejects.toMatchObject({
      type: 'not-found',
    });
  });

  test('share with a new user what their invitation promised, and only that', async () => {
    const { userId } = await setUp();
    const admin = accounts.actor(userId, visit());
    const share = (objectId: string) => ({ objectKind: 'folder', objectId, level: 'view' }) as const;
    const invite = (email: string, folder: string) =>
      accounts.administration.invite({ email, role: 'viewer', groups: [] }, admin, [share(folder)]);
    await invite(bob.email, 'Replaced');
    const { token } = await invite(bob.email, 'Sales');
    await invite('other@example.org', 'Sales');
    const session = await accounts.signUp.acceptInvitation(token, bob, visit());
    const grants = await database.db.selectFrom('access_grant').selectAll().execute();
    expect(grants).toMatchObject([
      {
        subject_kind: 'user',
        subject_id: session.userId,
        object_kind: 'folder',
        object_id: 'Sales',
        level: 'view',
        created_by: userId,
      },
    ]);
    expect(grants).toHaveLength(1);
  });

  test('withdraw the open invitations of a user who is disabled or gets a lower role', async () => {
    await setUp();
    const { id } = await addBob();
    for (const change of [{ role: 'viewer' }, { isDisabled: true }] as const) {
      await accounts.administration.updateUser(id, { role: 'admin', isDisabled: false }, commandLine);
      const bobs = accounts.actor(id, visit());
      const { token } = await accounts.administration.invite(
        { email: 'c@example.org', role: 'admin', groups: [] },
        bobs,
      );
      expect(await accounts.signUp.findInvitation(token, visit())).toMatchObject({ role: 'admin' });
      await accounts.administration.updateUser(id, change, commandLine);
      await expect(accounts.signUp.findInvitation(token, visit())).rejects.toMatchObject({
        type: 'not-found',
      });
    }
  });

  test('keep an owner, and let only owners make or change owners', async () => {
    const { userId } = await setUp();
    const { id } = await addBob();
    const admin = { label: 'admin', role: 'admin' } as const;
    await expect(accounts.administration.updateUser(userId, { role: 'viewer' }, commandLine)).rejects.toThrow(
      'only owner',
    );
    await expect(
      accounts.administration.updateUser(userId, { isDisabled: true }, commandLine),
    ).rejects.toThrow('only owner');
    const refused = { type: 'not-allowed' };
    await expect(accounts.administration.updateUser(id, { role: 'owner' }, admin)).rejects.toMatchObject(
      refused,
    );
    await expect(accounts.administration.updateUser(userId, { role: 'admin' }, admin)).rejects.toMatchObject(
      refused,
    );
    await expect(accounts.administration.createPasswordReset(userId, admin)).rejects.toMatchObject(refused);
    await expect(
      accounts.administration.invite({ email: 'c@example.org', role: 'owner', groups: [] }, admin),
    ).rejects.toMatchObject(refused);
    await accounts.administration.updateUser(id, { role: 'owner' }, commandLine);
    const both = await Promise.allSettled(
      [userId, id].map(one => accounts.administration.updateUser(one, { isDisabled: true }, commandLine)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('nest groups one level deep, and refuse cycles and a second level with words', async () => {
    await setUp();
    const { id } = await addBob();
    const { administration, groups } = accounts;
    const save = (name: string, inner?: readonly string[]) =>
      administration.saveGroup(name, { name, attributes: {}, ...(inner && { groups: inner }) }, commandLine);
    for (const name of ['Europe', 'North', 'Alps']) await save(name);
    await save('Europe', ['North', 'Alps', 'North']);
    await administration.updateUser(id, { groups: ['North', 'Alps'] }, commandLine);
    const listed = async () =>
      Object.fromEntries((await groups.list()).map(one => [one.name, [one.members, one.groups]]));
    const before = { Alps: [1, []], Europe: [1, ['Alps', 'North']], North: [1, []] };
    expect(await listed()).toEqual(before);
    await expect(save('Europe', ['Europe'])).rejects.toThrow('“Europe” cannot contain itself.');
    await expect(save('North', ['Alps'])).rejects.toThrow('“North” is in the group “Europe”');
    await expect(save('North', ['Europe'])).rejects.toThrow('“North” is in the group “Europe”');
    await expect(save('World', ['Europe'])).rejects.toThrow('“Europe” contains groups');
    await expect(save('World', ['gone'])).rejects.toThrow('no longer exists');
    expect(await listed()).toEqual(before);
    // A change that does not name them leaves them.
    await save('Europe');
    expect(await listed()).toEqual(before);
    await administration.removeGroup('North', commandLine);
    expect(await listed()).toEqual({ Alps: [1, []], Europe: [1, ['Alps']] });
    // Two changes at once do not nest groups deeper together.
    for (const name of ['A', 'B', 'C']) await save(name);
    const both = await Promise.allSettled([save('A', ['B']), save('B', ['C'])]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('one level deep') },
    });
    // Changes at once of different groups do not lock each other.
    const [outer, within] = ['G', 'H'].map(letter => Array.from({ length: 8 }, (_, i) => `${letter}${i}`));
    for (const name of [...outer!, ...within!]) await save(name);
    await Promise.all(outer!.map((name, i) => save(name, [within![i]!])));
    expect(await listed()).toMatchObject({ G0: [0, ['H0']], G7: [0, ['H7']] });
  });

  test('give a name to one of several groups that are made at once, and say so of the others', async () => {
    const atOnce = (nameOf: (i: number) => string) =>
      Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          accounts.groups.save(`g${i}-${nameOf(i)}`, { name: nameOf(i), attributes: {} }),
        ),
      );
    // Opens the connections, which would otherwise keep the others apart.
    await atOnce(i => `Group ${i}`);
    const made = await atOnce(() => 'At once');
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          type: 'request-invalid',
          message: expect.stringContaining('“At once” exists already'),
        });
  });

  test('keep groups, their members and attributes, and tell listeners of each change', async () => {
    await setUp();
    const { id } = await addBob();
    let told = 0;
    accounts.people.subscribe(() => void told++);
    await accounts.administration.saveGroup('g1', { name: 'Sales', attributes: {} }, commandLine);
    await accounts.administration.saveGroup('g2', { name: 'Finance', attributes: { level: 3 } }, commandLine);
    await expect(
      accounts.administration.saveGroup('g3', { name: 'Sales', attributes: {} }, commandLine),
    ).rejects.toMatchObject({
      type: 'request-invalid',
    });
    await accounts.administration.updateUser(
      id,
      { groups: ['g1', 'g2'], attributes: { region: 'eu' } },
      commandLine,
    );
    await expect(accounts.administration.updateUser(id, { groups: ['gone'] }, commandLine)).rejects.toThrow(
      'no longer exists',
    );
    expect((await accounts.groups.list()).map(({ name, members }) => [name, members])).toEqual([
      ['Finance', 1],
      ['Sales', 1],
    ]);
    await accounts.administration.saveGroup('g1', { name: 'Selling', attributes: {} }, commandLine);
    await database.db
      .insertInto('access_grant')
      .values({
        subject_kind: 'group',
        subject_id: 'g1',
        object_kind: 'folder',
        object_id: '',
        level: 'view',
        created_by: 'ana',
        at: 'now',
      })
      .execute();
    await accounts.administration.removeGroup('g1', commandLine);
    expect(await database.db.selectFrom('access_grant').selectAll().execute()).toEqual([]);
    expect(accounts.people.find(id)).toMatchObject({ groups: ['g2'], attributes: { region: 'eu' } });
    await expect(new Groups(database).remove('g1')).rejects.toMatchObject({ type: 'not-found' });
    expect(told).toBe(5);
    expect((await actions()).slice(0, 6)).toEqual([
      'group.delete done: command line on Selling',
      'group.update done: command line on Selling (renamed from “Sales”)',
      'user.update done: command line on Bob (bob@example.org) (attributes: region)',
      'user.update done: command line on Bob (bob@example.org) (groups: none → Sales, Finance)',
      'group.create done: command line on Finance (attributes: level)',
      'group.create done: command line on Sales',
    ]);
  });

  test('search the audit log in pages, and forget entries from before a time', async () => {
    const audit = new AuditLog(database);
    for (let i = 0; i < 5; i++)
      await audit.add({ actor: 'Ana_', action: `user.sign-in`, outcome: 'done', object: `n${i}` });
    await audit.add({ actor: 'Bob', action: 'group.delete', outcome: 'failed', detail: '100%' });
    const first = await audit.list({ search: 'ANA_ sign', limit: 3 });
    expect(first.map(({ object }) => object)).toEqual(['n4', 'n3', 'n2']);
    const second = await audit.list({ search: 'ana_', limit: 3, before: first[2]!.id });
    expect(second.map(({ object }) => object)).toEqual(['n1', 'n0']);
    expect(await audit.list({ search: '100%', limit: 9 })).toHaveLength(1);
    const labels = new Map([['angemeldet', ['user.sign-in']]]);
    expect(await audit.list({ search: 'Angemeldet', limit: 9 })).toEqual([]);
    expect(await audit.list({ search: 'Angemeldet ana_', labels, limit: 9 })).toEqual(
      await audit.list({ search: 'ana_', action: 'user.sign-in', limit: 9 }),
    );
    expect(await audit.list({ search: 'a%', limit: 9 })).toEqual([]);
    expect(await audit.list({ action: 'group.delete', limit: 9 })).toHaveLength(1);
    expect(await audit.list({ action: 'user.sign-in', outcome: 'failed', limit: 9 })).toEqual([]);
    expect(await audit.list({ outcome: 'failed', search: 'bob', limit: 9 })).toHaveLength(1);
    expect(await audit.list({ from: first[0]!.at, limit: 9 })).not.toEqual([]);
    expect(await audit.list({ from: new Date(Date.now() + day).toISOString(), limit: 9 })).toEqual([]);
    await audit.prune(new Date(Date.now() - day));
    expect(await audit.list({ limit: 9 })).toHaveLength(6);
    await audit.prune(new Date(Date.now() + day));
    expect(await audit.list({ limit: 9 })).toEqual([]);
  });
});
