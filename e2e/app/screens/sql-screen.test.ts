import type { Browser, Page } from 'playwright-core';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  launchBrowser,
  openPage,
  shoot,
  startCli,
  violations,
  type Opened,
  illustrate,
} from '../../browser.ts';

let browser: Browser;
let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let opened: Opened;

beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sql-screen-'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Trips\ntimezone: UTC\n');
  await mkdir(path.join(folder, 'data'));
  await writeFile(
    path.join(folder, 'data', 'trips.csv'),
    `day,city,minutes\n${Array.from({ length: 3000 }, (_, i) => `2024-${String((i % 12) + 1).padStart(2, '0')}-01,${['Aachen', 'Basel', 'Chur', 'Delft', 'Essen'][i % 5]},${(i * 37) % 180}`).join('\n')}\n`,
  );
  cli = await startCli([folder]);
  opened = await openPage(browser, cli.url);
  await opened.page.waitForSelector('text=trips');
});
afterAll(async () => {
  await opened.close();
  await browser.close();
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

const state = (page: Page) => page.getByTestId('sql-state').textContent();
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const chart = (page: Page) => page.getByRole('application');
const text = (page: Page) => page.locator('.cm-content').innerText();
const paste = (page: Page, pasted: string) =>
  page.locator('.cm-content').evaluate((element, content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, pasted);
const write = async (page: Page, sql: string) => {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await paste(page, sql);
};

test('the screen is listed beside the files, completes names, and runs a query with the keyboard alone', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/data`);
  await page.getByRole('link', { name: 'New SQL query' }).click();
  await page.locator('.cm-content').waitFor();
  await page.getByRole('button', { name: 'Columns of trips' }).waitFor();
  expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'select * from trips limit 100' }).click();
  await expect.poll(() => state(page)).toMatch(/^100 rows · /);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('select city, avg(minutes) as mean_minutes from tri');
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'trips' }).first().waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await page.keyboard.type(' group by city order by city');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toMatch(/^5 rows · /);
  await expect.poll(() => result(page).locator('tbody tr').first().textContent()).toMatch(/^Aachen\d/);
  await shoot(page, 'sql-table-light-1440');
});

test('only selected text is run; a long result is cut, with a note', async () => {
  const { page } = opened;
  await write(page, 'select * from trips; this is no sql');
  await page.keyboard.press('Control+Home');
  await page.keyboard.down('Shift');
  for (let i = 0; i < 'select * from trips'.length; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toMatch(/^First 1,000 rows \(more available\) · /);
});

test('an error is shown beside its statement; the previous result stays until the next one', async () => {
  const { page } = opened;
  await write(page, 'select citty from trips');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'citty' }).waitFor();
  await expect.poll(() => state(page)).toBe('Result of the previous query');
  expect(await result(page).locator('tbody tr').count()).toBeGreaterThan(100);
});

test('a slow statement can be cancelled', async () => {
  const { page } = opened;
  await write(page, 'select count(*) from range(100000000000) a where a.range % 7 = 3');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  const system = async () =>
    ((await (await page.request.get(`${opened.address}/api/v1/system`)).json()) as { running: number })
      .running;
  await expect.poll(system).toBe(0);
});

test('a statement is restored from the history and formatted; its result is drawn as a chart', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Query history' }).click();
  await page.getByRole('menuitem', { name: /avg\(minutes\)/ }).click();
  await page.getByRole('button', { name: 'Format' }).click();
  await expect.poll(() => text(page)).toContain('group by\n  city');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => state(page)).toMatch(/^5 rows/);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await chart(page).waitFor();
  expect(await chart(page).getAttribute('aria-label')).toContain('Aachen');
  await shoot(page, 'sql-chart-light-1440');
  await illustrate(page, 'models/sql');
});

test('a result is drawn as any simple kind of chart', async () => {
  const { page } = opened;
  const kinds = page.getByRole('group', { name: 'Chart type' });
  expect(await kinds.getByRole('button', { name: 'Scatter' }).isDisabled()).toBe(true);
  for (const kind of ['Columns', 'Line', 'Area', 'Donut', 'Pie', 'Bar']) {
    await kinds.getByRole('button', { name: kind, exact: true }).click();
    expect(await kinds.getByRole('button', { name: kind, exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.waitForTimeout(300);
    await shoot(page, `sql-chart-${kind.toLowerCase()}-light-1440`);
  }
});

test('the mark under the pointer, and the one where the keys are, has a tooltip', async () => {
  const { page } = opened;
  const tooltip = page.locator('[data-tooltip]');
  const box = (await chart(page).boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.1);
  await expect.poll(() => tooltip.textContent()).toMatch(/^Aachenmean_minutes[\d.]+$/);
  await shoot(page, 'sql-tooltip-light-1440', { isWhole: false });
  await page.mouse.move(0, 0);
  await tooltip.waitFor({ state: 'detached' });
  await chart(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => tooltip.textContent()).toMatch(/^Basel/);
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'detached' });
  expect(await violations(page)).toEqual([]);
});

test('rows of one time have different colours, which the legend hides', async () => {
  const { page } = opened;
  await write(
    page,
    'select day, city, avg(minutes) as mean_minutes from trips group by day, city order by day, city',
  );
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toMatch(/^60 rows/);
  await page.getByRole('button', { name: 'Chur' }).waitFor();
  await page
    .getByRole('group', { name: 'Chart type' })
    .getByRole('button', { name: 'Line', exact: true })
    .click();
  await expect.poll(() => chart(page).getAttribute('aria-label')).toMatch(/5/);
  for (const [name, width, scheme] of [
    ['light-1440', 1440, 'light'],
    ['dark-390', 390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await chart(page).hover();
    await expect
      .poll(() => page.locator('[data-tooltip]').textContent())
      .toMatch(/Aachen.*Basel|Basel.*Aachen/);
    await shoot(page, `sql-colours-${name}`, { isWhole: false });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Chur' }).click();
  expect(await page.getByRole('button', { name: 'Basel' }).getAttribute('aria-pressed')).toBe('false');
  await write(
    page,
    'select\n  city,\n  avg(minutes) as mean_minutes\nfrom\n  trips\ngroup by\n  city\norder by\n  city',
  );
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toMatch(/^5 rows/);
});

test('the editor grows with its text', async () => {
  const { page } = opened;
  const height = async () => (await page.getByTestId('sql-editor').boundingBox())!.height;
  const before = await height();
  await write(page, `select 1\n${'-- a line\n'.repeat(16)}`);
  await expect.poll(height).toBeGreaterThan(before + 50);
});

test('a time chart uses a time axis; rows of one moment have as many bars as can be read', async () => {
  const { page } = opened;
  await write(page, 'select day, sum(minutes) as minutes from trips group by day');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toMatch(/^12 rows/);
  await expect.poll(() => chart(page).getAttribute('aria-label')).toMatch(/2024/);
  expect(await page.getByText('Showing the first').count()).toBe(0);
  await shoot(page, 'sql-times-light-1440');
  await write(page, 'select day, minutes from trips');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Showing the first \d\d of 1,000$/).waitFor();
  await shoot(page, 'sql-rows-light-1440');
  await write(
    page,
    'select\n  city,\n  avg(minutes) as mean_minutes\nfrom\n  trips\ngroup by\n  city\norder by\n  city',
  );
});

test('a new statement begins from a table’s model, which does not change', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/sql/files?model=trips`);
  await expect.poll(() => text(page)).toBe('select * from trips');
  await page.getByRole('heading', { name: 'SQL on Files' }).waitFor();
  await page.goto(`${opened.address}/sql/files`);
  await page.locator('.cm-content').waitFor();
});

test('unsaved text survives a reload', async () => {
  const { page } = opened;
  await page.reload();
  await page.locator('.cm-content').waitFor();
  expect(await text(page)).toContain('group by');
});

test('a statement is saved as a model, explored like any other, and edited without changing the rest of its file', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => state(page)).toMatch(/^5 rows/);
  await page.getByRole('button', { name: 'Save as model' }).click();
  await page.getByLabel('Name').fill('Per city');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/models/per_city');
  await page.locator('[data-entry="measures.mean_minutes"]').click();
  await expect.poll(() => page.getByTestId('preview').textContent()).toContain('across all rows');
  const file = path.join(folder, 'models', 'per_city.yaml');
  const saved = await readFile(file, 'utf8');
  expect(saved).toContain('sql: |-\n  select\n    city,');
  await writeFile(file, saved.replace('measures:', '# What counts.\nmeasures:'));
  await page.goto(opened.address);
  await page.getByRole('navigation').getByRole('link', { name: 'Explore' }).click();
  await page.getByRole('link', { name: /^Trips/ }).waitFor();
  await page.getByRole('link', { name: /^Per city/ }).click();
  await page.locator('[data-column=city]').waitFor();
  await page.goto(`${opened.address}/sql`);
  await page.waitForURL('**/sql/files');
  await page.goto(`${opened.address}/sql/files?model=per_city`);
  await expect.poll(() => text(page)).toContain('avg(minutes)');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await paste(page, '\nlimit 3');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => state(page)).toMatch(/^3 rows/);
  await page.getByRole('button', { name: 'Save as model' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/models/per_city');
  const changed = await readFile(file, 'utf8');
  expect(changed).toContain('\n  limit 3\n');
  expect(changed).toContain('# What counts.\nmeasures:');
  expect(changed.split('\n').length).toBe(saved.split('\n').length + 2);
});

