import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../browser.ts';
import { randomFrom } from './random-from.ts';

/**
 * After any gestures, however fast, a page at rest shows what a new window shows at its address. Gestures do
 * not wait for results here, and keys are pressed between other keys.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 3);
const random = randomFrom(seed);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;

let browser: Browser;
let opened: OpenWorkspace;

const trips = Array.from(
  { length: 3000 },
  (_, i) =>
    `${2021 + (i % 4)}-${String(1 + ((i * 7) % 12)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')},${pick(['Aachen', 'Bern', 'Celle', 'Davos', 'Essen'])},${pick(['bus', 'tram', 'ferry'])},${below(180)}`,
);

beforeAll(async () => {
  console.log(`whatever was done seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `day,city,kind,minutes\n${trips.join('\n')}\n`,
      'dashboards/trips.yaml': `version: 1
title: Trips
model: trips
filters:
  - { field: kind }
  - { field: day, default: { from: 2022-01-01, below: 2025-01-01 } }
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, compare: previous period, spark: { field: day, timeUnit: month }, at: [0, 0, 6, 4] }
      length: { kind: kpi, value: { field: minutes, aggregate: mean }, at: [6, 0, 6, 4] }
      course: { kind: line, x: { field: day, timeUnit: month }, y: { measure: rows }, color: { field: kind }, at: [12, 0, 12, 8] }
      cities: { kind: bar, x: { measure: rows }, y: { field: city, limit: 3 }, at: [0, 4, 12, 8] }
      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [0, 12, 12, 8] }
      cells: { kind: heatmap, x: { field: city, limit: 2 }, y: { field: kind }, color: { measure: rows }, at: [12, 8, 12, 8] }
      points: { kind: scatter, x: { measure: rows }, y: { field: minutes, aggregate: mean }, detail: { field: city }, at: [12, 16, 12, 8] }
      list: { kind: table, columns: [day, city, minutes], at: [0, 20, 12, 8] }
  - title: Two
    tiles:
      kinds: { kind: donut, color: { field: kind }, theta: { measure: rows }, at: [0, 0, 12, 8] }
      weeks: { kind: area, x: { field: day, timeUnit: week }, y: { measure: rows }, at: [12, 0, 12, 8] }
`,
      'dashboards/other.yaml':
        'version: 1\ntitle: Other\nmodel: trips\npages:\n  - title: One\n    tiles:\n      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }\n      list: { kind: table, at: [0, 8, 24, 10] }\n',
    },
    'Trips',
  );
  // An open menu would receive the next keys, and copy what they select.
  await opened.page.context().grantPermissions(['clipboard-write']);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
const placeIn = ({ x, y, width, height }: Area) => [x + width * random(), y + height * random()] as const;

/** The position of one of the charts. It may change a moment later. */
async function someChart(page: Page): Promise<Area | null> {
  const charts = await page.locator('[data-tile] [role=application]').all();
  return charts.length === 0
    ? null
    : pick(charts)
        .boundingBox({ timeout: 500 })
        .catch(() => null);
}

/** A gesture from one place of a chart to another. */
async function brush(page: Page): Promise<void> {
  const area = await someChart(page);
  if (!area) return;
  const [from, to] = [placeIn(area), placeIn(area)];
  await page.mouse.move(...from);
  await page.mouse.down();
  const steps = below(8);
  for (let step = 1; step <= steps; step++)
    await page.mouse.move(
      from[0] + ((to[0] - from[0]) * step) / steps,
      from[1] + ((to[1] - from[1]) * step) / steps,
    );
  if (random() < 0.15) await page.keyboard.press('Escape');
  await page.mouse.up();
}

/** Presses one of several buttons, if there are any. */
async function pressOne(page: Page, named: RegExp): Promise<void> {
  const buttons = await page.getByRole('button', { name: named }).all();
  if (buttons.length > 0) await pick(buttons).click({ timeout: 500 });
}

async function withKey(page: Page, key: string | undefined, work: () => Promise<unknown>): Promise<void> {
  if (key) await page.keyboard.down(key);
  await work().finally(() => key && page.keyboard.up(key));
}

