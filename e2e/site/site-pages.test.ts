import type { Browser, Page } from 'playwright-core';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSample } from '../../apps/cli/src/prepare-sample.ts';
import { launchBrowser, openPage, project, startCli, type Opened } from '../browser.ts';
import { runBuild } from './run-build.ts';
import { serveSite, type ServedSite } from './serve-site.ts';

let browser: Browser;
let cache: string;
let sample: string;
let served: ServedSite;
/** The site lies in a folder of its server, as a project's pages on GitHub do. */
const site = () => `${served.origin}/shop/site/`;

beforeAll(async () => {
  cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-pages-'));
  sample = await prepareSample(project, 'workspace', path.join(cache, 'sample'));
  const root = path.join(cache, 'www');
  await mkdir(path.join(root, 'shop'), { recursive: true });
  const { code, stderr } = await runBuild(cache, [path.join(root, 'shop', 'site'), sample]);
  expect(code, stderr).toBe(0);
  served = await serveSite(root);
  browser = await launchBrowser();
}, 900_000);

afterAll(async () => {
  await browser?.close();
  served?.stop();
  await rm(cache, { recursive: true, force: true });
});

async function open(address: string, options: Parameters<typeof openPage>[2] = {}): Promise<Opened> {
  const opened = await openPage(browser, 'about:blank', options);
  opened.page.on('request', request => {
    const { href, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !href.startsWith(site())) opened.faults.push(`request to ${href}`);
  });
  await opened.page.goto(address);
  return opened;
}

const settled = async (page: Page) => {
  await page.locator('[data-tile] [role=application]').first().waitFor();
  await expect
    .poll(() => page.locator('[data-tile][aria-busy=true], [data-tile] [aria-busy=true]').count())
    .toBe(0);
};
const summary = (page: Page, tile: string) =>
  page.locator(`[data-tile=${tile}] [role=application]`).getAttribute('aria-label');
const figure = (page: Page, tile: string) => page.locator(`[data-tile=${tile}]`).innerText();

