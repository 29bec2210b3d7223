import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { formatTime } from '@belvedere/chart';
import { parquetReadObjects } from 'hyparquet';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import readXlsxFile from 'read-excel-file/node';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSample } from '../../../apps/cli/src/prepare-sample.ts';
import { launchBrowser, openPage, project, settled, startCli, type Opened } from '../../browser.ts';
import { pdfText } from '../../pdf-text.ts';
import { keepScreenshot } from '../../keep-screenshot.ts';

/**
 * Screen = export: CSV, XLSX, Parquet and PDF contain what a tile's table shows on the page, cell by cell, in
 * three locales.
 */

const state = { page: 0, filters: {}, selections: {} };
let cli: Awaited<ReturnType<typeof startCli>>;
let origin: string;
let cookie: string;
let browser: Browser;

beforeAll(async () => {
  // A copy, because other tests open the gallery at the same time, and only one server can open a folder.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-exports-'));
  cli = await startCli([await prepareSample(project, 'gallery', path.join(folder, 'gallery')), '--quiet'], {
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  });
  const first = await fetch(cli.url, { redirect: 'manual' });
  origin = new URL(cli.url).origin;
  cookie = first.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ');
  browser = await launchBrowser();
  for (let tries = 0; tries < 300; tries++) {
    const { dashboards } = (await get('/api/v1/dashboards').then(response => response.json())) as {
      dashboards: { origin: string; state: string }[];
    };
    if (dashboards.filter(one => one.origin === 'saved').every(one => one.state === 'ready')) return;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
});

afterAll(async () => {
  await browser?.close();
  await cli?.stop();
});

const get = (address: string) => fetch(`${origin}${address}`, { headers: { cookie } });
const exported = async (
  dashboard: string,
  format: string,
  locale: string,
  tile?: string,
  page = 0,
  options: Readonly<Record<string, string>> = {},
): Promise<Buffer> => {
  const query = new URLSearchParams({
    format,
    locale,
    state: JSON.stringify({ ...state, page }),
    ...(tile && { tile }),
    ...options,
  });
  const response = await get(`/api/v1/dashboards/${dashboard}/export?${query}`);
  expect(
    response.status,
    await response
      .clone()
      .text()
      .then(text => text.slice(0, 300)),
  ).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

async function open(dashboard: string, locale: string, page: number): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const opened = await openPage(browser, 'about:blank');
  await opened.close();
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: origin }]);
  const shown = await context.newPage();
  await shown.goto(`${origin}/d/${dashboard}?page=${page + 1}`);
  await settled(shown);
  return { page: shown, address: origin, faults: [], close: () => context.close() };
}

/** The cells of a tile's table twin, header first. */
async function twin(opened: Opened, tile: string): Promise<string[][]> {
  const section = opened.page.locator(`[data-tile=${tile}]`);
  await section.locator('table, [role=application]').first().waitFor();
  if ((await section.locator('table').count()) === 0) {
    await section.locator('[role=application]').focus();
    await opened.page.keyboard.press('t');
  }
  await section.locator('tbody tr').first().waitFor();
  return section
    .locator('tr')
    .evaluateAll(rows =>
      rows.map(row => [...row.querySelectorAll('th, td')].map(cell => cell.textContent ?? '')),
    );
}

type Sheets = readonly { readonly sheet: string; readonly data: (string | number | null)[][] }[];

/** The rows of a workbook's n-th sheet. */
async function sheet(workbook: Buffer, n: number): Promise<(string | number | null)[][]> {
  return ((await readXlsxFile(workbook)) as unknown as Sheets)[n - 1]!.data;
}

/** RFC 4180, plainly. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (match.index === text.length) break;
    rows.at(-1)!.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'));
    if (match[3] === '\r\n') rows.push([]);
  }
  return rows.filter(row => row.length > 0);
}

/**
 * A number as people write it, read again: grouping, decimal comma, units and signs as the locale has them.
 */
function numberIn(text: string, locale: string): number {
  const parts = new Intl.NumberFormat(locale).formatToParts(12345.6);
  const group = parts.find(part => part.type === 'group')!.value;
  const decimal = parts.find(part => part.type === 'decimal')!.value;
  const plain = text
    .replaceAll(group, '')
    .replaceAll(decimal, '.')
    .replace('−', '-')
    .replace(/[^\d.eE+-]/g, '');
  return Number(plain) / (text.includes('%') ? 100 : 1);
}

