import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  figure,
  launchBrowser,
  openPage,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/**
 * A user's own records: saved views, the last state of a dashboard, favourites. The server keeps them, so
 * they survive a cleared browser.
 */

let browser: Browser;
let opened: OpenWorkspace;

const rows = Array.from({ length: 120 }, (_, i) => ({
  shop: ['North', 'South', 'East'][i % 3]!,
  sold: 1 + ((i * 7) % 40),
}));
const sold = (shop?: string) =>
  rows
    .filter(row => shop === undefined || row.shop === shop)
    .reduce((sum, row) => sum + row.sold, 0)
    .toLocaleString('en');

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': `shop,sold\n${rows.map(row => `${row.shop},${row.sold}`).join('\n')}\n`,
      'models/sales.yaml':
        'version: 1\ntable: sales\ndimensions: { shop: {}, sold: {} }\nmeasures: { all_sold: { expr: sum(sold), label: Items sold, format: integer } }\n',
      'dashboards/shops.yaml':
        'version: 1\ntitle: Shops\nmodel: sales\nfilters: [{ field: shop, label: Which shop }]\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: all_sold }, at: [0, 0, 6, 3] }\n      bars: { kind: bar, x: { measure: all_sold }, y: { field: shop }, at: [0, 3, 24, 8] }\n',
    },
    'Shops',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const open = async (search = '', page = opened.page) => {
  await page.goto(`${opened.address}/d/shops${search}`);
  await settled(page);
};
const views = () => opened.page.getByRole('button', { name: 'Saved views' });
const mine = () =>
  opened.page.evaluate(
    async () =>
      (await fetch('/api/v1/me')).json() as Promise<{
        favourites: string[];
        recent: { dashboard: string; state?: { filters: object } }[];
        views: { dashboard: string; name: string }[];
      }>,
  );
const keep = async (name: string) => {
  await views().click();
  await opened.page.getByRole('menuitem', { name: 'Save view…' }).click();
  await opened.page.getByRole('dialog').locator('input:focus').waitFor();
  await opened.page.keyboard.type(name);
  await opened.page.keyboard.press('Enter');
  await opened.page.getByRole('dialog').waitFor({ state: 'detached' });
};

test('a view is saved under a name, and listed on Home and on its dashboard', async () => {
  const { page } = opened;
  await open('?f.shop=["North"]&s.bars=shop:["North"]');
  await keep('Only the north');
  await open();
  expect(await figure(page, 'value')).toBe(sold());
  await views().click();
  await page.getByRole('menuitem', { name: 'Only the north' }).click();
  await expect.poll(() => figure(page, 'value')).toBe(sold('North'));
  expect(decodeURIComponent(new URL(page.url()).search)).toContain('s.bars=shop:');
  await page.goto(opened.address);
  await page.getByText('Shops').first().waitFor();
  await page.keyboard.press('Control+k');
  await page
    .getByRole('dialog', { name: 'Command palette' })
    .getByRole('menuitem', { name: 'Only the north' })
    .waitFor();
  await page.keyboard.type('only the');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(await figure(page, 'value')).toBe(sold('North'));
  await page.goto(opened.address);
  await page.getByRole('link', { name: 'Only the north' }).click();
  await settled(page);
  expect(await figure(page, 'value')).toBe(sold('North'));
});

test('a view with an existing name replaces it, after a warning', async () => {
  const { page } = opened;
  await open('?f.shop=["East"]');
  await views().click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Only the north ');
  await page.getByText('A view with this name exists and will be replaced.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await mine()).views.map(view => view.name)).toEqual(['Only the north']);
  await open();
  await views().click();
  await page.getByRole('menuitem', { name: 'Only the north' }).click();
  await expect.poll(() => figure(page, 'value')).toBe(sold('East'));
  await views().click();
  await page.getByRole('menuitem', { name: 'Delete “Only the north”' }).click();
  await expect.poll(async () => (await mine()).views).toEqual([]);
});

test('a user’s last state is offered on the next visit only; a link opens its own state', async () => {
  const { page } = opened;
  const offer = () => page.getByRole('button', { name: 'Restore last view (Which shop)' });
  await open('?f.shop=["North"]');
  const before = (await mine()).recent;
  await open('?f.shop=["South"]');
  await page.waitForTimeout(600);
  expect((await mine()).recent).toEqual(before);
  await page.getByRole('button', { name: /^Which shop/ }).click();
  await page.getByRole('checkbox', { name: /^East/ }).click({ force: true });
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => (await mine()).recent[0]?.state?.filters)
    .toEqual({ shop: { oneOf: ['South', 'East'] } });
  await page.route('**/api/v1/me', async route => {
    await new Promise(resolve => setTimeout(resolve, 1500));
    await route.continue();
  });
  await open();
  const place = await page.locator('[data-tile=bars]').boundingBox();
  expect(await offer().count()).toBe(0);
  await offer().waitFor();
  await page.unroute('**/api/v1/me');
  // A late response moves nothing.
  expect(await page.locator('[data-tile=bars]').boundingBox()).toEqual(place);
  expect(await figure(page, 'value')).toBe(sold());
  expect(await violations(page)).toEqual([]);
  await offer().click();
  await expect.poll(() => new URL(page.url()).searchParams.get('f.shop')).toBe('["South","East"]');
  expect(await offer().count()).toBe(0);
  // Whoever leaves in the same moment has left it so, too.
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.waitForFunction(() => !location.search.includes('f.shop'), undefined, { polling: 10 });
  expect(await offer().count()).toBe(0);
  await page.goto(`${opened.address}/`);
  await expect.poll(async () => (await mine()).recent[0]).toEqual({ dashboard: 'shops' });
  await open();
  await page.waitForTimeout(400);
  expect(await offer().count()).toBe(0);
});

