import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adoptState } from './adopt-state.ts';
import { lockWorkspace } from './workspace-lock.ts';

// Tests may run as root, for whom no folder is read-only.
const lock = vi.hoisted(() => ({ fails: undefined as string | undefined }));
vi.mock('./workspace-lock.ts', async importOriginal => {
  const original = await importOriginal<typeof import('./workspace-lock.ts')>();
  return {
    ...original,
    lockWorkspace: async (at: string) => {
      if (lock.fails) throw Object.assign(new Error('open'), { code: lock.fails });
      return original.lockWorkspace(at);
    },
  };
});

let folder: string;
const plain = (...names: readonly string[]) => path.join(folder, 'cache', ...names);
const own = (...names: readonly string[]) => path.join(folder, 'workspace', '.belvedere', ...names);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-adopt-'));
  await mkdir(plain('secrets'), { recursive: true });
  await mkdir(plain('tables'));
  for (const [name, text] of Object.entries({
    'state.db': 'records',
    'state.db-wal': 'latest records',
    'secrets/.open-token': 'key',
    'tables/trips.duckdb': 'rows',
  }))
    await writeFile(plain(name), text);
});
afterEach(async () => {
  lock.fails = undefined;
  await rm(folder, { recursive: true });
});

test('a folder that has become a workspace gets its records, keys and tables', async () => {
  expect(await adoptState(plain(), own())).toBe(true);
  expect((await readdir(own())).toSorted()).toEqual(['secrets', 'state.db', 'state.db-wal', 'tables']);
  expect(await readFile(own('secrets', '.open-token'), 'utf8')).toBe('key');
  expect((await readdir(plain())).filter(name => !name.startsWith('lock-'))).toEqual([]);
});

test('records stay where they are while a server uses them', async () => {
  const hold = await lockWorkspace(plain());
  expect(await adoptState(plain(), own())).toBe(false);
  expect(await readdir(plain())).toContain('state.db');
  await hold.release();
  expect(await adoptState(plain(), own())).toBe(true);
});

test.each(['EROFS', 'EACCES'])('records of a read-only folder are copied (%s)', async code => {
  lock.fails = code;
  expect(await adoptState(plain(), own())).toBe(true);
  expect(await readFile(own('state.db'), 'utf8')).toBe('records');
});

test('a disk that fails is reported with what to do, and the records stay', async () => {
  lock.fails = 'ENOSPC';
  await expect(adoptState(plain(), own())).rejects.toThrow('Free some space and try again');
  expect(await readdir(plain())).toContain('state.db');
});

test('records that a workspace has are never replaced', async () => {
  await mkdir(own(), { recursive: true });
  await writeFile(own('state.db'), 'newer');
  expect(await adoptState(plain(), own())).toBe(true);
  expect(await readFile(own('state.db'), 'utf8')).toBe('newer');
});

test('a workspace with its records in PostgreSQL keeps its keys', async () => {
  await mkdir(own('secrets'), { recursive: true });
  await writeFile(own('secrets', '.accounts-secret'), 'of the workspace');
  await writeFile(plain('secrets', '.accounts-secret'), 'of the plain folder');
  expect(await adoptState(plain(), own())).toBe(true);
  expect(await readFile(own('secrets', '.accounts-secret'), 'utf8')).toBe('of the workspace');
  expect(await readdir(plain())).toContain('state.db');
});

test('a move that was interrupted is started again', async () => {
  await mkdir(own('secrets'), { recursive: true });
  await writeFile(own('state.db.part'), 'rec');
  await writeFile(own('secrets', '.open-token'), 'k');
  expect(await adoptState(plain(), own())).toBe(true);
  expect(await readFile(own('state.db'), 'utf8')).toBe('records');
  expect(await readFile(own('secrets', '.open-token'), 'utf8')).toBe('key');
});
