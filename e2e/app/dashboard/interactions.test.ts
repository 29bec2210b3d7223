import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { drag, launchBrowser, openWorkspace, settled, shoot, type OpenWorkspace } from '../../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

const cities = [
  ['Aachen', 'North'],
  ['Bern', 'South'],
  ['Celle', 'North'],
  ['Davos', 'South'],
] as const;
const trips = Array.from({ length: 720 }, (_, i) => {
  const [city, region] = cities[(i * 7 + Math.floor(i / 11)) % 4]!;
  return `2024-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')},${city},${region},${['bus', 'tram'][Math.floor(i / 5) % 3 === 0 ? 0 : 1]},${(i * 37) % 180}`;
});

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Trips\ntimezone: UTC\n',
      'data/trips.csv': `day,city,region,kind,minutes\n${trips.join('\n')}\n`,
      'dashboards/other.yaml':
        'version: 1\ntitle: Other\nmodel: trips\npages:\n  - title: One\n    tiles:\n      list: { kind: table, at: [0, 0, 24, 10] }\n',
      'dashboards/trips.yaml': `version: 1
title: Trips
model: trips
filters:
  - { field: kind }
  - { field: day, default: { from: 2024-07-01, below: 2025-01-01 } }
  - { field: city, label: Stop, control: select }
pages:
  - title: One
    tiles:
      regions: { kind: bar, title: Regions, x: { measure: rows }, y: { field: region, sort: ascending }, drill: [region, city], opens: other, at: [0, 0, 8, 6] }
      all: { kind: kpi, title: Trips, value: { measure: rows }, compare: previous period, at: [8, 0, 4, 4] }
      course: { kind: line, title: Course, x: { field: day, timeUnit: month }, y: { measure: rows }, color: { field: kind }, at: [12, 0, 12, 8] }
      weeks: { kind: bar, title: Weeks, x: { field: day, timeUnit: week }, y: { measure: rows }, at: [0, 8, 12, 8] }
      pivot: { kind: pivot, title: Pivot, rows: [{ field: region }, { field: city }], values: [{ measure: rows }], at: [12, 8, 12, 8] }
      list: { kind: table, title: List, columns: [day, city, minutes], at: [0, 16, 24, 10] }
  - title: Two
    tiles:
      share: { kind: donut, title: Kinds, color: { field: kind }, theta: { measure: rows }, at: [0, 0, 12, 8] }
`,
    },
    'Trips',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

/** One of the ways in which everything can be done. */
interface Hand {
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
  press(target: Locator): Promise<void>;
  /** Picks from the menu of a tile, one item in another. */
  menu(page: Page, tile: string, ...items: string[]): Promise<void>;
  /** Selects the so-manieth of all marks along a chart’s axis. */
  mark(page: Page, tile: string, place: number, of: number): Promise<void>;
  /** Opens it. */
  open(page: Page, tile: string, place: number, of: number): Promise<void>;
  /** Inspects a mark without selecting it where the pointer can hover; otherwise selects it. */
  point(page: Page, tile: string, place: number, of: number): Promise<void>;
  /** Selects from one mark to another. */
  range(page: Page, tile: string, from: number, to: number, of: number): Promise<void>;
  /** Looks more closely at the middle of a course. */
  closer(page: Page, tile: string): Promise<void>;
}

const chartOf = (page: Page, tile: string) => page.locator(`[data-tile=${tile}] [role=application]`);
const more = (page: Page, tile: string) =>
  page.locator(`[data-tile=${tile}]`).getByRole('button', { name: 'More' });

/** The position of a mark on a tile's chart. Horizontal bars are below one another. */
async function middleOf(
  page: Page,
  tile: string,
  place: number,
  of: number,
): Promise<{ readonly x: number; readonly y: number }> {
  const chart = chartOf(page, tile);
  await chart.scrollIntoViewIfNeeded();
  const { width, height } = (await chart.boundingBox())!;
  const along = (place + 0.5) / of;
  return tile === 'regions'
    ? { x: width * 0.5, y: height * along }
    : { x: 30 + (width - 36) * along, y: height * 0.6 };
}

