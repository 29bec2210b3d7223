import type { Problem } from '@belvedere/api';
import { readDocument } from '@belvedere/document';
import { execFileSync } from 'node:child_process';
import { appendFileSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCli } from '../browser.ts';
import { randomFrom } from '../random/random-from.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

// The disk, its permissions and many writers at once, on real file systems: a small tmpfs where this account
// may mount one.
let folder: string;
let running: Running;
const params = { id: 'one' };
const text = (title: string, filler = '') =>
  `version: 1\ntitle: ${title}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n${filler && `# ${filler}\n`}`;
const canMount = (() => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();

async function fill(): Promise<void> {
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  await writeFile(path.join(folder, 'dashboards', 'one.yaml'), text('One'));
}
const start = async () => {
  running = await runBelvedere(folder);
  await allRead(running);
};
const problemOf = async (asked: Promise<unknown>): Promise<Problem | undefined> =>
  asked.then(
    () => undefined,
    (error: { problem: Problem }) => error.problem,
  );
const ready = async () =>
  (await (await running.send(`${running.server.address}/readyz`)).json()) as {
    ready: boolean;
    degraded?: string[];
    saving?: string;
  };
const onDisk = () => readFile(path.join(folder, 'dashboards', 'one.yaml'), 'utf8');
const hash = async () => (await running.client.getDashboardText({ params })).hash;
const mount = (...options: string[]) => execFileSync('mount', [...options, folder]);

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-storage-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!canMount)('a disk', () => {
  beforeEach(async () => {
    mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs');
    await fill();
  });
  afterEach(async () => {
    await running.close();
    execFileSync('umount', ['--lazy', folder]);
  });

  const ballast = () => path.join(folder, 'ballast');
  /** Leaves this number of bytes free. */
  const leave = (bytes: number) => {
    const { bavail, bsize } = statfsSync(folder);
    const size = statSync(ballast(), { throwIfNoEntry: false })?.size ?? 0;
    const more = bavail * bsize - bytes;
    if (more > 0) appendFileSync(ballast(), Buffer.alloc(more));
    else truncateSync(ballast(), size + more);
  };

  test('that is full causes every change to be refused with a message, keeps serving reads, and recovers with free room', async () => {
    await start();
    const base = await hash();
    const { number } = await running.client
      .saveDashboardText({ params: { id: 'gone' }, body: { text: text('Gone') } })
      .then(() => running.client.removeDashboard({ params: { id: 'gone' } }));
    expect(await ready()).not.toHaveProperty('degraded');
    leave(0);
    const state = { page: 0, filters: {}, selections: {} };
    const large = 'y'.repeat(60_000);
    const refused: Record<string, () => Promise<unknown>> = {
      save: () =>
        running.client.saveDashboardText({ params, body: { text: text('Two', large) }, ifMatch: base }),
      create: () => running.client.saveDashboardText({ params: { id: 'new' }, body: { text: text('New') } }),
      draft: () => running.client.putDraft({ params, body: { text: text('Draft', large), base, after: 0 } }),
      favourite: () => running.client.putFavourite({ params, body: { isFavourite: true } }),
      recent: () => running.client.putRecent({ params, body: { state } }),
      view: () => running.client.putView({ params: { ...params, name: 'Mine' }, body: { state } }),
      note: () => running.client.addEventNote({ params, body: { from: '2024-01-01', text: 'Sale' } }),
      remove: () => running.client.removeDashboard({ params }),
      move: () => running.client.moveDashboard({ params, body: { to: 'elsewhere' } }),
      restore: () => running.client.restoreDocument({ params: { number } }),
      upload: async () => {
        const response = await running.send(
          `${running.server.address}/api/v1/uploads/new.csv?size=300000&sha256=${'0'.repeat(64)}&offset=0`,
          {
            method: 'PUT',
            headers: { 'x-belvedere': '1', 'content-type': 'application/octet-stream' },
            body: new Uint8Array(300_000),
          },
        );
        throw Object.assign(new Error('refused'), { problem: await response.json() });
      },
    };
    // Until nothing fits any more: some of the state database's own pages are free at first.
    for (const [name, ask] of Object.entries(refused)) {
      let problem: Problem | undefined;
      for (let i = 0; i < 400 && !(problem = await problemOf(ask())); i++) leave(0);
      expect([name, problem?.status, problem?.type, problem?.reason]).toEqual([
        name,
        503,
        'state-unavailable',
        'disk-full',
      ]);
      expect(problem!.detail).toContain('The disk is full');
    }
    expect(await ready()).toMatchObject({
      ready: true,
      degraded: ['disk'],
      saving: expect.stringContaining('The disk is full') as string,
    });
    expect((await running.client.getDashboard({ params, query: {} })).title).toBe('One');
    expect(await onDisk()).toBe(text('One'));
    expect((await readdir(path.join(folder, 'dashboards'))).toSorted()).toEqual(['one.yaml']);
    expect(await readdir(path.join(folder, '.belvedere', 'uploads')).catch(() => [])).toEqual([]);

    await rm(ballast());
    expect(await ready()).not.toHaveProperty('degraded');
    await running.client.saveDashboardText({ params, body: { text: text('Two') }, ifMatch: base });
    expect(await running.client.restoreDocument({ params: { number } })).toEqual({
      kind: 'dashboard',
      id: 'gone',
    });
    await running.client.putFavourite({ params, body: { isFavourite: true } });
    await running.close();
    await start();
    expect([(await running.client.getMe({})).favourites, await onDisk()]).toEqual([['one'], text('Two')]);
  }, 240_000);

  test('with one more free page each time completes and acknowledges a save, or refuses it and changes nothing', async () => {
    await start();
    let last = text('One');
    const outcomes = new Set<string>();
    for (let pages = 0; pages < 32; pages++) {
      leave(pages * 4096);
      const wanted = text(`Save ${pages}`, 'z'.repeat(9000));
      const problem = await problemOf(
        running.client.saveDashboardText({ params, body: { text: wanted }, ifMatch: await hash() }),
      );
      const found = await onDisk();
      expect(readDocument('dashboard', found, 'one.yaml').ok).toBe(true);
      if (problem) {
        expect([problem.type, problem.reason]).toEqual(['state-unavailable', 'disk-full']);
        // The file may have been written without its revision: it is complete, and the save was not
        // acknowledged.
        expect([last, wanted]).toContain(found);
      } else expect(found).toBe(wanted);
      last = found;
      outcomes.add(problem ? 'refused' : 'saved');
    }
    expect([...outcomes].toSorted()).toEqual(['refused', 'saved']);
    expect((await readdir(path.join(folder, 'dashboards'))).toSorted()).toEqual(['one.yaml']);
    await rm(ballast());
    await running.close();
    await start();
    const { revisions } = await running.client.listRevisions({ params });
    expect([revisions[0]!.hash, await onDisk()]).toEqual([await hash(), last]);
  }, 240_000);

  test('that is read-only is opened with a notice, serves reads, and causes changes to be refused', async () => {
    mount('-o', 'remount,ro');
    await start();
    expect(running.server.notices).toEqual([
      expect.stringContaining('is read-only. You can view everything but cannot save.') as string,
    ]);
    expect((await running.client.getDashboard({ params, query: {} })).state).toBe('ready');
    const base = await hash();
    for (const change of [
      running.client.saveDashboardText({ params, body: { text: text('Two') }, ifMatch: base }),
      running.client.removeDashboard({ params }),
      running.client.moveDashboard({ params, body: { to: 'two' } }),
    ]) {
      expect(await problemOf(change)).toMatchObject({
        status: 503,
        type: 'state-unavailable',
        reason: 'read-only',
      });
    }
    // Nothing was half done: it is no favourite of the trash.
    await running.client.putFavourite({ params, body: { isFavourite: true } });
    expect([
      (await running.client.listTrash({})).documents,
      (await running.client.getMe({})).favourites,
    ]).toEqual([[], ['one']]);
    await running.client.putDraft({ params, body: { text: text('Draft'), base, after: 0 } });
    expect(await ready()).toMatchObject({
      degraded: ['disk'],
      saving: expect.stringContaining('read-only') as string,
    });
  });
});

