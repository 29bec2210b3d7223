import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, shoot, violations, type OpenWorkspace } from '../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

const people = [
  { name: 'Ana', site: 'https://example.org/ana', amount: 30 },
  { name: 'Bo & Co', site: 'javascript:alert(1)', amount: 12 },
  { name: 'Čeněk', site: 'no address', amount: 25 },
  { name: 'Dž/x', site: '', amount: 41 },
];

const day = 86_400_000;
const sales = Array.from({ length: 600 }, (_, i) => ({
  shop: ['Bonn', 'Oslo', null][i % 3]!,
  kind: i % 2 === 0 ? 'new' : 'old',
  at: Date.UTC(2023, 0, 2) + i * day,
  amount: (i * 7919) % 101,
})).filter(({ shop }, i) => shop !== 'Oslo' || i > 200);

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: People\ntimezone: UTC\n',
      'data/people.csv': `name,site,amount\n${people.map(({ name, site, amount }) => `${name},${site},${amount}`).join('\n')}\n`,
      'data/letters.csv': `city,letter\n${Array.from({ length: 40 }, (_, i) => `${['Bonn', 'Oslo'][i % 2]},${`${['Dear', 'Hello'][i % 2]} you `.repeat(30_000)}`).join('\n')}\n`,
      'dashboards/letters.yaml':
        'version: 1\ntitle: Letters\nmodel: letters\npages:\n  - title: One\n    tiles:\n      by_letter: { kind: table, columns: [letter, rows], at: [0, 0, 24, 8] }\n      list: { kind: table, columns: [city, letter], at: [0, 8, 24, 8] }\n',
      'data/cities.csv': `city,size\n${Array.from({ length: 40 }, (_, i) => `${['Bonn', 'Åbo', 'Oslo'][i % 3]},${i * 3}`).join('\n')}\n`,
      'data/sales.csv': `shop,kind,at,amount\n${sales.map(({ shop, kind, at, amount }) => `${shop ?? ''},${kind},${new Date(at).toISOString().slice(0, 10)},${amount}`).join('\n')}\n`,
      'models/sales.yaml':
        'version: 1\ntable: sales\ntime: at\ndimensions: { at: {}, shop: {}, kind: {}, amount: {} }\nmeasures: { total: { expr: sum(amount), format: integer }, middle: { expr: avg(amount), format: .1f } }\n',
      'dashboards/sales.yaml':
        'version: 1\ntitle: Sales\nmodel: sales\npages:\n  - title: One\n    tiles:\n      shops: { kind: table, title: Shops, columns: [shop, kind, total, middle, rows], sparklines: [total, middle, rows], pinned: 2, at: [0, 0, 12, 8] }\n      days: { kind: table, title: Days, columns: [at, total], sparklines: [total], at: [12, 0, 12, 8] }\n      plain: { kind: table, title: Plain, columns: [shop, kind], sparklines: [total], at: [0, 8, 12, 8] }\n      other: { kind: table, title: Other, columns: [shop, total], sparklines: [middel], at: [12, 8, 12, 8] }\n',
      'models/people.yaml':
        "version: 1\ntable: people\ndimensions:\n  name: { link: 'https://example.org/people/{value}' }\n  site: { link: '{value}' }\n  amount: {}\nmeasures:\n  total: { expr: sum(amount) }\n",
      'dashboards/people.yaml':
        'version: 1\ntitle: People\nmodel: people\npages:\n  - title: One\n    tiles:\n      all: { kind: table, title: All, columns: [name, site, amount], at: [0, 0, 14, 10] }\n      sums: { kind: table, title: Sums, columns: [name, total], sort: { field: total, order: descending }, at: [14, 0, 10, 10] }\n      bars: { kind: bar, x: { measure: total }, y: { field: name }, at: [0, 10, 24, 6] }\n      means: { kind: table, title: Means, columns: [name, mean(amount), rows, stdev(amount)], at: [0, 16, 12, 8] }\n      spread: { kind: bar, x: { field: amount, bin: true }, y: { field: amount, aggregate: median }, at: [12, 16, 12, 8] }\n',
    },
    'People',
  );
  await opened.page.goto(`${opened.address}/d/people`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const column = (tile: string, at: number) =>
  opened.page
    .locator(`[data-tile=${tile}] tbody tr`)
    .evaluateAll((rows, place) => rows.map(row => row.children[place]!.textContent), at);
const stateNow = () =>
  encodeURIComponent(
    JSON.stringify({
      page: 0,
      filters: {},
      selections: {},
      tiles: { all: { sort: { by: 'amount', descending: true }, without: ['site'] } },
    }),
  );

describe('a table', () => {
  test('is sorted by a click on a column’s header; the address keeps the order for other viewers', async () => {
    const { page } = opened;
    await expect.poll(() => column('sums', 1)).toEqual(['41', '30', '25', '12']);
    const header = page.locator('[data-tile=all]').getByRole('button', { name: 'Sort by Amount' });
    await header.click();
    await expect.poll(() => column('all', 2)).toEqual(['12', '25', '30', '41']);
    await header.click();
    await expect.poll(() => column('all', 2)).toEqual(['41', '30', '25', '12']);
    expect(new URL(page.url()).searchParams.get('o.all')).toBe('-amount');
    await page.reload();
    await settled(page);
    await expect.poll(() => column('all', 0)).toEqual(['Dž/x', 'Ana', 'Čeněk', 'Bo & Co']);
    expect(await page.locator('[data-tile=all] th[aria-sort=descending]').textContent()).toBe('Amount');
    await page.locator('[data-tile=sums]').getByRole('button', { name: 'Sort by Name' }).click();
    await expect.poll(() => column('sums', 0)).toEqual(['Ana', 'Bo & Co', 'Dž/x', 'Čeněk']);
    expect(await page.locator('[data-tile=sums] tfoot td:not([data-row-comment])').last().textContent()).toBe(
      '108',
    );
  });

  test('hides columns without a new query, and keeps the others unchanged', async () => {
    const { page } = opened;
    const asked: string[] = [];
    // The page may prepare an index for the chart under the pointer.
    page.on(
      'request',
      request =>
        void (
          request.method() === 'POST' &&
          !request.url().endsWith('/brush-index') &&
          asked.push(request.url())
        ),
    );
    await page.locator('[data-tile=all]').getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByText('Site').click();
    await expect.poll(() => column('all', 1)).toEqual(['41', '30', '25', '12']);
    // It stays open for the next one; the last column that is left cannot go.
    await page.getByRole('dialog').getByText('Amount').click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('checkbox', { name: 'Name' }).isDisabled())
      .toBe(true);
    await page.getByRole('dialog').getByText('Amount').click();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).searchParams.get('h.all')).toBe('["site"]');
    expect(asked).toEqual([]);
    await page.reload();
    await settled(page);
    await expect.poll(() => column('all', 1)).toEqual(['41', '30', '25', '12']);
  });

  test('is exported as it is shown', async () => {
    const { page, address } = opened;
    const file = async (format: string) =>
      page.request.get(
        `${address}/api/v1/dashboards/people/export?format=${format}&tile=all&locale=en-US&state=${stateNow()}`,
      );
    expect(
      (await (await file('csv')).text()).replace('\uFEFF', '').replaceAll('"', '').trim().split('\r\n'),
    ).toEqual(['Name,Amount', 'Dž/x,41', 'Ana,30', 'Čeněk,25', 'Bo & Co,12']);
    const svg = await (await file('svg')).text();
    expect([...svg.matchAll(/>([^<>]+)</g)].map(found => found[1])).toEqual([
      'All',
      'All',
      'Name',
      'Dž/x',
      'Ana',
      'Čeněk',
      'Bo &#38; Co',
      'Amount',
      '41',
      '30',
      '25',
      '12',
    ]);
    // A link that names a removed column works like one that names none.
    const odd = encodeURIComponent(
      JSON.stringify({
        page: 0,
        filters: {},
        selections: {},
        tiles: {
          all: { sort: { by: 'gone', descending: true }, without: ['gone', 'name', 'site', 'amount'] },
        },
      }),
    );
    expect(
      await (
        await page.request.get(`${address}/api/v1/dashboards/people/export?format=csv&tile=all&state=${odd}`)
      ).text(),
    ).toContain('Site');
    await page.goto(
      `${address}/d/people?o.all=gone&h.all=${encodeURIComponent('["gone","name","site","amount"]')}`,
    );
    await settled(page);
    await expect
      .poll(() => page.locator('[data-tile=all] th:not([data-row-comment])').allTextContents())
      .toEqual(['Name', 'Site', 'Amount']);
  });

  test('has links that its model defines, and none from data alone', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/d/people`);
    await settled(page);
    const links = () =>
      page
        .locator('[data-tile=all] tbody a')
        .evaluateAll(all =>
          all.map(one => [one.textContent, one.getAttribute('href'), one.getAttribute('rel')]),
        );
    await expect.poll(links).toEqual([
      ['Ana', 'https://example.org/people/Ana', 'noopener noreferrer'],
      ['https://example.org/ana', 'https://example.org/ana', 'noopener noreferrer'],
      ['Bo & Co', 'https://example.org/people/Bo%20%26%20Co', 'noopener noreferrer'],
      ['Čeněk', 'https://example.org/people/%C4%8Cen%C4%9Bk', 'noopener noreferrer'],
      ['Dž/x', 'https://example.org/people/D%C5%BE%2Fx', 'noopener noreferrer'],
    ]);
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'tables-light');
    expect(opened.faults).toEqual([]);
  });

  test('an unsafe link template is an error of its line; the model editor accepts only web, mail and dashboard links', async () => {
    const { page, address } = opened;
    await page.goto(`${address}/models/people`);
    await page.locator('[data-entry="dimensions.name"]').click();
    const field = page.getByLabel('Link');
    expect(await field.inputValue()).toBe('https://example.org/people/{value}');
    await field.fill('https://example.org/');
    await page.getByText('Enter a web, mail or dashboard address that contains {value}.').waitFor();
    await field.fill('mailto:{value}');
    await expect
      .poll(() => page.getByText('Enter a web, mail or dashboard address that contains {value}.').count())
      .toBe(0);
    const errors = await (
      await page.request.post(`${address}/api/v1/validate`, {
        headers: { 'x-belvedere': '1' },
        data: {
          kind: 'model',
          text: "version: 1\ntable: people\ndimensions:\n  name: { link: 'javascript:{value}' }\n",
        },
      })
    ).text();
    expect(errors).toMatch(/"line":4.*https:\/\/example\.org/);
  });
});

test.each([
  [
    'en-US',
    '12.0277',
    ['Name', 'Mean of amount', 'Rows', 'Standard deviation of amount'],
    'Median of amount by amount',
    ['Cities', 'Average size', 'Cities by city', 'Cities by size'],
  ],
  [
    'de-DE',
    '12,0277',
    ['Name', 'Mittelwert Amount', 'Zeilen', 'Standardabweichung Amount'],
    'Median Amount nach Amount',
    ['Cities', 'Durchschnitt Size', 'Cities nach City', 'Cities nach Size'],
  ],
  [
    'zh-CN',
    '12.0277',
    ['Name', 'Amount 平均值', '行数', 'Amount 标准差'],
    'Amount 中位数（按 Amount）',
    ['Cities', 'Size 平均值', 'Cities（按 City）', 'Cities（按 Size）'],
  ],
] as const)(
  'labels of aggregates and of untitled overviews are in %s, on the page and in files',
  async (locale, spread, columns, title, overview) => {
    const context = await browser.newContext({
      locale,
      viewport: { width: 1440, height: 1000 },
      storageState: await opened.page.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(`${opened.address}/d/people`);
    await settled(page);
    await expect
      .poll(() => page.locator('[data-tile=means] th:not([data-row-comment])').allTextContents())
      .toEqual([...columns]);
    expect((await page.locator('[data-tile=means] tfoot td').allTextContents())[3]).toBe(spread);
    expect(await page.locator('[data-tile=spread] h2').textContent()).toBe(title);
    const file = async (tile: string, format = 'csv') =>
      (
        await page.request.get(
          `${opened.address}/api/v1/dashboards/people/export?format=${format}&tile=${tile}&locale=${locale}`,
        )
      ).text();
    expect(
      (await file('means')).replace('\uFEFF', '').replaceAll('"', '').split('\r\n')[0]!.split(','),
    ).toEqual([...columns]);
    expect(await file('spread', 'svg')).toContain(title);
    await page.goto(`${opened.address}/d/overview%2Fcities`);
    await settled(page);
    const titles = await page.locator('[data-tile] h2').allTextContents();
    expect(titles).toEqual(expect.arrayContaining([...overview]));
    await context.close();
  },
);

test('text drawn before its font was loaded is drawn again', async () => {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 1000 },
    storageState: await opened.page.context().storageState(),
  });
  const page = await context.newPage();
  const pixels = () =>
    page.locator('[data-tile=bars] canvas').evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
  await page.goto(`${opened.address}/d/people`);
  await settled(page);
  await page.evaluate(() => document.fonts.ready);
  const inFont = await pixels();
  const late = await context.newPage();
  const held = Promise.withResolvers<void>();
  await late.route('**/*.woff2', async route => {
    await held.promise;
    await route.continue();
  });
  // Fonts that come with the page are part of its loading.
  await late.goto(`${opened.address}/d/people`, { waitUntil: 'commit' });
  await settled(late);
  const lately = () =>
    late.locator('[data-tile=bars] canvas').evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
  expect(await lately()).not.toBe(inFont);
  held.resolve();
  await expect.poll(lately).toBe(inFont);
  await context.close();
});

describe('a table of measures with sparklines', () => {
  const month = (at: number) => new Date(at).toISOString().slice(0, 7);
  const months = [...new Set(sales.map(({ at }) => month(at)))];
  const state = { page: 0, filters: {}, selections: {} };

  test('shows each row’s measure by month: zero counts where there are no rows, and null sums', async () => {
    const { page, address } = opened;
    const answer = await page.request.post(`${address}/api/v1/dashboards/sales/tiles/shops/rows`, {
      data: { state, offset: 0, limit: 100 },
      headers: { 'x-belvedere': '1' },
    });
    const { rows, sparklines } = (await answer.json()) as {
      rows: (string | number | null)[][];
      sparklines: { unit: string; from: number; to: number; of: Record<string, (number | null)[][]> };
    };
    expect([
      sparklines.unit,
      new Date(sparklines.from).toISOString().slice(0, 10),
      new Date(sparklines.to).toISOString().slice(0, 7),
      Object.keys(sparklines.of),
    ]).toEqual(['month', '2023-01-01', months.at(-1), ['total', 'middle', 'rows']]);
    expect(rows.length).toBe(6);
    rows.forEach(([shop, kind], i) => {
      const inMonth = (wanted: string) =>
        sales
          .filter(sale => sale.shop === shop && sale.kind === kind && month(sale.at) === wanted)
          .map(({ amount }) => amount);
      const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
      expect(sparklines.of['total']![i]).toEqual(
        months.map(wanted => (inMonth(wanted).length === 0 ? null : sum(inMonth(wanted)))),
      );
      expect(sparklines.of['rows']![i]).toEqual(months.map(wanted => inMonth(wanted).length));
      sparklines.of['middle']![i]!.forEach((value, place) => {
        const amounts = inMonth(months[place]!);
        if (amounts.length === 0) expect(value).toBeNull();
        else expect(value).toBeCloseTo(sum(amounts) / amounts.length, 9);
      });
    });
    expect(sparklines.of['middle']!.flat()).toContain(null);
  });

  test('shows them beside the numbers, with a text for screen readers, and keeps its first columns in sight', async () => {
    const { page, address } = opened;
    await page.goto(`${address}/d/sales`);
    await settled(page);
    const tile = page.locator('[data-tile=shops]');
    expect(await tile.getByRole('img').count()).toBe(18);
    expect(await tile.getByRole('img').first().getAttribute('aria-label')).toMatch(
      /^By month, Jan 1, 2023 to Aug 1, 2024: minimum [\d,]+, maximum [\d,]+, last [\d,]+$/,
    );
    const region = tile.getByRole('region');
    const places = () =>
      tile
        .locator('tbody tr')
        .first()
        .locator('td')
        .evaluateAll(cells => cells.map(cell => Math.round(cell.getBoundingClientRect().x)));
    const staying = () =>
      tile
        .locator('tbody td')
        .evaluateAll(cells => cells.filter(cell => getComputedStyle(cell).position === 'sticky').length);
    // Cells that are sticky or clipped cost time in every frame, so a table that is fully visible has none.
    expect(await region.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await staying()).toBe(0);
    expect(
      await tile
        .locator('tbody td')
        .evaluateAll(cells => cells.filter(cell => getComputedStyle(cell).overflow !== 'visible').length),
    ).toBe(0);
    await region.evaluate(element => (element.style.width = '260px'));
    await expect.poll(staying).toBeGreaterThan(0);
    // Once the columns have the widths that they keep.
    let before = await places();
    await expect
      .poll(async () => String(before) === String((before = await places())), { interval: 150 })
      .toBe(true);
    await region.evaluate(element => (element.scrollLeft = 60));
    await expect.poll(async () => (await places())[2]).toBe(before[2]! - 60);
    expect((await places()).slice(0, 2)).toEqual(before.slice(0, 2));
    await shoot(page, 'sparklines-light');
    expect(await violations(page)).toEqual([]);
  });

  test('reports sparklines along its own time, of no measure, or of one without time, and shows the rest', async () => {
    const { page, address } = opened;
    const { brokenTiles } = (await (await page.request.get(`${address}/api/v1/dashboards/sales`)).json()) as {
      brokenTiles: Record<string, string>;
    };
    expect(brokenTiles).toEqual({
      days: expect.stringContaining('runs along `at`, and the rows are grouped by it too'),
      plain: expect.stringContaining('needs a measure among the table'),
      other: expect.stringContaining('not a measure among the table'),
    });
  });

  test('prints them, and exports files with numbers only', async () => {
    const { page, address } = opened;
    const file = async (format: string) =>
      (
        await page.request.get(
          `${address}/api/v1/dashboards/sales/export?format=${format}&tile=shops&state=${encodeURIComponent(JSON.stringify(state))}`,
        )
      ).body();
    expect((await file('svg')).toString().match(/<path[^>]*stroke-width="1.5"/g)?.length).toBe(18);
    expect((await file('csv')).toString().split('\r\n')[0]).toBe('Shop,Kind,Total,Middle,Rows');
  });
});

test('shows the beginning of very long cells and names, and exports them in full', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/explore/letters`);
  await settled(page);
  const cells = await page.locator('[data-tile=rows_table] tbody td').allTextContents();
  expect(cells.filter(cell => cell.startsWith('Dear you Dear')).length).toBeGreaterThan(5);
  expect(Math.max(...cells.map(cell => cell.length))).toBe(2001);
  const said = await page.locator('[data-tile=c_letter] [role=application]').getAttribute('aria-label');
  expect(said).toMatch(/Dear you Dear/);
  expect(said!.length).toBeLessThan(5000);
  await page.goto(`${opened.address}/d/letters`);
  await settled(page);
  expect((await column('by_letter', 0)).map(cell => cell!.length)).toEqual([2001, 2001]);
  expect(Math.max(...(await column('list', 1)).map(cell => cell!.length))).toBe(2001);
  await page.goto(`${opened.address}/data/files/letters`);
  await page.getByText('Dear you Dear').first().waitFor();
  expect(await page.evaluate(() => document.body.textContent.length)).toBeLessThan(500_000);
  const whole = await page.request.get(
    `${opened.address}/api/v1/dashboards/letters/export?format=csv&tile=list`,
  );
  expect([whole.status(), (await whole.text()).length > 40 * 270_000]).toEqual([200, true]);
});
