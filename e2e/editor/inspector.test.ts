import type { Browser } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  choose,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../browser.ts';

/**
 * A tile's settings beside its fields: reference lines and bands, trend lines, a table's bars and colors,
 * drill-down. Each by mouse, each one line of the file.
 */

let browser: Browser;
let opened: OpenWorkspace;
const file = () => path.join(opened.folder, 'dashboards', 'sales.yaml');

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Shops\n',
      'data/sales.csv': `day,shop,product,sold\n${Array.from({ length: 240 }, (_, i) => `2024-${String(1 + (i % 12)).padStart(2, '0')}-10,${['North', 'South', 'East'][i % 3]},${['Tea', 'Coffee', 'Cake'][(i * 7 + (i >> 3)) % 3]},${1 + ((i * 13) % 40)}`).join('\n')}\n`,
      'dashboards/sales.yaml': `version: 1
title: Sales
model: sales
parameters:
  target: { kind: number, default: 18, min: 0, max: 30 }
pages:
  - title: One
    tiles:
      course: { kind: line, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [0, 0, 12, 8] }   # kept
      rows: { kind: table, columns: [day, product, sold], at: [12, 0, 12, 8] }
      bars: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 8, 12, 8] }
  - title: Two
    tiles:
      figure: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      reached: { kind: gauge, value: { measure: rows }, at: [6, 0, 6, 6] }
      cross: { kind: pivot, rows: [{ field: shop }], columns: [{ field: product }], values: [{ measure: rows }], at: [12, 0, 12, 6] }
      boxes: { kind: boxplot, x: { field: shop }, y: { field: sold }, at: [0, 6, 12, 8] }
      order: { kind: bar, x: { field: product }, y: { measure: rows }, at: [12, 6, 12, 8] }
      pick: { kind: control, field: shop, at: [0, 14, 6, 2] }
`,
    },
    'Sales',
  );
  await opened.page.goto(`${opened.address}/d/sales/edit`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const saved = async (message: string) => {
  await opened.page.keyboard.press('Control+s');
  await opened.page.getByLabel('Change description').fill(message);
  await opened.page.keyboard.press('Enter');
  await expect.poll(() => opened.page.getByTestId('draft-state').textContent()).toBe('Saved');
  return (await readFile(file(), 'utf8')).split('\n');
};
const lineOf = (lines: readonly string[], id: string) => lines.find(line => line.startsWith(`      ${id}:`))!;
const drawing = () =>
  opened.page.evaluate(async () => (await fetch('/api/v1/dashboards/sales/export?format=svg')).text());

test('adds a line at the mean, a named band, a line at a parameter, and a trend curve', async () => {
  const { page } = opened;
  await page.locator('[data-edit=course]').click();
  const add = page.getByRole('button', { name: 'Add reference line or band' });
  await add.click();
  await add.click();
  const second = page.getByRole('group', { name: 'Reference line 2' });
  await choose(second.getByLabel('Type'), { label: 'Value band' });
  await second.getByLabel('From').fill('10');
  await second.getByLabel('Below').fill('15');
  await second.getByLabel('Label').fill('Usual');
  await add.click();
  await choose(page.getByRole('group', { name: 'Reference line 3' }).getByLabel('Type'), {
    label: ': Target',
  });
  await choose(page.getByLabel('Trend line', { exact: true }), { label: 'Moving average' });
  await page.getByLabel('Number of points').fill('3');
  await shoot(page, 'inspector-guides-light-1440');
  expect(await violations(page)).toEqual([]);
  const lines = await saved('Lines');
  expect(lineOf(lines, 'course')).toBe(
    "      course: { kind: line, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [0, 0, 12, 8], references: [{ y: mean }, { y: [10, 15], label: Usual }, { y: ':target' }], trend: { movingAverage: 3 } }   # kept",
  );
  const drawn = await drawing();
  for (const text of ['Mean 20', 'Usual', '18']) expect(drawn).toContain(text);
  await page.getByRole('button', { name: 'Remove reference line 3' }).click();
  await choose(page.getByRole('group', { name: 'Reference line 1' }).getByLabel('Type'), {
    label: 'X-axis line',
  });
  await page
    .getByRole('group', { name: 'Reference line 1' })
    .getByLabel('Value', { exact: true })
    .fill('2024-06-01');
  expect(lineOf(await saved('Fewer'), 'course')).toContain(
    'references: [{ x: 2024-06-01 }, { y: [10, 15], label: Usual }], trend',
  );
});

test('adds an annotation at the largest mark, and moves it to another', async () => {
  const { page } = opened;
  await page.locator('[data-edit=course]').click();
  await page.getByRole('button', { name: 'Annotate a point' }).click();
  const first = page.getByRole('group', { name: 'Annotation 1' });
  await first.getByLabel('Text').fill('A strike');
  await shoot(page, 'inspector-annotations-light-1440');
  expect(await violations(page)).toEqual([]);
  expect(lineOf(await saved('Words'), 'course')).toMatch(
    /annotations: \[\{ text: A strike, x: 2024-\d\d-01 \}\]/,
  );
  await choose(first.getByLabel('X value'), { label: 'Mar 2024' });
  await first.getByLabel('Value (default: the mark’s)').fill('4.5');
  expect(lineOf(await saved('Moved'), 'course')).toContain(
    'annotations: [{ text: A strike, x: 2024-03-01, y: 4.5 }]',
  );
  expect(await drawing()).toContain('A strike');
  await page.getByRole('button', { name: 'Remove annotation 1' }).click();
  expect(lineOf(await saved('No words'), 'course')).not.toContain('annotations');
});

test('shows a table’s numbers as bars, and its cells in colours', async () => {
  const { page } = opened;
  await page.locator('[data-edit=rows]').click();
  for (const list of ['Data bars', 'Color scale'])
    await page
      .getByTestId('tile-panel')
      .getByRole('group', { name: list })
      .locator('label', { hasText: /^✓?Sold$/ })
      .click();
  await page.getByRole('button', { name: 'Add highlight rule' }).click();
  const colour = page.getByRole('group', { name: 'Highlight rule 1' });
  await colour.getByLabel('From').fill('30');
  await page.getByRole('button', { name: 'Add highlight rule' }).click();
  const other = page.getByRole('group', { name: 'Highlight rule 2' });
  await choose(other.getByLabel('Column'), { label: 'Product' });
  await other.getByLabel('Values (comma-separated)').fill('Tea, Cake');
  await choose(other.getByLabel('Color', { exact: true }), { label: 'Green (good)' });
  const lines = await saved('Colors');
  expect(lineOf(lines, 'rows')).toContain(
    'bars: [sold], heat: [sold], highlights: [{ field: sold, when: { from: 30 }, look: warn }, { field: product, when: { oneOf: [Tea, Cake] }, look: good }]',
  );
  await expect.poll(() => page.locator('[data-tile=rows] td.bg-good-weak').count()).toBeGreaterThan(0);
  // A highlighted cell is not shaded.
  const shaded = await page
    .locator('[data-tile=rows] td[style*="background"]')
    .evaluateAll(cells => cells.map(cell => Number(cell.textContent)));
  expect(shaded.length).toBeGreaterThan(0);
  expect(Math.max(...shaded)).toBeLessThan(30);
});

test('sets the levels of a drill-down', async () => {
  const { page } = opened;
  await page.locator('[data-edit=bars]').click();
  await choose(page.getByLabel('Add field', { exact: true }), { label: 'Product' });
  await choose(page.getByLabel('Add field', { exact: true }), { label: 'Day' });
  await page.getByRole('button', { name: 'Move “Day” up' }).click();
  expect(lineOf(await saved('Levels'), 'bars')).toContain('drill: [day, product]');
  await page.getByRole('button', { name: 'Remove Day' }).click();
  await page.getByRole('button', { name: 'Remove Product' }).click();
  expect(lineOf(await saved('None'), 'bars')).toBe(
    '      bars: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 8, 12, 8] }',
  );
  expect(opened.faults).toEqual([]);
});

test('sets axis titles and legend titles', async () => {
  const { page } = opened;
  await page.locator('[data-edit=course]').click();
  await choose(page.locator('[data-shelf=color] button[aria-haspopup=listbox]'), { label: 'Shop' });
  const options = async (shelf: string, change: () => Promise<void>) => {
    await page
      .locator(`[data-shelf=${shelf}]`)
      .locator('button:not([aria-haspopup=listbox])')
      .first()
      .click();
    await change();
    await page.keyboard.press('Escape');
  };
  await options('y', async () => {
    await page.getByLabel('Axis title').fill('Sales a month');
    await page.getByText('Gridlines').click();
  });
  await options('x', async () => {
    await page.getByLabel('Axis title').fill('Month');
    expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
    await shoot(page, 'inspector-axis-light-1440');
  });
  await options('color', async () => page.getByLabel('Legend title').fill('Where'));
  const tile = page.locator('[data-tile=course]');
  await tile.getByText('Where', { exact: true }).waitFor();
  expect(lineOf(await saved('Axes'), 'course')).toMatch(
    /x: \{ field: day, timeUnit: month, axis: \{ title: Month \} \}, y: \{ measure: rows, axis: \{ title: Sales a month, grid: false \} \}.*color: \{ field: shop, limit: 5, legend: \{ title: Where \} \} \}   # kept$/,
  );
  for (const text of ['Sales a month', 'Month', 'Where', 'North'])
    expect(await drawing()).toContain(`>${text}<`);
  await options('color', async () => page.getByText('Legend', { exact: true }).click());
  await tile.getByText('North', { exact: true }).waitFor({ state: 'detached' });
  await options('x', async () => {
    await page.getByLabel('Axis title').fill('');
    await page.getByText('Axis labels').click();
  });
  const line = lineOf(await saved('No legend'), 'course');
  expect([
    line.includes('x: { field: day, timeUnit: month, axis: { labels: false } }'),
    line.includes('color: { field: shop, limit: 5, legend: false }'),
  ]).toEqual([true, true]);
  expect(
    await page.evaluate(async () =>
      (await fetch('/api/v1/dashboards/sales/export?format=svg&tile=course')).text(),
    ),
  ).not.toContain('>North<');
  expect(opened.faults).toEqual([]);
});