/** The page rounds values, a file has all digits: equal at the page's precision. */
function isShownAs(exact: number, shown: string, locale: string): boolean {
  const value = numberIn(shown, locale);
  const digits = /\d+[.,](\d+)\D*$/.exec(shown)?.[1]?.length ?? 0;
  const isGrouped = shown.includes('%') ? 100 : 1;
  return (
    Math.abs(exact - value) <= (0.5000001 * 10 ** -digits) / isGrouped ||
    (digits === 3 &&
      !/[.,]\d{3}[.,]/.test(shown) &&
      Math.abs(exact - Number(shown.replace(/\D/g, ''))) < 0.51)
  );
}

const tiles = [
  ['bars', 'bar', 0],
  ['bars', 'bar_stacked', 0],
  ['bars', 'bar_target', 0],
  ['lines', 'line', 0],
  ['lines', 'combo', 1],
  ['distributions', 'boxplot', 0],
  ['parts', 'treemap', 0],
  ['maps', 'map_states', 0],
] as const;

const locales = ['en-US', 'de-DE', 'zh-CN'] as const;

/** Each tile in one of the languages, which take turns: their formats and the tiles' shapes are independent. */
const tilesIn = (locale: (typeof locales)[number]) =>
  tiles.filter((_, i) => locales[i % locales.length] === locale);

