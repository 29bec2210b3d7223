import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/** Charts requested by the names of fields, and the palette's other results. */

let browser: Browser;
let opened: OpenWorkspace;

const countries = [
  'Germany',
  'France',
  'Spain',
  'Portugal',
  'Italy',
  'Norway',
  'Sweden',
  'Finland',
  'Iceland',
  'Poland',
];
const orders = Array.from({ length: 400 }, (_, i) => {
  const at = new Date(Date.UTC(1996, 6, 1 + i)).toISOString().slice(0, 10);
  return {
    at,
    country: countries[i % countries.length]!,
    product: `Product ${i % 24}`,
    amount: 10 + ((i * 7) % 90),
  };
});
const total = (keep: (order: (typeof orders)[number]) => boolean) =>
  orders.filter(keep).reduce((sum, { amount }) => sum + amount, 0);

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/orders.csv': `ordered,ship_country,product,amount\n${orders.map(one => Object.values(one).join(',')).join('\n')}\n`,
      'models/orders.yaml': `version: 1
label: Sales
table: orders
time: ordered
dimensions:
  ordered: { label: Order date }
  ship_country: { label: Ship country }
  product: {}
measures: { revenue: { expr: sum(amount), label: Revenue, format: integer } }
`,
      'dashboards/sales.yaml': `version: 1
title: Sales by country
model: orders
pages:
  - title: One
    tiles:
      money: { kind: kpi, title: Money earned, value: { measure: revenue }, at: [0, 0, 6, 4] }
      bars: { kind: bar, x: { measure: revenue }, y: { field: ship_country }, at: [6, 0, 18, 8] }
`,
    },
    'Sales by country',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const type = async (text: string) => {
  const { page } = opened;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox');
  await field.waitFor();
  await field.fill(text);
};
const item = (name: string | RegExp) =>
  opened.page.getByRole('dialog', { name: 'Command palette' }).getByRole('menuitem', { name });

test('a phrase is read as a chart, says how, and opens in Explore', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/sales`);
  await settled(page);
  await type('revenue by country 1997 germany');
  const offer = item('Revenue by ship country').first();
  await offer.waitFor();
  await expect.poll(() => offer.textContent()).toContain('Ship country: Germany');
  const said = await offer.textContent();
  for (const part of ['Measure: Revenue', 'By: Ship country', 'Order date: 1997'])
    expect(said).toContain(part);
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await shoot(page, 'ask-light-1440');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/explore/orders?**');
  await settled(page);
  const filters = page.getByRole('group', { name: 'Filters', exact: true });
  await filters.getByText('Ship country: Germany').waitFor();
  await filters.getByText('Order date: 1997').waitFor();
  const germany = total(({ at, country }) => at.startsWith('1997') && country === 'Germany');
  await expect
    .poll(() => page.locator('[data-tile=chart] [role=application]').getAttribute('aria-label'))
    .toContain(germany.toLocaleString('en'));
  await filters.getByRole('button', { name: 'Clear the Ship country filter' }).click();
  await expect.poll(() => filters.getByText('Ship country: Germany').count()).toBe(0);
  // Another chart of the same model replaces it, and Back returns to the first.
  await type('share of revenue by product');
  await item('Share of revenue by product').waitFor();
  await page.keyboard.press('Enter');
  const chart = page.locator('[data-tile=chart]');
  await chart.getByText('Share of revenue by product').waitFor();
  await page.goBack();
  await chart.getByText('Revenue by ship country').waitFor();
  expect(opened.faults).toEqual([]);
});

test('German and Chinese phrases are read on English names', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/sales`);
  await settled(page);
  await type('umsatz nach land letzten 3 monate');
  await item('Revenue by ship country').first().waitFor();
  expect(await item('Revenue by ship country').first().textContent()).toContain('Last 3 months');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await type('1997年每月收入');
  await item('Revenue over time').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

test('words that are not understood are listed', async () => {
  await type('revenue by country flubber');
  await expect
    .poll(() => item('Revenue by ship country').first().textContent())
    .toContain('Not understood: “flubber”');
  await opened.page.keyboard.press('Escape');
  await opened.page.keyboard.press('Escape');
});

test('the palette finds tiles, fields, models and the page’s own commands', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/sales`);
  await settled(page);
  await type('reven');
  await item('Revenue').first().waitFor();
  await item('Revenue by ship country').first().waitFor();
  await type('edit model');
  await item('Edit model “Sales”').waitFor();
  await type('full screen');
  await item('Full screen').waitFor();
  await type('money');
  await item('Money earned').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/d/sales?tile=money');
  await settled(page);
});

test('Home has a field that asks, with examples of the data', async () => {
  const { page } = opened;
  await page.goto(opened.address);
  await page.getByRole('button', { name: 'revenue by product' }).click();
  await item('Revenue by product').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ask for a chart, or search…' }).focus();
  await page.keyboard.type('rev');
  await item('Revenue').first().waitFor();
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox');
  await expect.poll(() => field.inputValue()).toBe('rev');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});
