import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangedProvider } from '@belvedere/api';
import type { SignInProvider } from '@belvedere/document';
import { openStateDatabase, type StateDatabase } from '../../state/database/state-database.ts';
import { SealedSettings } from '../secrets/sealed-settings.ts';
import { Providers } from './providers.ts';

let folder: string;
let state: StateDatabase;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-providers-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const open = (declared: readonly SignInProvider[] = [], secret = 'x', isConfirmed = () => true) =>
  Providers.open({
    declared,
    isConfirmed,
    sealed: new SealedSettings(state, [secret.repeat(43)]),
    root: folder,
    allowed: new Set(['127.0.0.1:9000']),
  });
const company: ChangedProvider = {
  name: 'Company',
  issuer: 'https://login.example.org/realms/main',
  clientId: 'belvedere',
  clientSecret: 'a secret of the client',
  roles: { admins: 'admin' },
};
const { clientSecret: _, ...rules } = company;
const declared: SignInProvider = { ...rules, id: 'file', issuer: 'https://file.example.org' };

describe('a sign-in provider that an owner enters', () => {
  test('is used at once and after a restart, and its secret is neither shown nor stored in plain text', async () => {
    const providers = await open();
    await providers.create('company', company);
    for (const one of [providers, await open()]) {
      expect(await one.find('company')!.secret()).toBe(company.clientSecret);
      expect(one.isUsable('company')).toBe(true);
      expect(one.list()).toMatchObject([
        { id: 'company', provider: rules, hasSecret: true, setBy: 'owner', state: 'active' },
      ]);
      expect(JSON.stringify(one.list())).not.toContain('a secret');
    }
    const rows = await state.db.selectFrom('team_setting').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret of|login\.example/);
    await providers.remove('company');
    expect((await open()).list()).toEqual([]);
    await expect(providers.remove('company')).rejects.toThrow(/no sign-in provider/);
  });

  test('keeps its secret for the same issuer and client, and asks for it again for another', async () => {
    const providers = await open();
    await providers.create('company', company);
    await providers.update('company', { ...rules, name: 'Firm' });
    expect(providers.find('company')?.provider.name).toBe('Firm');
    expect(await providers.find('company')!.secret()).toBe(company.clientSecret);
    for (const change of [{ issuer: 'https://evil.example.org' }, { clientId: 'other' }])
      await expect(providers.update('company', { ...rules, ...change })).rejects.toThrow(/client secret/);
  });

  test('is only replaced in the version that was read', async () => {
    const providers = await open();
    await providers.create('company', company);
    const version = providers.list()[0]!.version;
    await providers.update('company', { ...company, name: 'Firm' }, version);
    await expect(providers.update('company', company, version)).rejects.toThrow(/changed in the meantime/);
  });

  test.each([
    ['other', { issuer: 'http://127.0.0.1:9001' }, /must be reached with `https:`/],
    ['other', { issuer: 'https://10.0.0.1' }, /not on the public internet/],
    ['other', { issuer: 'https://[::ffff:127.0.0.1]' }, /not on the public internet/],
    ['other', { issuer: 'https://169.254.169.254/latest' }, /not on the public internet/],
    ['other', { issuer: 'https://u:p@login.example.org' }, /has errors/],
    ['other', { createAccounts: true }, /has errors/],
    ['other', {}, /Another sign-in provider has this issuer/],
    ['file', { issuer: 'https://b.example.org' }, /Use another ID/],
    ['company', { issuer: 'https://b.example.org' }, /Use another ID/],
  ])('%s with %j is refused', async (id, change, reason) => {
    const providers = await open([declared]);
    await providers.create('company', company);
    await expect(providers.create(id, { ...company, ...change })).rejects.toThrow(reason);
  });

  test('may be private if belvedere.yaml lists it', async () => {
    const providers = await open();
    await providers.create('company', { ...company, issuer: 'http://127.0.0.1:9000' });
    expect(providers.find('company')?.provider.issuer).toBe('http://127.0.0.1:9000');
  });

  test('keeps what is known of it until it is changed, also if another server changes it', async () => {
    const [here, there] = [await open(), await open()];
    await here.create('company', company);
    await there.followOthers();
    const known = there.find('company');
    await there.followOthers();
    expect(there.find('company')).toBe(known);
    await here.update('company', { ...company, name: 'Firm' });
    await there.followOthers();
    expect(there.find('company')?.provider.name).toBe('Firm');
  });

  test('is not used with another secret, and can be entered again', async () => {
    await (await open()).create('company', company);
    const other = await open([], 'y');
    expect(other.all).toEqual([]);
    expect(other.isUsable('company')).toBe(false);
    expect(other.list()).toMatchObject([{ id: 'company', state: 'unreadable' }]);
    await other.update('company', company);
    expect(other.isUsable('company')).toBe(true);
  });
});

test('a provider of belvedere.yaml is only shown, and used once it is confirmed', async () => {
  const waiting = await open([declared], 'x', () => false);
  expect(waiting.isUsable('file')).toBe(false);
  expect(waiting.list()).toMatchObject([{ id: 'file', setBy: 'file', state: 'unconfirmed' }]);
  const providers = await open([declared]);
  expect(providers.list()).toMatchObject([{ id: 'file', setBy: 'file', state: 'active' }]);
  await expect(providers.update('file', company)).rejects.toThrow(/set in belvedere\.yaml/);
  await expect(providers.remove('file')).rejects.toThrow(/set in belvedere\.yaml/);
});
