import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '@belvedere/api';
import { decryptSecret } from '../../apps/server/src/workspace/sources/encrypt-secret.ts';
import { randomFrom } from '../random/random-from.ts';
import { runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * A source and its entered password are saved together or not at all, also if another user saves at that
 * moment.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
let folder: string;
let running: Running;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-save-source-'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\n');
  running = await runBelvedere(folder);
});
afterEach(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

interface Wish {
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly base?: string;
}
const save = ({ port = 1, user = 'reader', password = '', base }: Wish) =>
  running.client.saveSource({
    params: { name: 'shop' },
    body: {
      kind: 'postgres',
      host: '127.0.0.1',
      port,
      database: 'shop',
      user,
      password,
    },
    ifMatch: base,
  });
const base = async () => (await running.client.getSource({ params: { name: 'shop' } })).connection!.hash;
const secrets = async () => {
  const names = await readdir(path.join(folder, '.belvedere/secrets')).catch((): string[] => []);
  return Promise.all(
    names
      .filter(name => !name.startsWith('.'))
      .map(
        async name => [name, await readFile(path.join(folder, '.belvedere/secrets', name), 'utf8')] as const,
      ),
  );
};
const text = () => readFile(path.join(folder, 'sources/shop.yaml'), 'utf8').catch(() => undefined);
/** The only secret, which is the one that the file names; undefined if the file names none. */
const secretOfFile = async () => {
  const [, name] = /secrets\/([^}]*)\}/.exec((await text()) ?? '') ?? [];
  const all = await secrets();
  expect(all.map(([kept]) => kept)).toEqual(name === undefined ? [] : [name]);
  return all[0] && decryptSecret(all[0][1], all[0][0], folder);
};
const codeOf = (error: unknown) => (error instanceof ApiError ? error.problem.type : String(error));

test('one of many simultaneous creations of a source succeeds, with its own password', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => save({ user: `user${i}`, password: `password ${i}` })),
  );
  const won = outcomes.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [i] : []));
  expect(won).toHaveLength(1);
  expect(
    outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [codeOf(outcome.reason)] : [])),
  ).toEqual(Array(7).fill('revision-conflict'));
  expect(await text()).toContain(`user: user${won[0]}`);
  expect(await secretOfFile()).toBe(`password ${won[0]}`);
});

test('a removed source leaves neither its file nor its password, and can be connected again', async () => {
  await save({ password: 'first' });
  expect(await secretOfFile()).toBe('first');
  await running.client.removeSource({ params: { name: 'shop' } });
  expect([await text(), await secrets(), (await running.client.listSources({})).sources]).toEqual([
    undefined,
    [],
    [],
  ]);
  await save({ password: 'second' });
  expect(await secretOfFile()).toBe('second');
});

test('a source that is removed while it is saved ends whole or gone', async () => {
  await save({ password: 'first' });
  const now = await base();
  await Promise.allSettled([
    save({ password: 'second', base: now }),
    running.client.removeSource({ params: { name: 'shop' } }),
  ]);
  expect(await secretOfFile()).toBe((await text()) === undefined ? undefined : 'second');
});

test(
  'one of many simultaneous changes of a source succeeds, with its own password, round after round',
  { timeout: 60_000 },
  async () => {
    const random = randomFrom(seed);
    await save({ password: 'first' });
    let expected: string | undefined = 'first';
    let last: Wish = { user: 'reader' };
    // Twenty connections a minute may be tried or saved.
    for (let round = 0; round < 6; round++) {
      const now = await base();
      const wishes = Array.from({ length: 3 }, (_, i): Wish => ({
        user: random() < 0.4 ? last.user! : `user_${round}_${i}`,
        password: random() < 0.4 ? '' : `password ${round} ${i}`,
        base: random() < 0.2 ? '0123456789abcdef' : now,
      }));
      const outcomes = await Promise.allSettled(wishes.map(save));
      const won = wishes.filter((_, i) => outcomes[i]!.status === 'fulfilled');
      // Another save may have written the same text by now.
      const changes = won.filter(request => request.user !== last.user || request.password !== '');
      expect(
        outcomes
          .flatMap(outcome => (outcome.status === 'rejected' ? [codeOf(outcome.reason)] : []))
          .every(code => code === 'revision-conflict'),
        `seed ${seed}`,
      ).toBe(true);
      expect(changes.length, `seed ${seed}`).toBeLessThanOrEqual(1);
      const [change] = changes;
      if (change) {
        expected = change.password || (change.user === last.user ? expected : undefined);
        last = change;
      }
      expect(await text(), `seed ${seed}`).toContain(`user: ${last.user}`);
      expect(await secretOfFile(), `seed ${seed}`).toBe(expected);
    }
  },
);