describe.each(locales)('in %s', locale => {
  test.each(tilesIn(locale))(
    '%s/%s: the table on the page, CSV, XLSX and Parquet say the same',
    async (dashboard, tile, page) => {
      const opened = await open(dashboard, locale, page);
      const [head, ...shown] = await twin(opened, tile);
      await opened.close();
      const [csvHead, ...csv] = readCsv(
        (await exported(dashboard, 'csv', locale, tile, page)).toString('utf8'),
      );
      expect(csvHead).toEqual(head);
      const [xlsxHead, ...xlsx] = await sheet(await exported(dashboard, 'xlsx', locale, tile, page), 2);
      expect(xlsxHead).toEqual(head);
      const parquet = await exported(dashboard, 'parquet', locale, tile, page);
      const rows = (await parquetReadObjects({
        file: parquet.buffer.slice(
          parquet.byteOffset,
          parquet.byteOffset + parquet.byteLength,
        ) as ArrayBuffer,
      })) as Record<string, string | number | Date | null>[];
      expect([xlsx.length, rows.length]).toEqual([csv.length, csv.length]);
      // Files keep the places of a stack that have no value; the table on the page has the others.
      const numbers = head!.map((_, j) => rows.some(row => typeof Object.values(row)[j] === 'number'));
      const hasValue = csv.map(row => row.some((cell, j) => numbers[j] && cell !== '' && Number(cell) !== 0));
      const at = csv.length === shown.length ? [...csv.keys()] : [...csv.keys()].filter(i => hasValue[i]);
      expect(at).toHaveLength(shown.length);
      shown.forEach((cells, line) =>
        cells.forEach((cell, j) => {
          const i = at[line]!;
          const own = csv[i]![j]!;
          const fromParquet = Object.values(rows[i]!)[j];
          if (fromParquet instanceof Date) {
            // Both of these tiles are of months.
            expect(own).toMatch(/^\d{4}-\d\d-01$/);
            expect(formatTime(Date.parse(own), 'month', locale)).toBe(cell);
            expect([fromParquet.toISOString(), (xlsx[i]![j] as unknown as Date).toISOString()]).toEqual([
              `${own}T00:00:00.000Z`,
              `${own}T00:00:00.000Z`,
            ]);
          } else if (typeof fromParquet === 'number' || fromParquet === null) {
            expect(own === '' ? null : Number(own), `${i},${j}`).toBe(fromParquet);
            if (fromParquet === null) expect(cell).toBe('–');
            else expect(isShownAs(fromParquet, cell, locale), `${cell} is not ${own}`).toBe(true);
            expect(xlsx[i]?.[j] ?? null).toBe(fromParquet);
          } else {
            expect([own.replace(/^'/, ''), fromParquet, String(xlsx[i]![j])]).toEqual([cell, cell, cell]);
          }
        }),
      );
    },
    60_000,
  );

  test('a pivot’s workbook has the page’s totals, and its PDF has every word', async () => {
    const opened = await open('figures', locale, 0);
    const shown = await twin(opened, 'pivot');
    await opened.close();
    const [, ...xlsx] = await sheet(await exported('figures', 'xlsx', locale, 'pivot'), 2);
    const numbers = (row: readonly (string | number | null)[]) =>
      row.filter(cell => typeof cell === 'number');
    const onPage = shown.slice(1).map(row =>
      row
        .slice(1)
        .filter(cell => cell !== '')
        .map(cell => numberIn(cell, locale)),
    );
    expect(xlsx.map(numbers)).toEqual(onPage.slice(onPage.length - xlsx.length));
    const words = await pdfText(await exported('figures', 'pdf', locale, 'pivot'));
    for (const row of shown.slice(-4))
      for (const cell of row
        .filter(Boolean)
        .filter(cell => /^[\p{Script=Latin}\p{N}\p{P}\p{S}\s]+$/u.test(cell)))
        expect(words).toContain(cell);
  });
});

test('a whole dashboard as PDF repeats its title, filters and data time on each page', async () => {
  const words = await pdfText(await exported('figures', 'pdf', 'en-US'));
  expect(words).toMatch(/Figures and tables/);
  expect(words).toMatch(/Data through: Jul 25, 2002/);
  expect(words).toMatch(/1 \/ \d/);
  expect(words.match(/NEWARK LIBERTY/g)?.length).toBeGreaterThan(0);
});

test('a PDF has the rows that its tables show, and all rows on request', async () => {
  const pagesIn = async (bytes: Buffer) =>
    (await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise).numPages;
  const [limited, all] = await Promise.all([
    exported('figures', 'pdf', 'en-US'),
    exported('figures', 'pdf', 'en-US', undefined, 0, { rows: 'all' }),
  ]);
  expect(await pagesIn(limited)).toBeLessThanOrEqual(3);
  expect(await pagesIn(all)).toBeGreaterThan(10);
  expect(await pdfText(limited)).toMatch(/\d+ of 1,\d{3} rows/);
});

test.each([
  ['en-US', 'Date: 2001', 'vs 2000'],
  ['de-DE', 'Date: 2001', 'vs. 2000'],
])('an image in %s has the filters and comparisons of the page', async (locale, filter, basis) => {
  const svg = (await exported('figures', 'svg', locale)).toString();
  expect(svg).toContain(filter);
  expect(svg).toContain(basis);
  const bars = (await exported('bars', 'svg', locale)).toString();
  expect(bars).not.toMatch(/below \d|unter \d{4}-/);
});

test.each([
  ['bar', { genre: { oneOf: ['Drama', 'Comedy'] } }],
  ['bar_panels', { site: { oneOf: ['Morris'] }, variety: { oneOf: ['Trebi'] } }],
])('an image mutes the marks of %s that are not selected, as its page does', async (tile, box) => {
  const drawn = async (selections: object) =>
    (
      await exported('bars', 'svg', 'en-US', tile, 0, { state: JSON.stringify({ ...state, selections }) })
    ).toString();
  const muted = /fill="#E4E8EF"/i;
  expect(await drawn({})).not.toMatch(muted);
  const svg = await drawn({ [tile]: [box] });
  expect(svg).toMatch(muted);
  expect(svg).toMatch(/fill="#244FCA"/i);
});

test('a printed page is landscape and light, with vector charts, the filters in its header, and no tile split', async () => {
  const { page, close } = await open('lines', 'en-US', 0);
  await page.evaluate(() => localStorage.setItem('belvedere-theme', 'dark'));
  await page.reload();
  await settled(page);
  const filters = encodeURIComponent('1994-01-01..1996-01-01');
  await page.goto(`${origin}/d/lines?f.flight_date=${filters}`);
  await settled(page);
  const canvases = () =>
    page.evaluate(() => [
      document.documentElement.dataset['theme'],
      ...[...document.querySelectorAll('[data-tile=line_average] canvas')].map(
        canvas => (canvas as HTMLCanvasElement).toDataURL().length,
      ),
    ]);
  // On a slow machine charts are drawn a few in a frame.
  let before: Awaited<ReturnType<typeof canvases>>;
  do {
    before = await canvases();
    await page.waitForTimeout(300);
  } while (JSON.stringify(await canvases()) !== JSON.stringify(before));
  const bytes = await page.pdf({ preferCSSPageSize: true });
  const printed = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const [, , width, height] = (await printed.getPage(1)).view as [number, number, number, number];
  expect(width).toBeGreaterThan(height);
  const words = await pdfText(bytes);
  expect(words).toMatch(/^Lines and areas/);
  expect(words).toContain('Date: 1994 – 1995');
  // Axes, series and titles are text in the PDF once each page has its own tiles.
  for (const said of ['New York', 'Seattle', 'Time zone: Europe/London']) expect(words).toContain(said);
  const letters = (text: string) => text.replaceAll(/[^\p{Lu}\p{Ll}]/gu, '');
  const titles = await page.locator('[data-tile] h2').allInnerTexts();
  for (const title of titles) expect(letters(words)).toContain(letters(title));
  // A tile that was cut would have its title at the foot of a page, and its chart on the next.
  for (let number = 1; number <= printed.numPages; number++) {
    const { items } = await (await printed.getPage(number)).getTextContent();
    for (const item of items)
      if ('str' in item && titles.includes(item.str))
        expect([item.str, item.transform[5] as number]).toEqual([item.str, expect.toSatisfy(y => y > 120)]);
  }
  // And the screen is as it was.
  await expect.poll(canvases).toEqual(before);
  expect(before[0]).toBe('dark');
  await close();
});

test('a workbook begins with a summary, followed by a sheet for each tile with numbers', async () => {
  const bytes = await exported('figures', 'xlsx', 'en-US');
  const about = await sheet(bytes, 1);
  expect(Object.fromEntries(about)).toMatchObject({
    Dashboard: 'Figures and tables',
    'Time zone': 'Europe/London',
    'Data through': 'Jul 25, 2002',
  });
  expect(about.find(([name]) => name === 'Filters')?.[1]).toMatch(/Date/);
});

test('a PNG has twice the size, an SVG has text that can be read', async () => {
  const png = await exported('bars', 'png', 'en-US', 'bar');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(1280);
  const svg = (await exported('bars', 'svg', 'de-DE')).toString();
  expect(svg).toMatch(/Andere/);
});

test('an exported SVG keeps its text inside even with a wider substitute font', async () => {
  const page = await browser.newPage();
  for (const dashboard of ['bars', 'figures']) {
    await page.setContent(
      (await exported(dashboard, 'svg', 'en-US'))
        .toString()
        .replace(/font-family="[^"]*"/, 'font-family="DejaVu Sans, Verdana, monospace"'),
    );
    const widths = await page.evaluate(() =>
      [...document.querySelectorAll('text')].map(text => {
        const held = text.getAttribute('textLength');
        const shown = text.getBBox().width;
        text.removeAttribute('textLength');
        return {
          text: text.textContent!,
          held: held === null ? undefined : Number(held),
          shown,
          free: text.getBBox().width,
        };
      }),
    );
    const held = widths.filter(word => word.held !== undefined);
    expect(held.length).toBeGreaterThan(20);
    // Browsers round where each letter begins.
    expect(held.filter(word => Math.abs(word.shown - word.held!) > 2)).toEqual([]);
    // It is a wider one: by itself it would not have fitted.
    expect(held.filter(word => word.free > word.held! + 3).length).toBeGreaterThan(held.length / 4);
  }
  await page.close();
});

test('a dashboard exported as one page opens from a disk, sends no request, and can be brushed', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-page-'));
  const file = path.join(folder, 'parts.html');
  await writeFile(file, await exported('parts', 'html', 'de-DE'));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`file://${file}`);
  await settled(page);
  expect(await page.locator('[data-tile]').count()).toBe(7);
  const summary = (tile: string) =>
    page.locator(`[data-tile=${tile}] [role=application]`).getAttribute('aria-label');
  const before = await summary('pie');
  const donut = page.locator('[data-tile=donut] [role=application]');
  await donut.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(await summary('pie')).not.toBe(before);
  // The server's response for a selection equals what the page computed itself.
  const { origin: served } = new URL(origin);
  const live = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'de-DE' });
  const [name, value] = cookie.split('=') as [string, string];
  await live.addCookies([{ name, value, url: served }]);
  const asked = await live.newPage();
  await asked.goto(`${served}/d/parts?s.donut=size:["Small"]`);
  await settled(asked);
  expect(await summary('pie')).toBe(
    await asked.locator('[data-tile=pie] [role=application]').getAttribute('aria-label'),
  );
  // A film has no size: its tile says that the filter does not apply.
  expect(await page.locator('[data-tile=sunburst_deep] header').textContent()).toMatch(
    /Nicht gefiltert nach/,
  );
  await page.keyboard.press('Escape');
  await settled(page);
  expect(await summary('pie')).toBe(before);
  expect(await page.locator('[data-tile=sunburst_deep] header').textContent()).not.toMatch(/Nicht gefiltert/);
  expect(await page.locator('h1').textContent()).toBe('Parts and flows');
  await keepScreenshot('offline-page', () => page.screenshot({ fullPage: true }));
  expect(faults).toEqual([]);
  await context.close();
  await live.close();
});