const mouse: Hand = {
  name: 'by mouse',
  size: { width: 1440, height: 900 },
  press: target => target.click(),
  menu: async (page, tile, ...items) => {
    await page.locator(`[data-tile=${tile}]`).hover();
    await more(page, tile).click();
    for (const item of items)
      await page
        .getByRole('menuitem', { name: item, exact: true })
        .or(page.getByRole('menuitemcheckbox', { name: item, exact: true }))
        .click();
  },
  mark: async (page, tile, place, of) =>
    chartOf(page, tile).click({ position: await middleOf(page, tile, place, of) }),
  open: async (page, tile, place, of) =>
    chartOf(page, tile).dblclick({ position: await middleOf(page, tile, place, of) }),
  point: async (page, tile, place, of) =>
    chartOf(page, tile).hover({ position: await middleOf(page, tile, place, of) }),
  range: async (page, tile, from, to, of) => {
    const { width } = (await chartOf(page, tile).boundingBox())!;
    const share = async (place: number) => (await middleOf(page, tile, place, of)).x / width;
    await drag(page, tile, [await share(from), 0.5], [await share(to), 0.5]);
  },
  closer: async (page, tile) => {
    await chartOf(page, tile).hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -160);
    await page.keyboard.up('Control');
  },
};

const finger: Hand = {
  name: 'by finger',
  size: { width: 390, height: 844 },
  press: target => target.tap(),
  menu: async (page, tile, ...items) => {
    await more(page, tile).tap();
    for (const item of items)
      await page
        .getByRole('menuitem', { name: item, exact: true })
        .or(page.getByRole('menuitemcheckbox', { name: item, exact: true }))
        .tap();
  },
  mark: async (page, tile, place, of) =>
    chartOf(page, tile).tap({ position: await middleOf(page, tile, place, of) }),
  open: async (page, tile, place, of) => {
    const { x, y } = await middleOf(page, tile, place, of);
    const box = (await chartOf(page, tile).boundingBox())!;
    const session = await page.context().newCDPSession(page);
    // Taps at given times, sent together: on a busy machine, separate taps would be too far apart for a
    // double tap.
    const began = Date.now() / 1000;
    await Promise.all(
      [0, 0.05, 0.15, 0.2].map((after, i) =>
        session.send(
          'Input.dispatchTouchEvent',
          i % 2 === 0
            ? { type: 'touchStart', timestamp: began + after, touchPoints: [{ x: box.x + x, y: box.y + y }] }
            : { type: 'touchEnd', timestamp: began + after, touchPoints: [] },
        ),
      ),
    );
    await session.detach();
  },
  point: async (page, tile, place, of) =>
    chartOf(page, tile).tap({ position: await middleOf(page, tile, place, of) }),
  range: async (page, tile, from, to, of) => {
    const [start, end] = [await middleOf(page, tile, from, of), await middleOf(page, tile, to, of)];
    await touches(
      page,
      tile,
      Array.from({ length: 7 }, (_, step) => [{ x: start.x + ((end.x - start.x) * step) / 6, y: start.y }]),
    );
  },
  closer: async (page, tile) => {
    const { x, y } = await middleOf(page, tile, 1, 2);
    await touches(page, tile, [
      [{ x, y }],
      ...[20, 30, 45, 60].map(apart => [
        { x: x - apart, y },
        { x: x + apart, y },
      ]),
    ]);
  },
};

