import type { Browser } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  choose,
  figure,
  launchBrowser,
  openPage,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/**
 * Parameters that viewers choose, and tiles that depend on them: on the page, in its address, in files, and
 * in the editor.
 */

let browser: Browser;
let opened: OpenWorkspace;

const shops = ['North', 'South', 'East'] as const;
const products = ['Tea', 'Coffee', 'Cake', 'Soup', 'Pie'] as const;
const rows = Array.from({ length: 300 }, (_, i) => ({
  day: `2024-${String(1 + (i % 12)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')}`,
  shop: shops[i % 3]!,
  product: products[(i * 7) % 5]!,
  sold: 1 + ((i * 7) % 40),
  price: 1 + ((i * i) % 23),
}));
const total = (key: 'sold' | 'price', where: (row: (typeof rows)[number]) => boolean = () => true) =>
  rows.filter(where).reduce((sum, row) => sum + row[key], 0);

const dashboard = `version: 1
title: By choice
model: sales
filters:
  - { field: shop }
parameters:
  figure: { kind: measure, label: Show, options: [all_sold, all_prices] }
  by: { kind: field, label: By, options: [product, shop] }
  grain: { kind: timeUnit, label: Each, options: [quarter, month] }
  most: { kind: number, label: At most, default: 3, min: 1, max: 5, step: 1 }
  view: { kind: choice, label: As, options: [Bars, Table] }
pages:
  - title: One
    tiles:
      value: { kind: kpi, value: { measure: ':figure' }, at: [0, 0, 6, 3] }
      course: { kind: line, title: '{{ :figure }} each {{ :grain }}', x: { field: day, timeUnit: ':grain' }, y: { measure: ':figure' }, at: [6, 0, 18, 6] }
      bars: { kind: bar, x: { measure: ':figure' }, y: { field: ':by', limit: ':most' }, showIf: { parameter: view, is: Bars }, at: [0, 6, 24, 8] }
      listed: { kind: table, title: 'By {{ :by }}', columns: [':by', ':figure'], showIf: { parameter: view, is: Table }, at: [0, 6, 24, 8] }
      detail: { kind: table, title: Sales behind it, columns: [day, product, shop, sold], showIf: { selected: bars }, at: [0, 14, 24, 8] }
      narrowed: { kind: text, text: Some shops only., showIf: { filtered: shop }, at: [0, 22, 24, 2] }
`;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Shops\n',
      'data/sales.csv': `day,shop,product,sold,price\n${rows.map(row => [row.day, row.shop, row.product, row.sold, row.price].join(',')).join('\n')}\n`,
      'models/sales.yaml':
        'version: 1\ntable: sales\ntime: day\ndimensions: { day: {}, shop: {}, product: {}, sold: {} }\nmeasures:\n  all_sold: { expr: sum(sold), label: Items sold, format: integer }\n  all_prices: { expr: sum(price), label: Takings, format: integer }\n',
      'dashboards/choice.yaml': dashboard,
    },
    'By choice',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const pill = (name: string) => opened.page.locator(`[data-parameter=${name}] button[aria-haspopup=listbox]`);
const tiles = () =>
  opened.page.locator('[data-tile]').evaluateAll(found => found.map(tile => tile.getAttribute('data-tile')));
const title = (tile: string) => opened.page.locator(`[data-tile=${tile}] h2`).textContent();
const open = async (search = '') => {
  await opened.page.goto(`${opened.address}/d/choice${search}`);
  await settled(opened.page);
};

