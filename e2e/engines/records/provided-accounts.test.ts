import type { SignInProvider } from '@belvedere/document';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { groupsOf } from '../../../apps/server/src/access/groups-of.ts';
import type { Accounts } from '../../../apps/server/src/auth/accounts/accounts.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { ProvidedAccounts } from '../../../apps/server/src/auth/providers/provided-accounts.ts';
import { EmailChanges } from '../../../apps/server/src/state/accounts/email-changes.ts';
import { Identities } from '../../../apps/server/src/state/accounts/identities.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { codeOf } from '../../team/sign-in/authenticator-app.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/** Accounts of users identified by sign-in providers, on both state databases. */

const emptyState = stateDatabases();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-provided-'));
  return () => rm(folder, { recursive: true });
});

const day = 86_400_000;
const commandLine = { label: 'command line', role: 'owner' } as const;
const visit = { address: '10.0.0.1', userAgent: '', cookies: undefined };
const provider: SignInProvider = {
  id: 'company',
  name: 'Company',
  issuer: 'https://login.example.org',
  clientId: 'belvedere',
  createAccounts: true,
  domains: ['example.org'],
};

describe.each(stateKinds)('accounts of a provider on %s', kind => {
  let database: StateDatabase;
  let accounts: Accounts;
  let provided: ProvidedAccounts;
  let identities: Identities;

  beforeEach(async () => {
    database = await emptyState(kind, folder);
    accounts = await openAccounts(database, {
      limits: { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day },
      clock: { wall: () => Date.now(), elapsed: () => performance.now(), isTrusted: () => true },
      folder,
      port: () => 4600,
    });
    identities = new Identities(database);
    provided = new ProvidedAccounts({ accounts, state: database, identities, now: () => new Date() });
    await accounts.signUp.setUp(
      {
        code: accounts.signUp.setupCode!,
        name: 'Olga',
        email: 'olga@example.org',
        password: 'correct horse battery',
      },
      visit,
    );
    return async () => {
      await accounts.sessions.settled();
      await database.close();
    };
  });

  const identified = (subject: string, claims: object = {}) => ({
    issuer: provider.issuer,
    subject,
    claims: { email: `${subject}@example.org`, email_verified: true, name: subject, ...claims },
  });
  const signIn = (subject: string, claims?: object, rules: Partial<SignInProvider> = {}) =>
    provided.accountOf(identified(subject, claims), { ...provider, ...rules });

  test('are created once, and found by issuer and subject', async () => {
    const id = await signIn('ana');
    expect(accounts.people.find(id)).toMatchObject({ name: 'ana', email: 'ana@example.org', role: 'viewer' });
    expect(await identities.hasPassword(id)).toBe(false);
    expect(await signIn('ana', { email: 'other@example.org' })).toBe(id);
    expect((await identities.of(id)).map(({ email }) => email)).toEqual(['other@example.org']);
    const elsewhere = { ...identified('ana'), issuer: 'https://elsewhere.example.org' };
    // The address connects it; the same subject of another issuer is another identity.
    expect(await provided.accountOf(elsewhere, provider)).toBe(id);
    expect(await identities.of(id)).toHaveLength(2);
  });

  test('need no second factor here where one is required, but a password of theirs does', async () => {
    const id = await signIn('ana');
    const cookies = (all: readonly string[]) => all.map(one => one.split(';')[0]).join('; ');
    const enter = async () =>
      cookies((await accounts.enter(id, visit, { action: 'user.sign-in', isConfirmed: true })).cookies);
    const before = await enter();
    await accounts.administration.requireTwoFactor(true, commandLine);
    expect(await accounts.userOf(before)).toBeUndefined();
    expect((await accounts.userOf(await enter()))?.userId).toBe(id);
    const token = await accounts.administration.createPasswordReset(id, commandLine);
    const reset = await accounts.resetPassword(token, 'staple paper window', visit);
    expect(reset.next).toBe('set-up');
    expect(await accounts.userOf(cookies(reset.cookies))).toBeUndefined();
  });

  test('are not connected by their address to one that has a second factor', async () => {
    const { token } = await accounts.administration.invite(
      { email: 'ben@example.org', role: 'viewer', groups: [] },
      commandLine,
    );
    const joined = await accounts.signUp.acceptInvitation(
      token,
      { name: 'Ben', password: 'staple paper window' },
      visit,
    );
    const cookies = joined.cookies.map(one => one.split(';')[0]).join('; ');
    const session = (await accounts.userOf(cookies))!;
    const { key } = accounts.twoFactor.start(session, 'Test');
    await accounts.twoFactor.enable(session, codeOf(key), visit);
    await expect(signIn('ben')).rejects.toMatchObject({ refusal: 'connect-first' });
    expect(await identities.of(session.userId)).toEqual([]);
  });

  test('are one, when two sign-ins create them at once', async () => {
    const both = await Promise.allSettled([signIn('ana'), signIn('ana')]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    await accounts.people.load();
    expect([...accounts.people.byId.values()].map(({ email }) => email).toSorted()).toEqual([
      'ana@example.org',
      'olga@example.org',
    ]);
    const id = await signIn('ana');
    expect(await identities.of(id)).toHaveLength(1);
  });

  test('belong to their identity, whatever was invited under its new address', async () => {
    await accounts.administration.invite(
      { email: 'ben@example.org', role: 'editor', groups: [] },
      commandLine,
    );
    await database.db
      .insertInto('provider_identity')
      .values({
        id: 'x',
        issuer: provider.issuer,
        subject: 'taken',
        user_id: accounts.people.findByEmail('olga@example.org')!.id,
        provider: 'company',
        email: null,
        created_at: '',
        used_at: '',
      })
      .execute();
    const taken = { ...identified('taken', { email: 'ben@example.org' }) };
    // Olga's identity: it never creates an account for the address that it has now.
    expect(await provided.accountOf(taken, provider)).toBe(
      accounts.people.findByEmail('olga@example.org')!.id,
    );
    expect(await accounts.administration.openInvitations()).toHaveLength(1);
  });

  test('use up an invitation, with its role and groups', async () => {
    await accounts.administration.saveGroup('g1', { name: 'Sales', attributes: {} }, commandLine);
    await accounts.administration.invite(
      { email: 'ben@example.org', role: 'editor', groups: ['g1'] },
      commandLine,
    );
    const id = await signIn('ben', {}, { createAccounts: false });
    expect(accounts.people.find(id)).toMatchObject({ role: 'editor', groups: ['g1'] });
    expect(await accounts.administration.openInvitations()).toEqual([]);
    await accounts.administration.invite(
      { email: 'eve@example.org', role: 'admin', groups: [] },
      commandLine,
    );
    await expect(signIn('eve')).rejects.toMatchObject({ refusal: 'connect-first' });
  });

  test.each([
    ['no-account', 'new', {}, { createAccounts: false }],
    ['email-unverified', 'new', { email_verified: false }, {}],
    ['email-unverified', 'new', { email: undefined }, { domains: ['*'] }],
    ['domain', 'new', { email: 'new@example.com' }, {}],
    ['connect-first', 'olga', {}, {}],
  ] as const)('are refused (%s) for %s with %j', async (refusal, subject, claims, rules) => {
    const { createAccounts, domains } = { createAccounts: true, domains: ['example.org'], ...rules };
    await expect(signIn(subject, claims, { createAccounts, domains: [...domains] })).rejects.toMatchObject({
      refusal,
    });
    expect(accounts.people.byId.size).toBe(1);
  });

  test('stay disabled, for their identity and for their address', async () => {
    const id = await signIn('ana');
    await accounts.administration.updateUser(id, { isDisabled: true }, commandLine);
    await expect(signIn('ana')).rejects.toMatchObject({ refusal: 'no-account' });
    await expect(signIn('ana2', { email: 'ana@example.org' })).rejects.toMatchObject({
      refusal: 'no-account',
    });
  });

  test('have the mapped groups, roles and attributes from each sign-in on', async () => {
    const rules = {
      groups: { s: 'Sales', t: 'Stock' },
      roles: { a: 'admin', e: 'editor' },
      attributes: { region: 'region' },
    } as const;
    await accounts.administration.saveGroup('own', { name: 'Own', attributes: {} }, commandLine);
    const id = await signIn('ana', { groups: ['s', 'a'], region: 'north' }, rules);
    const names = () =>
      accounts.groups
        .list()
        .then(all =>
          all.filter(one => accounts.people.find(id)!.groups.includes(one.id)).map(({ name }) => name),
        );
    expect(accounts.people.find(id)).toMatchObject({ role: 'admin', attributes: { region: 'north' } });
    expect(await names()).toEqual(['Sales']);
    const { groups } = accounts.people.find(id)!;
    await accounts.administration.updateUser(id, { groups: [...groups, 'own'] }, commandLine);
    await signIn('ana', { groups: ['t'] }, rules);
    expect(accounts.people.find(id)).toMatchObject({ role: 'viewer', attributes: {} });
    expect(await names()).toEqual(['Own', 'Stock']);
    await accounts.administration.updateUser(id, { role: 'owner' }, commandLine);
    await signIn('ana', { groups: [] }, rules);
    expect(accounts.people.find(id)?.role).toBe('owner');
  });

  test('are members of what contains a mapped group, as long as they are in that', async () => {
    const rules = { groups: { s: 'Sales', t: 'Stock' } } as const;
    const id = await signIn('ana', { groups: ['s'] }, rules);
    const sales = (await accounts.groups.list()).find(({ name }) => name === 'Sales')!;
    await accounts.administration.saveGroup(
      'company',
      { name: 'Company', attributes: {}, groups: [sales.id] },
      commandLine,
    );
    const names = async () => {
      const groups = new Map((await accounts.groups.list()).map(group => [group.id, group]));
      return groupsOf(accounts.people.find(id)!, groups).map(({ name }) => name);
    };
    await signIn('ana', { groups: ['s'] }, rules);
    expect(await names()).toEqual(['Sales', 'Company']);
    await signIn('ana', { groups: ['t'] }, rules);
    expect(await names()).toEqual(['Stock']);
  });

  test('go with their user, and a change of an address with its token', async () => {
    const id = await signIn('ana');
    const changes = new EmailChanges(database);
    const [now, later] = [new Date(), new Date(Date.now() + 2 * day)];
    await changes.create(id, 'a@example.org', 'hash 1', now);
    await changes.create(id, 'b@example.org', 'hash 2', now);
    expect(await changes.use('hash 1', now)).toBeUndefined();
    expect(await changes.use('hash 2', later)).toBeUndefined();
    expect(await changes.use('hash 2', now)).toEqual({ userId: id, email: 'b@example.org' });
    expect(await changes.use('hash 2', now)).toBeUndefined();
    await database.db.deleteFrom('user').where('id', '=', id).execute();
    expect(await identities.of(id)).toEqual([]);
  });

  test('without passwords, only owners sign in with them', async () => {
    const { token } = await accounts.administration.invite(
      { email: 'ben@example.org', role: 'editor', groups: [] },
      commandLine,
    );
    const ben = { email: 'ben@example.org', password: 'staple paper window' };
    await accounts.signUp.acceptInvitation(token, { name: 'Ben', password: ben.password }, visit);
    const withoutPasswords = await openAccounts(database, {
      limits: { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day },
      clock: { wall: () => Date.now(), elapsed: () => performance.now(), isTrusted: () => true },
      folder,
      port: () => 4600,
      hasPasswords: false,
    });
    const wrong = { type: 'not-signed-in', message: 'The e-mail address or the password is wrong.' };
    const before = await database.db.selectFrom('session').select('id').execute();
    await expect(withoutPasswords.signIn(ben, visit)).rejects.toMatchObject(wrong);
    expect(await database.db.selectFrom('session').select('id').execute()).toHaveLength(before.length);
    await withoutPasswords.signIn({ email: 'olga@example.org', password: 'correct horse battery' }, visit);
    const { id } = withoutPasswords.people.findByEmail(ben.email)!;
    await expect(withoutPasswords.administration.createPasswordReset(id, commandLine)).rejects.toMatchObject({
      type: 'not-allowed',
    });
  });
});
