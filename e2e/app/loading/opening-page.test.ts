import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, type OpenWorkspace } from '../../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': `city,minutes\n${Array.from({ length: 400 }, (_, i) => `${'ABCD'[(i * 7) % 4]},${(i * 37) % 90}`).join('\n')}\n`,
      'dashboards/linked.yaml':
        'version: 1\ntitle: Linked\nmodel: trips\npages:\n  - title: One\n    tiles:\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 0, 12, 8] }\n      minutes: { kind: bar, x: { field: minutes, bin: { step: 10 } }, y: { measure: rows }, at: [12, 0, 12, 8] }\n',
    },
    'Linked',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

interface Noted {
  /** Of each canvas on the page, how often it was drawn since the font was loaded. */
  readonly drawn: Map<HTMLCanvasElement, number>;
  /** The same of the time before. */
  readonly drawnBefore: Map<HTMLCanvasElement, number>;
  /** How often fonts had been loaded. */
  fonts: number;
}

test('an opening page loads its font once and draws each chart once in it: no style is inserted before the page’s own', async () => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    storageState: await opened.page.context().storageState(),
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const noted: Noted = { drawn: new Map(), drawnBefore: new Map(), fonts: 0 };
    (globalThis as unknown as { noted: Noted }).noted = noted;
    document.fonts.addEventListener('loadingdone', () => noted.fonts++);
    const paint = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function draw(
      this: CanvasRenderingContext2D,
      ...asked: unknown[]
    ) {
      // On a slow machine the font may arrive after the data: then the letters are drawn again in it.
      const drawn = noted.fonts === 0 ? noted.drawnBefore : noted.drawn;
      drawn.set(this.canvas, (drawn.get(this.canvas) ?? 0) + 1);
      (paint as (...all: unknown[]) => void).apply(this, asked);
    };
  });
  const response = await page.goto(`${opened.address}/d/linked`);
  expect(/style-src ([^;]*)/.exec(response!.headers()['content-security-policy']!)![1]).toBe("'self'");
  await settled(page);
  // Something that is pressed is there, and so are its handlers.
  await page.getByRole('button', { name: 'Export' }).hover();
  expect(
    await page.evaluate(() => {
      const { noted } = globalThis as unknown as { noted: Noted };
      return {
        styles: document.querySelectorAll('style').length,
        fonts: noted.fonts,
        drawn: [...noted.drawn.values()],
        drawnTwiceBefore: [...noted.drawnBefore.values()].filter(times => times > 1),
      };
    }),
  ).toEqual({ styles: 0, fonts: 1, drawn: [1, 1], drawnTwiceBefore: [] });
  // The rule the library would have brought.
  expect(
    await page
      .getByRole('button', { name: 'Export' })
      .evaluate(button => [
        button.hasAttribute('data-react-aria-pressable'),
        getComputedStyle(button).touchAction,
      ]),
  ).toEqual([true, 'manipulation']);
  await context.close();
});
