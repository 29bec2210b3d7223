import type { Browser, Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  drag,
  launchBrowser,
  openPage,
  settled,
  shoot,
  violations,
  type Opened,
  looks,
  setCookies,
} from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type RunningTeam } from '../running-team.ts';

/* A public link in the browser: from Share to the page that a stranger sees, until it ends. */

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops of the North\ntimezone: UTC\n',
  'data/orders.csv': `day,city,country,kind\n${Array.from({ length: 240 }, (_, i) => {
    const [city, country] = [
      ['Aachen', 'DE'],
      ['Bonn', 'DE'],
      ['Graz', 'AT'],
      ['Malmö', 'SE'],
    ][i % 4]!;
    return `2024-${String((i % 12) + 1).padStart(2, '0')}-05,${city},${country},${['web', 'shop'][Math.floor(i / 4) % 2]}`;
  }).join('\n')}\n`,
  'images/logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="teal"/></svg>',
  'dashboards/orders.yaml': `version: 1
title: Orders of the year
description: For our partners.
model: orders
filters:
  - { field: country }
  - { field: kind }
pages:
  - title: Overview
    tiles:
      count: { kind: kpi, title: All orders, value: { measure: rows }, at: [0, 0, 6, 4] }
      logo: { kind: image, file: logo.svg, alt: Logo, at: [6, 0, 3, 4] }
      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }
      months: { kind: line, title: Months, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [12, 4, 12, 8] }
      list: { kind: table, title: List, columns: [day, city, kind], at: [0, 12, 24, 8] }
  - title: Trends
    tiles:
      kinds: { kind: donut, title: Kinds, color: { field: kind }, theta: { measure: rows }, at: [0, 0, 12, 8] }
  - title: Internal
    tiles:
      kinds2: { kind: bar, title: Secret kinds, x: { field: kind }, y: { measure: rows }, at: [0, 0, 12, 8] }
`,
};

let team: RunningTeam;
let browser: Browser;
let maker: Opened;
let stranger: Opened;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  browser = await launchBrowser();
  maker = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(maker.page.context(), team.owner.cookie, team.server.address);
  stranger = await openPage(browser, `${team.server.address}/favicon.svg`);
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

const at = (path: string) => new URL(path, team.server.address).href;
const figure = (page: Page) => page.locator('[data-tile=count]').textContent();
let address = '';

test('an owner switches public links on, and makes one from what is filtered', async () => {
  const { page } = maker;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/d/orders'));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('link', { name: 'Public links are turned off. Turn them on' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  await page.goto(at('/d/orders?f.country=["DE","AT"]&f.kind=["web"]'));
  await settled(page);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New public link' }).click();
  const form = dialog.getByRole('form', { name: 'New public link' });
  await form.getByRole('checkbox', { name: 'Internal' }).uncheck({ force: true });
  await form.getByRole('button', { name: /Country/ }).click();
  await page.getByRole('option', { name: /^Can be changed within/ }).click();
  await form.getByRole('checkbox', { name: 'Allow image and PDF downloads' }).check({ force: true });
  // The form reports a missing name and a passphrase that is too short.
  await form.getByRole('textbox', { name: 'Passphrase' }).fill('owls');
  await form.getByRole('button', { name: 'Create link' }).click();
  await form.getByText('Enter a name.').waitFor();
  await form.getByText('Use at least 8 characters.').waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('Partners');
  await form.getByRole('textbox', { name: 'Passphrase' }).fill('three quiet owls');
  await shoot(page, 'links-new-light-1440');

  const [preview] = await Promise.all([
    page.context().waitForEvent('page'),
    form.getByRole('button', { name: 'Preview' }).click(),
  ]);
  await preview.getByText('people with the link will see exactly this page').waitFor();
  await settled(preview);
  expect(await figure(preview)).toContain('90');
  expect(await preview.getByRole('tab').allTextContents()).toEqual(['Overview', 'Trends']);
  await preview.close();

  await form.getByRole('button', { name: 'Create link' }).click();
  address = await dialog.getByRole('textbox', { name: 'Public link' }).inputValue();
  expect(address).toMatch(/\/s\/[\w-]{43}$/);
  await dialog.getByText(/^0 views · Overview, Trends · with a passphrase/).waitFor();
  await shoot(page, 'links-created-light-1440');
});

