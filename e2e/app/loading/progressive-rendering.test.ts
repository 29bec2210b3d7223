import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../../browser.ts';

/* In which steps a page's tiles are rendered: a task that renders all of them holds the page up. */

let browser: Browser;
let opened: OpenWorkspace;

/** Eight tiles below one another, the lowest written first. */
const tiles = (name: string) =>
  Array.from(
    { length: 8 },
    (_, i) =>
      `      ${name}${7 - i}: { kind: bar, x: { field: shop }, y: { measure: rows }, at: [0, ${(7 - i) * 4}, 24, 4] }\n`,
  ).join('');

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/sales.csv': 'shop,sold\nNorth,1\nSouth,2\n',
      'models/sales.yaml':
        'version: 1\ntable: sales\ndimensions: { shop: {} }\nmeasures: { rows: { expr: count() } }\n',
      'dashboards/many.yaml': `version: 1\ntitle: Many\nmodel: sales\npages:\n  - title: One\n    tiles:\n${tiles('a')}  - title: Two\n    tiles:\n${tiles('b')}`,
    },
    'Many',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('tiles render six at a time, the topmost first, on the next page too', async () => {
  const page = await opened.page.context().newPage();
  await page.addInitScript(() => {
    const steps: string[] = [];
    (window as unknown as { steps: string[] }).steps = steps;
    // Recorded at the end of each task that changed something.
    new MutationObserver(() => {
      const places = [...document.querySelectorAll<HTMLElement>('[data-tile]')];
      if (places.length === 0) return;
      const rendered = places
        .filter(place => place.querySelector('h2'))
        .map(place => place.dataset.tile)
        .toSorted()
        .join(' ');
      if (steps.at(-1) !== rendered) steps.push(rendered);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${opened.address}/d/many`);
  await settled(page);
  await page.getByRole('tab', { name: 'Two' }).click();
  await page.locator('[data-tile=b7] h2').waitFor();
  await settled(page);
  expect(await page.evaluate(() => (window as unknown as { steps: string[] }).steps)).toEqual([
    '',
    'a0 a1 a2 a3 a4 a5',
    'a0 a1 a2 a3 a4 a5 a6 a7',
    'b0 b1 b2 b3 b4 b5',
    'b0 b1 b2 b3 b4 b5 b6 b7',
  ]);
  await page.close();
});
