import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, violations, type OpenWorkspace } from '../../browser.ts';

/** Clicking a name in the legend shows only that color or shape. */

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/birds.csv': `mass,wing,kind,sex\n${Array.from({ length: 60 }, (_, i) => `${3000 + ((i * 37) % 60) * 40},${180 + ((i * 23) % 60)},${['tern', 'gull', 'auk'][i % 3]},${['f', 'm'][Math.floor(i / 3) % 2]}`).join('\n')}\n`,
      'dashboards/birds.yaml':
        'version: 1\ntitle: Birds\nmodel: birds\npages:\n  - title: One\n    tiles:\n      points: { kind: scatter, title: Birds, x: { field: mass }, y: { field: wing }, color: { field: kind }, shape: { field: sex }, at: [0, 0, 24, 12] }\n      narrow: { kind: scatter, title: Mass and wing of the birds by their kind, x: { field: mass }, y: { field: wing }, color: { field: kind }, at: [0, 12, 7, 12] }\n',
    },
    'Birds',
  );
  await opened.page.goto(`${opened.address}/d/birds`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('a legend isolates a shape or a colour; both together isolate their combination', async () => {
  const tile = opened.page.locator('[data-tile=points]');
  const name = (label: string) => tile.getByRole('button', { name: label, exact: true });
  const pressed = () =>
    Promise.all(
      ['auk', 'gull', 'tern', 'f', 'm'].map(async label =>
        (await name(label).getAttribute('aria-pressed')) === 'true' ? label : undefined,
      ),
    ).then(all => all.filter(Boolean));
  const drawn = () =>
    tile
      .locator('canvas')
      .first()
      .evaluate(canvas => (canvas as HTMLCanvasElement).toDataURL());
  const whole = await drawn();
  await name('f').click();
  expect(await pressed()).toEqual(['auk', 'gull', 'tern', 'f']);
  await expect.poll(drawn).not.toBe(whole);
  const females = await drawn();
  await name('gull').click();
  expect(await pressed()).toEqual(['gull', 'f']);
  await expect.poll(drawn).not.toBe(females);
  // The other shape as well; that is all of them again.
  await name('m').click({ modifiers: ['Shift'] });
  expect(await pressed()).toEqual(['gull', 'f', 'm']);
  await name('gull').click();
  expect(await pressed()).toEqual(['auk', 'gull', 'tern', 'f', 'm']);
  await expect.poll(drawn).toBe(whole);
  // Beside a title that needs the width, the legend has its own line.
  const title = opened.page.locator('[data-tile=narrow] h2');
  expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await violations(opened.page)).toEqual([]);
  expect(opened.faults).toEqual([]);
});
