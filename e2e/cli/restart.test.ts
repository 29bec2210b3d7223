import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, settled, shoot, startCli, violations } from '../browser.ts';

// Belvedere stops and starts again while pages are open.
let browser: Browser;
let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let page: Page;
let port: string;

const start = async () => {
  cli = await startCli([folder, '--port', port]);
};

beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-restart-'));
  for (const [file, text] of Object.entries({
    'data/trips.csv': `city,minutes\n${Array.from({ length: 400 }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`,
    'dashboards/linked.yaml':
      'version: 1\ntitle: Linked\nmodel: trips\nfilters: [{ field: city }]\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }\n',
  })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  cli = await startCli([folder]);
  port = new URL(cli.url).port;
  ({ page } = await openPage(browser, cli.url));
  await page.getByText('Linked').first().waitFor();
});
afterAll(async () => {
  await cli.stop();
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

const lost = () => page.getByText('Connection lost. Reconnecting… This page may be out of date.');
const rows = () => page.locator('[data-tile=all] p.tabular').first().textContent();

test('an open page reconnects, signed in and with its selections; a dialog opened meanwhile loads then', async () => {
  await page.goto(`http://127.0.0.1:${port}/d/linked`);
  await settled(page);
  await page.locator('[data-tile=cities] [role=application]').click({ position: { x: 60, y: 20 } });
  await page.waitForURL(url => url.search.includes('s.cities='));
  await settled(page);
  const { search } = new URL(page.url());
  expect(await rows()).toBe('100');
  await page.evaluate(() => void ((globalThis as unknown as { isTheSame: boolean }).isTheSame = true));
  await cli.stop();
  await lost().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('link', { name: 'Data', exact: true }).hover();
  expect(await page.locator('[data-status=fresh]').count()).toBe(2);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await writeFile(
    path.join(folder, 'data/trips.csv'),
    `city,minutes\n${Array.from({ length: 800 }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`,
  );
  await start();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await lost().waitFor({ state: 'detached' });
  await expect.poll(rows).toBe('200');
  expect(new URL(page.url()).search).toBe(search);
  expect(await page.evaluate(() => (globalThis as unknown as { isTheSame?: boolean }).isTheSame)).toBe(true);
  await page.keyboard.press('Escape');
});

test('a selection made during the restart leaves the earlier pictures, marked as such, until it is answered', async () => {
  await page.goto(`http://127.0.0.1:${port}/d/linked`);
  await settled(page);
  expect(await rows()).toBe('800');
  const kpi = page.locator('[data-tile=all]');
  const explore = await page.context().newPage();
  await explore.goto(`http://127.0.0.1:${port}/explore/trips`);
  await settled(explore);
  await cli.stop();
  await lost().waitFor();
  await explore.locator('[data-tile=c_city] [role=application]').click({ position: { x: 60, y: 20 } });
  const notUpdated = explore.locator('[data-tile=chart]').getByText('Not updated');
  await notUpdated.waitFor();
  await page.locator('[data-tile=cities] [role=application]').click({ position: { x: 60, y: 20 } });
  await kpi.getByText('Not updated').waitFor();
  expect(await rows()).toBe('800');
  expect(await violations(page)).toEqual([]);
  await start();
  await kpi.getByText('Not updated').waitFor({ state: 'detached' });
  await expect.poll(rows).toBe('200');
  await notUpdated.waitFor({ state: 'detached' });
  await explore.close();
});

test('menus and filters open during the restart, and say what is missing; a screen loads afterwards', async () => {
  const controls = page.waitForResponse(/assets\/FilterControl-/);
  await page.goto(`http://127.0.0.1:${port}/d/linked`);
  await settled(page);
  await controls;
  await cli.stop();
  await lost().waitFor();
  await page.getByRole('button', { name: 'City All' }).click();
  const values = page.getByRole('dialog', { name: 'City' });
  await values.getByRole('alert').filter({ hasText: 'Cannot reach Belvedere' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-tile=cities]').hover();
  await page.locator('[data-tile=cities]').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByText('Cannot reach Belvedere. Is it still running?').waitFor();
  await start();
  await page.getByRole('heading', { name: 'Databases' }).waitFor();
});

test('a page whose session is unknown asks the user to sign in, and continues afterwards', async () => {
  await page.goto(`http://127.0.0.1:${port}/d/linked`);
  await settled(page);
  await cli.stop();
  await lost().waitFor();
  for (const end of ['', '-wal', '-shm'])
    await rm(path.join(folder, '.belvedere', `state.db${end}`), { force: true });
  await start();
  const unknown = page.getByText('Your session has ended.');
  await unknown.waitFor();
  expect(await page.locator('[data-status=fresh]').count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'signed-out-light-1440');
  const other = await page.context().newPage();
  await other.goto(cli.url);
  await other.close();
  await unknown.waitFor({ state: 'detached' });
  await settled(page);
});
