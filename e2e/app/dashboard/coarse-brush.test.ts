import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drag, figure, launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  const day = (i: number) =>
    new Date(Date.UTC(2019, 0, 1) + (i % 1900) * 86_400_000).toISOString().slice(0, 10);
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Waits\ntimezone: UTC\n',
      'data/waits.csv': `day,line,minutes\n${Array.from({ length: 20_000 }, (_, i) => `${day(i * 7)},${'ABCDEF'[(i * 5 + (i >> 4)) % 6]},${(i * 37) % 450}`).join('\n')}\n`,
      'dashboards/waits.yaml':
        'version: 1\ntitle: Waits\nmodel: waits\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [0, 4, 12, 8] }\n      course: { kind: line, title: Each day, x: { field: day, timeUnit: day }, y: { measure: rows }, color: { field: line }, at: [12, 4, 12, 8] }\n',
    },
    'Waits',
  );
  await opened.page.goto(`${opened.address}/d/waits`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('a tile too large for an index at full resolution uses coarser steps, and is exact at the end of the brush', async () => {
  const { page } = opened;
  await page.hover('[data-tile=minutes] [role=application]');
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(
        entry => entry.name.endsWith('/brush-index') && (entry as PerformanceResourceTiming).responseEnd > 0,
      ),
  );
  await page.waitForTimeout(400);
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/query'))
      asked.push(...(JSON.parse(request.postData()!) as { tiles: string[] }).tiles);
  });
  const shown = () =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>('[data-tile=course] canvas')!.toDataURL());
  const before = await shown();
  await drag(page, 'minutes', [0.2, 0.5], [0.517, 0.5], { release: false });
  await expect.poll(shown).not.toBe(before);
  await page.locator('[data-tile=course]').getByText('Approximate while selecting').waitFor();
  const during = await figure(page, 'all');
  expect(asked).toEqual([]);
  await page.mouse.up();
  await settled(page);
  expect(asked).toContain('course');
  await page
    .locator('[data-tile=course]')
    .getByText('Approximate while selecting')
    .waitFor({ state: 'detached' });
  // The axis that fits stays exact.
  expect(await figure(page, 'all')).toBe(during);
  expect(opened.faults).toEqual([]);
});