test('another browser of the same user has all views; they move with a dashboard, and disappear when it is removed', async () => {
  const { page } = opened;
  await open('?f.shop=["North"]');
  await keep('North');
  await page.goto(opened.address);
  await page.getByRole('button', { name: 'Favorite: Shops' }).click();
  await expect.poll(async () => (await mine()).favourites).toEqual(['shops']);
  const other = await openPage(browser, 'about:blank', { width: 390, touch: true });
  await other.page.context().addCookies(await page.context().cookies());
  await other.page.goto(opened.address);
  await other.page.getByRole('link', { name: 'North' }).waitFor();
  expect(await other.page.getByRole('button', { name: 'Favorite: Shops' }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  await shoot(other.page, 'views-home-light-390');
  expect(await violations(other.page)).toEqual([]);
  // On a phone, one menu contains the saved views and the exports.
  await open('', other.page);
  await other.page.getByRole('banner').getByRole('button', { name: 'More' }).tap();
  await other.page.getByRole('menuitem', { name: 'PDF' }).waitFor();
  await shoot(other.page, 'views-menu-light-390');
  await other.page.getByRole('menuitem', { name: 'North' }).tap();
  await expect.poll(() => figure(other.page, 'value')).toBe(sold('North'));
  await other.close();
  const post = (address: string, method: string, body?: object) =>
    page.evaluate(
      async ([to, how, sent]) =>
        (
          await fetch(to!, {
            method: how!,
            headers: {
              'x-belvedere': '1',
              ...(sent !== undefined && { 'content-type': 'application/json' }),
            },
            ...(sent !== undefined && { body: sent }),
          })
        ).status,
      [address, method, body && JSON.stringify(body)] as const,
    );
  expect(await post('/api/v1/dashboards/shops/move', 'POST', { to: 'north/shops' })).toBe(200);
  await stat(path.join(opened.folder, 'dashboards', 'north', 'shops.yaml'));
  await expect.poll(async () => (await mine()).views.map(view => view.dashboard)).toEqual(['north/shops']);
  expect((await mine()).favourites).toEqual(['north/shops']);
  expect(await post('/api/v1/dashboards/north%2Fshops', 'DELETE')).toBe(200);
  await expect.poll(mine).toEqual({ favourites: [], recent: [], views: [] });
  expect(
    await post('/api/v1/me/views/north%2Fshops/x', 'PUT', {
      state: { page: 0, filters: {}, selections: {} },
    }),
  ).toBe(404);
});

test.each([
  ['light', 1440],
  ['dark', 1440],
] as const)('%s at %i px', async (theme, width) => {
  const seen = await openWorkspace(
    browser,
    {
      'data/sales.csv': 'shop,sold\nNorth,1\nSouth,2\n',
      'dashboards/shops.yaml':
        'version: 1\ntitle: Shops\nmodel: sales\nfilters: [{ field: shop }]\npages:\n  - title: One\n    tiles:\n      bars: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 0, 24, 8] }\n',
    },
    'Shops',
  );
  const { page } = seen;
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'x-belvedere': '1' };
    const state = { page: 0, filters: { shop: { oneOf: ['North'] } }, selections: {} };
    for (const name of ['Only the north', 'A much longer name of a view that does not fit'])
      await fetch(`/api/v1/me/views/shops/${encodeURIComponent(name)}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ state }),
      });
    await fetch('/api/v1/me/recent/shops', { method: 'PUT', headers, body: JSON.stringify({ state }) });
  });
  await page.evaluate(name => localStorage.setItem('belvedere-theme', name), theme);
  await page.goto(seen.address);
  await page.getByRole('link', { name: 'Only the north' }).waitFor();
  await page.waitForTimeout(300);
  await shoot(page, `views-home-${theme}-${width}`);
  await page.goto(`${seen.address}/d/shops`);
  await settled(page);
  await page.getByRole('button', { name: 'Restore last view (Shop)' }).waitFor();
  const seenParts = () =>
    page
      .locator('header .no-print, nav.no-print')
      .evaluateAll(found => found.map(one => one.getClientRects().length > 0));
  const before = await seenParts();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('menuitem', { name: 'Only the north' }).waitFor();
  // An open menu leaves the page behind it as it is.
  expect(await seenParts()).toEqual(before);
  expect(await page.locator('nav.no-print').isVisible()).toBe(true);
  await shoot(page, `views-menu-${theme}-${width}`);
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  expect(seen.faults).toEqual([]);
  await seen.close();
});