const inPage = (work: () => void) => (page: Page) => page.evaluate(work);
const goHome = inPage(() => document.querySelector<HTMLElement>('a[href="/"]')?.click());
const goBack = inPage(() => history.back());
const acts: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  brush,
  brushTwice: async page => {
    await brush(page);
    await brush(page);
  },
  escape: page => page.keyboard.press('Escape'),
  clear: page => page.keyboard.press('Shift+X'),
  back: goBack,
  forward: inPage(() => history.forward()),
  home: goHome,
  homeAndBack: async page => {
    await goHome(page);
    await goBack(page);
  },
  other: inPage(() => document.querySelector<HTMLElement>('a[href="/d/other"]')?.click()),
  reload: inPage(() => location.reload()),
  page: inPage(() => {
    const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
    tabs.find(tab => tab.ariaSelected !== 'true')?.click();
  }),
  scroll: page => page.mouse.wheel(0, pick([-900, 400])),
  click: async page => {
    const area = await someChart(page);
    if (area)
      await withKey(page, pick([undefined, undefined, 'Control']), () => page.mouse.click(...placeIn(area)));
  },
  lookClosely: async page => {
    const area = await someChart(page);
    if (!area) return;
    await page.mouse.move(...placeIn(area));
    await withKey(page, pick(['Control', 'Control', 'Shift']), async () => {
      for (let scheduler = 1 + below(3); scheduler > 0; scheduler--)
        await page.mouse.wheel(0, pick([-160, -160, 160]));
    });
  },
  byKeys: async page => {
    const charts = await page.locator('[data-tile] [role=application]').all();
    if (charts.length === 0) return;
    await pick(charts).focus({ timeout: 500 });
    for (let keys = 1 + below(7); keys > 0; keys--)
      await page.keyboard.press(
        pick(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Shift+ArrowRight', 'Enter', ' ', '+', '-']),
      );
  },
  filter: async page => {
    await pressOne(page, /^Kind/);
    const values = page.getByRole('dialog').locator('label');
    await values.first().waitFor({ timeout: 1500 });
    for (let some = 1 + below(2); some > 0; some--) await pick(await values.all()).click({ timeout: 500 });
    await page.keyboard.press('Escape');
  },
  range: async page => {
    await pressOne(page, /^Day (?!.*Sort)/);
    await page
      .getByLabel('Relative dates')
      .fill(pick(['last 40 months', 'last 3 years', 'last 6 quarters', 'nonsense']), { timeout: 1500 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  },
  menu: async page => {
    const tiles = await page.locator('[data-tile]').all();
    if (tiles.length === 0) return;
    const tile = pick(tiles);
    await tile.hover({ timeout: 500 });
    await tile.getByRole('button', { name: 'More' }).click({ timeout: 800 });
    const items = page.locator('[role^=menuitem]:not([aria-disabled=true])').filter({
      hasText:
        /^(Time granularity|Break down by|Keep only|Exclude|Year|Quarter|Month|Week|Day|City|Kind|None|Reset tile)/,
    });
    for (let level = 0; level < 2; level++) {
      await items.first().waitFor({ timeout: 1000 });
      await pick(await items.all()).click({ timeout: 500 });
    }
  },
  sort: page => pressOne(page, /^Sort by/),
  reset: page => pressOne(page, /^Reset/),
};

/** The controls that build a chart in Explore. */
const exploring: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  brush,
  escape: acts['escape']!,
  home: goHome,
  homeAndBack: acts['homeAndBack']!,
  reload: acts['reload']!,
  scroll: acts['scroll']!,
  click: acts['click']!,
  lookClosely: acts['lookClosely']!,
  byKeys: acts['byKeys']!,
  menu: acts['menu']!,
  sort: acts['sort']!,
  kind: async page =>
    pick(await page.getByRole('group', { name: 'Chart type' }).locator('button:enabled').all()).click({
      timeout: 500,
    }),
  put: page => pressOne(page, /^Add .* to the chart/),
  choose: async page => {
    await pick(await page.locator('[data-shelf] button[aria-haspopup=listbox]').all()).click({
      timeout: 500,
    });
    const offered = await page.getByRole('listbox').getByRole('option').all();
    if (offered.length > 0) await pick(offered).click({ timeout: 500 });
    else await page.keyboard.press('Escape');
  },
  remove: page => pressOne(page, /^Remove /),
  find: page =>
    page
      .getByRole('searchbox', { name: 'Search fields' })
      .fill(pick(['', '', 'i', 'min', 'day']), { timeout: 500 }),
  undo: page => pressOne(page, /^Undo/),
  redo: page => pressOne(page, /^Redo/),
  clearAll: page => pressOne(page, /^Clear selections/),
};

/** The text of each tile, as shown and as read out. */
const shown = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[data-tile]')].map(tile => {
        const written = tile.cloneNode(true) as HTMLElement;
        // The last announcement is about the last gesture.
        for (const said of written.querySelectorAll('[aria-live]')) said.remove();
        return [
          tile.dataset['tile'],
          [
            tile.dataset['status'],
            tile.querySelector('[role=application]')?.ariaLabel,
            written.textContent,
          ].join(' | '),
        ];
      }),
    ),
  );

/**
 * Performs random gestures from an address on, without waiting, and compares the page at rest with a new
 * window.
 */
async function doAndCompare(
  round: number,
  from: string,
  able: Readonly<Record<string, (page: Page) => Promise<unknown>>>,
  stays: RegExp,
): Promise<void> {
  const { page, address } = opened;
  await page.goto(`${address}${from}`);
  const done: string[] = [];
  for (let left = 3 + below(8); left > 0; left--) {
    const [act, wait] = [pick(Object.keys(able)), pick([0, 0, 10, 40, 120, 400])];
    done.push(`${act}, ${wait} ms`);
    // A page that is being left answers to nothing.
    await able[act]!(page).catch((error: Error) => done.push(error.message.split('\n')[0]!));
    await page.waitForTimeout(wait);
  }
  // Open menus and focus belong to this window only.
  await page.keyboard.press('Escape');
  await page.mouse.move(1, 1);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur()).catch(() => {});
  await page.waitForTimeout(600);
  if (!stays.test(new URL(page.url()).pathname)) return;
  const context = `seed ${seed}, round ${round}: ${done.join('; ')}; ${page.url()}`;
  await settled(page).catch(async () =>
    expect.unreachable(`not at rest: ${JSON.stringify(await shown(page))} ${context}`),
  );
  const anew = await page.context().newPage();
  await anew.goto(page.url());
  await settled(anew);
  // Some parts of a tile are fetched on demand.
  const now = await shown(page);
  await expect.poll(() => shown(anew), { message: context }).toEqual(now);
  await anew.close();
}

test(
  `an idle dashboard shows the state of its address: ${rounds} rounds`,
  async () => {
    for (let round = 0; round < rounds; round++) await doAndCompare(round, '/d/trips', acts, /^\/d\/./);
    expect(opened.faults).toEqual([]);
  },
  60_000 + rounds * 30_000,
);

test(
  `an idle exploration shows the state of its address: ${rounds} rounds`,
  async () => {
    for (let round = 0; round < rounds; round++)
      await doAndCompare(round, '/explore/trips', exploring, /^\/explore\/./);
    expect(opened.faults).toEqual([]);
  },
  60_000 + rounds * 30_000,
);
