import { randomBytes } from 'node:crypto';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readDocument } from '@belvedere/document';
import { encryptSecret } from './encrypt-secret.ts';
import { storeSecret, secretFor, type SecretUse } from './secrets.ts';
import type { Target } from './source-access.ts';

/* Of all that a workspace names, only files of its own secrets are read, and each goes only to whom it was typed for. */

const target: Target = {
  kind: 'postgres',
  host: 'db.example.org',
  port: 5432,
  user: 'reader',
  tls: 'verified',
};
let top: string;
let use: SecretUse;
beforeEach(async () => {
  top = await mkdtemp(path.join(os.tmpdir(), 'belvedere-secrets-'));
  const root = path.join(top, 'workspace');
  await mkdir(path.join(root, '.belvedere/secrets'), { recursive: true });
  await writeFile(path.join(top, 'canary'), 'canary');
  use = { root, source: 'shop', target };
  vi.stubEnv('XDG_STATE_HOME', path.join(top, 'state'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(top, { recursive: true, force: true });
});

const kept = () =>
  readdir(path.join(use.root, '.belvedere/secrets')).then(names =>
    names.filter(name => name !== '.gitignore'),
  );

test.each([
  '/etc/passwd',
  '../canary',
  '.belvedere/secrets/../../../canary',
  '.belvedere/secrets/./a',
  '.belvedere/secrets/a/b',
  '.belvedere/state.db',
  '.belvedere/secrets/.gitignore',
  'secrets/a',
  '~/.pgpass',
  '.belvedere/secrets/',
])('a file of another place, %s, is no secret of a source', file => {
  const read = readDocument(
    'source',
    JSON.stringify({
      version: 1,
      kind: 'postgres',
      connection: { host: 'h', database: 'd', user: 'u', password: `\${file:${file}}` },
    }),
    'sources/s.yaml',
  );
  expect(read.ok ? [] : read.problems.map(({ path: at }) => at)).toEqual(['connection.password']);
});

test('a file among the secrets is read', async () => {
  await writeFile(path.join(use.root, '.belvedere/secrets/warehouse'), 'one\n');
  expect(await secretFor('${file:.belvedere/secrets/warehouse}', use)).toBe('one');
});

test.each([
  [
    'a link to another file',
    async () => symlink(path.join(top, 'canary'), path.join(use.root, '.belvedere/secrets/a')),
  ],
  [
    'another name of another file',
    async () => link(path.join(top, 'canary'), path.join(use.root, '.belvedere/secrets/a')),
  ],
  [
    'behind a link in place of the folder',
    async () => {
      await writeFile(path.join(top, 'a'), 'canary');
      await rm(path.join(use.root, '.belvedere/secrets'), { recursive: true });
      await symlink(top, path.join(use.root, '.belvedere/secrets'));
    },
  ],
  [
    'behind a link in place of the folder above',
    async () => {
      await mkdir(path.join(top, 'secrets'));
      await writeFile(path.join(top, 'secrets/a'), 'canary');
      await rm(path.join(use.root, '.belvedere'), { recursive: true });
      await symlink(top, path.join(use.root, '.belvedere'));
    },
  ],
  ['a folder', async () => void (await mkdir(path.join(use.root, '.belvedere/secrets/a')))],
])('a secret that is %s is not read', async (_, put) => {
  await put();
  await expect(secretFor('${file:.belvedere/secrets/a}', use)).rejects.toMatchObject({
    code: 'source-refused',
    message: expect.not.stringContaining('canary') as string,
  });
});

test('a typed secret belongs to this account, server and user only', async () => {
  const { reference, name } = await storeSecret('one', use);
  expect((await stat(path.join(use.root, '.belvedere/secrets', name))).mode & 0o777).toBe(0o600);
  expect(await secretFor(reference, use)).toBe('one');
});

test('a typed secret is bound to 128 bits of its target; those of earlier versions, with 64, still work', async () => {
  const { name } = await storeSecret('one', use);
  expect(name).toMatch(/^shop\.[0-9a-f]{32}\.[0-9a-f]{8}$/);
  const [, digits] = name.split('.');
  const earlier = `shop.${digits!.slice(0, 16)}.00000000`;
  const encrypted = await encryptSecret('two', earlier, use.root);
  await writeFile(path.join(use.root, '.belvedere/secrets', earlier), encrypted);
  const reference = `\${file:.belvedere/secrets/${earlier}}`;
  expect(await secretFor(reference, use)).toBe('two');
  await expect(secretFor(reference, { ...use, target: { ...target, port: 1 } })).rejects.toMatchObject({
    code: 'source-refused',
  });
  expect(await kept()).toEqual([name]);
});

test('SAFETY 48: a typed secret is encrypted with a key outside the workspace that only this account can read', async () => {
  const { reference, name } = await storeSecret('correct horse', use);
  const file = path.join(use.root, '.belvedere/secrets', name);
  expect(await readFile(file, 'utf8')).toMatch(/^belvedere-secret-1:[\w-]+\n$/);
  expect((await stat(path.join(top, 'state/belvedere/secret.key'))).mode & 0o777).toBe(0o600);
  const again = await storeSecret('correct horse', use);
  expect(await readFile(path.join(use.root, '.belvedere/secrets', again.name), 'utf8')).not.toBe(
    await readFile(file, 'utf8'),
  );
  await rm(path.join(top, 'state'), { recursive: true });
  await expect(secretFor(reference, use)).rejects.toMatchObject({
    code: 'source-refused',
    message: expect.stringContaining('Enter it again') as string,
  });
});

test('a typed secret is valid only in its original file, and intact', async () => {
  const { name } = await storeSecret('one', use);
  const folder = path.join(use.root, '.belvedere/secrets');
  const renamed = `${name.slice(0, -8)}00000000`;
  await copyFile(path.join(folder, name), path.join(folder, renamed));
  await expect(secretFor(`\${file:.belvedere/secrets/${renamed}}`, use)).rejects.toMatchObject({
    code: 'source-refused',
  });
  const whole = await readFile(path.join(folder, name), 'utf8');
  for (const changed of [
    '',
    'one',
    whole.slice(0, 30),
    whole.slice(0, -5),
    `${whole.slice(0, 25)}AAAA${whole.slice(29)}`,
  ]) {
    await writeFile(path.join(folder, name), changed);
    await expect(secretFor(`\${file:.belvedere/secrets/${name}}`, use)).rejects.toMatchObject({
      code: 'source-refused',
    });
  }
});

test('a key may be supplied, and must be valid', async () => {
  vi.stubEnv('BELVEDERE_SECRET_KEY', randomBytes(32).toString('base64'));
  const { reference } = await storeSecret('one', use);
  expect(await secretFor(reference, use)).toBe('one');
  expect(await readdir(top)).not.toContain('state');
  vi.stubEnv('BELVEDERE_SECRET_KEY', randomBytes(32).toString('base64'));
  await expect(secretFor(reference, use)).rejects.toMatchObject({ code: 'source-refused' });
  vi.stubEnv('BELVEDERE_SECRET_KEY', 'too short');
  await expect(storeSecret('one', use)).rejects.toMatchObject({
    type: 'state-unavailable',
    message: expect.stringContaining('32 bytes') as string,
  });
});

test('without a location for the key outside the workspace no secret is stored, and the error has advice', async () => {
  vi.stubEnv('XDG_STATE_HOME', path.join(use.root, 'state'));
  await expect(storeSecret('one', use)).rejects.toMatchObject({
    type: 'state-unavailable',
    message: expect.stringContaining('Set BELVEDERE_SECRET_KEY') as string,
  });
  expect(await kept()).toEqual([]);
});

const others: readonly (readonly [string, Partial<Target>])[] = [
  ['host', { host: 'elsewhere.example.org' }],
  ['port', { port: 5433 }],
  ['user', { user: 'other' }],
  ['TLS', { tls: 'off' }],
  ['kind', { kind: 'mysql' }],
];
test.each(others)(
  'SAFETY 48: a typed secret is deleted rather than sent if the %s has changed',
  async (_, change) => {
    const { reference } = await storeSecret('one', use);
    await expect(secretFor(reference, { ...use, target: { ...target, ...change } })).rejects.toMatchObject({
      code: 'source-refused',
    });
    expect(await kept()).toEqual([]);
  },
);

test('a source that names another source’s secret neither gets nor deletes it', async () => {
  const { reference, name } = await storeSecret('one', use);
  await expect(secretFor(reference, { ...use, source: 'evil' })).rejects.toMatchObject({
    code: 'source-refused',
  });
  await expect(
    secretFor(reference, { ...use, source: 'evil', target: { ...target, host: 'evil.example.org' } }),
  ).rejects.toMatchObject({ code: 'source-refused' });
  expect(await kept()).toEqual([name]);
});
