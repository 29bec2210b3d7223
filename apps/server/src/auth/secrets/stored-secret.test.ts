import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedSecret } from './stored-secret.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-secret-'));
});
afterEach(() => rm(folder, { recursive: true }));

const create = () => storedSecret(folder, '.local-secret');

test('servers that start at once, of several workspaces of an account, get one secret', async () => {
  for (let round = 0; round < 20; round++) {
    const made = await Promise.all(Array.from({ length: 10 }, create));
    expect(new Set(made.map(({ token }) => token)).size).toBe(1);
    expect((await create()).token).toBe(made[0]!.token);
    expect(await readdir(path.join(folder, 'secrets'))).toEqual(['.local-secret']);
    await rm(made[0]!.file);
  }
});

test.skipIf(process.platform === 'win32')('a secret that other accounts could read is replaced', async () => {
  const { token, file } = await create();
  await chmod(file, 0o644);
  const next = await create();
  expect(next.token).not.toBe(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await create()).token).toBe(next.token);
});