test('a stranger opens it with the passphrase, filters, brushes, goes back and downloads', async () => {
  const { page } = stranger;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(address);
  await page.getByRole('heading', { name: 'Enter the passphrase' }).waitFor();
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('three loud owls');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('The passphrase is wrong.').waitFor();
  await page.getByRole('textbox', { name: 'Passphrase' }).fill('three quiet owls');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Orders of the year' }).waitFor();
  await settled(page);
  expect(await figure(page)).toContain('90');
  await expect
    .poll(() =>
      page.getByRole('img', { name: 'Logo' }).evaluate(node => (node as HTMLImageElement).naturalWidth),
    )
    .toBe(40);

  // The values that the link allows, and no others.
  await page.getByRole('button', { name: /^Country/ }).click();
  const values = page.getByRole('dialog').locator('label');
  await expect.poll(() => values.count()).toBe(2);
  // Both are chosen: this leaves the other.
  await values.filter({ hasText: 'AT' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settled(page);
  await expect.poll(() => figure(page)).toContain('60');
  await page.goBack();
  await expect.poll(() => figure(page)).toContain('90');

  await drag(page, 'months', [0.2, 0.5], [0.5, 0.5]);
  await page.waitForURL(/s\.months/);
  await settled(page);
  await expect.poll(() => figure(page)).not.toContain('90');
  await page.keyboard.press('Escape');
  await expect.poll(() => figure(page)).toContain('90');

  // The page offers nothing that the link does not allow.
  await page.locator('[data-tile=cities]').hover();
  await page.locator('[data-tile=cities]').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem').first().waitFor();
  const items = await page.getByRole('menuitem').allTextContents();
  expect(items.some(item => /Explain|Rows|Keep only|Copy link/.test(item))).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).first().click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'SVG' }).click(),
  ]);
  const picture = await readFile(await file.path(), 'utf8');
  expect(picture).toContain('Orders of the year');

  // Reloading a page is not another opening, and asks for no passphrase.
  await page.reload();
  await settled(page);
  expect(await figure(page)).toContain('90');
  const { links } = await team.owner.client.listAllLinks({});
  expect(links[0]).toMatchObject({ name: 'Partners', opens: 1 });
});

test('its page is readable in every size, theme and language; axe finds nothing', async () => {
  const { page } = stranger;
  const found: string[] = [];
  for (const [theme, width, height] of looks) {
    await page.setViewportSize({ width, height });
    await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Orders of the year' }).waitFor();
    await settled(page);
    await shoot(page, `link-page-${theme}-${width}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${theme} ${width}: ${excess} px too wide`);
    found.push(...(await violations(page)).map(one => `${theme} ${width}: ${one}`));
  }
  for (const language of ['de', 'zh']) {
    await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
    await page.reload();
    await page.getByRole('heading', { name: 'Orders of the year' }).waitFor();
    await settled(page);
    await shoot(page, `link-page-${language}-390`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${language}: ${excess} px too wide`);
  }
  await page.evaluate(() => localStorage.clear());
  expect(found).toEqual([]);
});

test('the settings list it; the screens for managing links pass axe in both sizes and themes', async () => {
  const { page } = maker;
  const found: string[] = [];
  const screens: Readonly<Record<string, () => Promise<void>>> = {
    settings: async () => {
      await page.goto(at('/settings/links'));
      await page.getByText('Orders of the year · Olga').waitFor();
    },
    share: async () => {
      await page.goto(at('/d/orders'));
      await settled(page);
      if (page.viewportSize()!.width > 760)
        await page.getByRole('button', { name: 'Share', exact: true }).click();
      else {
        await page.getByRole('banner').getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: /^Share/ }).click();
      }
      await page.getByRole('button', { name: 'New public link' }).click();
      await page.getByRole('button', { name: 'Create link' }).waitFor();
    },
  };
  for (const [theme, width, height] of looks)
    for (const [name, open] of Object.entries(screens)) {
      await page.setViewportSize({ width, height });
      await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
      await open();
      await shoot(page, `links-${name}-${theme}-${width}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (excess > 0) found.push(`${name} ${theme} ${width}: ${excess} px too wide`);
      const failed = await violations(page, { isOverlayOpen: name === 'share' });
      found.push(...failed.map(one => `${name} ${theme} ${width}: ${one}`));
    }
  expect(found).toEqual([]);
});

test('its expiry is changed in the settings', async () => {
  const { page } = maker;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(at('/settings/links'));
    await page.getByRole('button', { name: 'Change expiry of “Partners”' }).click();
    await shoot(page, `links-expiry-light-${width}`);
  }
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now() + 90 * 86_400_000);
  await page.getByRole('button', { name: /Valid for, from now/ }).click();
  await page.getByRole('option', { name: '90 days' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`valid until ${until}`).waitFor();
});

test('after the server was away, the open page catches up by itself', async () => {
  const { page } = stranger;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(address);
  await settled(page);
  await page.route('**/api/**', route => route.abort('connectionrefused'));
  await page.getByRole('button', { name: /^Country/ }).click();
  await page.getByRole('dialog').locator('label').first().click();
  await page.keyboard.press('Escape');
  const tile = page.locator('[data-tile=cities]');
  await tile.getByText('Not updated').waitFor();
  await page.unroute('**/api/**');
  await tile.getByText('Not updated').waitFor({ state: 'detached' });
  await settled(page);
  await expect.poll(() => figure(page)).toMatch(/30|60/);
});

test('once it is revoked, the open page shows nothing more', async () => {
  await stranger.page.goto(address);
  await settled(stranger.page);
  const { page } = maker;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/settings/links'));
  await page.getByRole('button', { name: 'Revoke “Partners”' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No public links yet.').waitFor();
  // Any request ends the page. It also checks by itself from time to time.
  await stranger.page.getByRole('tab', { name: 'Trends' }).click();
  await stranger.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(await stranger.page.locator('[data-tile]').count()).toBe(0);
  await shoot(stranger.page, 'link-ended-light-1440');
});

test('no page reported an error', () => {
  const own = [...maker.faults, ...stranger.faults].filter(
    fault => !/status of (?:403|410)|CONNECTION_REFUSED/.test(fault),
  );
  expect(own).toEqual([]);
});
