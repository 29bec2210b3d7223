import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

// A page loads a part on demand after the server has been updated and no longer has that file.
let browser: Browser;
let opened: OpenWorkspace;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `city,minutes\n${Array.from({ length: 400 }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`,
      'dashboards/linked.yaml':
        'version: 1\ntitle: Linked\nmodel: trips\npages:\n  - title: One\n    tiles:\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 0, 12, 8] }\n      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [12, 0, 12, 8] }\n',
    },
    'Linked',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

beforeEach(async () => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    storageState: await opened.page.context().storageState(),
  });
  page = await context.newPage();
});
afterEach(() => page.context().close());

const told = 'Part of this page could not be loaded. Belvedere may have been updated. Reload the page.';
const notice = () => page.getByRole('alert').filter({ hasText: told });
async function openWithout(part: string, address: string): Promise<void> {
  await page.route(`**/assets/${part}-*.js`, route => route.fulfill({ status: 404 }));
  await page.goto(`${opened.address}${address}`);
  await settled(page);
}
async function loadAgain(part: string): Promise<void> {
  await page.unroute(`**/assets/${part}-*.js`);
  await notice().getByRole('button', { name: 'Reload' }).click();
  await notice().waitFor({ state: 'detached' });
  await settled(page);
}

test.each([
  [1440, 'light'],
  [390, 'dark'],
] as const)(
  'a dialog that fails to load leaves the page unchanged, with advice: %d px, %s',
  async (width, scheme) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await openWithout('KeysDialog', '/d/linked');
    await page.locator('[data-tile=cities] [role=application]').click({ position: { x: 60, y: 20 } });
    await page.waitForURL(url => url.search.includes('s.cities='));
    await settled(page);
    const { search } = new URL(page.url());
    await page.keyboard.press('?');
    await notice().waitFor();
    expect(await page.locator('[data-status=fresh]').count()).toBe(2);
    expect(new URL(page.url()).search).toBe(search);
    expect(await violations(page)).toEqual([]);
    await shoot(page, `missing-part-${scheme}-${width}`);
    await loadAgain('KeysDialog');
    expect(new URL(page.url()).search).toBe(search);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
);

test('a menu that fails to load stays closed', async () => {
  await openWithout('MenuContent', '/d/linked');
  const menu = page.getByRole('button', { name: 'Export' });
  for (let i = 0; i < 2; i++) {
    await menu.click();
    await notice().waitFor();
  }
  expect(await page.locator('[data-status=fresh]').count()).toBe(2);
  await loadAgain('MenuContent');
  await menu.click();
  await page.getByRole('menu', { name: 'Export' }).waitFor();
});

test('a tile whose table fails to load shows the error in its frame', async () => {
  await openWithout('DataTable', '/d/linked');
  const tile = page.locator('[data-tile=cities]');
  await tile.focus();
  await page.keyboard.press('t');
  await tile.getByText(told).waitFor();
  expect(await page.locator('[data-tile=minutes] canvas').count()).toBe(1);
  await tile.focus();
  await page.keyboard.press('t');
  await tile.locator('canvas').waitFor();
});

test('edits survive when a part of the editor fails to load', async () => {
  await openWithout('HistoryDialog', '/d/linked/edit');
  const title = page.getByRole('textbox', { name: 'Title' }).first();
  await title.fill('Linked and renamed');
  await page.getByRole('button', { name: 'History' }).click();
  await notice().waitFor();
  expect(await title.inputValue()).toBe('Linked and renamed');
});

test('a screen that fails to load leaves the navigation', async () => {
  await openWithout('DataScreen', '/d/linked');
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await page.getByRole('link', { name: 'Linked', exact: true }).click();
  await settled(page);
});

test('the command palette loads early: when its button is hovered or focused, or Ctrl is held', async () => {
  let fetched = 0;
  page.on('request', request => void (request.url().includes('/CommandPalette-') && fetched++));
  const search = page.getByRole('button', { name: 'Search' });
  for (const near of [() => search.hover(), () => search.focus(), () => page.keyboard.press('Control')]) {
    await page.goto(`${opened.address}/d/linked`);
    await settled(page);
    await page.waitForTimeout(1500);
    expect(fetched).toBe(0);
    await near();
    await expect.poll(() => fetched).toBe(1);
    fetched = 0;
    await page.goto('about:blank');
  }
});

test.each([
  ['opened first', '/data', async () => {}],
  ['opened from another', '/d/linked', () => page.getByRole('link', { name: 'Data', exact: true }).click()],
] as const)('a screen that is %s has a placeholder until its code arrives', async (_, address, go) => {
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  await page.route('**/assets/DataScreen-*.js', async route => {
    await arrived;
    await route.continue();
  });
  await page.goto(`${opened.address}${address}`);
  await go();
  const placeholder = page.getByRole('status', { name: 'Loading' });
  await placeholder.waitFor();
  await expect.poll(() => placeholder.evaluate(shown => getComputedStyle(shown).opacity)).toBe('1');
  await shoot(page, 'screen-loading-light-1440');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, 'screen-loading-dark-390');
  arrive();
  await page.getByRole('link', { name: 'trips' }).first().waitFor();
  expect(await placeholder.count()).toBe(0);
});
