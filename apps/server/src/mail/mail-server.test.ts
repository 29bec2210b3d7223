import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangedMailServer } from '@belvedere/api';
import { SealedSettings } from '../auth/secrets/sealed-settings.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import { MailServer, type MailServerParts } from './mail-server.ts';

let folder: string;
let state: StateDatabase;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-mail-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const open = (parts: Partial<MailServerParts> = {}, secret = 'x') =>
  MailServer.open({
    file: undefined,
    isConfirmed: () => true,
    sealed: new SealedSettings(state, [secret.repeat(43)]),
    allowed: new Set(['127.0.0.1:2525']),
    ...parts,
  });
const relay: ChangedMailServer = {
  host: 'smtp.example.org',
  port: 587,
  security: 'starttls',
  user: 'ana',
  password: 'a secret password',
  from: 'Belvedere <b@example.org>',
};

describe('a mail server that an owner enters', () => {
  test('is used at once and after a restart, and its password is neither shown nor stored in plain text', async () => {
    const server = await open();
    expect([server.settings, server.offReason]).toEqual([undefined, 'No mail server is set.']);
    await server.change(relay);
    const { password: _, ...shown } = relay;
    for (const one of [server, await open()]) {
      expect(one.settings).toMatchObject({ host: relay.host, tls: 'starttls', password: relay.password });
      expect(one.status()).toEqual({
        server: { ...shown, hasPassword: true },
        setBy: 'owner',
        isUnreadable: false,
      });
    }
    const rows = await state.db.selectFrom('team_setting').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret password|smtp\.example|ana/);
    await server.remove();
    expect((await open()).status()).toEqual({ setBy: 'owner', isUnreadable: false });
  });

  test('keeps its password for the same server and user, and asks for it again for another', async () => {
    const server = await open();
    await server.change(relay);
    const { password: _, ...same } = relay;
    await server.change({ ...same, from: 'c@example.org' });
    expect(server.settings).toMatchObject({ password: relay.password, from: { address: 'c@example.org' } });
    for (const change of [
      { host: 'evil.example.org' },
      { port: 25 },
      { security: 'tls' as const },
      { user: 'ben' },
    ])
      await expect(server.change({ ...same, ...change })).rejects.toThrow(/Enter the password/);
  });

  test.each([
    [{ host: '10.0.0.1' }, /not on the public internet/],
    [{ host: '[::1]' }, /not on the public internet/],
    [{ host: '169.254.169.254' }, /not on the public internet/],
    [{ security: 'none' as const }, /must be reached with TLS/],
    [{ host: '127.0.0.1', port: 2526 }, /not on the public internet/],
  ])('may not be %j', async (change, reason) => {
    await expect((await open()).change({ ...relay, ...change })).rejects.toThrow(reason);
  });

  test('may be private and without TLS if belvedere.yaml lists it', async () => {
    const server = await open();
    await server.change({ ...relay, host: '127.0.0.1', port: 2525, security: 'none' });
    expect(server.settings).toMatchObject({ tls: 'never' });
  });

  test('is not used with another secret: it came with the workspace, or the secret is lost', async () => {
    await (await open()).change(relay);
    const other = await open({}, 'y');
    expect(other.settings).toBeUndefined();
    expect(other.status()).toEqual({ setBy: 'owner', isUnreadable: true });
    await other.change(relay);
    expect(other.settings).toMatchObject({ host: relay.host });
  });
});

describe('a mail server that is declared', () => {
  const file = { server: 'smtp://relay.example.org:25', from: 'b@example.org' };

  test.each([
    ['file', { file }, 'relay.example.org', /set in belvedere\.yaml/],
    ['options', { file, options: { smtpUrl: 'smtp://u:p@op.example.org' } }, 'op.example.org', /--smtp-url/],
  ] as const)('comes before an entered one, and is only shown: %s', async (setBy, parts, host, reason) => {
    await (await open()).change(relay);
    const server = await open(parts);
    expect(server.settings).toMatchObject({ host });
    expect(server.status()).toMatchObject({ setBy, server: { host } });
    await expect(server.change(relay)).rejects.toThrow(reason);
    await expect(server.remove()).rejects.toThrow(reason);
    expect(() => server.draft(relay)).toThrow(reason);
  });

  test('says why it is off until it is confirmed', async () => {
    const server = await open({ file, isConfirmed: () => false });
    expect(server.status().offReason).toMatch(/needs confirmation under Settings › System/);
  });
});
