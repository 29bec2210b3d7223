import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  choose,
  drag,
  figure,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/** A folder of related tables: its diagram, an author's decisions on it, and a figure over several tables. */

const categories = ['Beverages', 'Dairy', 'Produce'];
const customers = Array.from({ length: 12 }, (_, i) => ({
  key: `C${i}`,
  country: ['Chile', 'Peru', 'Cuba'][i % 3]!,
}));
const orders = Array.from({ length: 240 }, (_, i) => ({
  id: 1000 + i,
  customer: customers[(i * 5) % 12]!.key,
  at: new Date(Date.UTC(1996, 0, 1 + i * 3)).toISOString().slice(0, 10),
}));
const products = Array.from({ length: 20 }, (_, i) => ({ id: i + 1, category: 1 + (i % 3) }));
const lines = Array.from({ length: 720 }, (_, i) => ({
  order: 1000 + Math.floor(i / 3),
  product: 1 + ((i * 7) % 20),
  price: 2 + (i % 40),
  quantity: 1 + (i % 9),
}));
const days = Array.from({ length: 60 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
);
const visits = days.map((day, i) => ({ tariff: 'AB'[i % 2], day, amount: i % 7 }));
const tariffs = ['A', 'B'].flatMap((tariff, i) => [
  { tariff, from: '2024-01-01', to: '2024-02-01', price: 10 + i },
  { tariff, from: '2024-02-01', to: '', price: 20 + i },
]);
const csv = (head: string, rows: readonly object[]) =>
  `${[head, ...rows.map(row => Object.values(row).join(','))].join('\n')}\n`;

let browser: Browser;
let opened: OpenWorkspace;
beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'categories.csv': csv(
        'category_id,category_name',
        categories.map((name, i) => ({ id: i + 1, name })),
      ),
      'customers.csv': csv(
        'customer_id,company_name,country',
        customers.map(({ key, country }) => ({ key, name: `Company ${key}`, country })),
      ),
      'orders.csv': csv('order_id,customer_id,order_date', orders),
      'products.csv': csv(
        'product_id,product_name,category_id',
        products.map(({ id, category }) => ({ id, name: `Product ${id}`, category })),
      ),
      'order_details.csv': csv('order_id,product_id,unit_price,quantity', lines),
      // Tariffs change: a visit has that of its day.
      'visits.csv': csv('tariff,visited,amount', visits),
      'tariff.csv': csv('tariff,valid_from,valid_to,price', tariffs),
      'budgets.csv': csv(
        'budget_id,division,amount',
        Array.from({ length: 8 }, (_, i) => ({ id: i + 1, division: 1 + (i % 4), amount: 100 * i })),
      ),
    },
    'Order details',
  );
  opened.page.setDefaultTimeout(15_000);
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

test('the diagram shows tables and their relationships, by mouse and by keyboard', async () => {
  const { page, address, faults } = opened;
  await page.goto(`${address}/data`);
  await page.getByRole('link', { name: 'Relationships' }).click();
  await page.getByText('4 in use').waitFor();
  const box = (name: string) => page.locator(`[data-box=${name}]`);
  await box('order_details').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const [chosen] = await page.locator('[data-box][aria-pressed=true]').all();
  expect(['orders', 'products']).toContain(await chosen!.getAttribute('data-box'));
  await page.keyboard.press('Escape');
  // A table that is chosen in the list is shown in a readable size.
  await page.getByRole('searchbox', { name: 'Find a table' }).fill('budg');
  await page.getByRole('button', { name: 'budgets', exact: true }).click();
  await page.locator('[data-box=budgets][aria-pressed=true]').waitFor();
  await page
    .getByRole('button', { name: /^order_details\.order_id → orders\.order_id\. In use\. Many to one/ })
    .focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Relationships' });
  await panel.getByText('All 720 rows of order_details with a value match a row of orders.').waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'relationships');
  expect(faults).toEqual([]);
});

