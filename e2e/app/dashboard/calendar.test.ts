import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  choose,
  figure,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

const dayMs = 86_400_000;
// Four a day, three on Sundays.
const days = Array.from({ length: 800 }, (_, i) => new Date(Date.UTC(2022, 0, 3) + i * dayMs));
const trips = days.flatMap(day =>
  Array.from({ length: day.getUTCDay() === 0 ? 3 : 4 }, (_, i) => ({ day, city: i % 2 === 0 ? 'A' : 'B' })),
);
const iso = (day: Date) => day.toISOString().slice(0, 10);

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml':
        'version: 1\ntitle: Trips\ntimezone: UTC\nweekStart: sunday\nfiscalYearStart: april\n',
      'data/trips.csv': `day,city\n${trips.map(({ day, city }) => `${iso(day)},${city}`).join('\n')}\n`,
      'data/prices.csv':
        'day,price,shop\n2024-01-10,10,A\n2024-04-03,16,A\n2024-04-09,18,B\n2024-06-20,20,A\n',
      'dashboards/prices.yaml': `version: 1\ntitle: Prices\nmodel: prices\nfilters:\n  - { field: day, control: dateRange, default: { from: 2024-01-01, below: 2024-09-01 } }\npages:\n  - title: One\n    tiles:\n${['none', 'zero', 'carry', 'interpolate'].map((gaps, i) => `      ${gaps}: { kind: line, title: ${gaps}, x: { field: day, timeUnit: month${gaps === 'none' ? '' : `, gaps: ${gaps}`} }, y: { field: price, aggregate: mean }, at: [${(i % 2) * 12}, ${Math.floor(i / 2) * 8}, 12, 8] }\n`).join('')}      wrong: { kind: bar, x: { measure: rows }, y: { field: shop, gaps: zero }, at: [0, 16, 12, 8] }\n`,
      'dashboards/trips.yaml': [
        'version: 1',
        'title: Trips',
        'model: trips',
        'filters:',
        '  - { field: day, control: dateRange }',
        'pages:',
        '  - title: One',
        '    tiles:',
        '      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }',
        '      quarters: { kind: bar, title: Each fiscal quarter, x: { field: day, timeUnit: fiscalQuarter }, y: { measure: rows }, at: [0, 3, 12, 8] }',
        '      years: { kind: bar, title: Each fiscal year, x: { field: day, timeUnit: fiscalYear }, y: { measure: rows }, at: [12, 3, 12, 8] }',
        '      weeks: { kind: line, title: Each week, x: { field: day, timeUnit: week }, y: { measure: rows }, at: [0, 11, 12, 8] }',
        '      days: { kind: calendar, x: { field: day }, color: { measure: rows }, at: [12, 11, 12, 8] }',
        '',
      ].join('\n'),
    },
    'Trips',
  );
  await opened.page.goto(`${opened.address}/d/trips`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const csvOf = async ({ page, address }: OpenWorkspace, tile: string, locale: string, dashboard = 'trips') => {
  const text = await (
    await page.request.get(
      `${address}/api/v1/dashboards/${dashboard}/export?format=csv&tile=${tile}&locale=${locale}`,
    )
  ).text();
  return text
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line =>
      /^(.*),(\d+)$/
        .exec(line)!
        .slice(1)
        .map(cell => cell.replaceAll('"', '')),
    );
};
/** The names along a tile's axis, as its picture has them. */
const namesIn = async ({ page, address }: OpenWorkspace, tile: string, locale: string) => {
  const svg = await (
    await page.request.get(
      `${address}/api/v1/dashboards/trips/export?format=svg&tile=${tile}&locale=${locale}&width=1400`,
    )
  ).text();
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
};
const counted = (nameOf: (day: Date) => string) =>
  [...Map.groupBy(trips, ({ day }) => nameOf(day))].map(([name, { length }]) => [name, String(length)]);
/** The first day of the fiscal year, or of its quarter, that a day is in. */
const firstOf = (day: Date, start: number, months: 3 | 12) =>
  iso(
    new Date(
      Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - ((day.getUTCMonth() - start + 12) % months), 1),
    ),
  );