describe('a source that fails to save', () => {
  test('because it already exists keeps its old password', async () => {
    await save({ password: 'first' });
    const before = await text();
    await expect(save({ password: 'second' })).rejects.toMatchObject({
      problem: { type: 'revision-conflict', status: 412 },
    });
    await expect(save({ password: 'second', base: '0123456789abcdef' })).rejects.toMatchObject({
      problem: { type: 'revision-conflict', status: 412 },
    });
    expect([await text(), await secretOfFile()]).toEqual([before, 'first']);
  });

  test('because its file has errors keeps its old file and password', async () => {
    await save({ password: 'first' });
    const [kept] = await secrets();
    await writeFile(path.join(folder, 'sources/shop.yaml'), 'version: 1\nkind: nonsense\n');
    await running.server.store.refresh();
    await expect(save({ password: 'second' })).rejects.toMatchObject({
      problem: { type: 'revision-conflict' },
    });
    expect(await secrets()).toEqual([kept]);
  });

  test('because its folder is a link or not a folder leaves no file, no password and no confirmation', async () => {
    const confirmed = () =>
      readdir(path.join(process.env['XDG_STATE_HOME']!, 'belvedere/confirmed-sources')).catch(
        (): string[] => [],
      );
    await symlink(os.tmpdir(), path.join(folder, 'sources'));
    await expect(save({ password: 'first' })).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    await rm(path.join(folder, 'sources'));
    await writeFile(path.join(folder, 'sources'), 'no folder');
    await expect(save({ password: 'first' })).rejects.toBeInstanceOf(ApiError);
    expect([await secrets(), await text(), await confirmed()]).toEqual([[], undefined, []]);
  });

  test('because its password or confirmation cannot be stored leaves no file either', async () => {
    await mkdir(path.join(folder, '.belvedere'), { recursive: true });
    const kept = path.join(folder, '.belvedere/secrets');
    await rename(kept, `${kept}-aside`);
    await symlink(os.tmpdir(), kept);
    await expect(save({ password: 'first' })).rejects.toMatchObject({
      problem: { type: 'state-unavailable', status: 503 },
    });
    await rm(kept);
    await rename(`${kept}-aside`, kept);
    const state = path.join(process.env['XDG_STATE_HOME']!, 'belvedere');
    await mkdir(state, { recursive: true });
    await writeFile(path.join(state, 'confirmed-sources'), 'no folder');
    await expect(save({ password: 'first' })).rejects.toMatchObject({
      problem: { type: 'state-unavailable', status: 503 },
    });
    expect([await secrets(), await text()]).toEqual([[], undefined]);
  });
});

test.each(['made', 'changed'])(
  'a source that is %s is on the disk with its password, or not at all, whichever write the disk fails at',
  { timeout: 120_000 },
  async how => {
    const handle = await open(path.join(folder, 'belvedere.yaml'));
    const files = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
    const { sync } = files;
    await handle.close();
    let isSaved = false;
    for (let fails = 1; !isSaved; fails++) {
      // A folder whose disk has failed is not written to again.
      await running.close();
      await rm(folder, { recursive: true, force: true });
      folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-save-source-'));
      await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\n');
      running = await runBelvedere(folder);
      if (how === 'changed') await save({ password: 'first' });
      const before = [await text(), await secretOfFile()];
      const request = { user: 'other', password: 'second', ...(how === 'changed' && { base: await base() }) };
      let syncs = 0;
      files.sync = function failing(this: unknown) {
        return ++syncs === fails
          ? Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
          : sync.call(this);
      };
      const outcome = await save(request)
        .then(() => undefined, codeOf)
        .finally(() => (files.sync = sync));
      isSaved = syncs < fails;
      expect(outcome, `write ${fails}`).toBe(isSaved ? undefined : 'state-unavailable');
      expect([await text(), await secretOfFile()], `write ${fails}`).toEqual(
        isSaved ? [expect.stringContaining('user: other'), 'second'] : before,
      );
      // The password, the confirmation, the file, its folder.
      if (isSaved) expect(fails).toBeGreaterThan(4);
    }
  },
);

test('SAFETY 48: a new host, port or user deletes the typed password; a new label or database keeps it', async () => {
  await save({ password: 'first' });
  await running.client.saveSource({
    params: { name: 'shop' },
    body: {
      kind: 'postgres',
      host: '127.0.0.1',
      port: 1,
      database: 'other',
      user: 'reader',
      label: 'Shop',
    },
    ifMatch: await base(),
  });
  expect([await secretOfFile(), await text()]).toEqual(['first', expect.stringContaining('database: other')]);
  await save({ port: 2, base: await base() });
  expect(await secretOfFile()).toBeUndefined();
});

test('a change keeps the rest of the file, with its comments', async () => {
  await save({});
  await writeFile(
    path.join(folder, 'sources/shop.yaml'),
    `# Ours\n${await text()}schemas: [public] # all there is\n`,
  );
  await running.server.store.refresh();
  await save({ user: 'other', base: await base() });
  expect(await text()).toMatch(/^# Ours\n[\s\S]*user: other[\s\S]*schemas: \[public\] # all there is\n$/);
});

describe('a database file', () => {
  const saveFile = (name: string, kind: 'sqlite' | 'duckdb', file: string) =>
    running.client.saveFileSource({ params: { name }, body: { kind, label: 'Shop file', path: file } });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error as ApiError).problem.detail,
    );

  test('is saved as a confirmed source, and its tables are imported', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
    const file = path.join(outside, 'shop.db');
    const database = new DatabaseSync(file);
    database.exec(
      "create table orders (id integer, city text); insert into orders values (1, 'Bern'), (2, 'Chur')",
    );
    database.close();
    const saved = await saveFile('shop', 'sqlite', file);
    expect(saved).toMatchObject({ name: 'shop', kind: 'sqlite', state: 'ready' });
    await expect
      .poll(() => [...running.server.store.current.tables.values()].map(({ state }) => state))
      .toEqual(['ready']);
    expect(await text()).toContain(`path: ${file}`);
    expect(await refusal(saveFile('shop', 'sqlite', file))).toContain('already exists');
    await rm(outside, { recursive: true, force: true });
  });

  test('is refused with the reason if it is missing or of another kind', async () => {
    await writeFile(path.join(folder, 'notes.txt'), 'not a database');
    expect(await refusal(saveFile('shop', 'sqlite', 'missing.db'))).toBe(
      'There is no readable file at `missing.db`.',
    );
    expect(await refusal(saveFile('shop', 'sqlite', 'notes.txt'))).toBe(
      '`notes.txt` is not a SQLite database.',
    );
    expect(await refusal(saveFile('shop', 'duckdb', 'notes.txt'))).toBe(
      '`notes.txt` is not a DuckDB database.',
    );
    expect(await text()).toBeUndefined();
  });
});
