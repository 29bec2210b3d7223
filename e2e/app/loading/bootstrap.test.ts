import type { OpenDashboard, BootstrapData } from '@belvedere/api';
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  figure,
  launchBrowser,
  openPage,
  openWorkspace,
  settled,
  type OpenWorkspace,
} from '../../browser.ts';

/** The page arrives with the results of its first requests. */

let browser: Browser;
let opened: OpenWorkspace;

const title = '</script><script>document.title = "run"</script> & <b>bold</b>';

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': 'shop,sold\nNorth,1\nSouth,2\nSouth,40\n',
      'models/sales.yaml':
        'version: 1\ntable: sales\ndimensions: { shop: {}, sold: {} }\nmeasures: { all_sold: { expr: sum(sold), label: Items sold, format: integer } }\npolicies: [{ name: own, groups: [keepers], where: "shop = :user.shop" }]\n',
      'dashboards/shops.yaml': `version: 1\ntitle: ${JSON.stringify(title)}\nmodel: sales\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: all_sold }, at: [0, 0, 6, 3] }\n      bars: { kind: bar, x: { measure: all_sold }, y: { field: shop }, at: [0, 3, 12, 8] }\n`,
      'dashboards/deep/down.yaml':
        'version: 1\ntitle: Down\nmodel: sales\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: all_sold }, at: [0, 0, 6, 3] }\n',
      'tests/shops.yaml': 'version: 1\npeople:\n  ana: { groups: [keepers], attributes: { shop: South } }\n',
    },
    'Down',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

/** The data embedded in the page at an address. */
async function givenAt(
  place: string,
  headers: Record<string, string> = {},
): Promise<BootstrapData | undefined> {
  const text = await (await opened.page.request.get(opened.address + place, { headers })).text();
  const json = /<script type="application\/json" id="given">(.*?)<\/script>/.exec(text)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as BootstrapData);
}

const answer = async (route: string) =>
  (await opened.page.request.get(opened.address + route)).json() as Promise<unknown>;

test('the bootstrap data equals the server’s responses to the same user, with a dashboard if the page is one', async () => {
  const session = await answer('/api/v1/session');
  const dashboards = await answer('/api/v1/dashboards?language=en');
  expect(await givenAt('/')).toEqual({ language: 'en', session, dashboards });
  expect(await givenAt('/d/shops?page=1')).toEqual({
    language: 'en',
    session,
    dashboards,
    dashboard: await answer('/api/v1/dashboards/shops?language=en'),
  });
  const down = (await answer('/api/v1/dashboards/deep%2Fdown?language=en')) as OpenDashboard;
  for (const place of ['/d/deep%2Fdown', '/d/deep/down', '/d/deep/down/'])
    expect((await givenAt(place))?.dashboard).toEqual(down);
  expect(await givenAt('/d/missing')).toEqual({ language: 'en', session, dashboards });
  expect((await givenAt('/d/shops', { 'accept-language': 'fr-FR, de-DE;q=0.8' }))?.language).toBe('de');
});

test('no browser caches a page with it', async () => {
  const page = await opened.page.request.get(`${opened.address}/d/shops`);
  expect(page.headers()['cache-control']).toBe('no-store');
});

test('requests without a session get none', async () => {
  const stranger = await openPage(browser, `${opened.address}/d/shops`);
  expect(await stranger.page.content()).not.toMatch(/id="given"|all_sold/);
  await stranger.close();
});

test('a dashboard opens without requests for bootstrap data, and a title is inserted as text', async () => {
  const { page, faults } = opened;
  const asked: string[] = [];
  page.on('request', request => void asked.push(new URL(request.url()).pathname));
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  expect(await figure(page, 'value')).toBe('43');
  expect(
    asked.filter(route =>
      ['/api/v1/session', '/api/v1/dashboards', '/api/v1/dashboards/shops'].includes(route),
    ),
  ).toEqual([]);
  expect(await page.locator('h1').innerText()).toBe(title);
  expect(await page.title()).toContain(title);
  expect(faults).toEqual([]);
});

