import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  choose,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/* An alert from a tile's menu to its firing, in one person's workspace. */

const days = Array.from({ length: 90 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
);
const orders = (last: number) =>
  `day,region,amount\n${days
    .flatMap((day, i) => {
      const amount = i === 89 ? last : 40 + ((i * 37) % 23) + (i % 30 === 20 ? 60 : 0);
      return [`${day},north,${amount}`, `${day},south,${amount / 2}`];
    })
    .join('\n')}\n`;

const dashboard = `version: 1
title: Orders
model: orders
pages:
  - title: Overview
    tiles:
      total: { kind: kpi, title: Total, value: { measure: sum(amount) }, at: [0, 0, 6, 4] }
      daily: { kind: line, title: Orders a day, x: { field: day, timeUnit: day }, y: { measure: sum(amount) }, at: [6, 0, 18, 8] }
      both: { kind: pivot, title: B, rows: [{ field: region }], values: [{ measure: sum(amount) }, { measure: rows }], at: [12, 8, 9, 8] }
      regions: { kind: bar, x: { measure: sum(amount) }, y: { field: region }, at: [0, 8, 12, 8] }
`;

let browser: Browser;
let opened: OpenWorkspace;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\ntimezone: UTC\n',
      'data/orders.csv': orders(50),
      'dashboards/orders.yaml': dashboard,
    },
    'Shop',
  );
  page = opened.page;
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

const rehearsed = () => page.getByTestId('rehearsed').textContent();
const alertText = () => readFile(path.join(opened.folder, 'alerts/orders-a-day-alert.yaml'), 'utf8');

test('an empty list says how to make an alert', async () => {
  await page.goto(`${opened.address}/alerts`);
  await page.getByText('No alerts yet.').waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alerts-empty');
});

test('a tile’s menu opens an alert with a threshold and its rehearsal', async () => {
  await page.goto(`${opened.address}/d/orders`);
  await settled(page);
  await page.locator('[data-tile=daily]').hover();
  await page.locator('[data-tile=daily]').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Alert me when…' }).click();
  await page.getByTestId('rehearsed').waitFor();
  expect(await rehearsed()).toMatch(/^Would have fired (once|\d+ times), longest .+, \d+ messages?\./);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alert-new');
});

test('the threshold is moved by keys and by dragging, and form and text follow', async () => {
  const slider = page.getByRole('slider', { name: 'Threshold' });
  const value = async () => Number(await slider.getAttribute('aria-valuenow'));
  const before = await value();
  await slider.focus();
  await page.keyboard.press('PageUp');
  expect(await value()).toBeGreaterThan(before);
  const bounds = (await slider.boundingBox())!;
  const queries: string[] = [];
  page.on('request', request => request.url().includes('/rehearse') && queries.push(request.url()));
  await page.mouse.move(bounds.x + 100, bounds.y + bounds.height / 2);
  await page.mouse.down();
  await page.mouse.move(bounds.x + 100, bounds.y + bounds.height / 2 + 60, { steps: 8 });
  await page.mouse.up();
  const dragged = await value();
  expect(dragged).toBeLessThan(before);
  expect(queries).toEqual([]);
  expect(await page.getByRole('textbox', { name: 'Threshold' }).inputValue()).toBe(String(dragged));
  await expect
    .poll(() =>
      page
        .locator('[data-yaml]')
        .count()
        .then(() => page.getByText(`above: ${dragged}`).count()),
    )
    .toBeGreaterThan(0);
  // A drag is one step back.
  await page.getByRole('button', { name: /^Undo/ }).click();
  expect(await value()).toBeGreaterThan(before);
  for (const wrong of ['many', '']) {
    await page.getByRole('textbox', { name: 'Threshold' }).fill(wrong);
    await page.getByText('Enter a number.').waitFor();
  }
  await page.getByRole('textbox', { name: 'Threshold' }).fill('200');
  expect(await value()).toBe(200);
  expect(await rehearsed()).toMatch(/^Would not have fired, 0 messages\./);
});

