import type { Browser } from 'playwright-core';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/**
 * Custom colors of the workspace, of a dashboard and of a value: on the page, in the editor and in exports.
 */

let browser: Browser;
let opened: OpenWorkspace;

const style = (name: string) =>
  opened.page.evaluate(key => getComputedStyle(document.documentElement).getPropertyValue(key).trim(), name);
const mode = () => opened.page.evaluate(() => document.documentElement.dataset['theme']);
const svg = (id: string, theme = 'light') =>
  opened.page.evaluate(
    async ([one, name]) => (await fetch(`/api/v1/dashboards/${one}/export?format=svg&theme=${name}`)).text(),
    [id, theme] as const,
  );

const tiles =
  '    tiles:\n      total: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [0, 0, 8, 8] }\n      course: { kind: line, x: { field: day, timeUnit: month }, y: { measure: rows }, color: { field: product }, at: [8, 0, 16, 8] }\n      parts: { kind: donut, color: { field: product }, theta: { measure: rows }, at: [0, 8, 8, 8] }\n      heat: { kind: heatmap, x: { field: shop }, y: { field: product }, color: { measure: rows }, at: [8, 8, 16, 8] }\n';

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml':
        "version: 1\ntitle: Shops\ntheme: { accent: '#0B7A5C' }\ncolours:\n  product: { Tea: '#8A2BE2' }\n",
      'data/sales.csv': `day,shop,product,sold\n${Array.from({ length: 240 }, (_, i) => `2024-${String(1 + (i % 12)).padStart(2, '0')}-10,${['North', 'South', 'East'][i % 3]},${['Tea', 'Coffee', 'Cake'][(i * 7 + (i >> 3)) % 3]},${1 + (i % 40)}`).join('\n')}\n`,
      'dashboards/plain.yaml': `version: 1\ntitle: As the workspace\nmodel: sales\npages:\n  - title: One\n${tiles}`,
      'models/written.yaml':
        'version: 1\ntable: sales\nmeasures: { paid: { expr: "max(sold) * 0 + 12345.5", format: ",.1f" } }\n',
      'dashboards/written.yaml':
        'version: 1\ntitle: Written\nmodel: written\npages:\n  - title: One\n    tiles:\n      paid: { kind: table, columns: [paid], at: [0, 0, 8, 4] }\n',
      'models/unanswered.yaml':
        'version: 1\nsql: "select day, cast(product as integer) as number from sales"\nmeasures: { numbered: { expr: "sum(number)" } }\n',
      'dashboards/unanswered.yaml':
        'version: 1\ntitle: Unanswered\nmodel: unanswered\npages:\n  - title: One\n    tiles:\n      wrong: { kind: kpi, value: { measure: numbered }, at: [0, 0, 12, 6] }\n',
      'models/heavy.yaml':
        'version: 1\ntable: sales\ntime: day\ndimensions: { day: {} }\nmeasures: { weight: { expr: "sum(sold)", format: ",.0f", unit: kg } }\n',
      'dashboards/figures.yaml': `version: 1\ntitle: Figures\nmodel: heavy\nfilters:\n  - { field: day, default: { from: 2024-07-01, below: 2025-01-01 } }\npages:\n  - title: One\n    tiles:\n${Array.from({ length: 4 }, (_, i) => `      figure${i}: { kind: kpi, value: { measure: weight }, compare: previous period, spark: { field: day, timeUnit: month }, at: [${i * 6}, 0, 6, 3] }\n`).join('')}`,
      'dashboards/own.yaml': `version: 1\ntitle: Its own\nmodel: sales\ntheme: { accent: '#B3261E', mode: dark }\npages:\n  - title: One\n${tiles}`,
    },
    'As the workspace',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('the workspace’s accent applies to every screen, a dashboard’s to itself only', async () => {
  await expect.poll(() => style('--accent')).toBe('#0B7A5C');
  await opened.page.goto(`${opened.address}/d/own`);
  await settled(opened.page);
  await expect.poll(mode).toBe('dark');
  await expect.poll(() => style('--accent')).not.toBe('#0B7A5C');
  await shoot(opened.page, 'looks-own-dark-1440');
  await opened.page.getByRole('link', { name: 'Home' }).click();
  await expect.poll(() => style('--accent')).toBe('#0B7A5C');
  await expect.poll(mode).toBe('light');
});

