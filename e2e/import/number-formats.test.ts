import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  drag,
  figure,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  const money = (value: number) =>
    `"${value < 0 ? '-' : ''}$${Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: 2 })}"`;
  const rows = Array.from(
    { length: 400 },
    (_, i) => `${'ABCD'[i % 4]},${money(((i * 37) % 400) * 12.5 - 100)},${(i % 40) / 2}%`,
  );
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': `shop,price,margin\n${rows.join('\n')}\n`,
      'data/runs.csv':
        'runner,took,note\nAnn,25:10:00,5\nBen,01:30:00,7\nCho,02:00:30,late\nDee,00:59:59,first\n',
      'dashboards/sales.yaml': `version: 1
title: Sales
model: sales
filters:
  - { field: margin, control: numberRange }
  - { field: price, control: numberRange }
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      average: { kind: kpi, value: { measure: avg_price }, at: [6, 0, 6, 4] }
      prices: { kind: bar, x: { field: price, bin: { step: 500 } }, y: { measure: rows }, at: [0, 4, 12, 8] }
      margins: { kind: bar, x: { field: margin, bin: { step: 0.05 } }, y: { measure: avg_margin }, at: [12, 4, 12, 8] }
      list: { kind: table, columns: [shop, price, margin], at: [0, 12, 24, 8] }
`,
    },
    'Sales',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('money and percentages are imported as numbers, and shown everywhere in the file’s format', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/sales`);
  await settled(page);
  expect(
    await page
      .locator('[data-tile=list] tbody tr')
      .first()
      .locator('td:not([data-row-comment])')
      .allTextContents(),
  ).toEqual(['A', '−$100', '0.0%']);
  expect(
    await page
      .locator('[data-tile=list] tbody tr')
      .nth(2)
      .locator('td:not([data-row-comment])')
      .allTextContents(),
  ).toEqual(['C', '$825', '1.0%']);
  expect(
    await page
      .locator('[data-tile=list] tbody tr')
      .nth(1)
      .locator('td:not([data-row-comment])')
      .allTextContents(),
  ).toEqual(['B', '$362.50', '0.5%']);
  expect(await figure(page, 'average')).toBe('$2,394');
  expect(await page.locator('[data-tile=margins] [role=application]').getAttribute('aria-label')).toContain(
    '15.0% to 20.0%',
  );
  await drag(page, 'prices', [0.3, 0.5], [0.6, 0.5]);
  await page
    .getByText(/^Distribution of price: \$1,000 to \$\d,\d{3}$/)
    .first()
    .waitFor({ state: 'attached' });
  await shoot(page, 'written-numbers-light-1440');
  expect(await violations(page)).toEqual([]);
});

test('a range is typed in the locale’s number format', async () => {
  const { page } = opened;
  const setRange = async (field: string, from: string, to: string) => {
    await page.getByRole('button', { name: new RegExp(`^${field}`) }).click();
    await page.getByLabel('From').fill(from);
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Apply' }).click();
    await settled(page);
  };
  await page.goto(`${opened.address}/d/sales`);
  await settled(page);
  await setRange('Price', '$1,000', '2,000.00');
  await page.waitForURL(url => url.search.includes('f.price=1000..2000'));
  await page.getByText('$1,000 to $2,000').waitFor();
  expect(await figure(page, 'all')).toBe('80');
  await setRange('Margin', '10', '12.3%');
  await page.waitForURL(url => url.search.includes('f.margin=0.1..0.123'));
  await page.getByText('10.0% to 12.3%').waitFor();
  await page.getByRole('button', { name: /^Margin/ }).click();
  expect([
    await page.getByLabel('From').inputValue(),
    await page.getByLabel('To', { exact: true }).inputValue(),
  ]).toEqual(['10%', '12.3%']);
  await page.getByLabel('From').fill('ten');
  await page.getByText('Enter a number.').waitFor();
  expect(opened.faults).toEqual([]);
});

test('durations are shown as such; import options tell what they would lose before they are saved', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/data/files/runs`);
  await page.getByText('1 day 1 hr 10 min').first().waitFor();
  await page.getByText('“took” is read as durations, in seconds.').waitFor();
  await page.getByRole('button', { name: 'Import options' }).click();
  const dialog = page.getByRole('dialog');
  const choose = async (column: string, type: string) => {
    await dialog.getByRole('button', { name: column }).click();
    await page.getByRole('option', { name: type, exact: true }).click();
  };
  await choose('note', 'whole number');
  await dialog.getByRole('button', { name: 'Save and import again' }).click();
  await dialog.getByRole('alert').getByText('2 values in “note” would become null.').waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'import-losses');
  await choose('note', 'text');
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await choose('note', 'whole number');
  await dialog.getByRole('button', { name: 'Save and import again' }).click();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 values of “note” could not be converted and are imported as null.').waitFor();
});
