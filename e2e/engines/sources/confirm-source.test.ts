import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  figure,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';
import { loadPostgres, type LoadedEngine } from '../loaded-engines.ts';

/**
 * From a workspace of another author to figures from its database, in the browser: the page shows what a
 * confirmation allows before it is given.
 */

let loaded: LoadedEngine;
let browser: Browser;
let opened: OpenWorkspace;
let sentence: string;

beforeAll(async () => {
  loaded = await loadPostgres([
    { name: 'orders', columns: [{ name: 'id', type: 'integer' }], rows: [[1], [2], [3]] },
  ]);
  await loaded.keeper(
    "create role reader login password 'one'; grant select on all tables in schema public to reader",
  );
  browser = await launchBrowser();
  process.env['BELVEDERE_SHOP_PASSWORD'] = 'one';
  const { port, database } = loaded.server!;
  sentence = `Connect to 127.0.0.1:${port} as reader, database ${database}, sending the environment variable BELVEDERE_SHOP_PASSWORD.`;
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: From elsewhere\n',
      'sources/shop.yaml': `version: 1\nkind: postgres\nlabel: The shop\nconnection: { host: 127.0.0.1, port: ${port}, database: ${database}, user: reader, password: '\${env:BELVEDERE_SHOP_PASSWORD}' }\n`,
      'sources/far.yaml':
        "version: 1\nkind: mysql\nlabel: Far away\nconnection: { host: reporting-database-1.internal.example.org, database: a_rather_long_database_name, user: reporting, tls: false, password: '${file:.belvedere/secrets/far}' }\n",
      'models/orders.yaml': 'version: 1\nsource: shop\ntable: orders\n',
      'dashboards/orders.yaml':
        'version: 1\ntitle: Orders\nmodel: orders\npages:\n  - title: One\n    tiles:\n      total: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n',
    },
    'Orders',
  );
});
afterAll(async () => {
  delete process.env['BELVEDERE_SHOP_PASSWORD'];
  await opened?.close();
  await browser?.close();
  await loaded?.close();
  if (opened) await rm(path.join(opened.folder, '.belvedere'), { recursive: true, force: true });
});

test('a dashboard of an unconfirmed source says so, and links to the confirmation', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/d/orders`);
  await page.getByText('“The shop” needs your confirmation.').waitFor();
  await settled(page);
  expect(await page.locator('[data-tile=total]').textContent()).toContain('The source needs confirmation');
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'unconfirmed-dashboard');
  await page.getByRole('link', { name: 'Review and confirm' }).click();
  await page.getByText(sentence).waitFor();
});

test.each([
  ['en', 'light', 1440, 'Connect to'],
  ['de', 'dark', 1440, 'Sich mit'],
  ['zh', 'light', 390, '身份连接'],
  ['en', 'dark', 390, 'Connect to'],
] as const)(
  'the connection to confirm is described in %s, %s, at %d px, on its page and among the databases',
  async (language, colorScheme, width, words) => {
    const { page, address } = opened;
    await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const [at, name] of [
      ['/data', 'list'],
      ['/data/sources/shop', 'shop'],
      ['/data/sources/far', 'far'],
    ] as const) {
      await page.goto(`${address}${at}`);
      await page.getByText(words).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), at).toBe(true);
      expect(await violations(page), at).toEqual([]);
      await shoot(page, `unconfirmed-${name}-${language}-${colorScheme}-${width}`);
    }
    await page.evaluate(() => localStorage.removeItem('belvedere-language'));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  },
);

test('a confirmed source is connected, its dashboard has its figures, and its connection can be changed', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/data/sources/shop`);
  await page.getByRole('button', { name: 'Trust and connect' }).click();
  await page.getByText('Ready').waitFor();
  await page.goto(`${address}/d/orders`);
  await expect.poll(async () => (await settled(page), figure(page, 'total')), { timeout: 15_000 }).toBe('3');
  await page.goto(`${address}/data/sources/shop`);
  await page.getByRole('button', { name: 'Edit connection' }).click();
  const dialog = page.getByRole('dialog');
  // The connection is tried with the secret that the file names.
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await dialog.getByRole('status').waitFor();
  expect(await dialog.getByRole('status').textContent()).toContain('Connected: PostgreSQL');
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await dialog.getByLabel('User').fill('nobody');
  await dialog.getByLabel('Password').fill('two');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The server denied access to `nobody`').waitFor();
  expect(opened.faults).toEqual([]);
});