test.each([
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('accessibility: %s, %i px', async (theme, width) => {
  const narrow = await openPage(browser, `${opened.address}/`, { width, height: 900, touch: width < 500 });
  const { page } = narrow;
  await page.context().addCookies(await opened.page.context().cookies());
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(`${opened.address}/sql/files`);
  await page.locator('.cm-content').waitFor();
  await write(
    page,
    'select city, day, sum(minutes) as minutes\nfrom trips -- all of them\ngroup by city, day\norder by city, day',
  );
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => state(page)).toMatch(/rows/);
  await page.waitForTimeout(300);
  await shoot(page, `sql-${theme}-${width}`);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await narrow.close();
});

test('the console is empty', () => {
  expect(opened.faults.filter(fault => !fault.includes('400') && !fault.includes('422'))).toEqual([]);
});

test('the full result is exported as a file; the export shows its progress and can be cancelled', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/sql/files`);
  await page.locator('.cm-content').waitFor();
  await write(page, 'select city, minutes from trips order by minutes desc, city');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => state(page)).toContain('First 1,000 rows (more available)');
  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Export all rows' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'CSV' }).click()),
  ]);
  expect(taken.suggestedFilename()).toBe('files.csv');
  const lines = (await readFile(await taken.path(), 'utf8')).trim().split('\r\n');
  expect([lines.length, lines[0], lines[1]]).toEqual([3001, 'city,minutes', 'Chur,179']);
  await write(page, 'select range as n, repeat(range::varchar, 20) as wide from range(300000000)');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => result(page).locator('tbody tr').first().textContent()).toContain('0');
  await page.getByRole('button', { name: 'Export all rows' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await expect
    .poll(() => page.getByRole('status').filter({ hasText: 'downloaded' }).textContent())
    .toMatch(/[1-9][\d.,]*\s?[kM]B downloaded/);
  await shoot(page, 'sql-taking-light-1440');
  await page.getByRole('status').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('status').filter({ hasText: 'downloaded' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
});
