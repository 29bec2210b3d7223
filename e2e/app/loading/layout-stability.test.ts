import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  drag,
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
  const page = (title: string, tiles: string) =>
    `version: 1\ntitle: ${title}\nmodel: trips\npages:\n  - title: One\n    tiles:\n${tiles}`;
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `city,minutes\n${Array.from({ length: 400 }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`,
      'dashboards/linked.yaml': page(
        'Linked',
        '      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 0, 12, 8] }\n      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [12, 0, 12, 8] }\n',
      ),
      'dashboards/alone.yaml': page(
        'Alone',
        '      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [0, 0, 12, 8] }\n',
      ),
      // The bar has room for one part of the selection beside its filters.
      'dashboards/full.yaml': `version: 1
title: Full
model: trips
filters:
  - { field: city, label: City in which the trip of the car began }
  - { field: minutes, label: Minutes that the trip of the car took }
pages:
  - title: One
    tiles:
      minutes:
        kind: bar
        title: Rows by minutes of all trips that were made in the four cities in the year and of all others
        x: { field: minutes, bin: { step: 10 } }
        y: { measure: rows }
        at: [0, 0, 12, 8]
`,
      'dashboards/figures.yaml': page(
        'Figures',
        '      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n      list: { kind: table, at: [0, 4, 24, 8] }\n',
      ),
    },
    'Linked',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const hint = 'Select in one chart to filter the others.';

test.each([
  [1440, 900, false],
  [390, 844, true],
])(
  'the first selection on a page without filters moves nothing, nor does clearing it: %d px',
  async (width, height, hasTouch) => {
    const context = await browser.newContext({
      viewport: { width, height },
      hasTouch,
      isMobile: hasTouch,
      locale: 'en-US',
      storageState: await opened.page.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(`${opened.address}/d/linked`);
    await settled(page);
    await page.getByText(hint).first().waitFor({ state: 'attached' });
    const places = () =>
      page.locator('[data-tile]').evaluateAll(tiles =>
        tiles.map(tile => {
          const { x, y, width: wide, height: high } = tile.getBoundingClientRect();
          return [x, y, wide, high];
        }),
      );
    const before = await places();
    await shoot(page, `steady-light-${width}`);
    expect(await violations(page)).toEqual([]);
    const chart = page.locator('[data-tile=cities] [role=application]');
    await (hasTouch
      ? chart.tap({ position: { x: 120, y: 20 } })
      : chart.click({ position: { x: 120, y: 20 } }));
    await page.waitForURL(url => url.search.includes('s.cities='));
    await settled(page);
    expect(await places()).toEqual(before);
    expect(await page.getByText(hint).count()).toBe(0);
    await page.getByRole('button', { name: 'Reset' }).filter({ visible: true }).click();
    await page.waitForURL(url => !url.search.includes('s.cities='));
    expect(await places()).toEqual(before);
    await context.close();
  },
);

test.each(['linked', 'alone', 'full'])('a brush moves nothing: %s', async dashboard => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/${dashboard}`);
  await settled(page);
  const before = await page.locator('[data-tile=minutes]').boundingBox();
  await drag(page, 'minutes', [0.3, 0.5], [0.5, 0.5], { release: false });
  await page
    .getByRole('button', { name: /^Clear the selection on (Rows|Trips) by minutes/ })
    .first()
    .waitFor({ state: 'attached' });
  expect(await page.locator('[data-tile=minutes]').boundingBox()).toEqual(before);
  await page.mouse.up();
});

test.each(['alone', 'figures', 'linked?kiosk'])(
  'no hint about selections appears if no tile could follow or selecting is off: %s',
  async at => {
    const { page } = opened;
    await page.goto(`${opened.address}/d/${at}`);
    await settled(page);
    expect(await page.getByText(hint).count()).toBe(0);
  },
);
