import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/** Home, the actions on a whole dashboard, and the pages for settings, trash and search. */

let browser: Browser;
let opened: OpenWorkspace;

const rows = Array.from(
  { length: 60 },
  (_, i) => `${['North', 'South', 'East'][i % 3]},${1 + (i % 7)},p${i % 5}`,
);
const shops = `version: 1
title: Shops # kept
model: sales
pages:
  - title: One
    tiles:
      bars: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 0, 24, 8] }
      more: { kind: bar, x: { measure: rows }, y: { field: product }, at: [0, 8, 24, 8] }
`;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': `shop,sold,product\n${rows.join('\n')}\n`,
      'data/staff.csv': `person,team,hours\n${rows.map((row, i) => `n${i},${row.split(',')[0]},${i % 9}`).join('\n')}\n`,
      'data/codes.csv': 'code,meaning\nA,Apple\nB,Banana\nC,Cherry\n',
      'models/sales.yaml': 'version: 1\ntable: sales\ndimensions: { shop: {}, sold: {}, product: {} }\n',
      'dashboards/shops.yaml': shops,
      'dashboards/broken.yaml': 'version: 1\ntitle: Broken one\nmodel: nothing\npages: []\n',
    },
    'Shops',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const files = async () => (await readdir(path.join(opened.folder, 'dashboards'))).toSorted();
const home = async () => {
  await opened.page.goto(opened.address);
  await opened.page.getByRole('link', { name: 'Shops' }).first().waitFor();
};
const choose = async (title: string, action: string) => {
  const { page } = opened;
  await page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

describe('Home', () => {
  test('lists each dashboard once, and marks only those with errors', async () => {
    const { page } = opened;
    await home();
    const main = page.getByRole('main');
    await main.getByText('Has errors').first().waitFor();
    expect(await main.getByRole('link', { name: /^(Preview of )?Shops/ }).count()).toBe(1);
    expect(await main.getByText('Ready').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'home-list-light-1440');

    const partly = shops.replace('# kept', 'of today').replace('field: product', 'field: produkt');
    await opened.put('dashboards/partly.yaml', partly);
    const card = main.locator('li', { has: page.getByRole('link', { name: 'Shops of today' }) });
    await card.getByText('1 tile has an error').waitFor();
    await rm(path.join(opened.folder, 'dashboards', 'partly.yaml'));
    await card.waitFor({ state: 'detached' });
  });

  test('folds overviews that show nothing but rows, as of code lists', async () => {
    const { page } = opened;
    await home();
    const list = page.getByRole('region', { name: 'Dashboard list' });
    await list.getByRole('link', { name: 'Staff' }).waitFor();
    expect(await list.getByRole('link', { name: 'Codes' }).count()).toBe(0);
    const more = page.getByRole('button', { name: 'More tables (1)' });
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    await more.click();
    await list.getByRole('link', { name: 'Codes' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await more.click();
    await list.getByRole('link', { name: 'Codes' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search dashboards' }).fill('codes');
    await list.getByRole('link', { name: 'Codes' }).waitFor();
  });

  test('a dashboard is renamed, duplicated, moved and trashed from its menu', async () => {
    const { page } = opened;
    await home();
    await choose('Shops', 'Rename…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    await dialog.getByRole('textbox').fill('All shops');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => readFile(path.join(opened.folder, 'dashboards', 'shops.yaml'), 'utf8'))
      .toContain('title: All shops # kept');
    await choose('All shops', 'Duplicate');
    await page.waitForURL('**/d/all-shops-copy');
    await settled(page);
    expect(await files()).toEqual(['all-shops-copy.yaml', 'broken.yaml', 'shops.yaml']);
    await page.goto(opened.address);
    await choose('All shops (copy)', 'Move…');
    await page.getByRole('dialog').getByRole('textbox').fill('old/copy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'old 1' }).waitFor();
    await choose('All shops (copy)', 'Move to trash');
    await page.getByText('“All shops (copy)” moved to the trash').waitFor();
    await page.getByRole('link', { name: 'Trash (1)' }).click();
    await page.getByText('old/copy').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

test('a dashboard’s header has a star, and a menu that duplicates it', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  const star = page.getByRole('banner').getByRole('button', { name: 'Favorite: All shops' });
  await star.click();
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.waitForURL('**/d/all-shops-copy');
});

test('Edit on an overview opens a saved copy', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/overview%2Fstaff`);
  await settled(page);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.waitForURL('**/d/staff/edit');
  expect(await files()).toContain('staff.yaml');
});

test('a viewer adds a filter for a field without one', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Add filter' }).getByRole('button', { name: 'Shop' }).click();
  const control = page.getByRole('dialog', { name: 'Shop' });
  await control.getByText('North').click();
  await page.waitForURL(url => decodeURIComponent(url.search).includes('f.shop=["North"]'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.waitForURL(url => !url.search.includes('f.shop'));
});

test('the settings page changes the theme and the language', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/settings`);
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'settings-light-1440');
  await page.getByRole('button', { name: /Theme$/ }).click();
  await page.getByRole('option', { name: 'Dark' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /Theme$/ }).click();
  await page.getByRole('option', { name: 'System' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('belvedere-theme'))).toBe(null);
});

test('the search page lists what the address asks for', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/search?q=shop`);
  await page.getByRole('region', { name: 'Dashboards' }).getByText('All shops').first().waitFor();
  await page.getByRole('region', { name: 'Fields' }).getByText('Shop').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('searchbox').fill('trash');
  await page.waitForURL('**/search?q=trash');
  expect(opened.faults).toEqual([]);
});
