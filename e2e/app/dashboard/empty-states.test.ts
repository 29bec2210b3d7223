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

/** A tile without data says so; a value of 0 is data. */

let browser: Browser;
let opened: OpenWorkspace;

// All ferries are late, their passengers were not counted, and none goes farther than 300.
const trips = Array.from({ length: 300 }, (_, i) =>
  i % 3 === 0 ? `ferry,${i + 1},no,` : `bus,${i + 1},${i % 2 === 0 ? 'yes' : 'no'},${i % 40}`,
);

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `kind,number,punctual,riders\n${trips.join('\n')}\n`,
      'models/trips.yaml': `version: 1
table: trips
dimensions: { kind: {}, number: {}, punctual: {}, riders: {} }
measures:
  share: { expr: 1.0 * count(*) filter (where punctual) / count(*), format: percent }
  punctual_trips: { expr: count(*) filter (where punctual) }
  riders_each: { expr: avg(riders) }
`,
      'dashboards/trips.yaml': `version: 1
title: Trips
model: trips
filters: [{ field: kind }, { field: number }]
pages:
  - title: One
    tiles:
      share: { kind: bar, title: Share, x: { measure: share }, y: { field: kind }, at: [0, 0, 12, 6] }
      course: { kind: line, title: Course of the share, x: { field: number, bin: { step: 50 } }, y: { measure: share }, at: [12, 0, 12, 6] }
      punctual: { kind: bar, title: Punctual, x: { field: number, bin: { step: 50 } }, y: { measure: punctual_trips }, at: [0, 6, 12, 6] }
      parts: { kind: donut, title: Parts, theta: { measure: punctual_trips }, color: { field: kind }, at: [0, 12, 12, 6] }
      riders: { kind: bar, title: Riders, x: { measure: riders_each }, y: { field: kind }, at: [12, 6, 12, 6] }
`,
    },
    'Trips',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const tiles = ['share', 'course', 'punctual', 'riders', 'parts'];

async function texts(search: string): Promise<string[]> {
  const { page, address } = opened;
  await page.goto(`${address}/d/trips?${search}`);
  await settled(page);
  return Promise.all(
    tiles.map(async id => {
      const tile = page.locator(`[data-tile=${id}]`);
      return (await tile.getByRole('application').count()) === 1
        ? 'drawn'
        : (/No data\s+(.*)/.exec(await tile.innerText())?.[1] ?? 'failed');
    }),
  );
}

test('a share of 0 and a count of 0 among existing rows are drawn; a null value is labelled', async () => {
  expect(await texts('')).toEqual(['drawn', 'drawn', 'drawn', 'drawn', 'drawn']);
  expect(await texts('f.kind=["ferry"]')).toEqual([
    'drawn',
    'drawn',
    'drawn',
    'All values are missing.',
    'All values are 0.',
  ]);
  const { page } = opened;
  expect(await page.locator('[data-tile=share] [role=application]').getAttribute('aria-label')).toContain(
    '0%',
  );
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'nothing-left-light-1440');
});

test('every chart without rows says so, and names the filters', async () => {
  expect(await texts('f.number=1000..2000')).toEqual(tiles.map(() => 'No rows match these filters: Number.'));
  expect(opened.faults).toEqual([]);
});

test.each([
  ['no rows', { number: { from: 1000, below: 2000 } }, 'en', Array(5).fill('No rows match.')],
  ['rows of zeros', { kind: { oneOf: ['ferry'] } }, 'de', ['Alle Werte fehlen.', 'Alle Werte sind 0.']],
])('an exported picture says so too: %s', async (_, filters, locale, said) => {
  const query = new URLSearchParams({
    format: 'svg',
    locale,
    state: JSON.stringify({ page: 0, filters, selections: {} }),
  });
  const svg = await (
    await opened.page.request.get(`${opened.address}/api/v1/dashboards/trips/export?${query}`)
  ).text();
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text!);
  expect(texts.filter(text => text.endsWith('.')).toSorted()).toEqual([...said].toSorted());
});