describe('a viewer with parameters', () => {
  test('sees the defaults, and only the tiles that match them', async () => {
    await open();
    expect(await tiles()).toEqual(['value', 'course', 'bars']);
    expect(await title('course')).toBe('Items sold each quarter');
    expect(await figure(opened.page, 'value')).toBe(total('sold').toLocaleString('en'));
    expect(new URL(opened.page.url()).search).toBe('');
  });

  test('chooses a measure, a field, a grain and a number; every tile and title follows, and so does the address', async () => {
    await open();
    await choose(pill('figure'), { label: 'Takings' });
    await expect.poll(() => figure(opened.page, 'value')).toBe(total('price').toLocaleString('en'));
    await choose(pill('grain'), { label: 'Month' });
    await expect.poll(() => title('course')).toBe('Takings each month');
    await choose(pill('by'), { label: 'Shop' });
    await expect.poll(() => title('bars')).toBe('Takings by shop');
    await opened.page.getByRole('spinbutton', { name: 'At most' }).fill('1');
    await opened.page.keyboard.press('Enter');
    await opened.page.waitForURL('**p.most=1*');
    await settled(opened.page);
    expect(new URL(opened.page.url()).search).toBe('?p.figure=all_prices&p.grain=month&p.by=shop&p.most=1');
    // The largest shop, and the others together.
    await opened.page.locator('[data-tile=bars] [role=application]').press('t');
    const largest = shops.map(shop => total('price', row => row.shop === shop)).toSorted((a, b) => b - a);
    const figures = () => opened.page.locator('[data-tile=bars] td.tabular').allTextContents();
    await expect
      .poll(figures)
      .toEqual(
        expect.arrayContaining([
          largest[0]!.toLocaleString('en'),
          (largest[1]! + largest[2]!).toLocaleString('en'),
        ]),
      );
  });

  test('can share the link for the same view', async () => {
    const there = opened.page.url();
    await open();
    expect(await title('bars')).toBe('Items sold by product');
    await opened.page.goto(there);
    await settled(opened.page);
    expect(await title('bars')).toBe('Takings by shop');
    expect(await figure(opened.page, 'value')).toBe(total('price').toLocaleString('en'));
  });

  test('sees the defaults for outdated values of a link', async () => {
    await open('?p.figure=profit&p.most=99&p.nothing=1');
    expect(await figure(opened.page, 'value')).toBe(total('sold').toLocaleString('en'));
    expect(await opened.page.getByRole('spinbutton', { name: 'At most' }).inputValue()).toBe('5');
  });

  test('swaps one tile for another in its position', async () => {
    await open();
    // Relative to another tile: the bar above may need one row less for the shorter choice.
    const boxOf = async (tile: string) => (await opened.page.locator(`[data-tile=${tile}]`).boundingBox())!;
    const placeOf = async (tile: string) => {
      const [box, other] = [await boxOf(tile), await boxOf('value')];
      return { ...box, y: box.y - other.y };
    };
    const place = await placeOf('bars');
    await choose(pill('view'), 'Table');
    await expect.poll(tiles).toEqual(['value', 'course', 'listed']);
    await settled(opened.page);
    expect(await placeOf('listed')).toEqual(place);
    await expect
      .poll(() =>
        opened.page
          .locator('[data-tile=listed] tbody tr')
          .first()
          .locator('td:not([data-row-comment])')
          .count(),
      )
      .toBe(2);
    expect(await title('listed')).toBe('By product');
  });

  test('selects a mark to show its rows, and clears it to hide them', async () => {
    await open();
    const surface = opened.page.locator('[data-tile=bars] [role=application]');
    await surface.focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('Enter');
    await expect.poll(tiles).toEqual(['value', 'course', 'bars', 'detail']);
    await settled(opened.page);
    const chosen = (await opened.page
      .getByRole('button', { name: /Clear the selection/ })
      .locator('..')
      .textContent())!
      .split(': ')[1]!
      .trim();
    await expect
      .poll(async () => [
        ...new Set(
          await opened.page.locator('[data-tile=detail] tbody tr td:nth-child(2)').allTextContents(),
        ),
      ])
      .toEqual([chosen]);
    await opened.page.keyboard.press('Escape');
    await expect.poll(tiles).toEqual(['value', 'course', 'bars']);
    await settled(opened.page);
    expect(await figure(opened.page, 'value')).toBe(total('sold').toLocaleString('en'));
  });

  test('can return to a tile hidden with a selection: the selection is inactive meanwhile, and restored', async () => {
    await open('?s.bars=product:["Tea"]');
    const tea = total('sold', row => row.product === 'Tea').toLocaleString('en');
    expect(await figure(opened.page, 'value')).toBe(tea);
    await choose(pill('view'), 'Table');
    await expect.poll(() => figure(opened.page, 'value')).toBe(total('sold').toLocaleString('en'));
    await expect.poll(() => opened.page.getByRole('button', { name: /Clear the selection/ }).count()).toBe(0);
    await choose(pill('view'), 'Bars');
    await expect.poll(() => figure(opened.page, 'value')).toBe(tea);
  });

  test('sees a note on a narrowed view, and resets it to the original', async () => {
    await open('?f.shop=["North"]&p.figure=all_prices');
    await opened.page.waitForSelector('text=Some shops only.');
    expect(await figure(opened.page, 'value')).toBe(
      total('price', row => row.shop === 'North').toLocaleString('en'),
    );
    await opened.page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => figure(opened.page, 'value')).toBe(total('sold').toLocaleString('en'));
    await expect.poll(() => opened.page.locator('text=Some shops only.').count()).toBe(0);
    expect(new URL(opened.page.url()).search).toBe('');
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s at %i px', async (theme, width) => {
    const small = await openPage(browser, 'about:blank', { width, touch: width < 500 });
    await small.page.context().addCookies(await opened.page.context().cookies());
    await small.page.goto(opened.address);
    await small.page.evaluate(name => localStorage.setItem('belvedere-theme', name), theme);
    await small.page.goto(`${opened.address}/d/choice?p.by=shop`);
    await settled(small.page);
    if (width < 500) {
      await small.page.getByRole('button', { name: /^Filters/ }).click();
      await choose(
        small.page.locator('[role=dialog] [data-parameter=figure] button[aria-haspopup=listbox]'),
        { label: 'Takings' },
      );
      await small.page.waitForTimeout(300);
    }
    await shoot(small.page, `parameters-${theme}-${width}`);
    expect(await violations(small.page, { isOverlayOpen: width < 500 })).toEqual([]);
    expect(small.faults).toEqual([]);
    await small.close();
  });
});

