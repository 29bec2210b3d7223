import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealedSettings } from '../../apps/server/src/auth/secrets/sealed-settings.ts';
import { TextSealer } from '../../apps/server/src/auth/secrets/sealed-text.ts';
import { storedSecret } from '../../apps/server/src/auth/secrets/stored-secret.ts';
import { backupWorkspace } from '../../apps/server/src/commands/backup-workspace.ts';
import { rotateKeys } from '../../apps/server/src/commands/rotate-keys.ts';
import { restoreBackup } from '../../apps/server/src/backup/restore-backup.ts';
import { openStateDatabase } from '../../apps/server/src/state/database/state-database.ts';
import { lockWorkspace } from '../../apps/server/src/workspace/workspace-lock.ts';
import {
  resolveWorkspace,
  type ResolvedWorkspace,
} from '../../apps/server/src/workspace/resolve-workspace.ts';
import { secretFor, storeSecret } from '../../apps/server/src/workspace/sources/secrets.ts';
import { randomFrom } from '../random/random-from.ts';

/* New keys for sealed secrets, in processes that end at any moment. */

const at = '2026-01-02T03:04:05.000Z';
const names = Array.from({ length: 30 }, (_, i) => `n${i}`);
const target = { kind: 'postgres', host: 'db.example', user: 'shop' } as never;

let folder: string;
let location: ResolvedWorkspace;
let reference: string;

