import { createTarPacker } from 'modern-tar';
import { mkdtemp, readdir, readFile, rm, stat, truncate, cp, writeFile, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, type ApiError } from '@belvedere/api';
import { backupJob, backupNames } from '../../apps/server/src/backup/backup-job.ts';
import { restoreBackup } from '../../apps/server/src/backup/restore-backup.ts';
import { backupWorkspace } from '../../apps/server/src/commands/backup-workspace.ts';
import { BackupSettings } from '../../apps/server/src/state/administration/backup-settings.ts';
import { openStateDatabase } from '../../apps/server/src/state/database/state-database.ts';
import { startServer } from '../../apps/server/src/server.ts';
import { resolveWorkspace } from '../../apps/server/src/workspace/resolve-workspace.ts';
import { randomFrom } from '../random/random-from.ts';
import { password, runTeam, type RunningTeam } from '../team/running-team.ts';

/* Backups of a served workspace, and what is restored of them. */

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/sales.csv': 'day,amount\n2026-01-01,10\n2026-01-02,20\n',
  'images/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const dashboard = (title: string) =>
  `version: 1\ntitle: ${title}\nmodel: sales\npages:\n  - title: One\n    tiles:\n      a: { kind: kpi, value: { measure: rows } }\n`;

let out: string;
let team: RunningTeam;
beforeAll(async () => {
  team = await runTeam(files);
});
afterAll(() => team.close());
beforeEach(async () => {
  out = await mkdtemp(path.join(os.tmpdir(), 'belvedere-backup-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

const locationOf = () => resolveWorkspace(path.join(team.folder, 'workspace'));
const backUp = async (name: string, hasData = true) => {
  const file = path.join(out, name);
  await backupWorkspace(await locationOf(), file, { hasData, program: 'test' });
  return file;
};
const open = async (folder: string) =>
  startServer({
    location: await resolveWorkspace(folder),
    mode: 'team',
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder: out,
  });

test('a restored workspace has its users, passwords, history and files', async () => {
  await team.join('Ana', 'editor');
  const { client } = team.owner;
  const first = await client.saveDashboardText({
    params: { id: 'sales' },
    body: { text: dashboard('First') },
  });
  await client.saveDashboardText({
    params: { id: 'sales' },
    body: { text: dashboard('Second') },
    ifMatch: first.hash,
  });
  await symlink('/etc/passwd', path.join(team.folder, 'workspace', 'link.txt'));
  const file = await backUp('shop.tar.gz');
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);

  const folder = path.join(out, 'restored');
  const restored = await restoreBackup(file, folder);
  expect(restored).toMatchObject({ folder, hasData: true });
  expect(await readFile(path.join(folder, 'data/sales.csv'), 'utf8')).toBe(files['data/sales.csv']);
  expect(await readFile(path.join(folder, 'images/logo.svg'), 'utf8')).toBe(files['images/logo.svg']);
  expect(await readdir(folder)).not.toContain('link.txt');

  const server = await open(folder);
  try {
    let cookie = '';
    const visitor = createClient(server.address, async (input, init) => {
      const headers = new Headers(init?.headers);
      if (cookie) headers.set('cookie', cookie);
      const response = await fetch(input, { ...init, headers });
      const set = response.headers.getSetCookie().map(one => one.split(';')[0]);
      if (set.length > 0) cookie = set.join('; ');
      return response;
    });
    await visitor.signIn({ body: { email: 'olga@example.org', password } });
    const { users } = await visitor.listUsers({});
    expect(users.map(user => user.email).toSorted()).toEqual(['ana@example.org', 'olga@example.org']);
    const { revisions } = await visitor.listRevisions({ params: { id: 'sales' } });
    expect(revisions).toHaveLength(2);
    expect((await visitor.getDashboardText({ params: { id: 'sales' } })).text).toBe(dashboard('Second'));
  } finally {
    await server.close();
  }
});

test('without the data, the rest is there', async () => {
  const file = await backUp('small.tar.gz', false);
  const folder = path.join(out, 'restored');
  expect(await restoreBackup(file, folder)).toMatchObject({ hasData: false });
  const restored = await readdir(folder);
  expect(restored).toEqual(expect.arrayContaining(['.belvedere', 'belvedere.yaml', 'images']));
  expect(restored).not.toContain('data');
});

test('under saves, each backup has an exact beginning of them, with all that came before it', async () => {
  const random = randomFrom(Number(process.env['BELVEDERE_SEED']));
  const { client } = team.owner;
  const names = ['one', 'two', 'three'];
  const hashes = new Map<string, string>();
  let saved = 0;
  let isOver = false;
  const saving = (async () => {
    for (let number = 1; !isOver; number++) {
      const id = names[number % 3]!;
      const base = hashes.get(id);
      const { hash } = await client.saveDashboardText({
        params: { id },
        body: { text: dashboard(`Save ${number}`) },
        ifMatch: base,
      });
      hashes.set(id, hash);
      saved = number;
    }
  })();
  try {
    await expect.poll(() => saved).toBeGreaterThan(5);
    for (let round = 0; round < Number(process.env['BELVEDERE_ROUNDS'] ?? 5); round++) {
      await new Promise(resolve => setTimeout(resolve, random() * 200));
      const before = saved;
      const folder = path.join(out, `restored ${round}`);
      await restoreBackup(await backUp(`${round}.tar.gz`), folder);
      const numbers = await Promise.all(
        names.map(async id => {
          const text = await readFile(path.join(folder, 'dashboards', `${id}.yaml`), 'utf8');
          return Number(/Save (\d+)/.exec(text)![1]);
        }),
      );
      const last = Math.max(...numbers);
      expect(last).toBeGreaterThanOrEqual(before);
      expect(numbers.toSorted((a, b) => a - b)).toEqual([last - 2, last - 1, last]);
      const { DatabaseSync } = await import('node:sqlite');
      const sql = new DatabaseSync(path.join(folder, '.belvedere', 'state.db'), { readOnly: true });
      const texts = sql.prepare('select text from revision order by number').all();
      sql.close();
      const recorded = texts.flatMap(({ text }) => {
        const [, number] = /Save (\d+)/.exec(String(text)) ?? [];
        return number === undefined ? [] : [Number(number)];
      });
      expect(recorded).toEqual(Array.from({ length: last }, (_, i) => i + 1));
    }
  } finally {
    isOver = true;
    await saving;
  }
});

describe('nothing is restored', () => {
  const refused = { type: 'request-invalid' };

  test('of a file that was cut or changed anywhere', async () => {
    const whole = await backUp('whole.tar.gz');
    const { size } = await stat(whole);
    const random = randomFrom(Number(process.env['BELVEDERE_SEED']));
    for (let round = 0; round < 30; round++) {
      const damaged = path.join(out, 'damaged.tar.gz');
      await cp(whole, damaged);
      if (round % 2 === 0) await truncate(damaged, Math.floor(random() * size));
      else {
        const bytes = await readFile(damaged);
        bytes[12 + Math.floor(random() * (size - 12))]! ^= 1 + Math.floor(random() * 255);
        await writeFile(damaged, bytes);
      }
      await expect(restoreBackup(damaged, path.join(out, 'restored'))).rejects.toMatchObject(refused);
    }
    expect((await readdir(out)).filter(name => name.startsWith('restored'))).toEqual([]);
  });

  test('to a folder that is not empty', async () => {
    const whole = await backUp('whole.tar.gz');
    await expect(restoreBackup(whole, out)).rejects.toMatchObject(refused);
  });

  test.each([
    'workspace/../../escaped.txt',
    'workspace//etc/passwd',
    'workspace/..\\escaped.txt',
    'workspace/.belvedere/state.db',
    'workspace/.git/hooks/pre-commit',
    'secrets/../state.db',
    'secrets/a/b',
    '/etc/cron.d/job',
    'state.db',
  ])('of a backup with the name %s', async name => {
    const hostile = path.join(out, 'hostile.tar.gz');
    await writeFile(
      hostile,
      await tarOf([
        ['backup.json', JSON.stringify({ format: 1, program: 'x', at: '', hasData: true })],
        [name, 'hello'],
        ['end.json', JSON.stringify({ files: name.startsWith('workspace/') ? 1 : 0 })],
      ]),
    );
    await expect(restoreBackup(hostile, path.join(out, 'restored'))).rejects.toMatchObject(refused);
    expect(await readdir(out)).toEqual(['hostile.tar.gz']);
  });

  test('of a backup whose description is made to fill memory', async () => {
    const hostile = path.join(out, 'hostile.tar.gz');
    const about = JSON.stringify({ format: 1, program: 'x'.repeat(70_000), at: '', hasData: true });
    await writeFile(
      hostile,
      await tarOf([
        ['backup.json', about],
        ['end.json', JSON.stringify({ files: 0 })],
      ]),
    );
    await expect(restoreBackup(hostile, path.join(out, 'restored'))).rejects.toMatchObject(refused);
  });

  test('of a newer version', async () => {
    const newer = path.join(out, 'newer.tar.gz');
    await writeFile(
      newer,
      await tarOf([
        [
          'backup.json',
          JSON.stringify({ format: 1, program: 'x', at: '', migration: '9999-x', hasData: true }),
        ],
        ['state.jsonl', '{"table":"clock"}\n'],
        ['end.json', JSON.stringify({ files: 0 })],
      ]),
    );
    await expect(restoreBackup(newer, path.join(out, 'restored'))).rejects.toMatchObject({
      type: 'state-unavailable',
    });
    expect(await readdir(out)).toEqual(['newer.tar.gz']);
  });
});

test('only who can read the instance’s secret gets a backup of a running server', async () => {
  for (const authorization of ['', 'Bearer wrong']) {
    const response = await fetch(new URL('backup', team.server.address), {
      method: 'POST',
      headers: { 'x-belvedere': '1', authorization },
    });
    expect(response.status).toBe(401);
  }
  await expect(team.owner.client.getSession({})).resolves.toBeDefined();
});

test('daily backups are named by their workspace and time, and its oldest are deleted', async () => {
  const location = await locationOf();
  const job = backupJob({ location, program: 'test', betweenSaves: work => work() }, async () => ({
    folder: out,
    at: '03:00',
    kept: 3,
  }));
  const others = ['belvedere-notes.tar.gz', backupNames('/elsewhere/shop').at(new Date(0))];
  for (const name of others) await writeFile(path.join(out, name), 'not one of this workspace');
  for (let day = 1; day <= 5; day++)
    await job.run({
      id: '',
      object: 'workspace',
      dueAt: Date.UTC(2026, 0, day, 3),
      attempt: 1,
      signal: new AbortController().signal,
      progress: () => {},
    });
  const kept = [3, 4, 5].map(day => backupNames(location.root).at(new Date(Date.UTC(2026, 0, day, 3))));
  expect(kept[0]).toMatch(/^belvedere-[\w-]+-[\da-f]{6}-2026-01-03T030000\.tar\.gz$/);
  expect((await readdir(out)).toSorted()).toEqual([...others, ...kept].toSorted());
});

describe('backups that an owner sets', () => {
  const refused = async (change: Promise<unknown>) =>
    change.then(
      () => undefined,
      (error: ApiError) => error.problem.detail,
    );
  const plan = { isOn: true, at: '03:30', kept: 2 };
  /** Waits until no backup is being made. */
  const madeNow = async () => {
    await team.owner.client.startBackup({});
    let status = await team.owner.client.getBackups({});
    for (let i = 0; i < 200 && status.current; i++) {
      await new Promise(resolve => setTimeout(resolve, 50));
      status = await team.owner.client.getBackups({});
      if (status.current?.error !== undefined) break;
    }
    return status;
  };

  test('are off at first, beside the records, and are made now on request', async () => {
    const before = await team.owner.client.getBackups({});
    expect(before).toMatchObject({
      isOn: false,
      isStandardFolder: true,
      isFixed: false,
      kept: 14,
      files: [],
    });
    const { files: made, last } = await madeNow();
    expect(last).toMatchObject({ kind: 'backup', state: 'done' });
    expect(made).toHaveLength(1);
    const folder = path.join(out, 'restored');
    await restoreBackup(path.join(before.folder, made[0]!.name), folder);
    expect(await readFile(path.join(folder, 'data/sales.csv'), 'utf8')).toBe(files['data/sales.csv']);
  });

  test('are due at their time in the workspace’s zone, and old ones are deleted', async () => {
    await team.owner.client.saveBackups({ body: { ...plan, folder: out } });
    const set = await team.owner.client.getBackups({});
    expect(set).toMatchObject({ ...plan, folder: out, isStandardFolder: false });
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: set.zone, timeStyle: 'short' });
    expect(shown.format(new Date(set.nextAt!))).toBe('03:30');
    const names = backupNames((await locationOf()).root);
    const [first, second] = [1, 2].map(day => names.at(new Date(Date.UTC(2026, 0, day, 3))));
    await writeFile(path.join(out, `${first}.part`), 'of a server that was stopped');
    for (const name of [first!, second!]) await writeFile(path.join(out, name), 'older');
    const { files: made } = await madeNow();
    expect(made).toHaveLength(2);
    expect((await readdir(out)).toSorted()).toEqual([second, made.find(({ bytes }) => bytes > 100)!.name]);
  });

  test('a copy of the workspace has them off, so that it deletes none of the first', async () => {
    const target = await mkdtemp(path.join(os.tmpdir(), 'belvedere-backups-'));
    await team.owner.client.saveBackups({ body: { ...plan, folder: target } });
    const folder = path.join(out, 'restored');
    await restoreBackup(await backUp('shop.tar.gz'), folder);
    const state = await openStateDatabase({ folder: (await resolveWorkspace(folder)).state });
    const settings = new BackupSettings(state);
    expect(await settings.find((await locationOf()).root)).toMatchObject({ folder: target });
    expect(await settings.find(folder)).toBeUndefined();
    await state.close();
    await rm(target, { recursive: true });
  });

  test('a folder that is missing when one is due gets no new one in its place', async () => {
    const target = await mkdtemp(path.join(os.tmpdir(), 'belvedere-backups-'));
    await team.owner.client.saveBackups({ body: { ...plan, folder: target } });
    await rm(target, { recursive: true });
    const { current } = await madeNow();
    expect(current).toMatchObject({ state: 'queued', error: expect.stringContaining(target) });
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
    await team.owner.client.cancelJob({ params: { job: current!.id } });
  });

  test('other folders are refused', async () => {
    const root = path.join(team.folder, 'workspace');
    const file = path.join(out, 'file');
    await writeFile(file, '');
    await symlink(root, path.join(out, 'link'));
    const set = (folder: string) => refused(team.owner.client.saveBackups({ body: { ...plan, folder } }));
    expect(await set('backups')).toContain('is not a full path');
    expect(await set(path.join(out, 'missing'))).toContain('has no folder');
    expect(await set(file)).toContain('has no folder');
    expect(await set(root)).toContain('is in the folder of the workspace');
    expect(await set(path.join(root, 'data'))).toContain('is in the folder of the workspace');
    expect(await set(path.join(out, 'link'))).toContain('is in the folder of the workspace');
  });

  test('admins see them, and only owners change them or make one', async () => {
    const admin = await team.join('Ada', 'admin');
    const maker = await team.join('Mia', 'maker');
    expect(await admin.client.getBackups({})).toMatchObject({ isFixed: false });
    expect(await refused(maker.client.getBackups({}))).toBeDefined();
    for (const { client } of [admin, maker]) {
      expect(await refused(client.saveBackups({ body: plan }))).toBeDefined();
      expect(await refused(client.startBackup({}))).toBeDefined();
    }
  });
});

async function tarOf(entries: readonly (readonly [name: string, text: string])[]): Promise<Buffer> {
  const { readable, controller } = createTarPacker();
  const packed = new Response(readable as never).arrayBuffer();
  for (const [name, text] of entries) {
    const writer = controller.add({ name, size: text.length }).getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  }
  controller.finalize();
  return gzipSync(Buffer.from(await packed));
}
