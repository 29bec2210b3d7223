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

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  const bars = (y: number) =>
    `{ kind: bar, x: { field: city }, y: { measure: rows }, at: [0, ${y}, 24, 14] }`;
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `city,minutes\n${Array.from({ length: 60 }, (_, i) => `${['Aachen', 'Bern', 'Celle'][i % 3]},${i}`).join('\n')}\n`,
      'dashboards/wall.yaml': `version: 1\ntitle: Wall\nmodel: trips\nfilters: [{ field: city }]\npages:\n  - title: First\n    tiles: { a: ${bars(0)}, b: ${bars(14)}, c: ${bars(28)} }\n  - title: Second\n    tiles: { d: ${bars(0)} }\n`,
    },
    'Wall',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const search = () => new URL(opened.page.url()).searchParams;

test('K shows the dashboard alone, each page at full height; settings persist, and K returns', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/d/wall?f.city=["Bern"]`);
  await settled(page);
  await page.keyboard.press('k');
  await expect.poll(() => search().get('kiosk')).toBe('');
  await settled(page);
  expect([await page.getByRole('navigation').count(), await page.getByRole('banner').count()]).toEqual([
    0, 0,
  ]);
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Wall']);
  expect(await page.getByText('First').isVisible()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  const { y, height } = (await page.locator('[data-tile=c]').boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(900);
  expect(search().get('f.city')).toBe('["Bern"]');
  // A change of the dashboard appears there, too.
  await page.locator('[data-tile=a] [role=application]').click();
  await expect.poll(() => search().get('s.a')).toBeTruthy();
  expect(search().get('kiosk')).toBe('');
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'kiosk');
  await page.keyboard.press('k');
  await page.getByRole('banner').waitFor();
  expect([search().has('kiosk'), search().get('f.city')]).toEqual([false, '["Bern"]']);
});

test('pages change in turn while the user is idle, and Back returns to the page before kiosk mode', async () => {
  const { page, address } = opened;
  await page.clock.install();
  await page.goto(`${address}/`);
  await page.goto(`${address}/d/wall?kiosk=20`);
  await settled(page);
  await page.clock.runFor(15_000);
  await page.mouse.click(700, 20);
  await page.clock.runFor(15_000);
  expect(search().get('page')).toBe(null);
  await page.clock.runFor(6_000);
  await expect.poll(() => search().get('page')).toBe('2');
  await page.locator('[data-tile=d]').waitFor();
  expect(await page.getByText('Second').isVisible()).toBe(true);
  await page.clock.runFor(20_500);
  await expect.poll(() => search().get('page')).toBe(null);
  await page.locator('[data-tile=a]').waitFor();
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
});