test.each([
  ['/d/shops', '43'],
  ['/d/shops?f.shop=%5B%22North%22%5D', '1'],
  ['/d/shops?f.sold=2..9&page=1&s.bars=shop:%22South%22', '2'],
  ['/d/deep/down?f.shop=["South"]', '42'],
])('the query for %s is sent once, before the scripts are loaded', async (place, sold) => {
  const { page } = opened;
  const asked: string[] = [];
  const onRequest = (request: Request) =>
    void (
      request.url().endsWith('/query') &&
      asked.push(`${new URL(request.url()).pathname} ${request.postData()}`)
    );
  page.on('request', onRequest);
  await page.route('**/assets/*.js', route => route.abort());
  await page.goto(opened.address + place);
  await expect.poll(() => asked.length).toBe(1);
  await page.unroute('**/assets/*.js');
  await page.goto(opened.address + place);
  await settled(page);
  expect(await figure(page, 'value')).toBe(sold);
  expect(asked).toEqual([asked[0], asked[0]]);
  page.off('request', onRequest);
  // Of the scripts that were called off.
  expect(opened.faults.splice(0).filter(fault => !/ERR_FAILED/.test(fault))).toEqual([]);
});

test('results that arrive before the scripts are in the tiles at their first render', async () => {
  const page = await opened.page.context().newPage();
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const now = [...document.querySelectorAll<HTMLElement>('[data-tile]')]
        .map(tile => (tile.querySelector('h2') ? tile.dataset['status']! : 'its place'))
        .join(', ');
      if (now !== '' && now !== seen.at(-1)) seen.push(now);
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-status'] });
  });
  // Nobody reads it to its end before the program does.
  const answered = page.waitForResponse(/\/query$/).then(() => page.waitForTimeout(200));
  await page.route('**/assets/*.js', async route => {
    await answered;
    await route.continue();
  });
  await page.goto(`${opened.address}/d/shops`);
  await settled(page);
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
    'its place, its place',
    'fresh, fresh',
  ]);
  await page.close();
});

test('the view as another user shows that user’s data, not the bootstrap data', async () => {
  const { page } = opened;
  await page.evaluate(() => sessionStorage.setItem('belvedere-view-as', 'ana'));
  const asked: string[] = [];
  const onRequest = (request: Request) =>
    void (request.url().includes('/query') && asked.push(new URL(request.url()).search));
  page.on('request', onRequest);
  await page.reload();
  await settled(page);
  expect(await figure(page, 'value')).toBe('42');
  expect(asked).toEqual(['?as=ana']);
  page.off('request', onRequest);
  await page.evaluate(() => sessionStorage.removeItem('belvedere-view-as'));
});

test('a dashboard that changes while its page opens is shown in its new version', async () => {
  const { page, put } = opened;
  await page.goto(`${opened.address}/d/deep/down`);
  await settled(page);
  expect(await page.locator('h1').innerText()).toBe('Down');
  await put(
    'dashboards/deep/down.yaml',
    'version: 1\ntitle: Further down\nmodel: sales\npages:\n  - title: One\n    tiles:\n      value: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n',
  );
  await expect.poll(() => page.locator('h1').innerText()).toBe('Further down');
  await expect.poll(() => figure(page, 'value')).toBe('3');
  // Going back shows the current state, not the embedded one.
  await page.goto(`${opened.address}/d/shops`);
  await page.goBack();
  await expect.poll(() => page.locator('h1').innerText()).toBe('Further down');
});

test.each([1440, 390])(
  'a screen’s frame appears before the scripts, in the chosen theme, and does not move, at %i px',
  async width => {
    const { page, faults } = opened;
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => localStorage.setItem('belvedere-theme', 'dark'));
    await page.route('**/assets/*.js', route => route.abort());
    const open = (place: string) => page.goto(opened.address + place);
    await open('/d/shops');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    const name = page.locator('#root p').first();
    const [before, header] = [
      await name.boundingBox(),
      await page.locator('#root > div > div:last-child').boundingBox(),
    ];
    await open('/d/shops/edit');
    expect(await name.isVisible()).toBe(false);
    // Of the scripts that were called off; the policy lets the page's own run.
    expect(faults.splice(0).filter(fault => !/ERR_FAILED/.test(fault))).toEqual([]);
    await page.unroute('**/assets/*.js');
    await open('/d/shops');
    await settled(page);
    expect(await page.locator('nav p').first().boundingBox()).toEqual(before);
    expect(await page.locator('header').first().boundingBox()).toEqual(header);
    await page.evaluate(() => localStorage.removeItem('belvedere-theme'));
  },
);