test('a figure does not overlap its sparkline and stays within its tile, however narrow that is', async () => {
  await opened.page.goto(`${opened.address}/d/figures`);
  for (const width of [1440, 900, 780, 390]) {
    await opened.page.setViewportSize({ width, height: 900 });
    await settled(opened.page);
    const places = await opened.page.evaluate(() =>
      [...document.querySelectorAll('[data-tile]')].map(tile => {
        const written = document.createRange();
        written.selectNodeContents(tile.querySelector('p.tabular')!);
        const { right } = written.getBoundingClientRect();
        return {
          text: String(written),
          isClear: right < tile.querySelector('canvas')!.getBoundingClientRect().left,
          isWithin: right < tile.getBoundingClientRect().right,
        };
      }),
    );
    expect([width, places]).toEqual([
      width,
      Array.from({ length: 4 }, () => ({ text: '2,500 kg', isClear: true, isWithin: true })),
    ]);
    await shoot(opened.page, `looks-figures-${width}`);
  }
  await opened.page.setViewportSize({ width: 1440, height: 900 });
});

test('a change of the system to dark applies to the open page', async () => {
  await opened.page.goto(`${opened.address}/d/plain`);
  await settled(opened.page);
  const ground = () =>
    opened.page.evaluate(() =>
      Array.from(
        document.querySelector('canvas')!.getContext('2d')!.getImageData(0, 0, 1, 1).data.slice(0, 3),
      ),
    );
  expect([await mode(), await ground()]).toEqual(['light', [255, 255, 255]]);
  await opened.page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(mode).toBe('dark');
  await expect.poll(async () => Math.max(...(await ground()))).toBeLessThan(60);
  await opened.page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(mode).toBe('light');
});

test('an explicitly chosen theme is kept', async () => {
  await opened.page.goto(`${opened.address}/d/own`);
  await settled(opened.page);
  await opened.page.keyboard.press('Control+\\');
  await expect.poll(mode).toBe('light');
  await opened.page.reload();
  await settled(opened.page);
  expect(await mode()).toBe('light');
  expect(await style('--accent')).toBe('#B3261E');
  await opened.page.evaluate(() => localStorage.removeItem('belvedere-theme'));
});

