import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  launchBrowser,
  openPage,
  openWorkspace,
  settled,
  shoot,
  violations,
  type Opened,
  type OpenWorkspace,
} from '../../browser.ts';

/* A dashboard at 390 pixels, by finger. */

const days = Array.from({ length: 181 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1) + i * 86_400_000).toISOString().slice(0, 10),
);
const rows = days.map((day, i) => `${day},${['North', 'South', 'East'][i % 3]},${100 + (i % 7)}`);
const figures = 'compare: previous period, spark: { field: day, timeUnit: week }';
let browser: Browser;
let opened: OpenWorkspace;
let phone: Opened;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': ['day,shop,sold', ...rows].join('\n'),
      'models/sales.yaml':
        'version: 1\ntable: sales\ntime: day\ndimensions: { day: {}, shop: {} }\nmeasures: { revenue: { expr: sum(sold), label: Revenue, better: up } }\n',
      'dashboards/shops.yaml': `version: 1
title: Shops
model: sales
filters:
  - { field: day, control: dateRange, default: { from: 2024-04-01, below: 2024-06-01 } }
pages:
  - title: One
    tiles:
      revenue: { kind: kpi, value: { measure: revenue }, ${figures}, at: [0, 0, 6, 3] }
      plain: { kind: kpi, value: { measure: revenue }, at: [6, 0, 6, 3] }
      count: { kind: kpi, value: { measure: rows }, compare: previous period, at: [12, 0, 6, 3] }
      by_day: { kind: line, x: { field: day, timeUnit: day }, y: { measure: revenue }, at: [0, 3, 24, 8] }
      shops: { kind: bar, x: { measure: revenue }, y: { field: shop }, at: [0, 11, 24, 8] }
`,
    },
    'Shops',
  );
  phone = await openPage(browser, 'about:blank', { width: 390, height: 844, touch: true });
  page = phone.page;
  await page.context().addCookies(await opened.page.context().cookies());
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
});
afterAll(async () => {
  await phone.close();
  await opened.close();
  await browser.close();
});

describe('a phone shows', () => {
  test('a figure shows its comparison, its period and the end of the data', async () => {
    for (const tile of ['revenue', 'count']) {
      const basis = page.locator(`[data-tile=${tile}]`).getByText(/^vs Feb\s–\sMar 2024$/);
      await basis.waitFor();
      // The control is inside its paragraph, which clips what does not fit.
      expect(
        await basis.evaluate(element => {
          const own = element.getBoundingClientRect();
          const room = element.parentElement!.getBoundingClientRect();
          return own.bottom <= room.bottom + 1 && element.scrollWidth <= element.clientWidth + 1;
        }),
      ).toBe(true);
    }
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters
      .getByText(/^Apr\s–\sMay 2024$/)
      .filter({ visible: true })
      .waitFor();
    await filters.getByText('Data through Jun 29, 2024').waitFor();
    await shoot(page, 'phone-light-390', { isWhole: false });
    expect(await violations(page)).toEqual([]);
  });

  test('figures of a row on one baseline, with a comparison or without', async () => {
    for (const shown of [page, opened.page]) {
      await shown.goto(`${opened.address}/d/shops`);
      await settled(shown);
      const bottoms = await Promise.all(
        ['revenue', 'plain'].map(async tile => {
          const box = await shown.locator(`[data-tile=${tile}] p.tabular`).boundingBox();
          return Math.round(box!.y + box!.height);
        }),
      );
      expect(bottoms[0]).toBe(bottoms[1]);
    }
  });

  test('the navigation as a drawer', async () => {
    await page.getByRole('button', { name: 'Menu' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Home' }).waitFor();
    await page.waitForTimeout(300);
    const box = (await page.locator('[role=dialog]').locator('..').boundingBox())!;
    expect([box.x, box.y, box.height]).toEqual([0, 0, 844]);
    expect(box.width).toBeLessThan(340);
    await shoot(page, 'phone-drawer-light-390', { isWhole: false });
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  test.each([0.1, 0.5, 0.9])('a tooltip that does not cover the mark at %d of a line', async share => {
    const chart = page.locator('[data-tile=by_day] canvas').first();
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    await page.touchscreen.tap(box.x + 40 + (box.width - 60) * share, box.y + box.height * 0.3);
    const tooltip = page.locator('[data-tile=by_day] .enter').filter({ hasText: '2024' });
    await tooltip.waitFor();
    const told = (await tooltip.boundingBox())!;
    const x = box.x + 40 + (box.width - 60) * share;
    // Values are between 100 and 106 on a scale from 0, so all marks are in the upper third.
    const isBeside = x < told.x || x > told.x + told.width;
    expect(isBeside || told.y > box.y + 40 || told.y + told.height < box.y + 30).toBe(true);
    expect(told.x).toBeGreaterThanOrEqual(0);
    expect(told.x + told.width).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Reset' }).tap();
  });
});