/** Fingers laid on a chart, moved and taken off; places are the chart’s own. */
async function touches(
  page: Page,
  tile: string,
  steps: readonly (readonly { readonly x: number; readonly y: number }[])[],
): Promise<void> {
  const box = (await chartOf(page, tile).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  let fingers = 0;
  for (const step of steps) {
    await session.send('Input.dispatchTouchEvent', {
      type: step.length > fingers ? 'touchStart' : 'touchMove',
      touchPoints: step.map(({ x, y }, id) => ({ x: box.x + x, y: box.y + y, id })),
    });
    fingers = step.length;
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

const keys: Hand = {
  name: 'by keys',
  size: { width: 1440, height: 900 },
  press: async target => {
    await focusByKeys(target);
    await target.page().keyboard.press('Enter');
  },
  menu: async (page, tile, ...items) => {
    await keys.press(more(page, tile));
    for (const [i, item] of items.entries()) {
      const wanted = page
        .getByRole('menuitem', { name: item, exact: true })
        .or(page.getByRole('menuitemcheckbox', { name: item, exact: true }));
      await wanted.waitFor();
      for (
        let step = 0;
        step < 60 && !(await wanted.evaluate(element => element === document.activeElement));
        step++
      )
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press(i < items.length - 1 ? 'ArrowRight' : 'Enter');
    }
  },
  mark: async (page, tile, place) => {
    await walkTo(page, tile, place);
    await page.keyboard.press('Enter');
  },
  open: async (page, tile, place) => {
    await walkTo(page, tile, place);
    await page.keyboard.press('Control+Enter');
  },
  point: async (page, tile, place) => walkTo(page, tile, place),
  range: async (page, tile, from, to) => {
    await walkTo(page, tile, from);
    for (let place = from; place < to; place++) await page.keyboard.press('Shift+ArrowRight');
  },
  closer: async (page, tile) => {
    await walkTo(page, tile, 3);
    await page.keyboard.press('+');
  },
};

/** Moves the focus by Tab. An element that Tab cannot reach is not accessible by keyboard. */
async function focusByKeys(target: Locator): Promise<void> {
  await target.waitFor();
  expect(
    await target.evaluate(element => (element as HTMLElement).tabIndex),
    'reached by Tab',
  ).toBeGreaterThanOrEqual(0);
  await target.focus();
}

async function walkTo(page: Page, tile: string, place: number): Promise<void> {
  await focusByKeys(chartOf(page, tile));
  for (let step = 0; step <= place; step++) await page.keyboard.press('ArrowRight');
}

/** Ticks a box of an open list. */
async function tick(page: Page, hand: Hand, name: string): Promise<void> {
  const box = page.getByRole('dialog').last().getByRole('checkbox', { name });
  if (hand !== keys) return hand.press(page.getByRole('dialog').last().getByText(name, { exact: true }));
  await focusByKeys(box);
  await page.keyboard.press(' ');
}

interface Interaction {
  /** The address it begins at, below the dashboard's own. */
  readonly from?: string;
  readonly act: (page: Page, hand: Hand) => Promise<void>;
  /** The expected result, which is equal for mouse, touch and keyboard. */
  readonly holds: (page: Page, hand: Hand) => Promise<void>;
}

const address = (page: Page, key: string) => new URL(page.url()).searchParams.get(key);
const tooltip = (page: Page, tile: string) => page.locator(`[data-tile=${tile}] .enter.shadow-float`);
const tile = (page: Page, id: string) => page.locator(`[data-tile=${id}]`);
const months = (page: Page) => chartOf(page, 'course').getAttribute('aria-label');

const interactions: Readonly<Record<string, Interaction>> = {
  'a mark has a tooltip': {
    act: (page, hand) => hand.point(page, 'regions', 1, 2),
    holds: page => expect.poll(() => tooltip(page, 'regions').textContent()).toMatch(/^SouthTrips\d+$/),
  },
  'a tooltip lists all series at a position, with their shares': {
    act: (page, hand) => hand.point(page, 'course', 2, 6),
    holds: page =>
      expect
        .poll(() => tooltip(page, 'course').textContent())
        .toMatch(/^Sep 2024.*tram\d+ · [\d.]+%.*Total\d+$/),
  },
  'a selected mark filters the other tiles': {
    act: (page, hand) => hand.mark(page, 'regions', 0, 2),
    holds: async page => {
      await expect.poll(() => address(page, 's.regions')).toBe('region:["North"]');
      await expect.poll(() => tile(page, 'all').textContent()).toMatch(/1\d\d/);
    },
  },
  'a range is brushed': {
    act: (page, hand) => hand.range(page, 'course', 1, 3, 6),
    holds: page =>
      expect.poll(() => address(page, 's.course')).toMatch(/^day:2024-08-\d\d\.\.2024-1[01]-\d\d$/),
  },
  'a selection is cleared': {
    from: '?s.regions=region:["North"]',
    act: async (page, hand) => {
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: 'Clear the selection on Regions' }).first());
    },
    holds: page => expect.poll(() => address(page, 's.regions')).toBeNull(),
  },
  'a series is isolated, and all are restored': {
    act: async (page, hand) => {
      const bus = tile(page, 'course').getByRole('button', { name: 'bus' });
      await hand.press(bus);
      expect(
        await tile(page, 'course').getByRole('button', { name: 'tram' }).getAttribute('aria-pressed'),
      ).toBe('false');
      await hand.press(bus);
    },
    holds: async page =>
      expect(
        await tile(page, 'course').getByRole('button', { name: 'tram' }).getAttribute('aria-pressed'),
      ).toBe('true'),
  },
  'a time chart is zoomed, panned and reset': {
    act: async (page, hand) => {
      await hand.closer(page, 'course');
      await expect.poll(() => address(page, 'z.course')).toMatch(/^2024-/);
      await settled(page);
      const before = address(page, 'z.course');
      await hand.press(tile(page, 'course').getByRole('button', { name: 'Later' }));
      await expect.poll(() => address(page, 'z.course')).not.toBe(before);
      await settled(page);
      await hand.press(tile(page, 'course').getByRole('button', { name: 'Reset zoom' }));
    },
    holds: page => expect.poll(() => address(page, 'z.course')).toBeNull(),
  },
  'a mark is drilled down, and the breadcrumb leads back': {
    act: async (page, hand) => {
      await hand.open(page, 'regions', 0, 2);
      await expect.poll(() => address(page, 'd.regions')).toBe('region:["North"]');
      await settled(page);
      expect(await chartOf(page, 'regions').getAttribute('aria-label')).toMatch(/Aachen|Celle/);
      await hand.press(
        tile(page, 'regions')
          .getByRole('navigation', { name: 'Drill-down path' })
          .getByRole('button', { name: 'All' }),
      );
    },
    holds: page => expect.poll(() => address(page, 'd.regions')).toBeNull(),
  },
  'the time grain is changed': {
    act: (page, hand) => hand.menu(page, 'course', 'Time granularity', 'Quarter'),
    holds: async page => {
      await expect.poll(() => address(page, 't.course')).toBe('quarter');
      await expect.poll(() => months(page)).toMatch(/2 quarters/);
    },
  },
  'a time chart is broken down by a field': {
    act: (page, hand) => hand.menu(page, 'course', 'Break down by', 'City'),
    holds: page => tile(page, 'course').getByRole('button', { name: 'Davos' }).waitFor(),
  },
  'the rows behind a selection are shown, page by page': {
    from: '?s.regions=region:["North"]',
    act: async (page, hand) => {
      await hand.menu(page, 'regions', 'See selected rows');
      const dialog = page.getByRole('dialog');
      await expect.poll(() => dialog.locator('tbody tr').count()).toBe(100);
      await hand.press(dialog.getByRole('button', { name: 'Next page' }));
    },
    holds: page => expect.poll(() => page.getByRole('dialog').textContent()).toMatch(/101–1\d\d of 1\d\d/),
  },
  'a number is explained': {
    act: (page, hand) => hand.menu(page, 'all', 'Explain this number'),
    holds: page => expect.poll(() => page.getByRole('dialog').textContent()).toMatch(/SELECT/i),
  },
  'a chart opens in Explore, filtered by the selection on another': {
    from: '?s.regions=region:["South"]',
    act: (page, hand) => hand.menu(page, 'course', 'Explore'),
    holds: async page => {
      await page.waitForURL(url => url.pathname.startsWith('/explore/'));
      await page.getByRole('heading', { name: /^Explore / }).waitFor();
      expect(address(page, 'f.region')).toBe('["South"]');
    },
  },
  'another dashboard opens with the selection': {
    from: '?s.regions=region:["South"]',
    act: (page, hand) => hand.menu(page, 'regions', 'Open linked dashboard'),
    holds: async page => {
      await page.waitForURL(url => url.pathname === '/d/other');
      expect(address(page, 'f.region')).toBe('["South"]');
    },
  },
  'the selection is kept only': {
    from: '?s.regions=region:["South"]',
    act: (page, hand) => hand.menu(page, 'regions', 'Keep only selection'),
    holds: page => expect.poll(() => address(page, 'f.region')).toBe('["South"]'),
  },
  'the selection is excluded': {
    from: '?s.regions=region:["South"]',
    act: (page, hand) => hand.menu(page, 'regions', 'Exclude selection'),
    holds: page => expect.poll(() => address(page, 'f.region')).toBe('!["South"]'),
  },
  'figures have another comparison': {
    act: async (page, hand) => {
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: /^Compare/ }));
      await hand.press(page.getByRole('button', { name: 'None', exact: true }));
    },
    holds: page => expect.poll(() => address(page, 'compare')).toBe('nothing'),
  },
  'figures compare with custom dates': {
    from: '?compare=2024-02-01..2024-03-01',
    act: async (page, hand) => {
      // July to December has 360 of the 720 trips, each month 60.
      await expect.poll(() => tile(page, 'all').textContent()).toMatch(/^Trips360▲ 500\.0%vs Feb 2024/);
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: /^Compare/ }));
      const days = page.getByRole('application', { name: /Custom/ });
      if (hand === keys) {
        await days.getByRole('button', { name: /February 10/ }).focus();
        // The first day being chosen, the next one has the focus.
        for (let key = 0; key < 2; key++) await page.keyboard.press('Enter');
      } else
        for (const day of [/February 10/, /February 11/])
          await hand.press(days.getByRole('button', { name: day }));
    },
    holds: page => expect.poll(() => address(page, 'compare')).toBe('2024-02-10..2024-02-12'),
  },
  'a value is chosen in a filter': {
    act: async (page, hand) => {
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: /^Kind/ }));
      await tick(page, hand, 'bus');
    },
    holds: page => expect.poll(() => address(page, 'f.kind')).toBe('["bus"]'),
  },
  'values are excluded by a filter, and chosen again': {
    act: async (page, hand) => {
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: /^Kind/ }));
      await hand.press(page.getByRole('button', { name: 'Exclude', exact: true }));
      await tick(page, hand, 'bus');
      await expect.poll(() => address(page, 'f.kind')).toBe('!["bus"]');
      await expect.poll(() => page.getByRole('checkbox', { name: 'bus' }).isChecked()).toBe(true);
      await hand.press(page.getByRole('button', { name: 'Include', exact: true }));
    },
    holds: page => expect.poll(() => address(page, 'f.kind')).toBe('["bus"]'),
  },
  'a filter with a single choice takes another value': {
    from: '?f.city=["Bern"]',
    act: async (page, hand) => {
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await hand.press(page.getByRole('button', { name: /^Stop/ }));
      await page.getByRole('button', { name: 'Bern', pressed: true }).waitFor();
      await hand.press(page.getByRole('button', { name: /^Celle/ }));
    },
    holds: async page => {
      await expect.poll(() => address(page, 'f.city')).toBe('["Celle"]');
      expect(await page.getByRole('searchbox', { name: 'Search values' }).count()).toBe(0);
    },
  },
  'a tile is maximised and restored': {
    act: async (page, hand) => {
      await hand.menu(page, 'course', 'Expand');
      await expect.poll(() => page.locator('[data-tile]').count()).toBe(1);
      await hand.menu(page, 'course', 'Collapse');
    },
    holds: page => expect.poll(() => page.locator('[data-tile]').count()).toBe(6),
  },
  'a chart is shown as a table': {
    act: (page, hand) => hand.menu(page, 'regions', 'Show as table'),
    holds: page =>
      expect.poll(() => tile(page, 'regions').locator('tbody').textContent()).toMatch(/North.*South/),
  },
  'a table is sorted, and a column hidden': {
    act: async (page, hand) => {
      await hand.press(tile(page, 'list').getByRole('button', { name: 'Sort by Minutes' }));
      await expect.poll(() => address(page, 'o.list')).toMatch(/minutes/);
      await settled(page);
      await hand.press(tile(page, 'list').getByRole('button', { name: 'Columns' }));
      await tick(page, hand, 'City');
    },
    holds: page => expect.poll(() => tile(page, 'list').locator('thead').textContent()).not.toMatch(/City/),
  },
  'a table is paged': {
    act: (page, hand) => hand.press(tile(page, 'list').getByRole('button', { name: 'Next page' })),
    holds: page => expect.poll(() => tile(page, 'list').textContent()).toMatch(/101–200 of/),
  },
  'a branch of a pivot is closed, and a column sorted': {
    act: async (page, hand) => {
      await hand.press(tile(page, 'pivot').getByRole('button', { name: 'North' }));
      await hand.press(
        tile(page, 'pivot')
          .getByRole('button', { name: /^Sort by/ })
          .first(),
      );
    },
    holds: async page => {
      await expect.poll(() => tile(page, 'pivot').locator('tbody').textContent()).not.toMatch(/Aachen/);
      expect(
        await tile(page, 'pivot')
          .getByRole('button', { name: /^Sort by/ })
          .first()
          .textContent(),
      ).toMatch(/[↓↑]/);
    },
  },
  'a tile is copied as text': {
    act: async (page, hand) => {
      await hand.menu(page, 'regions', 'Copy as text');
      await page.getByRole('status').getByText('Copied', { exact: true }).waitFor();
    },
    holds: page =>
      expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/North\t\d+/),
  },
  'a tile is copied as a link': {
    act: (page, hand) => hand.menu(page, 'regions', 'Copy link'),
    holds: page =>
      expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(/\/d\/trips\?.*tile=regions/),
  },
  'a tile is copied as a picture': {
    act: (page, hand) => hand.menu(page, 'regions', 'Copy as image'),
    holds: page =>
      expect
        .poll(() => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(item => item.types)))
        .toContain('image/png'),
  },
  'a tile is exported': {
    act: async (page, hand) => {
      const downloaded = page.waitForEvent('download');
      await hand.menu(page, 'regions', 'Export', 'CSV');
      expect(await readFile(await (await downloaded).path(), 'utf8')).toMatch(/North/);
    },
    holds: async () => {},
  },
  'a selection filters another page, which shows it': {
    from: '?s.regions=region:["North"]',
    act: async (page, hand) => {
      if (hand !== keys) return hand.press(page.getByRole('tab', { name: 'Two' }));
      // Of tabs one is reached by Tab, and the others by arrows from it.
      await focusByKeys(page.getByRole('tab', { name: 'One' }));
      await page.keyboard.press('ArrowRight');
    },
    holds: async (page, hand) => {
      await page.locator('[data-tile=share]').waitFor();
      if (hand === finger) await hand.press(page.getByRole('button', { name: /^Filters/ }));
      await page.getByText('Regions: North').filter({ visible: true }).first().waitFor();
    },
  },
};

