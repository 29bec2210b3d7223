import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { figure, launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../browser.ts';

/**
 * Everything that is chosen on a page is in its address. Servers and proxies refuse long addresses, and an
 * address may contain anything.
 */

const names = Array.from({ length: 700 }, (_, i) => `Überlandstraße Nummer ${i} in Zürich, Schweiz`);
const chosen = (count: number) =>
  new URLSearchParams({ 'f.street': JSON.stringify(names.slice(0, count)) }).toString();

const dashboard = `version: 1
title: Streets
model: streets
filters:
  - { field: street }
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 8, 3] }
      floors: { kind: bar, x: { field: floor, bin: { step: 1 } }, y: { measure: rows }, at: [8, 0, 16, 8] }
`;
/** Its ID is its path, of more than 100 characters. */
const deep =
  'Vertrieb und Marketing in Europa/Quartalsberichte der Geschäftsleitung/Umsätze nach Region und Produktgruppe';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/streets.csv': `street,floor\n${names.flatMap((name, i) => [`"${name}",0`, ...(i % 2 ? [`"${name}",1`] : [])]).join('\n')}\n`,
      'dashboards/streets.yaml': dashboard,
      [`dashboards/${deep}.yaml`]: dashboard.replace('title: Streets', 'title: Deep'),
    },
    'Streets',
  );
  await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('a dashboard deep in folders with long names opens', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/d/${encodeURIComponent(deep)}`);
  await settled(page);
  expect(await figure(page, 'count')).toBe('1,050');
});

test('a state of any length survives a reload, and Back and Forward', async () => {
  const { page, address } = opened;
  const shown = async () => {
    await settled(page);
    return figure(page, 'count');
  };
  await page.goto(`${address}/d/streets#?${chosen(600)}`);
  expect(await shown()).toBe('900');
  const surface = page.locator('[data-tile=floors] [role=application]');
  const box = (await surface.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.75, box.y + box.height * 0.8);
  await expect.poll(() => page.url()).toContain('s.floors=');
  expect(page.url()).toContain('/d/streets#?');
  await expect.poll(() => figure(page, 'count')).toBe('300');
  await page.reload();
  expect(await shown()).toBe('300');
  // The first link skips the navigation, and leaves the address unchanged.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  expect(page.url()).toContain('/d/streets#?');
  await page.goBack();
  await expect.poll(() => figure(page, 'count')).toBe('900');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect.poll(() => page.url()).toBe(`${address}/d/streets`);
  await expect.poll(() => figure(page, 'count')).toBe('1,050');
  await page.goBack();
  await expect.poll(() => figure(page, 'count')).toBe('900');
  expect(opened.faults).toEqual([]);
});

test('a tile of it is exported, and its link copied', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/d/streets#?${chosen(500)}`);
  await settled(page);
  const menu = async () => {
    await page.locator('[data-tile=floors]').hover();
    await page
      .locator('[data-tile=floors]')
      .getByRole('button', { name: /More|menu/i })
      .click();
  };
  await menu();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile((await download.path())!, 'utf8')).trim().split(/\r?\n/);
  expect(lines.length).toBe(3);
  expect(
    lines
      .slice(1)
      .map(line => Number(line.split(',').at(-1)))
      .toSorted((a, b) => a - b),
  ).toEqual([250, 500]);
  await menu();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/d\/streets#\?.*tile=floors/);
  await page.goto(link);
  await page.reload();
  await settled(page);
  expect(await page.locator('[data-tile]').count()).toBe(1);
  expect(await page.evaluate(() => window.location.hash.length)).toBeGreaterThan(20_000);
});

test('an address too long to be sent has an error with advice', async () => {
  const { page, address } = opened;
  const response = (await page.goto(`${address}/d/streets?${chosen(600)}`))!;
  expect(response.status()).toBe(431);
  const said = await page.locator('body').innerText();
  expect(said).toContain('too long');
  expect(said).toContain('Replace its `?` with `#?`');
  await page.goto(page.url().replace('?', '#?'));
  await settled(page);
  expect(await figure(page, 'count')).toBe('900');
});

const addressOf = (search: string) => `${opened.address}/d/streets?${search}`;

test.each([
  ['a text, a range', 'f.street=1..2', '`street` is text, so `1` does not apply.'],
  ['a text, a length of time', 'f.street=last+3+days', '`street` is text, so `last 3 days` does not apply.'],
  [
    'a number, days',
    'f.floor=2024-01-01..2024-02-01',
    '`floor` is a number, so `2024-01-01` does not apply.',
  ],
  ['a number, words', 'f.floor=["high",0]', '`floor` is a number, so `high` does not apply.'],
  ['a selection of a text by numbers', 's.floors=street:1..2', '`street` is text, so `1` does not apply.'],
])(
  'a filter that does not apply is labelled on the tiles, and stops nothing: %s',
  async (_, search, said) => {
    const { page } = opened;
    await page.goto(addressOf(search));
    await settled(page);
    await page.locator('[data-tile=count]').getByText(said).waitFor();
    expect(opened.faults.filter(fault => !/Failed to load/.test(fault))).toEqual([]);
  },
);

test.each([
  ['a day that does not exist', 'f.floor=2024-02-30..'],
  ['a time and a number', 'f.floor=2024-01-01..1.5'],
  ['a field without a name', 'f.=1..2'],
  ['no colour', 'b.floors='],
  ['a search text that is too long', `f.street=~${'x'.repeat(201)}`],
  [
    'more boxes than a tile may have',
    `s.floors=${Array.from({ length: 201 }, () => 'floor:0..1').join('|')}`,
  ],
])('an invalid part is left out, with a notice: %s', async (_, search) => {
  const { page } = opened;
  await page.goto(addressOf(search));
  await settled(page);
  await page.getByText('Part of this link no longer fits the dashboard and was ignored.').waitFor();
  expect(await figure(page, 'count')).toBe('1,050');
});

test('a low tile shows the beginning of its error, with advice; a phone shows the number of filters', async () => {
  const { page } = opened;
  await page.goto(addressOf('f.floor=last+3+days'));
  await settled(page);
  const said = page.locator('[data-tile=count] [role=status]');
  const area = (await said.boundingBox())!;
  const title = (await said.getByText('Type mismatch').boundingBox())!;
  const action = (await said.getByRole('button', { name: 'Try again' }).boundingBox())!;
  expect(title.y).toBeGreaterThanOrEqual(area.y);
  expect(action.y).toBeGreaterThanOrEqual(area.y);
  expect(action.y + action.height).toBeLessThanOrEqual(area.y + area.height);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).getByText('Floor: Last 3 days').waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
});