test('a value has its colour on every tile, on the page and in files', async () => {
  await opened.page.goto(`${opened.address}/d/plain`);
  await settled(opened.page);
  await shoot(opened.page, 'looks-workspace-light-1440');
  expect(await violations(opened.page)).toEqual([]);
  const drawn = await svg('plain');
  expect(drawn.match(/#8A2BE2/g)!.length).toBeGreaterThanOrEqual(2);
  expect(drawn).toContain('#0B7A5C');
  expect(drawn).not.toContain('#244FCA');
  // In the dark theme, the color is light enough to be visible.
  expect(await svg('plain', 'dark')).not.toContain('#8A2BE2');
  expect(opened.faults).toEqual([]);
});

test('colours chosen in the editor are written to the text', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/d/plain/edit`);
  await page.waitForSelector('[data-testid=canvas]');
  await settled(page);
  await page.getByLabel('Accent', { exact: true }).fill('#1d42aa');
  await expect.poll(() => style('--accent')).toBe('#1D42AA');
  await page.locator('[data-edit=course]').click();
  await page.getByLabel('Coffee', { exact: true }).fill('#a9500a');
  await expect.poll(() => page.getByLabel('Reset Coffee').count()).toBe(1);
  await shoot(page, 'looks-editor-light-1440');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await page.getByLabel('Change description').fill('Colours');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByTestId('draft-state').textContent()).toBe('Saved');
  const text = await readFile(path.join(opened.folder, 'dashboards', 'plain.yaml'), 'utf8');
  expect(text).toContain('theme: { accent: "#1D42AA" }');
  expect(text).toContain('colours:\n  product: { Coffee: "#A9500A" }');
  const drawn = await svg('plain');
  expect(drawn.match(/#A9500A/g)!.length).toBeGreaterThanOrEqual(2);
  expect(drawn).toContain('#8A2BE2');
});

test('a change of the workspace’s file updates the page', async () => {
  await opened.page.goto(opened.address);
  await opened.put('belvedere.yaml', "version: 1\ntitle: Shops\ntheme: { accent: '#8F5800' }\n");
  await expect.poll(() => style('--accent')).toBe('#8F5800');
});

test.each([
  ['de-CH', 'Daten', /12[’']345\.5/],
  // A language the interface does not speak: its numbers and dates, in the language of the browser.
  ['fr-FR', 'Data', /12[\u202f\u00a0]345,5/],
])(
  'a workspace may use the language of %s, on the page and in files; a user’s own language takes precedence',
  async (locale, data, number) => {
    const { page, folder, address } = opened;
    const settings = await readFile(path.join(folder, 'belvedere.yaml'), 'utf8');
    await writeFile(
      path.join(folder, 'belvedere.yaml'),
      `${settings.replace(/locale: .*\n/, '')}locale: ${locale}\n`,
    );
    await expect
      .poll(async () => (await page.request.get(address)).text())
      .toContain(`data-locale="${locale}"`);
    await page.goto(`${address}/d/written`);
    await settled(page);
    expect(await page.locator('[data-tile=paid]').innerText()).toMatch(number);
    await page.getByRole('navigation').getByRole('link', { name: data }).waitFor();
    const taken = await page.evaluate(async () =>
      (await fetch('/api/v1/dashboards/written/export?format=svg')).text(),
    );
    expect(taken.replaceAll(/&(#39|#x27|apos);/g, "'")).toMatch(number);
    await page.evaluate(() => localStorage.setItem('belvedere-language', 'en'));
    await page.reload();
    await settled(page);
    expect(await page.locator('[data-tile=paid]').innerText()).toContain('12,345.5');
    await page.evaluate(() => localStorage.removeItem('belvedere-language'));
    await writeFile(path.join(folder, 'belvedere.yaml'), settings);
    await expect.poll(async () => (await page.request.get(address)).text()).not.toContain('data-locale');
  },
);

test('an unknown locale is an error of the file', async () => {
  const { page } = opened;
  const errors = await page.evaluate(
    async () =>
      (
        (await (
          await fetch('/api/v1/validate', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
            body: JSON.stringify({ kind: 'workspace', text: 'locale: no_such\n' }),
          })
        ).json()) as { errors: { message: string }[] }
      ).errors,
  );
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('a language tag such as `de-CH`'),
  ]);
});

test.each([
  ['de', 'Die Abfrage ist fehlgeschlagen', 'muss ihn beheben.'],
  ['zh', '查询未得到回答', '需要由仪表板的维护者修正。'],
])(
  'errors are in %s, on the page and on paper, beside the engine’s original message',
  async (language, title, advice) => {
    const { page, address } = opened;
    await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
    await page.goto(`${address}/d/unanswered`);
    await settled(page);
    const said = await page.locator('[data-tile=wrong]').innerText();
    expect(said).toContain(title);
    expect(said).toContain(advice);
    expect(await page.locator('[data-tile=wrong] [lang=en]').textContent()).toMatch(
      /Could not convert string/,
    );
    await shoot(page, `looks-unanswered-${language}`);
    await page.goto(`${address}/d/no-such`);
    expect(await page.locator('h1').textContent()).toBe(
      language === 'de' ? 'Seite nicht gefunden' : '未找到页面',
    );
    const drawn = await page.evaluate(
      async locale =>
        (await fetch(`/api/v1/dashboards/unanswered/export?format=svg&locale=${locale}`)).text(),
      language,
    );
    expect(drawn).toContain(title.slice(0, 6));
    await page.evaluate(() => localStorage.removeItem('belvedere-language'));
  },
);