test('exports the page as it is shown', async () => {
  await open('?p.figure=all_prices&p.by=shop&p.view=Table');
  const state = {
    page: 0,
    filters: {},
    selections: {},
    parameters: { figure: 'all_prices', by: 'shop', view: 'Table' },
  };
  const text = await opened.page.evaluate(
    async asked =>
      (
        await fetch(
          `/api/v1/dashboards/choice/export?format=csv&tile=listed&state=${encodeURIComponent(JSON.stringify(asked))}`,
        )
      ).text(),
    state,
  );
  const largest = shops
    .map(shop => [shop, total('price', row => row.shop === shop)] as const)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  expect(
    text
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/),
  ).toEqual(['Shop,Takings', ...largest.map(([shop, sum]) => `${shop},${sum}`), `,${total('price')}`]);
  const svg = await opened.page.evaluate(
    async asked =>
      (
        await fetch(
          `/api/v1/dashboards/choice/export?format=svg&state=${encodeURIComponent(JSON.stringify(asked))}`,
        )
      ).text(),
    state,
  );
  expect(svg).toContain('Takings each quarter');
  expect(svg).toContain('By shop');
  expect(svg).not.toContain('Sales behind it');
});

describe('a parameter in the editor', () => {
  test('is created with the mouse, and used as a field', async () => {
    const { page } = opened;
    await opened.put(
      'dashboards/made.yaml',
      'version: 1\ntitle: Made\nmodel: sales\npages:\n  - title: One\n    tiles:\n      bars: { kind: bar, x: { measure: all_sold }, y: { field: product }, at: [0, 0, 12, 8] }\n      note: { kind: text, text: hello, at: [0, 8, 12, 2] }\n',
    );
    await expect
      .poll(() => page.evaluate(async () => (await fetch('/api/v1/dashboards/made')).status))
      .toBe(200);
    await page.goto(`${opened.address}/d/made/edit`);
    await page.waitForSelector('[data-testid=canvas]');
    await choose(page.getByLabel('Add parameter'), { label: 'Field' });
    await page.getByText('· Field').click();
    await page.getByLabel('Label').fill('Split by');
    await expect.poll(() => page.locator('label[data-parameter=field]').textContent()).toContain('Split by');
    await page.locator('[data-edit=bars]').click();
    await choose(page.getByLabel('Y axis: Choose a field'), { label: ': Split by' });
    await expect.poll(() => title('bars')).toMatch(/^Items sold by (product|shop)$/);
    await choose(page.locator('label[data-parameter=field] button[aria-haspopup=listbox]'), {
      label: 'Shop',
    });
    await expect.poll(() => title('bars')).toBe('Items sold by shop');
    await shoot(page, 'parameters-editor-light-1440');
    expect(await violations(page)).toEqual([]);
  });

  test('controls the visibility of a tile, which can be found while it is hidden', async () => {
    const { page } = opened;
    await page.locator('[data-edit=note]').click();
    await choose(page.getByLabel('Show when'), { label: 'Parameter has a value' });
    await choose(page.locator('label[data-parameter=field] button[aria-haspopup=listbox]'), {
      label: 'Product',
    });
    await page.getByRole('group', { name: 'Currently hidden:' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('[data-edit=note]').count()).toBe(0);
    await page.getByRole('group', { name: 'Currently hidden:' }).getByRole('button').click();
    await page.locator('[data-edit=note]').waitFor();

    // All conditions must hold; each can be removed by itself.
    await choose(page.getByLabel('And', { exact: true }), { label: 'Tile has a selection' });
    await expect
      .poll(() => page.getByLabel('Tile', { exact: true }).and(page.locator('button')).textContent())
      .toMatch(/^Items sold by/);
    await choose(page.getByLabel('And', { exact: true }).nth(1), { label: 'Tile has no selection' });
    const further = () =>
      page.getByLabel('And', { exact: true }).and(page.locator('button')).allTextContents();
    await expect.poll(further).toEqual(['Tile has a selection', 'Tile has no selection']);
    await shoot(page, 'parameters-conditions-light-1440');
    await choose(page.getByLabel('And', { exact: true }).nth(1), { label: 'Remove condition' });
    await expect.poll(further).toEqual(['Tile has a selection', 'No other condition']);
    await page.keyboard.press('Control+s');
    await page.getByLabel('Change description').fill('A choice');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('draft-state').textContent()).toBe('Saved');
    const text = await readFile(path.join(opened.folder, 'dashboards', 'made.yaml'), 'utf8');
    expect(text).toContain("y: { field: ':field', limit: 12 }");
    expect(text).toMatch(/parameters:\n {2}field: \{ kind: field, options: \[[a-z, ]+\], label: Split by \}/);
    expect(text).toMatch(/note: \{.*showIf: \{ parameter: field, is: [a-z]+, selected: bars \}/);
    expect(opened.faults).toEqual([]);
  });

  test('is completed among the fields in the text', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/d/made/edit`);
    await page.getByRole('tab', { name: 'YAML' }).click();
    const line = page.locator('.cm-line', { hasText: 'bars:' });
    await line.waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('      more: { kind: bar, x: { measure: all_sold }, y: { field: :');
    await page.keyboard.press('Control+Space');
    await page.waitForSelector('.cm-tooltip-autocomplete li >> text=:field');
  });
});
