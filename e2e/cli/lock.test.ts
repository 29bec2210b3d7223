import { createClient, type Client } from '@belvedere/api';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { project, startCli } from '../browser.ts';

// One server a folder: killed ones, paused ones, and those that have the same process number.
let folder: string;
const params = { id: 'one' };
const text = (title: string) =>
  `version: 1\ntitle: ${title}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n`;
const onDisk = () => readFile(path.join(folder, 'dashboards', 'one.yaml'), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-lock-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  await writeFile(path.join(folder, 'dashboards', 'one.yaml'), text('One'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function signIn(url: string): Promise<Client> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  return createClient(new URL(url).origin, (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
  );
}

test('F47: a second server is refused with the process and the address of the first; a killed one holds no lock', async () => {
  const first = await startCli(['--quiet', folder]);
  await expect(startCli(['--quiet', folder])).rejects.toThrow(
    `process ${first.process.pid}, at ${new URL(first.url).origin}`,
  );
  const ended = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await ended;
  const next = await startCli(['--quiet', folder]);
  await next.stop();
});

test('a server that was paused while another took over its folder writes nothing on waking, and exits', async () => {
  const paused = await startCli(['--quiet', folder]);
  const before = await signIn(paused.url);
  const { hash } = await before.getDashboardText({ params });
  paused.process.kill('SIGSTOP');
  try {
    // Requests wait until it resumes.
    const asked = [
      before.saveDashboardText({ params, body: { text: text('From the paused one') }, ifMatch: hash }),
      before.putDraft({ params, body: { text: text('Draft of the paused one'), base: hash, after: 0 } }),
      before.putFavourite({ params, body: { isFavourite: true } }),
      before.removeDashboard({ params }),
    ].map(request =>
      request.then(
        () => 'done',
        (error: { problem?: { type: string } }) => error.problem?.type ?? 'ended',
      ),
    );
    // Its heartbeat is recent at first. Another server is refused until the heartbeat is old.
    const next = await vi.waitFor(() => startCli(['--quiet', folder]), { timeout: 40_000, interval: 500 });
    const after = await signIn(next.url);
    await after.saveDashboardText({ params, body: { text: text('From the next one') }, ifMatch: hash });
    const ended = once(paused.process, 'exit');
    paused.process.kill('SIGCONT');
    expect(
      (await Promise.all(asked)).filter(outcome => outcome !== 'state-unavailable' && outcome !== 'ended'),
    ).toEqual([]);
    expect(await ended).toEqual([1, null]);
    expect(paused.output()).toContain(
      `Another Belvedere has taken over this folder: process ${next.process.pid}, at ${new URL(next.url).origin}`,
    );
    expect(await onDisk()).toBe(text('From the next one'));
    expect((await after.getDashboardText({ params })).draft).toBeUndefined();
    expect([(await after.getMe({})).favourites, (await after.listTrash({})).documents]).toEqual([[], []]);
    await after.saveDashboardText({
      params,
      body: { text: text('Again') },
      ifMatch: (await after.getDashboardText({ params })).hash,
    });
    await next.stop();
  } finally {
    paused.process.kill('SIGKILL');
  }
});

const hasNamespaces = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasNamespaces)(
  'two containers whose servers have the same process number: the second is refused',
  async () => {
    const begin = () => {
      const main = path.join(project, 'apps', 'cli', 'src', 'main.ts');
      const child = spawn('unshare', [
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        process.execPath,
        main,
        '--no-open',
        '--port',
        '0',
        '--quiet',
        folder,
      ]);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += String(data)));
      return { child, output: () => output, ended: once(child, 'exit') };
    };
    const first = begin();
    await expect.poll(first.output, { timeout: 30_000 }).toContain('open at');
    const second = begin();
    await second.ended;
    expect(second.output()).toMatch(/This folder is open in another Belvedere: process 1 on /);
    first.child.kill('SIGKILL');
    await first.ended;
    // A kill is not visible from here: the lock counts as abandoned after ten seconds without a heartbeat.
    const third = await startCli(['--quiet', folder]);
    await third.stop();
  },
  120_000,
);

test('a folder of data that becomes a workspace keeps its records, and stays one server’s', async () => {
  const plain = path.join(folder, 'plain');
  const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
  await mkdir(plain);
  await writeFile(path.join(plain, 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  const first = await startCli(['--quiet', plain], env);
  const before = await signIn(first.url);
  await before.saveDashboard({
    params,
    body: { document: { version: 1, title: 'One', pages: [{ title: 'One', tiles: {} }] } },
  });
  const { hash } = await before.getDashboardText({ params });
  await before.putDraft({ params, body: { text: text('Unsaved'), base: hash, after: 0 } });
  await expect(startCli(['--quiet', plain], env)).rejects.toThrow(`process ${first.process.pid}`);
  await first.stop();

  const next = await startCli(['--quiet', plain], env);
  const after = await signIn(next.url);
  expect((await after.getDashboardText({ params })).draft?.text).toBe(text('Unsaved'));
  expect(await readdir(path.join(plain, '.belvedere'))).toContain('state.db');
  await next.stop();
});