test('a page exported with two selections names both, and clears one without the other', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-page-'));
  const file = path.join(folder, 'parts.html');
  const selections = { donut: [{ size: { oneOf: ['Small'] } }], pie: [{ daytime: { oneOf: ['Day'] } }] };
  const given = { state: JSON.stringify({ ...state, page: 0, selections }) };
  await writeFile(file, await exported('parts', 'html', 'en-US', undefined, 0, given));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  await settled(page);
  const clear = (tile: string) => page.getByRole('button', { name: `Clear the selection on ${tile}` });
  await clear('Strikes by time of day').waitFor();
  await clear('Strikes by size of animal').click();
  await clear('Strikes by size of animal').waitFor({ state: 'detached' });
  await settled(page);
  expect(await clear('Strikes by time of day').count()).toBe(1);
  await clear('Strikes by time of day').click();
  await clear('Strikes by time of day').waitFor({ state: 'detached' });
  await context.close();
});

describe('an invalid export request', () => {
  test.each([
    ['/api/v1/dashboards/bars/export?format=doc', 400],
    ['/api/v1/dashboards/none/export?format=csv', 404],
    ['/api/v1/dashboards/bars/export?format=csv&tile=none', 404],
    ['/api/v1/dashboards/bars/export?format=csv&state=%7B', 400],
    ['/api/v1/images/..%2Fbelvedere.yaml', 404],
    ['/api/v1/images/none.png', 404],
    ['/api/v1/maps/none.geojson', 404],
  ] as const)('%s is refused with a message: %d', async (address, status) => {
    const response = await get(address);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/problem\+json/);
    expect((await response.json()) as object).toHaveProperty('detail');
  });

  test('a request without a session is refused', async () => {
    for (const address of [
      '/api/v1/dashboards/bars/export?format=csv',
      '/api/v1/images/a.png',
      '/api/v1/maps/a.json',
    ])
      expect((await fetch(`${origin}${address}`)).status).toBe(401);
  });
});

