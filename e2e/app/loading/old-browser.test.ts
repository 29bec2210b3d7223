import type { Browser, Page } from 'playwright-core';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, type OpenWorkspace } from '../../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': 'city,minutes\nA,1\nB,2\n',
      'dashboards/linked.yaml':
        'version: 1\ntitle: Linked\nmodel: trips\npages:\n  - title: One\n    tiles:\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 0, 12, 8] }\n',
    },
    'Linked',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const notices = [
  ['en-US', 'This browser is too old for Belvedere', 'Safari 17.4, or newer'],
  ['de-DE', 'Dieser Browser ist zu alt für Belvedere', 'Safari 17.4 oder neuer'],
  ['zh-CN', '此浏览器版本过旧，无法使用 Belvedere', 'Safari 17.4 或更新的版本'],
  ['fr-FR', 'This browser is too old for Belvedere', 'Safari 17.4, or newer'],
] as const;

/** A page in a browser in which something is missing; `refused` are its violations of the CSP. */
async function openWithout(
  missing: string,
  locale: string,
): Promise<{ page: Page; refused: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext({
    locale,
    storageState: await opened.page.context().storageState(),
  });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on(
    'console',
    message => void (/Content Security Policy/.test(message.text()) && refused.push(message.text())),
  );
  await page.addInitScript(missing);
  return { page, refused, close: () => context.close() };
}

describe.each(notices)('an outdated browser in %s', (locale, title, versions) => {
  test.each(['delete Promise.withResolvers', 'delete Set.prototype.union', 'delete window.CSSPropertyRule'])(
    'shows the notice if %s',
    async missing => {
      const { page, refused, close } = await openWithout(missing, locale);
      await page.goto(`${opened.address}/d/linked`);
      expect(await page.locator('h1').textContent()).toBe(title);
      expect(await page.locator('p').textContent()).toContain(versions);
      expect(await page.locator('body').textContent()).toBe(await page.locator('main').textContent());
      expect(refused).toEqual([]);
      await close();
    },
  );

  test('shows the notice in an exported page', async () => {
    const exported = await opened.page.request.get(
      `${opened.address}/api/v1/dashboards/linked/export?format=html`,
    );
    const file = path.join(opened.folder, 'linked.html');
    await writeFile(file, await exported.body());
    const { page, refused, close } = await openWithout('delete Promise.withResolvers', locale);
    await page.goto(`file://${file}`);
    expect(await page.locator('h1').textContent()).toBe(title);
    expect(refused).toEqual([]);
    await close();
  });
});

test('a browser without modules or hashes in its CSP fetches the notice', async () => {
  const { page, close } = await openWithout('delete Promise.withResolvers', 'en-US');
  const response = await page.goto(`${opened.address}/d/linked`);
  expect(await response!.text()).toContain('<script nomodule src="/old-browser.js"></script>');
  const script = await page.request.get(`${opened.address}/old-browser.js`);
  expect([script.status(), script.headers()['content-type']]).toEqual([
    200,
    expect.stringMatching(/\/javascript; charset=utf-8$/),
  ]);
  await close();
});
