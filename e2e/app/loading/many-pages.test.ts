import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { figure, launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../../browser.ts';

// A browser has six connections to a server (HTTP/1.1), for all of its pages.
const count = 8;
let browser: Browser;
let opened: OpenWorkspace;
const pages: Page[] = [];
/** The pages that requested the stream of events, in order. */
const hearing: Page[] = [];

const trips = (rows: number) =>
  `city,minutes\n${Array.from({ length: rows }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': trips(400),
      'dashboards/linked.yaml':
        'version: 1\ntitle: Linked\nmodel: trips\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }\n',
    },
    'Linked',
  );
  const context = opened.page.context();
  await opened.page.goto('about:blank');
  context.on(
    'request',
    request => void (request.url().includes('/api/v1/events') && hearing.push(request.frame().page())),
  );
  for (let i = 0; i < count; i++) {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${opened.address}/d/linked`);
    await settled(page);
    pages.push(page);
  }
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const show = (rows: string, shown: readonly Page[] = pages) =>
  Promise.all(shown.map(page => expect.poll(() => figure(page, 'all')).toBe(rows)));
/** As when another of the browser's pages is in front. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(said => {
    Object.defineProperty(document, 'visibilityState', { value: said, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

test('eight pages of one browser load, one of them receives the server’s events, and all update', async () => {
  expect(hearing).toEqual([pages[0]]);
  await opened.put('data/trips.csv', trips(500));
  await show('500');
  expect(hearing).toEqual([pages[0]]);
});

test('when the receiving page is closed or hidden, another one takes over, and all update', async () => {
  await pages.shift()!.close();
  await expect.poll(() => hearing.length).toBe(2);
  await opened.put('data/trips.csv', trips(600));
  await show('600');
  await turn(hearing[1]!, 'hidden');
  await expect.poll(() => hearing.length).toBe(3);
  expect(hearing[2]).not.toBe(hearing[1]);
  await opened.put('data/trips.csv', trips(700));
  await show('700');
  await turn(hearing[1]!, 'visible');
});

test('while all pages are hidden none receives events; a page updates once it is shown', async () => {
  for (const page of pages) await turn(page, 'hidden');
  const before = hearing.length;
  await opened.put('data/trips.csv', trips(800));
  await pages[0]!.waitForTimeout(1500);
  expect(hearing.length).toBe(before);
  expect(await figure(pages[0]!, 'all')).toBe('700');
  await turn(pages[0]!, 'visible');
  await show('800', [pages[0]!]);
  for (const page of pages.slice(1)) await turn(page, 'visible');
  await show('800');
  expect(hearing.length).toBe(before + 1);
});

test('pages with an open editor receive events themselves, and see each other; afterwards they share the stream', async () => {
  const [one, two] = pages as [Page, Page];
  for (const page of [one, two]) await page.getByRole('button', { name: 'Edit' }).click();
  await Promise.all(
    [one, two].map(page => page.getByRole('group', { name: 'Other windows' }).first().waitFor()),
  );
  const before = hearing.length;
  await opened.put('data/trips.csv', trips(900));
  await show('900', pages.slice(2));
  await two
    .getByRole('link', { name: 'Done' })
    .or(two.getByRole('button', { name: 'Done' }))
    .first()
    .click();
  await one.getByRole('group', { name: 'Other windows' }).waitFor({ state: 'detached' });
  await opened.put('data/trips.csv', trips(1000));
  await show('1,000', pages.slice(1));
  expect(hearing.length - before).toBeLessThanOrEqual(1);
});

test('an editor opened during another window’s pending response appears in that window', async () => {
  const [first, second] = pages.slice(2) as [Page, Page];
  const others = (page: Page) => page.getByRole('group', { name: 'Other windows' });
  const released = Promise.withResolvers<void>();
  const answered: Promise<void>[] = [];
  await first.route('**/api/v1/presence/*', async route => {
    const answer = await route.fetch();
    const whole = released.promise.then(() => route.fulfill({ response: answer }));
    answered.push(whole);
    await whole;
  });
  for (const page of pages.slice(0, 2)) await page.close();
  await first.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await second.getByRole('button', { name: 'Edit' }).click();
  await Promise.all([first, second].map(page => others(page).waitFor()));
  released.resolve();
  await Promise.all(answered);
  await first.waitForTimeout(500);
  expect(await others(first).count()).toBe(1);
});
