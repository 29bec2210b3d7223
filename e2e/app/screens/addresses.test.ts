import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, startCli, type Opened } from '../../browser.ts';

/** Addresses that people type, in a folder that one person has opened. */

let folder: string;
let browser: Browser;
let cli: Awaited<ReturnType<typeof startCli>>;
let opened: Opened;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-addresses-'));
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'data', 'sales.csv'), 'city,amount\nUlm,3\nRome,4\n');
  cli = await startCli([folder, '--quiet'], { XDG_CACHE_HOME: path.join(folder, 'cache') });
  browser = await launchBrowser();
  opened = await openPage(browser, cli.url);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = async (address: string) => {
  await opened.page.goto(new URL(address, cli.url).href);
  return opened.page;
};

test.each([
  ['/data/files', '/data'],
  ['/data/warehouse', '/data/sources/warehouse'],
  ['/data/warehouse/orders', '/data/sources/warehouse'],
  ['/login', '/'],
])('%s leads to %s', async (typed, shown) => {
  const page = await open(typed);
  await expect.poll(() => new URL(page.url()).pathname).toBe(shown);
});

test('/data/files/sales is the page of a table', async () => {
  const page = await open('/data/files/sales');
  await page.getByRole('link', { name: 'Open overview' }).waitFor();
});

test.each([
  'settings/profile',
  'settings/people',
  'settings/groups',
  'settings/permissions',
  'settings/sign-in',
  'settings/links',
  'settings/embedding',
  'settings/audit',
  'settings/subscriptions',
  'inbox',
])('/%s says that it needs accounts, without an error', async address => {
  const before = opened.faults.length;
  const page = await open(`/${address}`);
  await page.getByRole('heading', { name: 'Accounts needed' }).waitFor();
  expect(opened.faults.slice(before)).toEqual([]);
});