describe('a site of the sample, served by a plain web server', () => {
  test('lists all dashboards on Home, finds them by typing, and opens them', async () => {
    const { page, faults, close } = await open(site());
    const cards = page.locator('main li a');
    await expect.poll(() => cards.count()).toBe(5);
    await page.getByRole('searchbox').fill('seattle');
    await expect
      .poll(() => cards.allInnerTexts())
      .toEqual([expect.stringContaining('Weather of two cities')]);
    await page.keyboard.press('Tab');
    await cards.first().focus();
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.title()).toBe('Weather of two cities · Belvedere sample');
    expect(page.url()).toBe(`${site()}d/two-cities/`);
    expect(await page.locator('main header').first().innerText()).toMatch(/Data through: Dec 31, 2015/);
    expect(faults).toEqual([]);
    await close();
  });

  test('shows the app’s own figures after a selection, and Back clears it', async () => {
    const { page, faults, close } = await open(`${site()}d/flight-delays/`);
    await settled(page);
    const before = await figure(page, 'flights');
    const origins = page.locator('[data-tile=origins] [role=application]');
    await origins.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => figure(page, 'flights')).not.toBe(before);
    await settled(page);
    const search = new URL(page.url()).search;
    expect(search).toMatch(/^\?s\.origins=/);
    const cli = await startCli([sample, '--quiet'], { XDG_CACHE_HOME: cache });
    const live = await openPage(browser, cli.url);
    await live.page.goto(`${live.address}/d/flight-delays${search}`);
    await settled(live.page);
    // Each tile follows the selection as soon as it can.
    const app = await shownBy(live.page);
    await expect.poll(() => shownBy(page)).toEqual(app);
    await live.close();
    await cli.stop();

    await page.goBack();
    await expect.poll(() => figure(page, 'flights')).toBe(before);
    await page.getByRole('tab').nth(1).click();
    await expect.poll(() => page.url()).toMatch(/\?page=2$/);
    expect(faults).toEqual([]);
    await close();
  });

  test('sets each filter of the dashboard, and shows the app’s own figures', async () => {
    const { page, faults, close } = await open(`${site()}d/flight-delays/`);
    await settled(page);
    const cli = await startCli([sample, '--quiet'], { XDG_CACHE_HOME: cache });
    const live = await openPage(browser, cli.url);
    const showsTheSame = async () => {
      await settled(page);
      await live.page.goto(`${live.address}/d/flight-delays${new URL(page.url()).search}`);
      await settled(live.page);
      await expect
        .poll(() => figure(page, 'flights').then(first))
        .toBe(await figure(live.page, 'flights').then(first));
      // With a filter, the marks of a site cannot be selected.
      const figures = async (shown: Page) =>
        Object.fromEntries(
          Object.entries(await shownBy(shown)).map(([tile, text]) => [tile, text?.split(' Arrow keys')[0]]),
        );
      const app = await figures(live.page);
      await expect.poll(() => figures(page)).toEqual(app);
    };
    await page.getByRole('button', { name: /^Origin state/ }).click();
    await page.getByRole('searchbox', { name: 'Search values' }).fill('c');
    await page.getByText('CA', { exact: true }).click();
    await page.getByText('CO', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Two filters at a time, or one selection.').waitFor();
    const states = () => new URL(page.url()).searchParams.get('f.origin_state');
    await expect.poll(states).toBe('["CA","CO"]');
    // Escape clears selections, not filters.
    await page.keyboard.press('Escape');
    expect(states()).toBe('["CA","CO"]');
    await showsTheSame();
    // A second filter joins the first.
    await page.getByRole('button', { name: /^Haul/ }).click();
    await page.getByRole('dialog').getByText('Long', { exact: true }).click();
    await page.keyboard.press('Escape');
    const haul = () => new URL(page.url()).searchParams.get('f.haul');
    await expect.poll(haul).toBe('["Long"]');
    expect(states()).toBe('["CA","CO"]');
    await showsTheSame();
    expect(await page.locator('[data-tile=origins]').innerText()).toContain('Ranked without the filter');
    // The default is left, and another range takes its place.
    await page.goto(`${site()}d/flight-delays/?f.date=2001-02-01..2001-03-01`);
    await settled(page);
    await expect.poll(() => figure(page, 'flights').then(first)).not.toBe('1.52M');
    await live.page.goto(`${live.address}/d/flight-delays?f.date=2001-02-01..2001-03-01`);
    await settled(live.page);
    await expect
      .poll(() => figure(live.page, 'flights').then(first))
      .toBe(await figure(page, 'flights').then(first));
    // A selection beside two filters.
    await page.getByRole('button', { name: /^Haul/ }).click();
    await page.getByRole('dialog').getByText('Long', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Not all filters and selections can be combined.').waitFor();
    const unselected = await figure(page, 'flights');
    await page.locator('[data-tile=by_day] [role=application]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => figure(page, 'flights')).not.toBe(unselected);
    expect(new URL(page.url()).searchParams.has('s.by_day')).toBe(true);
    await showsTheSame();
    // Rows are not published for every value.
    await page.goto(`${site()}d/flight-delays/?page=2&f.haul=["Long"]`);
    await page
      .locator('[data-tile=list]')
      .getByText(/has no data for this filter or selection/)
      .waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.locator('[data-tile=list] td').first().waitFor();
    expect(faults).toEqual([]);
    await Promise.all([live.close(), cli.stop(), close()]);
  });

  test('applies a filter of an address as a selection, or says that it cannot', async () => {
    const { page, faults, close } = await open(`${site()}d/flight-delays/?f.origin_city=["Chicago"]`);
    await settled(page);
    expect(await page.locator('main header').first().innerText()).toContain('Chicago');
    await expect.poll(() => figure(page, 'flights')).toContain('97.7K');
    expect(await page.getByText(/cannot filter by/).count()).toBe(0);
    await page.goto(`${site()}d/flight-delays/?f.delay=1..2&f.origin_city=["Chicago"]`);
    await settled(page);
    await page.getByText(/cannot filter by/).waitFor();
    await expect.poll(() => figure(page, 'flights')).toContain('1.52M');
    expect(faults).toEqual([]);
    await close();
  });

  test.each([
    ['Home', '', 390],
    ['Home', '', 1440],
    ['a dashboard', 'd/flight-delays/', 390],
  ])('%s (%s) is dark where the system is, at %i pixels', async (_, address, width) => {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: 'dark' });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', message => message.type() === 'error' && faults.push(message.text()));
    await page.goto(site() + address);
    await page.locator('main h1').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(faults).toEqual([]);
    await context.close();
  });
});

/** The figures and charts of a page in words, by tile. */
async function shownBy(page: Page): Promise<Record<string, string | null>> {
  const tiles = ['by_day', 'delays', 'hours'];
  const texts = await Promise.all(tiles.map(tile => summary(page, tile)));
  const flights = /[\d.,]+[KM]?/.exec((await figure(page, 'flights')).replace(/^.*\n/, ''))?.[0] ?? null;
  return { flights, ...Object.fromEntries(tiles.map((tile, i) => [tile, texts[i]!])) };
}

const first = (text: string) => /[\d.,]+[KM%]?/.exec(text)?.[0];