test('it is saved as a small text, fires when the file changes, and is marked on the tile', async () => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/alerts\/orders-a-day-alert$/);
  await page.getByRole('heading', { level: 1, name: 'Orders a day alert' }).waitFor();
  expect(await alertText()).toContain('watch: { dashboard: orders, tile: daily }\nwhen: { above: 200 }\n');
  await page.getByText('OK', { exact: true }).first().waitFor();
  await page.getByText('No messages in the last 90 days.').waitFor();
  await page.getByText('Above 200.00', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alert-ok');
  await writeFile(path.join(opened.folder, 'data/orders.csv'), orders(500));
  await page.getByText('750.00 is above 200.00.').first().waitFor({ timeout: 30_000 });
  const past = page.getByRole('region', { name: 'Past values' });
  await past.getByTestId('fired').first().waitFor();
  // Only the editor's lines can be dragged.
  expect(await past.getByRole('slider').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alert-firing', { isWhole: true });
  await page.goto(`${opened.address}/d/orders`);
  await settled(page);
  await page.getByRole('link', { name: 'Firing: Orders a day alert' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alert-tile');
  await page.getByRole('link', { name: 'Firing: Orders a day alert' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders a day alert' }).waitFor();
});

test('the list shows it first, on phones and in the dark too; it is snoozed there', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('link', { name: 'Orders a day alert' }).waitFor();
  expect(await page.getByRole('link', { name: 'Alerts (1 firing)' }).count()).toBe(1);
  await page.getByText('Select all').click();
  await page.getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('menuitem', { name: '1 day' }).click();
  await page.getByText(/^Snoozed until/).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alerts-list');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [name, address] of [
      ['list', '/alerts'],
      ['one', '/alerts/orders-a-day-alert'],
      ['edit', '/alerts/orders-a-day-alert/edit'],
    ] as const) {
      await page.goto(`${opened.address}${address}`);
      await page.getByText('Orders a day alert').first().waitFor();
      if (name === 'edit') await page.getByTestId('rehearsed').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await violations(page)).toEqual([]);
      await shoot(page, `alert-390-${name}-${scheme}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${opened.address}/alerts/orders-a-day-alert/edit`);
    await page.getByTestId('rehearsed').waitFor();
    await shoot(page, `alert-edit-${scheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

test('a copy begins as the same text under another title', async () => {
  await page.goto(`${opened.address}/alerts/orders-a-day-alert`);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders a day alert (copy)' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/alerts\/orders-a-day-alert-copy$/);
  const copied = await readFile(path.join(opened.folder, 'alerts/orders-a-day-alert-copy.yaml'), 'utf8');
  expect(copied).toBe((await alertText()).replace('Orders a day alert', 'Orders a day alert (copy)'));
  await rm(path.join(opened.folder, 'alerts/orders-a-day-alert-copy.yaml'));
});

test('it is resolved when the file is as before', async () => {
  await writeFile(path.join(opened.folder, 'data/orders.csv'), orders(50));
  await page.goto(`${opened.address}/alerts/orders-a-day-alert`);
  await page.getByText('75.00 is not above 200.00.').first().waitFor({ timeout: 30_000 });
});

test('a tile without a title is named as on its dashboard', async () => {
  await page.goto(`${opened.address}/alerts/new?dashboard=orders&tile=regions`);
  await page.getByRole('heading', { level: 1, name: 'Sum of amount by region alert' }).waitFor();
  await page.getByRole('link', { name: 'Orders › Sum of amount by region' }).waitFor();
});

test('of a tile with several measures one is chosen, and filters narrow it further', async () => {
  await page.goto(`${opened.address}/alerts/new?dashboard=orders&tile=both`);
  await page.getByTestId('rehearsed').waitFor();
  const text = page.locator('.cm-content');
  await expect.poll(() => text.textContent()).toContain('measure: sum(amount)');
  await choose(page.getByRole('button', { name: /Measure$/ }), 'rows');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Region', exact: true }).click();
  await page.getByRole('checkbox', { name: /^north/ }).press(' ');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => text.textContent())
    .toContain(
      'watch: { dashboard: orders, tile: both, measure: rows, filters: { region: { oneOf: [north] } } }',
    );
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'alert-measure');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => text.textContent()).toContain('tile: both, measure: rows }');
});

test('the text completes names of the workspace, and an unknown one is named with its nearest', async () => {
  const text = page.locator('.cm-content');
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await page.locator('.cm-search input[name=search]').pressSequentially('tile: both');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.type('tile: da');
  await page.locator('.cm-tooltip-autocomplete').getByText('daily').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('ilx');
  await page.getByText('Unknown tile `dailx` of `orders`; did you mean `daily`?').first().waitFor();
  await shoot(page, 'alert-unknown');
  // A picture of the whole page sometimes takes the focus from an editor.
  await text.focus();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('y');
  await expect.poll(() => page.getByText('did you mean `daily`?').count()).toBe(0);
});