describe('a start', () => {
  test('on a state database locked by another program ends with 1 and the reason, and changes nothing', async () => {
    await fill();
    const first = await startCli(['--quiet', folder]);
    await first.stop();
    const other = new DatabaseSync(path.join(folder, '.belvedere', 'state.db'));
    other.exec('begin exclusive');
    await expect(startCli(['--quiet', folder])).rejects.toThrow(
      /ended with 1: .*Could not open `.*state\.db`\. Another program has locked the file/s,
    );
    other.close();
    const again = await startCli(['--quiet', folder]);
    await again.stop();
    expect((await readdir(path.join(folder, '.belvedere'))).filter(name => name.includes('damaged'))).toEqual(
      [],
    );
  });

  test('on a truncated state database reports it on the console and in /readyz', async () => {
    await fill();
    await (await startCli(['--quiet', folder])).stop();
    await writeFile(path.join(folder, '.belvedere', 'state.db'), '');
    const cli = await startCli(['--quiet', folder]);
    expect(cli.output()).toMatch(/state\.db is empty\. It is kept as state\.db\.damaged-/);
    await cli.stop();
  });
});

test('random concurrent saves: one winner per base, no acknowledged text lost, every file complete', async () => {
  const seed = Number(process.env['BELVEDERE_SEED']);
  const random = randomFrom(seed);
  await fill();
  await start();
  try {
    const saved: string[] = [];
    const winners = new Map<string, number>();
    let count = 0;
    const pause = () => new Promise(resolve => setTimeout(resolve, random() * 5));
    const saver = async () => {
      for (let i = 0; i < 12; i++) {
        const base = await hash();
        await pause();
        const wanted = text(`Save ${count++}`, 'w'.repeat(Math.floor(random() * 8000)));
        const problem = await problemOf(
          running.client.saveDashboardText({ params, body: { text: wanted }, ifMatch: base }),
        );
        if (problem) expect(problem.type, `seed ${seed}`).toBe('revision-conflict');
        else {
          saved.push(wanted);
          winners.set(base, (winners.get(base) ?? 0) + 1);
        }
      }
    };
    let version = 0;
    let draft = '';
    const drafter = async () => {
      for (let i = 0; i < 15; i++) {
        const { draft: before, hash: base } = await running.client.getDashboardText({ params });
        await pause();
        const wanted = text(`Draft ${count++}`);
        const put = await running.client
          .putDraft({
            params,
            body: { text: wanted, base: before?.baseHash ?? base, after: before?.version ?? 0 },
          })
          .catch((error: { problem: Problem }) => error.problem);
        if ('dashboard' in put) {
          // One winner for each version that it was made after.
          expect(put.version, `seed ${seed}`).toBeGreaterThan(version);
          [version, draft] = [put.version, wanted];
        } else expect(put.type, `seed ${seed}`).toBe('revision-conflict');
      }
    };
    const reader = async () => {
      for (let i = 0; i < 60; i++) {
        expect(readDocument('dashboard', await onDisk(), 'one.yaml').ok, `seed ${seed}`).toBe(true);
        await pause();
      }
    };
    await Promise.all([saver(), saver(), saver(), saver(), drafter(), drafter(), drafter(), reader()]);
    expect(
      [...winners.values()].every(won => won === 1),
      `seed ${seed}`,
    ).toBe(true);
    const { revisions } = await running.client.listRevisions({ params });
    const kept = await Promise.all(
      revisions.map(
        async ({ number }) =>
          (await running.client.getRevision({ params: { ...params, number: String(number) as never } })).text,
      ),
    );
    expect(
      saved.filter(wanted => !kept.includes(wanted)),
      `seed ${seed}`,
    ).toEqual([]);
    expect(saved.at(-1), `seed ${seed}`).toBe(await onDisk());
    expect((await running.client.getDashboardText({ params })).draft?.text, `seed ${seed}`).toBe(draft);
    expect(await readdir(path.join(folder, 'dashboards'))).toEqual(['one.yaml']);
  } finally {
    await running.close();
  }
});
