import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  choose,
  figure,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
  illustrate,
} from '../../browser.ts';

/** A policy is made by mouse, and a dashboard is viewed as a user to whom it applies. */

let browser: Browser;
let opened: OpenWorkspace;

const rows = Array.from({ length: 90 }, (_, i) => ({
  shop: ['North', 'South', 'East'][i % 3]!,
  sold: i + 1,
}));
const sum = (shop?: string) =>
  rows
    .filter(row => shop === undefined || row.shop === shop)
    .reduce((total, row) => total + row.sold, 0)
    .toLocaleString('en');

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': `shop,sold\n${rows.map(row => `${row.shop},${row.sold}`).join('\n')}\n`,
      'models/sales.yaml':
        '# What is sold\nversion: 1\ntable: sales\ndimensions: { shop: {}, sold: {} }\nmeasures: { all_sold: { expr: sum(sold), label: Items sold, format: integer } }\n',
      'dashboards/shops.yaml':
        'version: 1\ntitle: Shops\nmodel: sales\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: all_sold }, at: [0, 0, 6, 3] }\n      bars: { kind: bar, x: { measure: all_sold }, y: { field: shop }, at: [0, 3, 12, 8] }\n      each: { kind: bar, x: { field: sold, bin: { step: 10 } }, y: { measure: rows }, at: [12, 3, 12, 8] }\n',
      'tests/shops.yaml':
        'version: 1\npeople:\n  ana: { groups: [keepers], attributes: { shop: South } }\n  ben: {}\n',
    },
    'Shops',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('a policy is created with the mouse, with its errors and a preview of each user’s rows before the save', async () => {
  const { page, folder } = opened;
  await page.goto(`${opened.address}/models/sales`);
  await page.getByRole('button', { name: 'Add policy' }).click();
  const panel = page.getByTestId('entry-panel');
  const seen = () => page.getByTestId('preview').innerText();
  await expect.poll(seen).toBe('ana\n90 of 90\nben\n90 of 90');
  await panel.getByLabel('Name in YAML').fill('own shop');
  await choose(panel.getByLabel('Applies to'), 'groups');
  await panel.getByLabel('Groups (comma-separated)').fill('keepers, owners');
  await expect.poll(seen).toBe('ana\n90 of 90\nben\n0 of 90');
  await panel.getByLabel('Visible rows').fill('shopp = :user.shop');
  await expect.poll(() => panel.getByRole('alert').innerText()).toContain('did you mean `shop`?');
  await panel.getByLabel('Visible rows').fill('shop = :user.shop');
  await expect.poll(seen).toBe('ana\n30 of 90\nben\n0 of 90');
  await panel.getByText('sold', { exact: true }).click();
  await expect
    .poll(() => page.locator('[data-entry="policies.0"]').innerText())
    .toBe('own shop\nkeepers, owners\nshop = :user.shop');
  // Tiles are pale while they load again.
  await expect.poll(() => violations(page)).toEqual([]);
  await shoot(page, 'model-policy-light-1440');
  await illustrate(page, 'policies/policy');
  await page.keyboard.press('Control+s');
  await page.getByLabel('Change description').fill('own shops');
  await page.keyboard.press('Enter');
  await expect.poll(() => readFile(path.join(folder, 'models', 'sales.yaml'), 'utf8')).toContain('policies:');
  expect(await readFile(path.join(folder, 'models', 'sales.yaml'), 'utf8')).toMatch(
    /^# What is sold\nversion: 1\n[\s\S]*\npolicies:\n  - \{ name: own shop, groups: \[keepers, owners\], where: shop = :user\.shop, hide: \[sold\] \}\n$/,
  );
});

test('a dashboard is viewed as another user, completely, until that is ended', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  expect(await figure(page, 'value')).toBe(sum());
  await page.getByRole('button', { name: 'View as…' }).click();
  await page.getByRole('menuitem', { name: 'View as ana' }).click();
  await page.getByText('Viewing as ana').waitFor();
  await settled(page);
  expect(await figure(page, 'value')).toBe(sum('South'));
  expect(await page.locator('[data-tile=each]').innerText()).toMatch(
    /No access\s+You don’t have permission to view this\.$/,
  );
  // A viewer has none of the makers' commands, by mouse or by keyboard.
  expect([
    await page.getByRole('button', { name: 'Edit' }).count(),
    await page.getByRole('link', { name: 'Data' }).count(),
    await page.getByRole('button', { name: 'Saved views' }).count(),
  ]).toEqual([0, 0, 0]);
  await page.keyboard.press('e');
  expect(new URL(page.url()).pathname).toBe('/d/shops');
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'seen-as-light-1440');
  await illustrate(page, 'policies/seen-as');

  await page.locator('[data-tile=bars]').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Explain this number' }).click();
  await expect
    .poll(() => page.getByRole('dialog').innerText())
    .toMatch(/Row policies\s+own shop shop = :user\.shop/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('[data-tile=bars]')
      .getByRole('button', { name: 'More' })
      .click()
      .then(async () => {
        await page.getByRole('menuitem', { name: 'Export' }).hover();
        await page.getByRole('menuitem', { name: 'CSV' }).click();
      }),
  ]);
  expect((await readFile(await taken.path(), 'utf8')).trim().split(/\r?\n/)).toHaveLength(2);

  await page
    .getByRole('button', { name: /^Search/ })
    .first()
    .click();
  await page.keyboard.type('stop viewing');
  await page.keyboard.press('Enter');
  await page.getByText('Viewing as').waitFor({ state: 'detached' });
  await settled(page);
  expect(await figure(page, 'value')).toBe(sum());
});

test('a user without a policy sees no rows, and no hint of any', async () => {
  const { page } = opened;
  await page.keyboard.press('Control+k');
  await page.keyboard.type('view as ben');
  await page.keyboard.press('Enter');
  await page.getByText('Viewing as ben').waitFor();
  await settled(page);
  expect(await page.locator('[data-tile=bars]').innerText()).toContain('No data');
  expect(await page.locator('[data-tile=value]').innerText()).not.toMatch(/\d\d/);
  await page.goto(`${opened.address}/`);
  await page.getByRole('link', { name: 'Shops' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'New dashboard' }).count()).toBe(0);
  await page.goto(`${opened.address}/models/sales`);
  await page.getByRole('heading', { name: 'No access' }).waitFor();
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await page.locator('[data-entry="policies.0"]').waitFor();
});