test('a text that looks like a formula is exported as text', async () => {
  const { writeCsv } = await import('../../../apps/server/src/exports/formats/write-csv.ts');
  const pieces = (async function* () {
    yield [
      ['=cmd()', -5],
      ['@x', '9007199254740993'],
    ];
    yield [];
    yield [
      ['', null],
      ['a"b,c', 1.5],
    ];
  })();
  const text = (
    await Array.fromAsync(
      writeCsv({
        id: 't',
        title: 't',
        columns: [
          { label: '=1+1', type: 'text' },
          { label: 'n', type: 'number' },
        ],
        pieces,
      }),
    )
  ).join('');
  expect(text).toBe('\'=1+1,n\r\n\'=cmd(),-5\r\n\'@x,9007199254740993\r\n"",\r\n"a""b,c",1.5\r\n');
});

test('days and timestamps of every year are exported in full, in ISO 8601', async () => {
  const { isoTime } = await import('../../../apps/server/src/exports/tables/cell-text.ts');
  const said = (text: string) => [isoTime(Date.parse(text), 'date'), isoTime(Date.parse(text), 'time')];
  expect(said('2001-03-09T23:59:58.999Z')).toEqual(['2001-03-09', '2001-03-09T23:59:58']);
  expect(said('1969-12-31T23:00:00Z')).toEqual(['1969-12-31', '1969-12-31T23:00:00']);
  expect(said('+012000-01-02T03:04:05Z')).toEqual(['+012000-01-02', '+012000-01-02T03:04:05']);
  expect(said('-000043-03-15T00:00:00Z')).toEqual(['-000043-03-15', '-000043-03-15T00:00:00']);
});

test('the fonts for pictures are installed', async () => {
  const { interFonts } = await import('../../../apps/server/src/exports/fonts/fonts.ts');
  for (const font of interFonts) expect(readFileSync(font).length).toBeGreaterThan(100_000);
});