const stateOf = (one: ResolvedWorkspace) =>
  openStateDatabase({ folder: one.state, url: undefined }, () => {});

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-rotate-'));
  process.env['XDG_STATE_HOME'] = path.join(folder, 'home');
  const root = path.join(folder, 'workspace');
  await mkdir(root, { recursive: true });
  await writeFile(path.join(root, 'belvedere.yaml'), 'version: 1\n');
  location = await resolveWorkspace(root);
  const state = await stateOf(location);
  const accounts = (await storedSecret(location.state, '.accounts-secret')).all;
  const team = new TextSealer((await storedSecret(location.state, '.channels-secret')).all, 'channels');
  // In local mode, channels are sealed with a secret outside of the workspace.
  const home = path.join(folder, 'home', 'belvedere');
  const local = new TextSealer((await storedSecret(home, '.channels-secret')).all, 'channels');
  const [totp, embed] = [new TextSealer(accounts, 'totp'), new TextSealer(accounts, 'embed keys')];
  for (const [i, id] of names.entries()) {
    await state.db
      .insertInto('user')
      .values({
        id,
        name: id,
        email: `${id}@example.org`,
        email_verified: 1,
        image: null,
        created_at: at,
        updated_at: at,
        role: 'viewer',
        disabled_at: null,
        last_seen_at: null,
        attributes: '{}',
      })
      .execute();
    await state.db
      .insertInto('totp')
      .values({ user_id: id, key: totp.seal(`totp ${id}`, id), last_step: 0, at })
      .execute();
    await state.db
      .insertInto('embed_key')
      .values({
        id,
        name: id,
        secret: embed.seal(`embed ${id}`, id),
        origins: '[]',
        is_limited: 0,
        created_by: id,
        created_at: at,
        used_at: null,
      })
      .execute();
    await state.db
      .insertInto('channel')
      .values({
        id,
        name: id,
        kind: 'mail',
        settings: '{}',
        secret: (i % 2 ? team : local).seal(`channel ${id}`, id),
        limits: '{}',
        created_by: null,
        created_at: at,
      })
      .execute();
  }
  await new SealedSettings(state, (await storedSecret(location.state, '.channels-secret')).all).put(
    'mail-server',
    { host: 'smtp.example.org' },
  );
  await state.close();
  ({ reference } = await storeSecret('hunter2', { root, source: 'shop', target }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens everything with the keys there are. Fails if one text does not open. */
async function opened(one: ResolvedWorkspace = location): Promise<{ keys: number; sealed: Set<string> }> {
  const state = await stateOf(one);
  try {
    const { all } = await storedSecret(one.state, '.accounts-secret');
    const channels = await Promise.all(
      [one.state, path.join(folder, 'home', 'belvedere')].map(
        async where => new TextSealer((await storedSecret(where, '.channels-secret')).all, 'channels'),
      ),
    );
    const sealed = new Set<string>();
    const check = (sealers: readonly TextSealer[], what: string, owner: string, text: string) => {
      sealed.add(text);
      expect(sealers.map(sealer => sealer.open(text, owner)).find(Boolean)).toBe(`${what} ${owner}`);
    };
    for (const { user_id, key } of await state.db.selectFrom('totp').selectAll().execute())
      check([new TextSealer(all, 'totp')], 'totp', user_id, key);
    for (const { id, secret } of await state.db.selectFrom('embed_key').selectAll().execute())
      check([new TextSealer(all, 'embed keys')], 'embed', id, secret);
    for (const { id, secret } of await state.db.selectFrom('channel').selectAll().execute())
      check(channels, 'channel', id, secret);
    const settings = new SealedSettings(state, (await storedSecret(one.state, '.channels-secret')).all);
    expect((await settings.all()).get('mail-server')).toEqual({ host: 'smtp.example.org' });
    expect(sealed.size).toBe(3 * names.length);
    return { keys: all.length, sealed };
  } finally {
    await state.close();
  }
}
const sourcePassword = () => secretFor(reference, { root: location.root, source: 'shop', target });

/** Rotates in a process of its own, which ends itself at a step or is killed after a time. */
function killed(at: { readonly step: string } | { readonly ms: number }): Promise<void> {
  const script = `
    import { rotateKeys } from ${JSON.stringify(path.resolve('apps/server/src/commands/rotate-keys.ts'))};
    const location = ${JSON.stringify(location)};
    console.log('begun');
    await rotateKeys(location, step => {
      if (step === ${JSON.stringify('step' in at ? at.step : '')}) process.kill(process.pid, 'SIGKILL');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if ('ms' in at) child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), at.ms));
  return new Promise(resolve => child.once('exit', () => resolve()));
}

describe('rotated keys', () => {
  test('F48: seal everything again, and the old keys are gone', async () => {
    const before = await opened();
    const earlier = await readFile(path.join(location.state, 'secrets', '.accounts-secret'), 'utf8');
    expect(await rotateKeys(location)).toEqual({
      authenticators: 30,
      embedKeys: 30,
      channels: 30,
      settings: 1,
      passwords: 1,
      unreadable: 0,
    });
    const after = await opened();
    expect([...after.sealed].filter(text => before.sealed.has(text))).toEqual([]);
    expect(after.keys).toBe(1);
    const file = path.join(location.state, 'secrets', '.accounts-secret');
    expect(await readFile(file, 'utf8')).not.toContain(earlier.trim());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await sourcePassword()).toBe('hunter2');
    const state = await stateOf(location);
    expect(await state.db.selectFrom('audit').select(['action', 'actor']).execute()).toEqual([
      { action: 'server.rotate-keys', actor: 'Command line' },
    ]);
    await state.close();
  });

  test('leave what other workspaces of the account have sealed', async () => {
    const home = path.join(folder, 'home', 'belvedere');
    const channels = async () =>
      new TextSealer((await storedSecret(home, '.channels-secret')).all, 'channels');
    const elsewhere = (await channels()).seal('channel', 'other workspace');
    await rotateKeys(location);
    await rotateKeys(location);
    expect((await channels()).open(elsewhere, 'other workspace')).toBe('channel');
    const hold = await lockWorkspace(home);
    await expect(rotateKeys(location)).rejects.toThrow(/keys of another workspace are being rotated/);
    await hold.release();
  });

  test.each(['new keys', 'sealed', 'old keys gone'])(
    'a process killed after “%s” loses nothing',
    async step => {
      await killed({ step });
      await opened();
      expect(await sourcePassword()).toBe('hunter2');
      expect(await rotateKeys(location)).toMatchObject({ authenticators: 30, unreadable: 0 });
      expect((await opened()).keys).toBe(1);
      expect(
        (await readdir(path.join(location.state, 'secrets'))).filter(name => name.endsWith('.part')),
      ).toEqual([]);
    },
  );

  test('F48: a process killed at any moment loses nothing', async () => {
    const random = randomFrom(7);
    for (let i = 0; i < 8; i++) {
      await killed({ ms: Math.floor(random() * 250) });
      await opened();
      expect(await sourcePassword()).toBe('hunter2');
    }
    await rotateKeys(location);
    expect((await opened()).keys).toBe(1);
  });

  test('are refused beside a server, which has the old ones in memory', async () => {
    const hold = await lockWorkspace(location.state);
    await expect(rotateKeys(location)).rejects.toThrow(
      /has this folder open\. Stop it, then rotate the keys\./,
    );
    await hold.release();
  });

  test('are in backups made after, and earlier backups have the earlier ones', async () => {
    const file = path.join(folder, 'before.tar.gz');
    await backupWorkspace(location, file, { hasData: true, program: 'test' });
    await rotateKeys(location);
    const after = path.join(folder, 'after.tar.gz');
    await backupWorkspace(location, after, { hasData: true, program: 'test' });
    for (const [name, backup] of [
      ['a', file],
      ['b', after],
    ] as const) {
      await restoreBackup(backup, path.join(folder, name), undefined);
      const state = await stateOf(await resolveWorkspace(path.join(folder, name)));
      const restored = await resolveWorkspace(path.join(folder, name));
      const { all } = await storedSecret(restored.state, '.accounts-secret');
      const [row] = await state.db.selectFrom('totp').selectAll().execute();
      expect(new TextSealer(all, 'totp').open(row!.key, row!.user_id)).toBe(`totp ${row!.user_id}`);
      await state.close();
    }
  });
});
