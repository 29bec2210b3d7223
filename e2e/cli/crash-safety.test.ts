import { createClient, type Client } from '@belvedere/api';
import { readDocument } from '@belvedere/document';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../browser.ts';

const kills = Number(process.env['BELVEDERE_KILLS'] ?? 10);
const text = (count: number) =>
  `# kept\nversion: 1\ntitle: Saved ${count}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n      filler: { kind: text, text: ${'x'.repeat(count % 7_000)}., at: [6, 0, 6, 3] }\n`;
const countIn = (saved: string) => Number(/^title: Saved (\d+)$/m.exec(saved)![1]);

/** As a browser does it, let in by the printed address. */
async function signIn(url: string): Promise<Client> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  return createClient(new URL(url).origin, (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
  );
}

test(
  `${kills} kills during saves: no acknowledged save is lost, no file is unreadable`,
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-kills-'));
    const file = path.join(folder, 'dashboards', 'one.yaml');
    for (const name of ['dashboards', 'data']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Kills\n');
    await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
    await writeFile(file, text(0));
    let attempted = 0;
    let duringSaves = 0;
    for (let round = 0; round < kills; round++) {
      const cli = await startCli(['--quiet', folder]);
      const client = await signIn(cli.url);
      const params = { id: 'one' };
      let { hash } = await client.getDashboardText({ params });
      let acknowledged = countIn((await client.getDashboardText({ params })).text);
      const ended = new Promise<void>(resolve => cli.process.once('exit', () => resolve()));
      let isSaving = false;
      setTimeout(
        () => {
          if (isSaving) duringSaves++;
          cli.process.kill('SIGKILL');
        },
        5 + ((round * 37) % 90),
      );
      for (;;) {
        attempted++;
        isSaving = true;
        const saved = await client
          .saveDashboardText({
            params,
            body: { text: text(attempted), message: `Save ${attempted}` },
            ifMatch: hash,
          })
          .catch(() => undefined);
        isSaving = false;
        if (!saved) break;
        ({ hash } = saved);
        acknowledged = attempted;
      }
      await ended;
      const found = await readFile(file, 'utf8');
      expect(readDocument('dashboard', found, 'one.yaml').ok).toBe(true);
      // A save in progress at the kill may be complete. Nothing older than the last acknowledged save may
      // appear.
      expect([acknowledged, attempted]).toContain(countIn(found));
      expect(found).toBe(text(countIn(found)));
    }
    const cli = await startCli(['--quiet', folder]);
    const client = await signIn(cli.url);
    const last = await client.getDashboardText({ params: { id: 'one' } });
    const { revisions } = await client.listRevisions({ params: { id: 'one' } });
    expect(revisions[0]!.hash).toBe(last.hash);
    expect(
      (await client.listDashboards({ query: {} })).dashboards
        .filter(dashboard => dashboard.origin === 'saved')
        .map(({ id }) => id),
    ).toEqual(['one']);
    expect(await readdir(path.join(folder, 'dashboards'))).toEqual(['one.yaml']);
    // With fewer, the test would prove little.
    expect(duringSaves).toBeGreaterThan(kills / 4);
    await cli.stop();
    await rm(folder, { recursive: true, force: true });
  },
  Math.max(120_000, kills * 12_000),
);
