import { mkdtemp, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSample } from '../../../apps/cli/src/prepare-sample.ts';
import {
  drag,
  launchBrowser,
  openPage,
  project,
  settled,
  shoot,
  startCli,
  violations,
  type Opened,
} from '../../browser.ts';
import { keepScreenshot } from '../../keep-screenshot.ts';

/*
 * The gallery: every kind of tile in its forms, on real data. Each picture is drawn by the server and compared with the committed one;
 * the interactions are done in a real browser.
 */

interface Gallery {
  readonly origin: string;
  readonly cookie: string;
}

let cli: Awaited<ReturnType<typeof startCli>>;
let gallery: Gallery;
let browser: Browser;

beforeAll(async () => {
  // A copy, because other tests open the gallery at the same time, and only one server can open a folder.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-gallery-'));
  cli = await startCli([await prepareSample(project, 'gallery', path.join(folder, 'gallery'))], {
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  });
  const first = await fetch(cli.url, { redirect: 'manual' });
  gallery = {
    origin: new URL(cli.url).origin,
    cookie: first.headers
      .getSetCookie()
      .map(cookie => cookie.split(';')[0])
      .join('; '),
  };
  browser = await launchBrowser();
  for (;;) {
    const { dashboards } = (await get('/api/v1/dashboards').then(response => response.json())) as {
      dashboards: { origin: string; state: string }[];
    };
    if (dashboards.filter(one => one.origin === 'saved').every(one => one.state === 'ready')) break;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
});

afterAll(async () => {
  await browser?.close();
  await cli?.stop();
});

const get = (address: string) =>
  fetch(`${gallery.origin}${address}`, { headers: { cookie: gallery.cookie } });
const dashboards = ['bars', 'lines', 'distributions', 'parts', 'maps', 'figures', 'forms'];

interface Document {
  readonly document: {
    readonly pages: readonly { readonly tiles: Readonly<Record<string, { readonly kind: string }>> }[];
  };
  readonly problems: readonly unknown[];
}

async function picture(dashboard: string, page: number, tile: string, more = ''): Promise<string> {
  const state = encodeURIComponent(JSON.stringify({ page, filters: {}, selections: {} }));
  const response = await get(
    `/api/v1/dashboards/${dashboard}/export?format=svg&locale=en-US&tile=${tile}&state=${state}${more}`,
  );
  expect(
    response.status,
    await response
      .clone()
      .text()
      .then(text => text.slice(0, 200)),
  ).toBe(200);
  return response.text();
}

describe('pictures', () => {
  test.each(dashboards)(
    'of %s match the approved ones: each tile, the first of its kind in the dark and on a phone too',
    async dashboard => {
      const { document, problems } = (await get(`/api/v1/dashboards/${dashboard}`).then(response =>
        response.json(),
      )) as Document;
      expect(problems).toEqual([]);
      const seen = new Set<string>();
      for (const [page, { tiles }] of document.pages.entries()) {
        for (const [id, { kind }] of Object.entries(tiles)) {
          if (kind === 'control') continue;
          const file = (name: string) => path.join(project, 'samples', 'gallery', 'pictures', `${name}.svg`);
          // Three thousand counties are drawn, but not kept thrice.
          await expect(await picture(dashboard, page, id)).toMatchFileSnapshot(file(id));
          // The dark theme and the phone width are checked along with the default ones.
          if (dashboard === 'forms' || seen.has(kind)) continue;
          seen.add(kind);
          await expect(await picture(dashboard, page, id, '&theme=dark')).toMatchFileSnapshot(
            file(`${id}-dark`),
          );
          await expect(await picture(dashboard, page, id, '&width=358')).toMatchFileSnapshot(
            file(`${id}-phone`),
          );
        }
      }
    },
    120_000,
  );

  test.each([
    ['kpi', ['dense', 'sparse']],
    ['bar', []],
    ['line', []],
    ['area', []],
    ['combo', []],
    ['heatmap', []],
    ['scatter', []],
    ['calendar', ['long']],
    ['boxplot', []],
    ['waterfall', []],
    // Prices are not below zero, and a day without trade has no candle.
    ['candlestick', ['negative', 'null', 'long']],
    // A negative value is not a part of a whole.
    ['pie', ['negative']],
    ['donut', ['negative']],
    ['treemap', ['negative']],
    ['sunburst', ['negative']],
    ['sankey', ['negative']],
    ['funnel', ['negative']],
    ['gauge', ['dense', 'sparse']],
    ['radar', []],
    ['map', ['negative', 'long']],
    ['table', []],
    ['pivot', []],
  ] as const)('of a %s exist in light, dark, on a phone, and in each form but %j', async (kind, without) => {
    const names = new Set(
      (await readdir(path.join(project, 'samples', 'gallery', 'pictures'))).map(file =>
        file.replace('.svg', ''),
      ),
    );
    const same: Readonly<Record<string, string>> = {
      table: 'table_rows',
      'table-dark': 'table_rows-dark',
      'table-phone': 'table_rows-phone',
      table_dense: 'table_rows',
      map: 'map_world',
      'map-dark': 'map_world-dark',
      'map-phone': 'map_world-phone',
      map_dense: 'map_counties',
      heatmap_negative: 'heatmap_diverging',
      scatter_dense: 'scatter_density',
      scatter_sparse: 'scatter_measures_sparse',
      scatter_negative: 'scatter_measures_negative',
      calendar_dense: 'calendar',
    };
    const wanted = [
      kind,
      `${kind}-dark`,
      `${kind}-phone`,
      ...['dense', 'sparse', 'negative', 'null', 'long']
        .filter(form => !(without as readonly string[]).includes(form))
        .map(form => `${kind}_${form}`),
    ];
    expect(wanted.filter(name => !names.has(same[name] ?? name))).toEqual([]);
  });

  test('contain no NaN, and no text outside their frame', async () => {
    for (const [dashboard, tile] of [
      ['parts', 'treemap'],
      ['maps', 'map_world'],
      ['lines', 'radar'],
    ] as const) {
      const svg = await picture(dashboard, dashboard === 'lines' ? 1 : 0, tile);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

/** How many dots of a picture are quite black, which no colour of ours is. */
function blackIn(page: Page, png: Buffer): Promise<number> {
  return page.evaluate(async base64 => {
    const picture = await createImageBitmap(
      new Blob([Uint8Array.from(atob(base64), character => character.charCodeAt(0))], { type: 'image/png' }),
    );
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let black = 0;
    for (let dot = 0; dot < data.length; dot += 4)
      if (data[dot]! + data[dot + 1]! + data[dot + 2]! === 0) black++;
    return black;
  }, png.toString('base64'));
}

/** A page of its own, with the session of the one-time address. */
async function signedIn(options: Parameters<typeof openPage>[2] = {}): Promise<Opened> {
  const opened = await openPage(browser, 'about:blank', options);
  const [name, value] = gallery.cookie.split('=') as [string, string];
  await opened.page.context().addCookies([{ name, value, url: gallery.origin }]);
  return opened;
}

describe('on the page', () => {
  const open = async (address: string, options: Parameters<typeof openPage>[2] = {}): Promise<Opened> => {
    const opened = await signedIn(options);
    await opened.page.goto(`${gallery.origin}${address}`);
    await settled(opened.page);
    return opened;
  };
  const chart = (opened: Opened, tile: string) =>
    opened.page.locator(`[data-tile=${tile}] [role=application]`);
  const selections = (opened: Opened) =>
    Object.fromEntries([...new URL(opened.page.url()).searchParams].filter(([key]) => key.startsWith('s.')));
  const menu = async (opened: Opened, tile: string, ...items: string[]) => {
    await opened.page.locator(`[data-tile=${tile}]`).hover();
    await opened.page.locator(`[data-tile=${tile}]`).getByRole('button', { name: 'More' }).click();
    for (const item of items) await opened.page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  test.each(
    dashboards.flatMap(
      dashboard =>
        [
          [dashboard, 1440],
          [dashboard, 390],
        ] as const,
    ),
  )(
    '%s at %d pixels: every tile is shown without an error',
    async (dashboard, width) => {
      const opened = await open(`/d/${dashboard}`, { width });
      expect(await opened.page.locator('[data-status=failed], [data-status=broken]').count()).toBe(0);
      expect(await violations(opened.page)).toEqual([]);
      // Taking the picture resizes charts: wait until all are painted.
      const picture = await opened.page.screenshot({ fullPage: true });
      await keepScreenshot(`gallery-${dashboard}-${width}`, async () => picture);
      expect(await blackIn(opened.page, picture)).toBeLessThan(20_000);
      expect(opened.faults).toEqual([]);
      await opened.close();
    },
    60_000,
  );

  test('a click on a slice, a treemap tile or a country selects it and filters the others; a click beside it clears', async () => {
    const opened = await open('/d/parts');
    const before = await opened.page.locator('[data-tile=pie] [role=application]').getAttribute('aria-label');
    await chart(opened, 'donut').click({
      position: { x: (await widthOf(opened, 'donut', 0.5)) + 70, y: 130 },
    });
    await settled(opened.page);
    expect(selections(opened)).toEqual({ 's.donut': 'size:["Small"]' });
    expect(
      await opened.page.locator('[data-tile=pie] [role=application]').getAttribute('aria-label'),
    ).not.toBe(before);
    await chart(opened, 'donut').click({ position: { x: 4, y: 4 } });
    await settled(opened.page);
    expect(selections(opened)).toEqual({});
    await chart(opened, 'treemap').click({ position: { x: 60, y: 60 } });
    await settled(opened.page);
    expect(selections(opened)['s.treemap']).toMatch(/^phase:\["Climb"\]&species:\["Unknown bird - large"\]$/);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('a drag selects the area on a map, and the days on a calendar', async () => {
    const map = await open('/d/maps');
    await drag(map.page, 'map_states', [0.05, 0.3], [0.2, 0.6]);
    await settled(map.page);
    expect(selections(map)['s.map_states']).toMatch(/state:\[.*"(CA|OR|WA|NV)".*\]/);
    await map.close();
    const days = await open('/d/distributions?page=2');
    await drag(days.page, 'calendar_sparse', [0.2, 0.3], [0.4, 0.6]);
    await settled(days.page);
    expect(selections(days)['s.calendar_sparse']).toMatch(/^flight_date:2001-\d\d-\d\d\.\.2001-\d\d-\d\d$/);
    await days.close();
  });

  test('points of measures: a drag selects those inside, a key a single one, and tooltips have all their coordinates', async () => {
    const opened = await open('/d/distributions');
    const [poor, others] = [chart(opened, 'scatter_measures'), chart(opened, 'scatter_density')];
    await poor.scrollIntoViewIfNeeded();
    await drag(opened.page, 'scatter_measures', [0.05, 0.4], [0.3, 0.9]);
    await settled(opened.page);
    const countries = /^country:\[(.*)\]$/.exec(selections(opened)['s.scatter_measures']!)![1]!;
    expect(countries).toContain('"Congo, Dem. Rep."');
    expect(countries).not.toContain('"Japan"');
    await chart(opened, 'scatter_measures_sparse').focus();
    await opened.page.keyboard.press('ArrowRight');
    await expect
      .poll(() =>
        opened.page.locator('[data-tile=scatter_measures_sparse] .enter.shadow-float').textContent(),
      )
      .toMatch(/^.+Strikes[\d,]+Did damage[\d.]+%$/);
    const before = await others.getAttribute('aria-label');
    await opened.page.keyboard.press('Enter');
    await settled(opened.page);
    expect(selections(opened)['s.scatter_measures_sparse']).toMatch(/^operator:\[".+"\]$/);
    expect(await others.getAttribute('aria-label')).not.toBe(before);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('small multiples are brushed separately: the selection names its panel', async () => {
    const opened = await open('/d/lines');
    await drag(opened.page, 'line_panels', [0.06, 0.25], [0.12, 0.25]);
    await settled(opened.page);
    expect(selections(opened)['s.line_panels']).toMatch(
      /year:\[.*\]&country:\["China"\]|country:\["China"\]&year:\[.*\]/,
    );
    await opened.close();
  });

  test('filtered small multiples send no query while others are brushed, in one panel and then in another as well', async () => {
    const opened = await open('/d/lines');
    const { page } = opened;
    const shown = () =>
      page.evaluate(() =>
        document.querySelector<HTMLCanvasElement>('[data-tile=line_free] canvas')!.toDataURL(),
      );
    const before = await shown();
    await page.hover('[data-tile=line_panels] [role=application]');
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(entry => entry.name.endsWith('/brush-index')),
    );
    await page.waitForTimeout(300);
    const asked: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/query'))
        asked.push(...(JSON.parse(request.postData()!) as { tiles: string[] }).tiles);
    });
    await drag(page, 'line_panels', [0.06, 0.25], [0.12, 0.25], { release: false });
    await expect.poll(shown).not.toBe(before);
    expect(asked).toEqual([]);
    await page.mouse.up();
    await settled(page);
    const first = await shown();
    asked.length = 0;
    await page.keyboard.down('Shift');
    await drag(page, 'line_panels', [0.4, 0.25], [0.46, 0.25], { release: false });
    await expect.poll(shown).not.toBe(first);
    expect(asked).toEqual([]);
    // The last of its steps may not be drawn yet.
    const during = await still(shown);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled(page);
    expect(await shown()).toBe(during);
    expect(selections(opened)['s.line_panels']).toMatch(/country:\["China"\].*country:\["(?!China)/);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('points in small multiples are brushed and focused in their own panel, with tooltips of their own figures', async () => {
    const opened = await open('/d/distributions');
    await drag(opened.page, 'scatter_panels', [0.14, 0.3], [0.24, 0.6]);
    await settled(opened.page);
    expect(selections(opened)['s.scatter_panels']).toMatch(
      /^(?=.*flipper:)(?=.*beak:)(?=.*island:\["Biscoe"\])/,
    );
    const bubbles = chart(opened, 'scatter_measures_panels');
    await bubbles.focus();
    await opened.page.keyboard.press('ArrowRight');
    await opened.page.keyboard.press('PageDown');
    const told = opened.page.locator('[data-tile=scatter_measures_panels] [aria-live]');
    await expect
      .poll(() => told.textContent())
      .toMatch(
        /^europe central asia · .+: Income for each person \$[\d,]+, Life expectancy [\d.]+ years, Population [\d,]+$/,
      );
    const country = /· (.+): Income/.exec((await told.textContent())!)![1]!;
    await opened.page.keyboard.press('Enter');
    await settled(opened.page);
    expect(selections(opened)['s.scatter_measures_panels']!.replaceAll('+', ' ')).toMatch(
      new RegExp(`^(?=.*region:\\["europe central asia"\\])(?=.*country:\\["${country}"\\])`),
    );
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('arrow keys move between the marks of any chart; Enter selects, Shift and arrows extend, Escape clears', async () => {
    const opened = await open('/d/parts');
    const donut = chart(opened, 'donut');
    await donut.focus();
    await opened.page.keyboard.press('ArrowRight');
    await opened.page.keyboard.press('Enter');
    await settled(opened.page);
    expect(selections(opened)).toEqual({ 's.donut': 'size:["Small"]' });
    expect(await opened.page.locator('[data-tile=donut] [aria-live]').textContent()).toMatch(
      /Selected: Small/,
    );
    await opened.page.keyboard.press('Shift+ArrowLeft');
    await settled(opened.page);
    expect(selections(opened)['s.donut']).toMatch(/Small.*(Medium|Large)/);
    await opened.page.keyboard.press('Escape');
    await settled(opened.page);
    expect(selections(opened)).toEqual({});
    await opened.close();
  });

  test('a click on the legend isolates a series, another restores all', async () => {
    const opened = await open('/d/lines');
    const seattle = opened.page.locator('[data-tile=line]').getByRole('button', { name: 'Seattle' });
    const newYork = opened.page.locator('[data-tile=line]').getByRole('button', { name: 'New York' });
    await seattle.click();
    expect([await seattle.getAttribute('aria-pressed'), await newYork.getAttribute('aria-pressed')]).toEqual([
      'true',
      'false',
    ]);
    await seattle.click();
    expect(await newYork.getAttribute('aria-pressed')).toBe('true');
    await opened.close();
  });

  test('the tooltip lists every series at a position, a change from the previous one, a share of the total', async () => {
    const opened = await open('/d/lines');
    await chart(opened, 'line').hover({ position: { x: 300, y: 80 } });
    await expect
      .poll(() => opened.page.locator('[data-tile=line] .enter.shadow-float').textContent())
      .toMatch(
        /New York.*°C · Rows \d+.*Seattle.*°C · Rows \d+|Seattle.*°C · Rows \d+.*New York.*°C · Rows \d+/,
      );
    await chart(opened, 'line_average').hover({ position: { x: 300, y: 80 } });
    await expect
      .poll(() => opened.page.locator('[data-tile=line_average] .enter.shadow-float').textContent())
      .toMatch(/Strikes[\d,]+Did damage[\d.]+%Change from previous[+−][\d,]+ \([+−][\d.]+%\)/);
    await opened.close();
    const parts = await open('/d/parts');
    await chart(parts, 'treemap').hover({ position: { x: 60, y: 60 } });
    await expect
      .poll(() => parts.page.locator('[data-tile=treemap] .enter.shadow-float').textContent())
      .toMatch(/Climb › Unknown bird - large.*Share of total[\d.]+%Strikes[\d,]+$/);
    await parts.close();
    const points = await open('/d/distributions');
    const { width, height } = (await chart(points, 'scatter_null').boundingBox())!;
    const tip = async () => {
      await chart(points, 'scatter_null').hover({
        position: { x: width * 0.65, y: height * 0.35 },
      });
      return points.page.locator('[data-tile=scatter_null] .enter.shadow-float').allTextContents();
    };
    // In the thick of them there is one at most places: a film, by its title.
    await expect.poll(tip).toEqual([expect.stringMatching(/\S.*Genre.*Tomatoes.*IMDb/i)]);
    await points.close();
  });

  test('annotations are announced with their focused mark', async () => {
    const opened = await open('/d/lines');
    expect(await chart(opened, 'line_average').getAttribute('aria-label')).toContain(
      ' The most each year, from August to October. ',
    );
    await chart(opened, 'line_average').focus();
    const said = () => opened.page.locator('[data-tile=line_average] [aria-live]').textContent();
    for (let step = 0; step < 160 && !(await said())?.startsWith('Aug 2001'); step++)
      await opened.page.keyboard.press('ArrowRight');
    expect(await said()).toMatch(/^Aug 2001: .*, The most each year, from August to October$/);
    await opened.close();
  });

  test('a tile’s menu sets grain and breakdown, keeps and excludes, and shows rows; Back undoes each', async () => {
    const opened = await open('/d/lines');
    await menu(opened, 'line_average', 'Time granularity', 'Quarter');
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('t.line_average')).toBe('quarter');
    expect(await chart(opened, 'line_average').getAttribute('aria-label')).toMatch(/quarters/);
    await menu(opened, 'line_average', 'Break down by', 'Size of animal');
    await settled(opened.page);
    expect(
      await opened.page.locator('[data-tile=line_average]').getByRole('button', { name: 'Medium' }).count(),
    ).toBe(1);
    await opened.page.goBack();
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('b.line_average')).toBeNull();
    await opened.close();

    const parts = await open('/d/parts');
    await chart(parts, 'donut').focus();
    await parts.page.keyboard.press('ArrowRight');
    await parts.page.keyboard.press('Enter');
    await settled(parts.page);
    await menu(parts, 'donut', 'See selected rows');
    await expect.poll(() => parts.page.getByRole('dialog').locator('tbody tr').count()).toBe(100);
    expect(await parts.page.getByRole('dialog').textContent()).toMatch(/1–100 of 4,910/);
    await parts.page.keyboard.press('Escape');
    await menu(parts, 'donut', 'Exclude selection');
    await settled(parts.page);
    expect(new URL(parts.page.url()).searchParams.get('f.size')).toBe('!["Small"]');
    expect(await parts.page.getByText('Size of animal: all except Small').count()).toBe(1);
    expect(await chart(parts, 'donut').getAttribute('aria-label')).not.toMatch(/Small,/);
    expect(parts.faults).toEqual([]);
    await parts.close();
  });

  test('a double click drills down: the tile shows the next level, the breadcrumb leads back', async () => {
    const opened = await open('/d/lines?page=2');
    await menu(opened, 'area', 'Time granularity', 'Year');
    await settled(opened.page);
    await chart(opened, 'area').dblclick({ position: { x: 200, y: 100 } });
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('d.area')).toMatch(
      /^flight_date:\d{4}-01-01\.\.\d{4}-01-01$/,
    );
    const trail = opened.page
      .locator('[data-tile=area]')
      .getByRole('navigation', { name: 'Drill-down path' });
    await trail.getByRole('button', { name: 'All' }).click();
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('d.area')).toBeNull();
    await opened.close();
  });

  test('figures in a text belong to their page, and follow its filters', async () => {
    const opened = await open('/d/figures');
    await expect
      .poll(() => opened.page.getByText('did damage; half').textContent())
      .toMatch(/^Of 1,095 strikes 10\.1% did damage; half of them happened below 140 knots\.$/);
    await opened.page.goto(`${gallery.origin}/d/figures?f.flight_date=2000-01-01..2001-01-01`);
    await settled(opened.page);
    await expect
      .poll(() => opened.page.getByText('did damage; half').textContent())
      .toMatch(/^Of 1,0(?!95)\d\d strikes/);
    await opened.close();
  });

  test('a pivot’s totals match the engine’s; branches close, columns sort', async () => {
    const opened = await open('/d/figures');
    const cells = (row: 'first' | 'last') =>
      opened.page.locator('[data-tile=pivot_measures] tbody tr')[row]().locator('td').allTextContents();
    // The median of all is no sum and no mean of the states' medians.
    await expect
      .poll(async () => [await cells('first'), await cells('last')])
      .toEqual([
        ['174', '10.9%', '140'],
        ['1,095', '10.1%', '140'],
      ]);
    const tree = opened.page.locator('[data-tile=pivot]');
    const rows = await tree.locator('tbody tr').count();
    await tree.getByRole('button', { name: 'Small' }).click();
    expect(await tree.locator('tbody tr').count()).toBeLessThan(rows);
    await tree.getByRole('button', { name: 'Sort by Total' }).click();
    expect(await tree.getByRole('button', { name: 'Sort by Total' }).textContent()).toBe('Total ↓');
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('the interface is in German and Chinese, and so are dashboards with translations', async () => {
    for (const [language, expected] of [
      ['de', /Zahlen und TabellenDaten bis 25\. Juli 2002/],
      ['zh', /Figures and tables数据截至 2002年7月25日/],
    ] as const) {
      const opened = await signedIn();
      await opened.page.addInitScript(chosen => localStorage.setItem('belvedere-language', chosen), language);
      await opened.page.goto(`${gallery.origin}/d/figures`);
      await settled(opened.page);
      await expect.poll(() => opened.page.locator('header').first().textContent()).toMatch(expected);
      expect(await opened.page.locator('html').getAttribute('lang')).toBe(language);
      // The printed names of keys.
      expect(await opened.page.locator('header kbd').textContent()).toBe(
        language === 'de' ? 'Strg K' : 'Ctrl K',
      );
      await shoot(opened.page, `gallery-figures-${language}`);
      expect(opened.faults).toEqual([]);
      await opened.close();
    }
  });

  test('the page works from right to left: nothing overflows, the menu opens, axe finds nothing', async () => {
    for (const width of [1440, 390]) {
      const opened = await open('/d/figures', { width });
      await opened.page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await opened.page.waitForTimeout(300);
      expect(
        await opened.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0);
      expect(await violations(opened.page)).toEqual([]);
      await shoot(opened.page, `gallery-rtl-${width}`);
      await opened.close();
    }
  });

  test('touch: a tap selects a slice, the dots open the menu', async () => {
    const opened = await open('/d/parts', { width: 390, height: 844, touch: true });
    const box = (await chart(opened, 'donut').boundingBox())!;
    await opened.page.touchscreen.tap(box.x + box.width / 2 + 60, box.y + box.height / 2);
    await settled(opened.page);
    expect(selections(opened)).toEqual({ 's.donut': 'size:["Small"]' });
    await opened.page.locator('[data-tile=donut]').getByRole('button', { name: 'More' }).tap();
    await opened.page.getByRole('menuitem', { name: 'See selected rows' }).tap();
    await expect.poll(() => opened.page.getByRole('dialog').locator('tbody tr').count()).toBe(100);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('Ctrl and the wheel zoom at the pointer, Shift and the wheel pan, keys do too; a wheel alone scrolls', async () => {
    const opened = await open('/d/lines');
    const { page } = opened;
    const line = chart(opened, 'line_average');
    await line.scrollIntoViewIfNeeded();
    const box = (await line.boundingBox())!;
    const days = () => {
      const stretch = new URL(page.url()).searchParams.get('z.line_average');
      return stretch === null
        ? undefined
        : (stretch.split('..').map(day => Date.parse(day) / 86_400_000) as [number, number]);
    };
    const wheel = async (deltaX: number, deltaY: number, key?: string) => {
      if (key) await page.keyboard.down(key);
      await page.mouse.wheel(deltaX, deltaY);
      if (key) await page.keyboard.up(key);
    };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const scrolled = await page.evaluate(() => window.scrollY);
    await wheel(0, -120, 'Control');
    await page.getByTestId('wanted-stretch').waitFor();
    await expect.poll(days).toBeDefined();
    await settled(page);
    expect(await page.evaluate(() => [window.scrollY, window.visualViewport!.scale])).toEqual([scrolled, 1]);
    const [from, below] = days()!;
    // Drawn by months, it is of whole ones: half of one would be drawn as a month with half its strikes.
    const months = ([a, b]: [number, number]) =>
      [a, b]
        .map(day => new Date(day * 86_400_000))
        .map(date =>
          date.getUTCDate() === 1 ? date.getUTCFullYear() * 12 + date.getUTCMonth() : Number.NaN,
        ) as [number, number];
    await wheel(0, 60, 'Shift');
    await expect.poll(() => days()![0]).toBeGreaterThan(from);
    const [before, after] = [months([from, below]), months(days()!)];
    expect(after[1] - after[0]).toBe(before[1] - before[0]);
    await settled(page);
    await wheel(0, 240, 'Control');
    await wheel(0, 240, 'Control');
    await expect.poll(days).toBeUndefined();
    await settled(page);
    // Under a filter of the same field, the axis is of the stretch, not of the filter with nothing around the
    // stretch.
    await page.goto(
      `${gallery.origin}/d/lines?f.flight_date=1994-01-01..2000-01-01&z.line_average=1996-01-01..1997-01-01`,
    );
    await settled(page);
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.locator('[data-tile=line_average] [aria-live]').textContent())
      .toMatch(/^Mon, Jan 1, 1996: Strikes \d+/);
    await page.goto(`${gallery.origin}/d/lines`);
    await settled(page);
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('+');
    await expect.poll(days).toBeDefined();
    await settled(page);
    await page.keyboard.press('-');
    await expect.poll(days).toBeUndefined();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await wheel(0, 200);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolled);
    expect(days()).toBeUndefined();
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('two fingers zoom, and select nothing', async () => {
    const opened = await open('/d/lines', { width: 390, height: 844, touch: true });
    const { page } = opened;
    const line = chart(opened, 'line_average');
    await line.scrollIntoViewIfNeeded();
    const box = (await line.boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: shares.map((share, id) => ({
          x: box.x + box.width * share,
          y: box.y + box.height / 2,
          id,
        })),
      });
    await touch('touchStart', 0.4);
    await touch('touchMove', 0.45);
    await touch('touchStart', 0.45, 0.6);
    for (const spread of [0.02, 0.06, 0.12]) await touch('touchMove', 0.45 - spread, 0.6 + spread);
    await page.getByTestId('wanted-stretch').waitFor();
    await touch('touchEnd');
    await expect
      .poll(() => new URL(page.url()).searchParams.get('z.line_average'))
      .toMatch(/^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
    await settled(page);
    expect(selections(opened)).toEqual({});
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  test('a zoomed range is panned and reset; figures compare with the user’s choice', async () => {
    const opened = await open('/d/lines');
    await drag(opened.page, 'line_average', [0.3, 0.4], [0.5, 0.4]);
    await settled(opened.page);
    await menu(opened, 'line_average', 'Zoom to selection');
    await settled(opened.page);
    const stretch = new URL(opened.page.url()).searchParams.get('z.line_average')!;
    expect(stretch).toMatch(/^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
    const tile = opened.page.locator('[data-tile=line_average]');
    await tile.getByRole('button', { name: 'Later' }).click();
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('z.line_average')).not.toBe(stretch);
    await tile.getByRole('button', { name: 'Reset zoom' }).click();
    await settled(opened.page);
    expect(new URL(opened.page.url()).searchParams.get('z.line_average')).toBeNull();
    await opened.close();

    const figures = await open('/d/figures');
    expect(await figures.page.locator('[data-tile=kpi]').textContent()).toMatch(/2\.8%/);
    await figures.page.getByRole('button', { name: /^Compare/ }).click();
    await figures.page.getByRole('button', { name: 'None', exact: true }).click();
    await settled(figures.page);
    expect(await figures.page.locator('[data-tile=kpi]').textContent()).not.toMatch(/2\.8%/);
    expect(new URL(figures.page.url()).searchParams.get('compare')).toBe('nothing');
    await figures.close();
  });

  /** The page once it has not changed for a tenth of a second. */
  async function still(shown: () => Promise<string>): Promise<string> {
    for (let last = ''; ; await new Promise(resolve => setTimeout(resolve, 100))) {
      const now = await shown();
      if (now === last) return now;
      last = now;
    }
  }

  async function widthOf(opened: Opened, tile: string, share: number): Promise<number> {
    return (await chart(opened, tile).boundingBox())!.width * share;
  }
});