test('turns rows of a scatter into points of measures; a setting added out of view scrolls into view', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 1440, height: 340 });
  await page.evaluate(() => window.scrollTo(0, 0));
  const isSeen = (id: string) =>
    page.locator(`[data-edit=${id}]`).evaluate(element => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 48 && top < window.innerHeight;
    });
  await page.getByRole('button', { name: 'All chart types' }).click();
  await page.getByRole('button', { name: 'Scatter', exact: true }).first().click();
  const id = await page.locator('[data-edit][aria-pressed=true]').getAttribute('data-edit');
  await expect.poll(() => isSeen(id!)).toBe(true);
  const put = (shelf: string, field: string) =>
    choose(page.locator(`[data-shelf=${shelf}] button[aria-haspopup=listbox]`), { label: field });
  await put('x', 'Rows');
  await put('detail', 'Shop');
  await put('y', 'Sold');
  await put('size', 'Rows');
  const line = lineOf(await saved('Points'), id!);
  for (const part of [
    'kind: scatter',
    'x: { measure: rows }',
    'y: { field: sold, aggregate: mean }',
    'detail: { field: shop }',
    'size: { measure: rows }',
  ])
    expect(line).toContain(part);
  const points = await page.evaluate(
    async tile => (await fetch(`/api/v1/dashboards/sales/export?format=svg&tile=${tile}`)).text(),
    id!,
  );
  for (const shop of ['North', 'South', 'East']) expect(points).toContain(`>${shop}<`);
  await page.getByRole('tab', { name: 'YAML' }).click();
  for (const chosen of ['course', id!, 'course']) {
    await page.evaluate(end => window.scrollTo(0, end), chosen === 'course' ? 9999 : 0);
    expect([chosen, await isSeen(chosen)]).toEqual([chosen, false]);
    await page.locator('.cm-line', { hasText: `${chosen}: {` }).click();
    await expect.poll(() => isSeen(chosen)).toBe(true);
  }
  expect(opened.faults).toEqual([]);
});