test('an author removes a relationship, and adds one whose rows are counted before it is saved', async () => {
  const { page, folder, faults } = opened;
  const panel = page.getByRole('complementary', { name: 'Relationships' });
  await panel.getByRole('button', { name: 'Remove: order_details.order_id → orders.order_id' }).click();
  await page.getByText('3 in use').waitFor();
  const text = () => readFile(path.join(folder, 'tables', 'order_details.yaml'), 'utf8');
  expect(await text()).toContain('use: false');
  // Removed relationships are in the table view, where they can be restored.
  await page.getByRole('tab', { name: 'Table' }).click();
  const row = page.getByRole('row').filter({ hasText: 'orders.order_id' });
  await row.getByText('Removed by an author').waitFor();
  expect(await violations(page)).toEqual([]);
  await row.getByRole('button', { name: /^Reset/ }).click();
  await page.getByText('4 in use').waitFor();
  expect(await text()).not.toContain('relationships');

  await page.getByRole('button', { name: 'Add relationship' }).click();
  const dialog = page.getByRole('dialog');
  const select = (name: string) => dialog.getByRole('button', { name: new RegExp(`${name}$`) });
  await choose(select('Table').first(), 'budgets');
  await choose(select('Foreign key column'), 'division');
  await choose(select('Other table'), 'categories');
  await dialog.getByText('6 of 8 rows of budgets with a value match a row of categories').waitFor();
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('5 in use').waitFor();
  expect(await readFile(path.join(folder, 'tables', 'budgets.yaml'), 'utf8')).toContain(
    'relationships: [{ table: categories, on: { division: category_id } }]',
  );
  await page
    .getByRole('row')
    .filter({ hasText: 'budgets.division' })
    .getByText('Chosen by an author')
    .waitFor();
  expect(faults).toEqual([]);
});

test('an author uses a suggested join by a date range, which the model editor shows', async () => {
  const { page, address, folder, faults } = opened;
  await page.goto(`${address}/data/relationships/files?view=table`);
  const row = page.getByRole('row').filter({ hasText: 'visits.tariff' });
  await row.getByText('Suggested').waitFor();
  expect(await violations(page)).toEqual([]);
  await row.getByRole('button', { name: /^Use/ }).click();
  await row.getByText('In use').waitFor();
  expect(await readFile(path.join(folder, 'tables', 'visits.yaml'), 'utf8')).toContain(
    'between: { visited: [valid_from, valid_to] }',
  );
  await page.goto(`${address}/models/visits`);
  const joins = page.getByRole('region', { name: 'Joins' });
  await joins.getByText('All rows match').waitFor();
  await joins.getByRole('button', { name: /tariff/ }).click();
  const range = page.getByRole('group', { name: 'Date range' });
  await range.getByText('valid_from').first().waitFor();
  await range.getByText('valid_to').first().waitFor();
  // Figures fade in.
  await expect.poll(() => violations(page)).toEqual([]);
  await shoot(page, 'relationships-range');
  expect(faults).toEqual([]);
});

test('the model editor shows how many rows of a join match, and warns where few do', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/models/budgets`);
  const joins = page.getByRole('region', { name: 'Joins' });
  await joins.getByText('75.0% match').waitFor();
  await joins.getByRole('button', { name: /categories/ }).click();
  await page.getByText('Rows without a match stay, with empty values.').waitFor();
  await page.goto(`${address}/models/order_details`);
  await joins.getByText('All rows match').first().waitFor();
});

test('a brushed part of time shows revenue by category, product and customer, and a figure names its joins', async () => {
  const { page, address, faults } = opened;
  await page.goto(`${address}/d/overview/order_details`);
  await settled(page);
  const compact = (value: number) =>
    value >= 1000 ? `${Number((value / 1000).toPrecision(3))}K` : String(value);
  const total = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  expect((await figure(page, 'figure_1')).replace(/[^\d.K]/g, '')).toBe(compact(total));
  await drag(page, 'over_time', [0.1, 0.5], [0.4, 0.5]);
  await expect.poll(() => figure(page, 'figure_1')).not.toContain(compact(total));
  for (const title of ['Revenue by category', 'Revenue by product', 'Revenue by customer'])
    await page.locator(`[data-tile][aria-label="${title}"]`).waitFor();
  await page.locator('[data-tile=figure_1]').hover();
  await page.locator('[data-tile=figure_1]').getByRole('button', { name: 'Explain this number' }).click();
  const explained = page.getByRole('dialog');
  await explained
    .getByText(/order_id = orders\.order_id/)
    .first()
    .waitFor();
  await shoot(page, 'relationships-explained');
  expect(faults).toEqual([]);
});
