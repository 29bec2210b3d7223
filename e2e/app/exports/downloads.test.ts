import type { Browser } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/** Exports from the page: each shows its progress, can be canceled, and shows its error if it fails. */

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': `shop,sold\n${Array.from({ length: 300 }, (_, i) => `${['North', 'South'][i % 2]},${i}`).join('\n')}\n`,
      'models/faulty.yaml':
        'version: 1\nsql: "select cast(shop as integer) as number from sales"\nmeasures: { numbered: { expr: sum(number) } }\n',
      'data/visits.csv': `visit\n${Array.from({ length: 10_500 }, (_, i) => i).join('\n')}\n`,
      'dashboards/visits.yaml':
        'version: 1\ntitle: Visits\nmodel: visits\npages:\n  - title: One\n    tiles:\n      list: { kind: table, title: Each visit, at: [0, 0, 24, 8] }\n',
      'dashboards/shops.yaml':
        'version: 1\ntitle: Shops of ours\nmodel: sales\npages:\n  - title: One\n    tiles:\n      shops: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 0, 12, 8] }\n      wrong: { kind: kpi, model: faulty, value: { measure: numbered }, at: [12, 0, 12, 8] }\n',
    },
    'Shops of ours',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const take = async (format: string) => {
  await opened.page.getByRole('button', { name: 'Export' }).click();
  await opened.page.getByRole('menuitem', { name: format }).click();
};
const ofTile = async (tile: string, format: string) => {
  await opened.page.locator(`[data-tile=${tile}]`).getByRole('button', { name: 'More' }).click();
  await opened.page.getByRole('menuitem', { name: 'Export' }).click();
  await opened.page.getByRole('menuitem', { name: format }).click();
};

test('a quick export shows no message, and has the server’s file name', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  const [file] = await Promise.all([page.waitForEvent('download'), ofTile('shops', 'CSV')]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect(
    (await readFile(await file.path(), 'utf8')).replaceAll('\r', '').trim().split('\n').slice(1).toSorted(),
  ).toEqual(['North,150', 'South,150']);
  expect(await page.locator('[role=status]').getByText('CSV').count()).toBe(0);
});

test('a slow export shows its progress, and leaves nothing when it is cancelled', async () => {
  const { page } = opened;
  let holds = true;
  // The server's own answer, held up on its way.
  await page.route('**/export?**', async route => {
    while (holds) await new Promise(resolve => setTimeout(resolve, 50));
    await route.continue().catch(() => {});
  });
  let downloads = 0;
  page.on('download', () => downloads++);
  await take('PDF');
  const notice = page.getByRole('status').getByText('Preparing PDF…');
  await notice.waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'taking-away-light-1440', { isWhole: false });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await notice.waitFor({ state: 'detached' });
  holds = false;
  await page.waitForTimeout(500);
  expect(downloads).toBe(0);
  holds = true;
  await take('PDF');
  await notice.waitFor();
  const coming = page.waitForEvent('download');
  holds = false;
  expect((await coming).suggestedFilename()).toBe('Shops of ours.pdf');
  await notice.waitFor({ state: 'detached' });
  await page.unroute('**/export?**');
});

test('a failed export shows its error until it is dismissed', async () => {
  const { page } = opened;
  await ofTile('wrong', 'CSV');
  const alert = page.getByRole('alert').filter({ hasText: 'Could not convert' });
  await alert.waitFor();
  expect(await violations(page)).toEqual([]);
  await alert.getByRole('button', { name: 'Close' }).click();
  await alert.waitFor({ state: 'detached' });
  // The browser's console lists the failed response; the page shows the error, too.
  expect(opened.faults.filter(fault => !fault.includes('422'))).toEqual([]);
});

test('a workbook of more than 10,000 rows is exported after a question', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/visits`);
  await settled(page);
  const dialog = page.getByRole('dialog', { name: 'Export Excel (XLSX)' });
  await take('Excel');
  await dialog.getByText('10,500 rows').waitFor();
  await shoot(page, 'export-dialog-light-1440', { isWhole: false });
  expect(await violations(page)).toEqual([]);
  const [limited] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(limited.suggestedFilename()).toBe('Visits (10000 of 10500 rows).xlsx');
  await take('Excel');
  await dialog.getByRole('checkbox', { name: 'All rows' }).check({ force: true });
  const [all] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(all.suggestedFilename()).toBe('Visits.xlsx');
  await take('PDF');
  const asked = page.getByRole('dialog', { name: 'Export PDF' });
  await asked.waitFor();
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
});