test('sets options of one chart kind, and the direction of an axis', async () => {
  const { page } = opened;
  const lines = async (message: string) => {
    const all = await saved(message);
    return (id: string) => lineOf(all, id);
  };
  await page.getByRole('tab', { name: 'Two' }).click();
  await settled(page);
  const panel = page.getByTestId('tile-panel');
  const pick = (id: string) => page.locator(`[data-edit=${id}]`).click();
  await pick('figure');
  await choose(panel.getByLabel('Comparison'), { label: 'Custom…' });
  await panel.getByLabel('From').fill('2024-02');
  await panel.getByLabel('Below').fill('2024-04');
  await page.locator('[data-tile=figure]').getByText('40').waitFor();
  await choose(panel.getByLabel('Target type'), { label: 'Average sold' });
  expect(await page.locator('[data-tile=figure]').locator('[role=meter]').textContent()).toMatch(
    /^[\d,]+% of /,
  );
  await pick('reached');
  await choose(panel.getByLabel('Target type'), { label: ': Target' });
  await panel.getByLabel('Axis minimum').fill('0');
  await panel.getByLabel('Axis maximum').fill('300');
  await panel.getByRole('button', { name: 'Add range', exact: true }).click();
  await panel.getByRole('group', { name: 'Range 1' }).getByLabel('Below').fill('100');
  await panel.getByRole('button', { name: 'Add range', exact: true }).click();
  await choose(panel.getByRole('group', { name: 'Range 2' }).getByLabel('Color'), { label: 'Green (good)' });
  await pick('cross');
  await panel.getByText('Shade cells by value').click();
  await pick('boxes');
  await choose(panel.getByLabel('Whiskers'), { label: 'Minimum and maximum' });
  await pick('pick');
  await choose(panel.getByLabel('Control'), { label: 'Search' });
  await pick('order');
  await page.locator('[data-shelf=y]').locator('button:not([aria-haspopup=listbox])').first().click();
  await page.getByLabel('Axis minimum').fill('0');
  // A half, and an end before the beginning, change nothing yet.
  await page.getByLabel('Axis maximum').fill('-5');
  await page.getByLabel('Axis maximum').fill('120');
  await page.getByLabel('Number of ticks (approximate)').fill('3');
  await choose(page.getByLabel('Axis format'), { label: '1 decimal' });
  await page.keyboard.press('Escape');
  await page.locator('[data-shelf=x]').locator('button:not([aria-haspopup=listbox])').first().click();
  await choose(page.getByLabel('Sort', { exact: true }), { label: 'Custom order' });
  await page.getByLabel('Values, one per line').fill('Tea\nCake\n');
  await page.getByText('Reverse axis').click();
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await shoot(page, 'inspector-order-light-1440');
  await page.keyboard.press('Escape');
  await settled(page);
  const of = await lines('Kinds');
  expect(of('figure')).toContain('compare: { from: 2024-02, below: 2024-04 }');
  expect(of('figure')).toMatch(/target: \{ measure: \w+ \}/);
  expect(of('reached')).toContain(
    "target: ':target', scale: { domain: [0, 300] }, bands: [{ below: 100, look: bad }, { look: good }]",
  );
  expect(of('cross')).toContain('heat: true');
  expect(of('boxes')).toContain('extent: min-max');
  expect(of('pick')).toContain('control: search');
  expect(of('order')).toContain(
    'x: { field: product, sort: [Tea, Cake], scale: { reverse: true } }, y: { measure: rows, scale: { domain: [0, 120] }, axis: { tickCount: 3, format: .1f } }',
  );
  const names = await page.evaluate(async () =>
    [
      ...(
        await (
          await fetch(
            '/api/v1/dashboards/sales/export?format=svg&tile=order&state=' +
              encodeURIComponent('{"page":1,"filters":{},"selections":{}}'),
          )
        ).text()
      ).matchAll(/<text[^>]* x="([\d.]+)"[^>]*>(Tea|Cake|Coffee)</g),
    ].map(([, x, name]) => [Number(x), name] as const),
  );
  expect(names.toSorted(([a], [b]) => b - a).map(([, name]) => name)).toEqual(['Tea', 'Cake', 'Coffee']);

  await pick('order');
  await page.locator('[data-shelf=x]').locator('button:not([aria-haspopup=listbox])').first().click();
  await choose(page.getByLabel('Sort', { exact: true }), { label: 'By measure' });
  await choose(page.getByLabel('Measure', { exact: true }), { label: 'Average sold' });
  await choose(page.getByLabel('Sort order'), { label: 'Smallest first' });
  await page.keyboard.press('Escape');
  await pick('figure');
  await choose(panel.getByLabel('Comparison'), { label: 'None' });
  await choose(panel.getByLabel('Target type'), { label: 'Fixed number' });
  const after = await lines('Less of it');
  expect(after('order')).toMatch(/sort: \{ measure: \w+, order: ascending \}/);
  expect(after('figure')).toBe('      figure: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }');
  expect(opened.faults).toEqual([]);
});
