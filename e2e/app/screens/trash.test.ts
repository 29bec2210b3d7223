import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/* Models, alerts and reports are moved to the trash and back, in one person's workspace. */

const model = `version: 1
label: Our orders
table: orders
dimensions:
  day: {}
  region: {}
  is_north: { expr: "region = 'north'" }
measures:
  # What was paid.
  paid: { expr: sum(amount) }
`;
const dashboard = `version: 1
title: Payments
model: orders
pages:
  - title: Overview
    tiles:
      total: { kind: kpi, title: Total, value: { measure: paid }, at: [0, 0, 6, 4] }
`;
const alert = `version: 1
title: Many orders
watch: { dashboard: payments, tile: total }
when: { above: 1000 }
`;
const report = `version: 1
title: Weekly payments
dashboard: payments
schedule: { at: "08:00", days: weekdays }
to:
  - { channel: room }
`;

let browser: Browser;
let opened: OpenWorkspace;
let page: Page;
let on: (address: string) => Promise<unknown>;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\ntimezone: UTC\n',
      'data/orders.csv': 'day,region,amount\n2024-01-01,north,3\n2024-01-02,south,4\n',
      'models/orders.yaml': model,
      'dashboards/payments.yaml': dashboard,
      'alerts/many.yaml': alert,
      'reports/weekly.yaml': report,
    },
    'Shop',
  );
  page = opened.page;
  on = address => page.goto(opened.address + address);
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a model goes to the trash with a warning of what reads it, and comes back with its comments', async () => {
  await on('/models/orders');
  await button('Move to trash').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('These dashboards read it').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['Payments']);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'trash-model-dialog-light-1440');
  await dialog.getByRole('button', { name: 'Move to trash' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/data');
  await page.getByText('“Our orders” moved to the trash').waitFor();
  await on('/d/payments');
  await settled(page);
  expect(await page.locator('[data-tile=total]').getAttribute('data-status')).not.toBe('fresh');
  // Its table has a generated model meanwhile, which cannot be deleted.
  await on('/models/orders');
  await page.getByText('This model is generated from its table.').waitFor();
  expect(await button('Move to trash').count()).toBe(0);
  await on('/trash');
  await page.getByText('Model · orders').waitFor();
  await button('Restore').click();
  await page.getByText('The trash is empty.').waitFor();
  await on('/d/payments');
  await page.getByText('Total').first().waitFor();
  await settled(page);
  expect(await page.locator('[data-tile=total]').innerText()).toContain('7');
  await on('/models/orders');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.getByText('# What was paid.').waitFor();
});

test('an alert goes to the trash, and *Undo* restores it', async () => {
  await on('/alerts/many');
  await button('Move to trash').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/alerts');
  await button('Undo').click();
  await page.getByRole('link', { name: 'Many orders' }).waitFor();
});

test('a report goes to the trash, and is restored there', async () => {
  await on('/reports/weekly');
  await button('Move to trash').click();
  await page.getByText('Its recipients stop getting it.').waitFor();
  await button('Move to trash').last().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/reports');
  await on('/trash');
  await page.getByText('Report · weekly').waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'trash-light-1440');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(400);
  await shoot(page, 'trash-dark-390');
  await button('Restore').click();
  await page.getByText('The trash is empty.').waitFor();
  await on('/reports/weekly');
  await page.getByRole('heading', { name: 'Weekly payments' }).waitFor();
});
