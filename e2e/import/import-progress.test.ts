import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { figure, launchBrowser, openPage, settled, shoot, startCli, violations } from '../browser.ts';

/**
 * A page that is opened during the import shows the current table and its progress, and then opens by itself.
 */

/** Larger files are shown by a sample before they are imported: see `table-part.test.ts`. */
const rows = 1_400_000;
let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-still-reading-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    `copy (select i as id, 'word ' || (i % 1000) as word, (i * 7919) % 100003 as amount, date '2020-01-01' + (i % 1500)::int as day from range(${rows}) t(i)) to '${path.join(folder, 'data', 'large.csv')}' (header)`,
  );
  connection.closeSync();
  await writeFile(
    path.join(folder, 'dashboards', 'large.yaml'),
    'version: 1\ntitle: Large\nmodel: large\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n',
  );
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  'a dashboard shows the progress of the import, and its tiles once it is finished',
  { timeout: 120_000 },
  async () => {
    const cli = await startCli([folder, '--quiet'], { XDG_CACHE_HOME: path.join(folder, 'cache') });
    const { page, faults, close } = await openPage(browser, cli.url);
    await page.goto(`${new URL(cli.url).origin}/d/large`);
    await page.getByRole('heading', { name: 'Importing data' }).waitFor();
    await page.getByText(/^large(: \d+%)?$/).waitFor();
    await page.getByText(/^large: \d+%$/).waitFor();
    expect(await page.getByText('no model').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'still-reading-light-1440');
    const asked = await page.evaluate(
      async () =>
        (
          await fetch('/api/v1/models/large/query', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
            body: JSON.stringify({ measures: ['rows'] }),
          })
        ).json() as Promise<{ type: string }>,
    );
    expect(asked.type).toContain('still-reading');
    const seen: number[] = [];
    const line = page.getByText(/^large: \d+%$/);
    while ((await line.count()) > 0) {
      const said = await line.textContent({ timeout: 500 }).catch(() => null);
      if (said !== null) seen.push(Number(/\d+/.exec(said)![0]));
      await page.waitForTimeout(100);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(3);
    await page.waitForSelector('[data-tile=value]', { timeout: 90_000 });
    await settled(page);
    expect(await figure(page, 'value')).toBe('1.4M');
    // The test itself sends the one request that is too early.
    expect(faults.filter(fault => !fault.includes('/api/v1/models/large/query'))).toEqual([]);
    await close();
    await cli.stop();
  },
);