const hands = [mouse, finger, keys];
const pages = new Map<Hand, Page>();
const faults: string[] = [];

beforeAll(async () => {
  const storageState = await opened.page.context().storageState();
  for (const hand of hands) {
    const context = await browser.newContext({
      viewport: hand.size,
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      hasTouch: hand === finger,
      isMobile: hand === finger,
      permissions: ['clipboard-read', 'clipboard-write'],
      storageState,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', error => faults.push(String(error)));
    pages.set(hand, page);
  }
});

// Mouse, touch and keyboard at the same time, each in a window of its own.
test.each(Object.entries(interactions))(
  '%s: by mouse, by touch and by keyboard',
  async (_, { from = '', act, holds }) => {
    const ends = await Promise.allSettled(
      hands.map(async hand => {
        const page = pages.get(hand)!;
        await page.goto(`${opened.address}/d/trips${from}`);
        await settled(page);
        await act(page, hand);
        await holds(page, hand);
      }),
    );
    expect(
      ends.flatMap((end, i) =>
        end.status === 'rejected' ? [`${hands[i]!.name}: ${end.reason as Error}`] : [],
      ),
    ).toEqual([]);
    expect(faults).toEqual([]);
  },
);

test('a selection does not scroll the page, and neither does Back: by mouse, by touch and by keyboard', async () => {
  for (const hand of hands) {
    const page = pages.get(hand)!;
    await page.setViewportSize({ width: hand.size.width, height: 500 });
    await page.goto(`${opened.address}/d/trips`);
    await settled(page);
    await chartOf(page, 'weeks').scrollIntoViewIfNeeded();
    const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
    const before = await scrolled();
    expect(before).toBeGreaterThan(50);
    await hand.mark(page, 'weeks', 5, 27);
    await expect.poll(() => address(page, 's.weeks')).not.toBeNull();
    await settled(page);
    expect(await scrolled(), hand.name).toBeGreaterThan(before - 50);
    await page.goBack();
    await expect.poll(() => address(page, 's.weeks')).toBeNull();
    await settled(page);
    expect(await scrolled(), hand.name).toBeGreaterThan(before - 50);
    await page.setViewportSize(hand.size);
  }
});

test('navigation reaches its target, whatever events arrive on the page it leaves', async () => {
  const page = await opened.page.context().newPage();
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/HomeScreen*.js', async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${opened.address}/d/trips`);
  await settled(page);
  await drag(page, 'weeks', [0.2, 0.5], [0.5, 0.5]);
  await page.waitForURL(/s\.weeks/);
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/"]')!.click());
  await page.keyboard.press('Escape');
  await page.waitForTimeout(100);
  held.resolve();
  await page.getByRole('heading', { name: 'Trips' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.close();
});

test('a dragging mouse causes one event a step, and leaves the focus on the chart, without a focus ring', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${opened.address}/d/trips`);
  await settled(page);
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const kind of ['pointermove', 'mousemove'])
      addEventListener(kind, event => (event as MouseEvent).buttons === 1 && heard.push(kind), {
        capture: true,
      });
  });
  // By keys before, so that a ring would be drawn were the focus not a pointer's.
  await page.keyboard.press('Tab');
  await drag(page, 'weeks', [0.3, 0.5], [0.7, 0.5]);
  expect(await page.evaluate(() => [...new Set((window as unknown as { heard: string[] }).heard)])).toEqual([
    'pointermove',
  ]);
  const surface = page.locator('[data-tile=weeks] [role=application]');
  expect(
    await surface.evaluate(node => [node === document.activeElement, node.matches(':focus-visible')]),
  ).toEqual([true, false]);
  await expect.poll(() => page.url()).toContain('s.weeks');
  await page.keyboard.press('Escape');
});

test('a chart that is redrawn during a drag continues the brush, without an empty selection', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${opened.address}/d/trips`);
  await settled(page);
  await drag(page, 'weeks', [0.3, 0.5], [0.5, 0.5], { release: false });
  const width = () => chartOf(page, 'weeks').evaluate(node => node.clientWidth);
  const before = await width();
  await page.setViewportSize({ width: 1400, height: 900 });
  await expect.poll(width).toBeLessThan(before);
  const box = (await chartOf(page, 'weeks').boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
  await page.mouse.up();
  await expect.poll(() => address(page, 's.weeks')).toMatch(/^day:2024-\d\d-\d\d\.\.2024-\d\d-\d\d$/);
  await page.keyboard.press('Escape');
});

test('a figure whose previous period was zero says so, and not that there was no data', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${opened.address}/d/trips?f.day=2024-01-01..2024-07-01`);
  await settled(page);
  expect(await tile(page, 'all').textContent()).toMatch(/^Trips3600 in the comparison period/);
});

test('rapid changes are all kept, even before the address has them', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(
    `${opened.address}/d/trips?f.kind=["bus"]&s.regions=region:["North"]&s.weeks=day:2024-09-02..2024-09-30`,
  );
  await settled(page);
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>(
      '[aria-label="Filters"] button[aria-label^="Clear the selection on"]',
    ))
      button.click();
  });
  await settled(page);
  expect(['f.kind', 's.regions', 's.weeks'].map(key => address(page, key))).toEqual(['["bus"]', null, null]);
  await page.goBack();
  await settled(page);
  expect(['f.kind', 's.regions', 's.weeks'].map(key => address(page, key))).toEqual([
    '["bus"]',
    'region:["North"]',
    'day:2024-09-02..2024-09-30',
  ]);
});

test('a blocked copy to the clipboard is reported, with a way to do it by hand', async () => {
  const { page, faults } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${opened.address}/d/trips`);
  await settled(page);
  for (const item of ['Copy link', 'Copy as image']) {
    await mouse.menu(page, 'regions', item);
    const said = page.getByRole('alert').filter({
      hasText: 'Could not copy. Allow clipboard access for this page, or export instead.',
    });
    await said.waitFor();
    if (item === 'Copy link') await shoot(page, 'copy-refused-light-1440');
    await said.getByRole('button', { name: 'Close' }).click();
    await said.waitFor({ state: 'detached' });
  }
  expect(faults).toEqual([]);
});

test('a tooltip follows changes of its chart, under a resting pointer and at a focused mark', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${opened.address}/d/trips?f.kind=["bus"]`);
  await settled(page);
  await mouse.point(page, 'regions', 1, 2);
  const before = await tooltip(page, 'regions').textContent();
  await page.keyboard.press('Shift+X');
  await expect.poll(() => address(page, 'f.kind')).toBe(null);
  await settled(page);
  const [, count] = /^SouthTrips(\d+)$/.exec((await tooltip(page, 'regions').textContent())!)!;
  expect([before, Number(count)]).toEqual([expect.stringMatching(/^SouthTrips\d+$/), expect.any(Number)]);
  expect(Number(count)).toBeGreaterThan(Number(/\d+/.exec(before!)![0]));
  expect(await chartOf(page, 'regions').getAttribute('aria-label')).toContain(count);

  await chartOf(page, 'course').focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  expect(await tooltip(page, 'course').textContent()).toMatch(/^Sep 2024/);
  for (const key of ['+', '+']) await page.keyboard.press(key);
  await expect.poll(() => address(page, 'z.course')).not.toBe(null);
  await settled(page);
  // Where the middle of September was; on days without trips there is nothing to tell.
  await tooltip(page, 'course').waitFor({ state: 'detached' });
  for (let day = 0; day < 14 && (await tooltip(page, 'course').count()) === 0; day++)
    await page.keyboard.press('ArrowRight');
  expect(await tooltip(page, 'course').textContent()).toMatch(/^[A-Z][a-z]{2}, Sep (1[6-9]|2\d|30), 2024/);
  await page.keyboard.press('Escape');
});

const markMenu = (page: Page, id: string) => tile(page, id).getByRole('toolbar', { name: 'Mark actions' });

describe('the menu of a selected mark', () => {
  const fresh = async (hand: Hand) => {
    const page = pages.get(hand)!;
    await page.goto(`${opened.address}/d/trips`);
    await settled(page);
    return page;
  };

  test('is offered after a click, off the pointer, and keeps only the mark', async () => {
    const page = await fresh(mouse);
    const at = await middleOf(page, 'regions', 0, 2);
    await chartOf(page, 'regions').click({ position: at });
    await markMenu(page, 'regions').waitFor();
    expect(
      await markMenu(page, 'regions')
        .getByRole('button')
        .evaluateAll(buttons => buttons.map(button => button.ariaLabel)),
    ).toEqual(['Keep only', 'Exclude', 'Drill down', 'Break down by', 'See rows']);
    const chart = (await chartOf(page, 'regions').boundingBox())!;
    const menu = (await markMenu(page, 'regions').boundingBox())!;
    const [x, y] = [chart.x + at.x, chart.y + at.y];
    expect(x > menu.x && x < menu.x + menu.width && y > menu.y && y < menu.y + menu.height).toBe(false);
    await markMenu(page, 'regions').getByRole('button', { name: 'Keep only' }).click();
    await expect.poll(() => address(page, 'f.region')).toContain('North');
    expect(address(page, 's.regions')).toBeNull();
    await markMenu(page, 'regions').waitFor({ state: 'detached' });
  });

  test('disappears on a double click, a brush, and a press elsewhere', async () => {
    const page = await fresh(mouse);
    await mouse.open(page, 'regions', 0, 2);
    await expect.poll(() => address(page, 't.regions') ?? page.url()).toContain('North');
    await page.waitForTimeout(500);
    expect(await markMenu(page, 'regions').count()).toBe(0);
    await fresh(mouse);
    await mouse.mark(page, 'regions', 0, 2);
    await markMenu(page, 'regions').waitFor();
    await drag(page, 'weeks', [0.2, 0.5], [0.5, 0.5]);
    await expect.poll(() => address(page, 's.weeks')).not.toBeNull();
    expect(await markMenu(page, 'regions').count()).toBe(0);
  });

  test('is reached by Tab after Enter, and left by Escape', async () => {
    const page = await fresh(mouse);
    await chartOf(page, 'regions').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await markMenu(page, 'regions').waitFor();
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel);
    expect(await focused()).toBe('Keep only');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Exclude');
    await page.keyboard.press('Escape');
    await markMenu(page, 'regions').waitFor({ state: 'detached' });
    expect(await chartOf(page, 'regions').evaluate(node => node === document.activeElement)).toBe(true);
    expect(address(page, 's.regions')).not.toBeNull();
  });

  test('opens by touch beside the tooltip, and shows the rows of the mark', async () => {
    const page = await fresh(finger);
    await finger.mark(page, 'regions', 0, 2);
    await markMenu(page, 'regions').waitFor();
    await markMenu(page, 'regions').getByRole('button', { name: 'See rows' }).tap();
    await page.getByRole('dialog').getByRole('heading', { name: 'Rows of “Regions”' }).waitFor();
    await page.keyboard.press('Escape');
  });
});

test('a tooltip has a crosshair on a line, and stands off its bar', async () => {
  const page = pages.get(mouse)!;
  await page.goto(`${opened.address}/d/trips`);
  await settled(page);
  await mouse.point(page, 'course', 2, 6);
  await tooltip(page, 'course').waitFor();
  const pointed = (id: string) => tile(page, id).getByTestId('pointed-mark');
  expect([
    await pointed('course').locator('line').count(),
    await pointed('course').locator('circle').count(),
  ]).toEqual([1, 2]);
  await mouse.point(page, 'regions', 0, 2);
  await tooltip(page, 'regions').waitFor();
  const mark = (await pointed('regions').locator('rect').boundingBox())!;
  const told = (await tooltip(page, 'regions').boundingBox())!;
  expect(
    told.x < mark.x + mark.width &&
      mark.x < told.x + told.width &&
      told.y < mark.y + mark.height &&
      mark.y < told.y + told.height,
  ).toBe(false);
});

describe('by touch', () => {
  const fresh = async () => {
    const page = pages.get(finger)!;
    await page.goto(`${opened.address}/d/trips`);
    await settled(page);
    return page;
  };

  test('the tooltip closes when the finger is lifted', async () => {
    const page = await fresh();
    await finger.point(page, 'regions', 1, 2);
    await tooltip(page, 'regions').waitFor();
    await page.getByText('Weeks', { exact: true }).tap();
    await tooltip(page, 'regions').waitFor({ state: 'detached' });
  });

  test('a page scrolls over its charts without selecting anything', async () => {
    const page = await fresh();
    await chartOf(page, 'course').scrollIntoViewIfNeeded();
    const scrolled = () => page.evaluate(() => window.scrollY);
    const before = await scrolled();
    const { x, y } = await middleOf(page, 'course', 3, 6);
    await touches(
      page,
      'course',
      Array.from({ length: 12 }, (_, step) => [{ x: x + step / 2, y: y - step * 12 }]),
    );
    await expect.poll(scrolled).toBeGreaterThan(before);
    await page.waitForTimeout(500);
    expect([address(page, 's.course'), await tooltip(page, 'course').count()]).toEqual([null, 0]);
  });
});
