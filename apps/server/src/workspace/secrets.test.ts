import { link, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDocument } from '@belvedere/document';
import { keepSecret, secretFor, type SecretUse } from './secrets.ts';
import type { Target } from './source-access.ts';

/* Of all that a workspace names, only files of its own secrets are read, and each goes only to whom it was typed for. */

const target: Target = { kind: 'postgres', host: 'db.example.org', port: 5432, user: 'reader', tls: 'verified' };
let top: string;
let use: SecretUse;
beforeEach(async () => {
  top = await mkdtemp(path.join(os.tmpdir(), 'belvedere-secrets-'));
  const root = path.join(top, 'workspace');
  await mkdir(path.join(root, '.belvedere/secrets'), { recursive: true });
  await writeFile(path.join(top, 'canary'), 'canary');
  use = { root, source: 'shop', target };
});
afterEach(() => rm(top, { recursive: true, force: true }));

const kept = () => readdir(path.join(use.root, '.belvedere/secrets')).then(names => names.filter(name => name !== '.gitignore'));

test.each(['/etc/passwd', '../canary', '.belvedere/secrets/../../../canary', '.belvedere/secrets/./a', '.belvedere/secrets/a/b', '.belvedere/state.db', '.belvedere/secrets/.gitignore', 'secrets/a', '~/.pgpass', '.belvedere/secrets/'])('a file of another place, %s, is no secret of a source', file => {
  const read = readDocument('source', JSON.stringify({ version: 1, kind: 'postgres', connection: { host: 'h', database: 'd', user: 'u', password: `\${file:${file}}` } }), 'sources/s.yaml');
  expect(read.ok ? [] : read.problems.map(({ path: at }) => at)).toEqual(['connection.password']);
});

test('a file that was put among the secrets is read', async () => {
  await writeFile(path.join(use.root, '.belvedere/secrets/warehouse'), 'one\n');
  expect(await secretFor('${file:.belvedere/secrets/warehouse}', use)).toBe('one');
});

test.each([
  ['a link to another file', async () => symlink(path.join(top, 'canary'), path.join(use.root, '.belvedere/secrets/a'))],
  ['another name of another file', async () => link(path.join(top, 'canary'), path.join(use.root, '.belvedere/secrets/a'))],
  ['behind a link in place of the folder', async () => {
    await writeFile(path.join(top, 'a'), 'canary');
    await rm(path.join(use.root, '.belvedere/secrets'), { recursive: true });
    await symlink(top, path.join(use.root, '.belvedere/secrets'));
  }],
  ['behind a link in place of the folder above', async () => {
    await mkdir(path.join(top, 'secrets'));
    await writeFile(path.join(top, 'secrets/a'), 'canary');
    await rm(path.join(use.root, '.belvedere'), { recursive: true });
    await symlink(top, path.join(use.root, '.belvedere'));
  }],
  ['a folder', async () => void (await mkdir(path.join(use.root, '.belvedere/secrets/a')))],
])('a secret that is %s is not read', async (_, put) => {
  await put();
  await expect(secretFor('${file:.belvedere/secrets/a}', use)).rejects.toMatchObject({ code: 'source-refused', message: expect.not.stringContaining('canary') as string });
});

test('a typed secret is for this account alone, and for the server and user it was typed for', async () => {
  const { reference, name } = await keepSecret('one', use);
  expect((await stat(path.join(use.root, '.belvedere/secrets', name))).mode & 0o777).toBe(0o600);
  expect(await secretFor(reference, use)).toBe('one');
});

const others: readonly (readonly [string, Partial<Target>])[] = [['host', { host: 'elsewhere.example.org' }], ['port', { port: 5433 }], ['user', { user: 'other' }], ['TLS', { tls: 'off' }], ['kind', { kind: 'mysql' }]];
test.each(others)('SAFETY 48: a typed secret is deleted rather than sent where the %s has changed', async (_, change) => {
  const { reference } = await keepSecret('one', use);
  await expect(secretFor(reference, { ...use, target: { ...target, ...change } })).rejects.toMatchObject({ code: 'source-refused' });
  expect(await kept()).toEqual([]);
});

test('a source that names what was typed for another one neither gets nor deletes it', async () => {
  const { reference, name } = await keepSecret('one', use);
  await expect(secretFor(reference, { ...use, source: 'evil' })).rejects.toMatchObject({ code: 'source-refused' });
  await expect(secretFor(reference, { ...use, source: 'evil', target: { ...target, host: 'evil.example.org' } })).rejects.toMatchObject({ code: 'source-refused' });
  expect(await kept()).toEqual([name]);
});