const fiscal = (day: Date, start: number) => ({
  year: day.getUTCFullYear() + (start > 0 && day.getUTCMonth() >= start ? 1 : 0),
  quarter: Math.floor(((day.getUTCMonth() - start + 12) % 12) / 3) + 1,
});

describe('weeks and fiscal years with the workspace’s start', () => {
  test('group rows as plain code does, and fiscal years are named by the year they end in', async () => {
    expect(await csvOf(opened, 'quarters', 'en-US')).toEqual(counted(day => firstOf(day, 3, 3)));
    expect(await csvOf(opened, 'years', 'de-DE')).toEqual(counted(day => firstOf(day, 3, 12)));
    expect(await namesIn(opened, 'quarters', 'en-US')).toEqual(
      expect.arrayContaining(['Q1 FY 2023', 'Q1 FY 2024']),
    );
    expect(await namesIn(opened, 'years', 'de-DE')).toEqual(
      expect.arrayContaining(['GJ 2022', 'GJ 2023', 'GJ 2024']),
    );
    expect(await namesIn(opened, 'years', 'zh-CN')).toEqual(
      expect.arrayContaining(['2022 财年', '2023 财年', '2024 财年']),
    );
    const weeks = await csvOf(opened, 'weeks', 'en-US');
    expect(weeks.map(([, count]) => count)).toEqual(
      counted(day => iso(new Date(day.getTime() - day.getUTCDay() * dayMs))).map(([, count]) => count),
    );
  });

  test('are available as filters, by text and by a click', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: /^Day/ }).first().click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('th').first().textContent()).toBe('S');
    await dialog.getByRole('button', { name: 'This fiscal year' }).click();
    await settled(page);
    const newest = fiscal(days.at(-1)!, 3).year;
    expect(await figure(page, 'all')).toBe(
      trips.filter(({ day }) => fiscal(day, 3).year === newest).length.toLocaleString('en-US'),
    );
    expect(page.url()).toContain('f.day=this+fiscalYear');
    await page
      .getByRole('button', { name: /This fiscal year/ })
      .first()
      .click();
    await dialog.getByRole('textbox').first().fill('last 2 fiscal quarters');
    await dialog.getByRole('textbox').first().press('Enter');
    await settled(page);
    const { year, quarter } = fiscal(days.at(-1)!, 3);
    const wanted = [year * 4 + quarter, year * 4 + quarter - 1];
    expect(await figure(page, 'all')).toBe(
      trips
        .filter(({ day }) => wanted.includes(fiscal(day, 3).year * 4 + fiscal(day, 3).quarter))
        .length.toLocaleString('en-US'),
    );
    await page
      .getByRole('button', { name: /Last 2 fiscal quarters/ })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Any time' }).click();
    await settled(page);
  });

  test('are kept by a relative range that is confirmed again with Enter, in German too', async () => {
    const context = await browser.newContext({
      locale: 'de-DE',
      viewport: { width: 1440, height: 1000 },
      storageState: await opened.page.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(`${opened.address}/d/trips?f.day=last+2+fiscalQuarters`);
    await settled(page);
    const before = await figure(page, 'all');
    await page
      .getByRole('button', { name: /Letzte 2 Geschäftsquartale/ })
      .first()
      .click();
    const field = page.getByRole('dialog').getByRole('textbox').first();
    expect(await field.inputValue()).toBe('last 2 fiscalQuarters');
    await field.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await settled(page);
    expect([await figure(page, 'all'), new URL(page.url()).searchParams.get('f.day')]).toEqual([
      before,
      'last 2 fiscalQuarters',
    ]);
    await context.close();
  });

  test('are time grains, and a fiscal year drills down to its quarters', async () => {
    const { page } = opened;
    await page.locator('[data-tile=weeks]').hover();
    await page.locator('[data-tile=weeks]').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Time granularity' }).hover();
    await page
      .getByRole('menuitemradio', { name: 'Fiscal year' })
      .or(page.getByRole('menuitem', { name: 'Fiscal year' }))
      .first()
      .click();
    await settled(page);
    expect(page.url()).toContain('t.weeks=fiscalYear');
    await shoot(page, 'fiscal-years');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${opened.address}/d/trips?d.years=${encodeURIComponent('day:2022-04-01..2023-04-01')}`);
    await settled(page);
    await page.locator('[data-tile=years]').hover();
    await page.locator('[data-tile=years]').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Show as table' }).click();
    const table = page.locator('[data-tile=years]').getByRole('table');
    await table.locator('tbody tr').first().waitFor();
    const names = await table
      .locator('tbody tr')
      .evaluateAll(rows => rows.map(row => row.querySelector('th, td')!.textContent));
    expect(names).toEqual(['Q1 FY 2023', 'Q2 FY 2023', 'Q3 FY 2023', 'Q4 FY 2023']);
    await page.goto(`${opened.address}/d/trips`);
    await settled(page);
  });

  test('can be set for a dashboard with the mouse, as lines of its file', async () => {
    const { page, address } = opened;
    await page.goto(`${address}/d/trips/edit`);
    await choose(page.getByLabel('Fiscal year starts in'), 'October');
    await choose(page.getByLabel('First day of the week'), 'Monday');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByTestId('draft-state').textContent()).toBe('Saved');
    const { text } = (await (
      await page.request.get(`${address}/api/v1/dashboards/trips/text`, { headers: { 'x-belvedere': '1' } })
    ).json()) as { text: string };
    expect(text).toMatch(/^fiscalYearStart: october$/m);
    expect(text).toMatch(/^weekStart: monday$/m);
    expect(await csvOf(opened, 'quarters', 'en-US')).toEqual(counted(day => firstOf(day, 9, 3)));
    expect(await namesIn(opened, 'quarters', 'en-US')).toEqual(
      expect.arrayContaining(['Q2 FY 2022', 'Q1 FY 2023', 'Q1 FY 2024']),
    );
    const weeks = await csvOf(opened, 'weeks', 'en-US');
    expect(weeks.map(([, count]) => count)).toEqual(
      counted(day => iso(new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs))).map(
        ([, count]) => count,
      ),
    );
  });

  test('missing values are filled by the chosen method, to the end of the filter, on the tile and in exports', async () => {
    const { page, address } = opened;
    const numbers = async (tile: string) =>
      (
        await (
          await page.request.get(
            `${address}/api/v1/dashboards/prices/export?format=csv&tile=${tile}&locale=en-US`,
          )
        ).text()
      )
        .replace('\uFEFF', '')
        .trim()
        .split('\r\n')
        .slice(1)
        .map(line => line.replaceAll('"', '').split(','));
    const expected = (values: readonly (number | undefined)[]) =>
      values.map((value, i) => [`2024-0${i + 1}-01`, value === undefined ? '' : String(value)]);
    // Without a method, the axis ends with the data.
    expect(await numbers('none')).toEqual(expected([10, undefined, undefined, 17, undefined, 20]));
    expect(await numbers('zero')).toEqual(expected([10, 0, 0, 17, 0, 20, 0, 0]));
    expect(await numbers('carry')).toEqual(expected([10, 10, 10, 17, 17, 20, 20, 20]));
    const rounded = (await numbers('interpolate')).map(([month, value]) => [
      month,
      value === '' ? '' : String(Number(Number(value).toFixed(3))),
    ]);
    expect(rounded).toEqual(expected([10, 12.333, 14.667, 17, 18.5, 20, undefined, undefined]));
    await page.goto(`${address}/d/prices`);
    await settled(page);
    expect(await page.locator('[data-tile=carry] header').textContent()).toContain(
      'Missing values filled with the last value',
    );
    expect(await page.locator('[data-tile=wrong]').textContent()).toContain(
      '`gaps` needs a date or time, but `shop` is not one.',
    );
    await shoot(page, 'gaps');
  });

  test('an invalid day or month is an error of its line, with the nearest value', async () => {
    const { page, address } = opened;
    const answer = await page.request.post(`${address}/api/v1/validate`, {
      headers: { 'x-belvedere': '1' },
      data: {
        kind: 'dashboard',
        text: 'version: 1\ntitle: T\nfiscalYearStart: apirl\npages:\n  - { title: One, tiles: {} }\n',
      },
    });
    expect(JSON.stringify(await answer.json())).toMatch(/"line":3.*april/);
  });
});
