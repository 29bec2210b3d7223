import type { Browser, Page } from 'playwright-core';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prepareSample } from '../../apps/cli/src/prepare-sample.ts';
import {
  drag,
  figure,
  launchBrowser,
  looks,
  openPage,
  project,
  settled,
  shoot,
  startCli,
  violations,
  type Opened,
  illustrate,
} from '../browser.ts';

let browser: Browser;
let workspace: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let opened: Opened;

beforeAll(async () => {
  browser = await launchBrowser();
  workspace = await mkdtemp(path.join(os.tmpdir(), 'belvedere-journeys-'));
  await prepareSample(project, 'workspace', workspace);
  await writeFile(
    path.join(workspace, 'data', 'small.csv'),
    'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n2024-01-03,red,3\n2024-01-04,,4\n2024-01-05,"",5\n',
  );
  cli = await startCli([workspace]);
  opened = await openPage(browser, cli.url);
  await opened.page.waitForSelector('text=Belvedere sample');
});
afterAll(async () => {
  await opened.close();
  await browser.close();
  await cli.stop();
  await rm(workspace, { recursive: true, force: true });
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  // So that one failure does not make the tests after it fail.
  const { page } = opened;
  await page.unrouteAll();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(opened.address);
  await page.evaluate(() => localStorage.setItem('belvedere-theme', 'light'));
});

const go = async (route: string) => {
  await opened.page.goto(opened.address + route);
  await settled(opened.page);
};

describe('a first look', () => {
  test('the printed address signs this browser in, once', async () => {
    expect(opened.page.url()).toBe(`${opened.address}/`);
    const stranger = await openPage(browser, cli.url);
    expect(await stranger.page.textContent('body')).toContain('This address no longer works.');
    await stranger.close();
  });

  test('Home shows each dashboard as a picture', async () => {
    const { page } = opened;
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('main img')].filter(
          image => (image as HTMLImageElement).naturalWidth > 0,
        ).length >= 4,
    );
    expect(await page.locator('main h1').textContent()).toBe('Belvedere sample');
  });

  test('the sample’s dashboards load without an error on any page', async () => {
    for (const id of [
      'flight-delays',
      'flight-network',
      'bird-strikes',
      'strikes-by-choice',
      'two-cities',
      'overview%2Fsmall',
    ]) {
      await go(`/d/${id}`);
      expect([id, await opened.page.locator('[data-status=failed], [data-status=broken]').count()]).toEqual([
        id,
        0,
      ]);
    }
    expect(opened.faults.join('\n')).toBe('');
  });

  test.each([
    ['en-US@posix', '1.52'],
    ['C', '1.52'],
    ['de_DE.UTF-8', '1,52'],
    ['', '1.52'],
  ])('a browser with the language %j shows the same figures', async (language, digits) => {
    const other = await opened.page.context().newPage();
    await other.addInitScript(name => {
      Object.defineProperty(navigator, 'language', { get: () => name });
      Object.defineProperty(navigator, 'languages', { get: () => [name] });
    }, language);
    await other.goto(`${opened.address}/d/flight-delays`);
    await settled(other);
    expect(await figure(other, 'flights')).toContain(digits);
    await other.close();
  });
});

describe('brushing', () => {
  /** Shows a brush on one chart, and a selected bar of another, if a test before this one has not left them. */
  const select = async (...tiles: readonly ('by_day' | 'origins')[]) => {
    const { page } = opened;
    if (tiles.every(tile => page.url().includes(`s.${tile}=`))) return;
    await go('/d/flight-delays');
    await drag(page, 'by_day', [0.3, 0.5], [0.5, 0.5]);
    await page.waitForURL(url => url.search.includes('s.by_day='));
    if (tiles.includes('origins')) {
      await page.locator('[data-tile=origins] [role=application]').click({ position: { x: 150, y: 12 } });
      await page.waitForURL(url => url.search.includes('s.origins='));
    }
    await settled(page);
  };

  test('a drag on one chart stays on that chart, and redraws all of them on their existing canvases', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.evaluate(() => {
      const counted = { heard: 0, canvases: 0 };
      Object.assign(globalThis, { counted });
      document.addEventListener('pointermove', () => counted.heard++, true);
      const make = document.createElement.bind(document);
      document.createElement = ((name: string, ...rest: []) => {
        if (name === 'canvas') counted.canvases++;
        return make(name, ...rest);
      }) as typeof document.createElement;
    });
    const counted = () =>
      page.evaluate(
        () => (globalThis as unknown as { counted: { heard: number; canvases: number } }).counted,
      );
    const before = await figure(page, 'flights');
    await page.hover('[data-tile=by_day] [role=application]');
    await drag(page, 'by_day', [0.3, 0.5], [0.35, 0.5], { release: false });
    const { heard } = await counted();
    expect(heard).toBeGreaterThan(0);
    const box = (await page.locator('[data-tile=by_day] [role=application]').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 8 });
    await expect.poll(() => figure(page, 'flights')).not.toBe(before);
    expect(await counted()).toEqual({ heard, canvases: 0 });
    await page.mouse.up();
    await settled(page);
    await page.keyboard.press('Escape');
    await settled(page);
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
    const after = await counted();
    expect(after.heard).toBeGreaterThan(heard);
    expect(after.canvases).toBe(0);
  });

  test('a drag over time updates the figures from the index during the drag, and exactly at its end', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    const before = await figure(page, 'flights');
    await page.hover('[data-tile=by_day] [role=application]');
    // The browser lists a response once it is complete.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(entry => entry.name.endsWith('/brush-index')),
    );
    await page.waitForTimeout(300);
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    await drag(page, 'by_day', [0.3, 0.5], [0.5, 0.5], { release: false });
    await page.waitForTimeout(100);
    const during = await figure(page, 'flights');
    expect(during).not.toBe(before);
    // Moving the pointer sends no requests.
    expect(asked.filter(url => url.includes('/query'))).toEqual([]);
    await page.mouse.up();
    await settled(page);
    expect(await figure(page, 'flights')).toBe(during);
    expect(asked.some(url => url.includes('/query'))).toBe(true);
    expect(page.url()).toContain('s.by_day=date');
    page.removeAllListeners('request');
  });

  test('a brush step updates the selection’s text, and renders nothing else of the page', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.hover('[data-tile=by_day] [role=application]');
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(entry => entry.name.endsWith('/brush-index')),
    );
    await page.waitForTimeout(300);
    // The selection begins with the first step; other tiles are told once.
    await drag(page, 'by_day', [0.3, 0.5], [0.4, 0.5], { release: false });
    await page.waitForTimeout(400);
    const rendered = renderedOn(page);
    const box = (await page.locator('[data-tile=by_day] [role=application]').boundingBox())!;
    const said = () =>
      page
        .getByRole('group', { name: 'Filters' })
        .getByText(/^Flights by day: /)
        .textContent();
    const before = await said();
    const changed = await changesIn(page, '[data-tile=by_day]');
    await rendered.begin();
    for (let step = 1; step <= 8; step++) {
      await page.mouse.move(box.x + box.width * (0.4 + step / 40), box.y + box.height / 2);
      await page.waitForTimeout(40);
    }
    await page.waitForTimeout(300);
    expect(await rendered.end()).toEqual([]);
    // The frame is drawn with the marks: no element moves, which would have to be laid out.
    expect(await changed()).toEqual([]);
    expect(await said()).not.toBe(before);
    await page.mouse.up();
    await settled(page);
    // The end of the gesture renders elements, so the recording works.
    expect(await rendered.end()).not.toEqual([]);
  });

  test('a brush’s frame can be moved and resized by its handles', async () => {
    const { page } = opened;
    await select('by_day');
    const frame = page.locator('[data-tile=by_day] [data-testid=brush]');
    const before = (await frame.boundingBox())!;
    await page.mouse.move(before.x + before.width / 2, before.y + 60);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width / 2 + 60, before.y + 60, { steps: 4 });
    // The focusable frame keeps its position during the drag, and moves after it.
    await page.waitForTimeout(100);
    expect(await frame.boundingBox()).toEqual(before);
    const drawn = await drawnFrame(page, 'by_day');
    await page.mouse.up();
    const moved = (await frame.boundingBox())!;
    expect(drawn).toEqual({ from: Math.round(moved.x), below: Math.round(moved.x + moved.width) });
    expect(moved.x).toBeGreaterThan(before.x + 40);
    expect(Math.abs(moved.width - before.width)).toBeLessThan(12);
    await page.mouse.move(moved.x + moved.width, moved.y + 60);
    await page.mouse.down();
    await page.mouse.move(moved.x + moved.width + 50, moved.y + 60, { steps: 4 });
    await page.mouse.up();
    expect((await frame.boundingBox())!.width).toBeGreaterThan(moved.width + 30);
    await settled(page);
  });

  test('a click on a bar selects its category as well as the brush; the clicked tile keeps its other marks', async () => {
    const { page } = opened;
    await select('by_day');
    const before = await figure(page, 'flights');
    await page.locator('[data-tile=origins] [role=application]').click({ position: { x: 150, y: 12 } });
    await settled(page);
    expect(await page.getByText('Busiest origins: Chicago').count()).toBeGreaterThan(0);
    expect(await figure(page, 'flights')).not.toBe(before);
    expect(page.url()).toMatch(/s\.by_day=.*s\.origins=|s\.origins=.*s\.by_day=/);
  });

  test('the address restores all selections, Back undoes, Escape clears', async () => {
    const { page } = opened;
    await select('by_day', 'origins');
    const both = await figure(page, 'flights');
    await page.reload();
    await settled(page);
    expect(await figure(page, 'flights')).toBe(both);
    await page.goBack();
    await settled(page);
    expect(await page.getByText('Busiest origins: Chicago').count()).toBe(0);
    expect(await figure(page, 'flights')).not.toBe(both);
    await page.keyboard.press('Escape');
    await page.waitForURL(url => !url.search.includes('s.'));
    await settled(page);
    expect(await figure(page, 'flights')).toBe('1.52M');
  });

  test('a heatmap is brushed along both axes at once', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.hover('[data-tile=hours] [role=application]');
    await drag(page, 'hours', [0.5, 0.2], [0.7, 0.6]);
    await settled(page);
    expect(page.url()).toMatch(/s\.hours=hour:.*weekday:/);
  });

  test('an off-screen chart is drawn when it scrolls into view, not with every step', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 1440, height: 420 });
    await go('/d/flight-delays');
    const [active, far] = [
      'by_day',
      await page.locator('[data-tile]:has(canvas)').last().getAttribute('data-tile'),
    ];
    expect(
      await page.evaluate(
        tile => document.querySelector(`[data-tile=${tile}]`)!.getBoundingClientRect().top,
        far,
      ),
    ).toBeGreaterThan(420 * 1.5);
    await page.hover(`[data-tile=${active}] [role=application]`);
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(entry => entry.name.endsWith('/brush-index')),
    );
    await page.waitForTimeout(300);
    // The first step draws every chart, because the unselected part changes.
    await drag(page, active, [0.3, 0.5], [0.4, 0.5], { release: false });
    await page.waitForTimeout(400);
    const picture = () =>
      page.evaluate(
        tile => document.querySelector<HTMLCanvasElement>(`[data-tile=${tile}] canvas`)!.toDataURL(),
        far,
      );
    const before = await picture();
    const box = (await page.locator(`[data-tile=${active}] [role=application]`).boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 4 });
    await page.waitForTimeout(400);
    expect(await picture()).toBe(before);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(picture).not.toBe(before);
    await page.mouse.up();
    await settled(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('the filter bar', () => {
  test('a relative range is typed', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.getByRole('button', { name: /Departure/ }).click();
    await page.getByLabel('Relative dates').fill('last 2 months');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toContain('f.date=last+2+months');
    expect(await page.getByRole('button', { name: /Departure/ }).textContent()).toContain('Last 2 months');
    await page.getByRole('button', { name: /Departure/ }).click();
    await page.getByText('Leave out the current period').click();
    await settled(page);
    expect(page.url()).toContain('f.date=last+2+complete+months');
    expect(await page.getByLabel('Relative dates').inputValue()).toBe('last 2 complete months');
    await shoot(page, 'complete-periods-light-1440');
    await page.getByRole('button', { name: 'Last 7 days (complete)' }).click();
    await settled(page);
    expect(page.url()).toContain('f.date=last+7+complete+days');
  });

  test('an invalid range shows an error and changes nothing', async () => {
    const { page } = opened;
    await go('/d/flight-delays?f.date=last+2+months');
    await page.getByRole('button', { name: /Departure/ }).click();
    await page.getByLabel('Relative dates').fill('lately');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('last 30 days');
    await page.keyboard.press('Escape');
    expect(page.url()).toContain('f.date=last+2+months');
  });

  test('values are searched and counted; null and empty text can be selected separately', async () => {
    const { page } = opened;
    // Links as people type them, and as mail programs rewrite them.
    await go('/d/overview/small');
    await page.waitForURL('**/d/overview%2Fsmall');
    await page.getByRole('button', { name: 'Colour All' }).click();
    await page.getByRole('dialog').getByText('(null)').waitFor();
    await page.getByRole('dialog').getByText('(empty)').click();
    await page.keyboard.press('Escape');
    await settled(page);
    expect(await figure(page, 'figure_1')).toBe('1');
    expect(decodeURIComponent(page.url())).toContain('f.colour=[""]');
  });

  test('an empty tile names the filters that emptied it, and offers to clear them', async () => {
    const { page } = opened;
    await go('/d/flight-delays?f.origin_state=["nowhere"]');
    const tile = page.locator('[data-tile=by_day]');
    await expect
      .poll(() => tile.textContent())
      .toContain('No rows match these filters: Departure and Origin state.');
    await tile.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => figure(page, 'flights')).toBe('1.52M');
  });

  test('an outdated link still opens, with a notice', async () => {
    const { page } = opened;
    await go('/d/flight-delays?f.date=whenever&s.gone=x:[1]');
    expect(await page.getByText('Part of this link no longer fits').count()).toBe(1);
    expect(await figure(page, 'flights')).toBe('1.52M');
  });
});

test('adjusting a tile while its page loads cancels no query: all tiles load', async () => {
  const { page } = opened;
  await page.goto('about:blank');
  let asked = 0;
  const release = Promise.withResolvers<void>();
  await page.route('**/query', async route => {
    asked++;
    if (asked === 1) await release.promise;
    await route.continue();
  });
  await page.goto(`${opened.address}/d/bird-strikes`);
  const tile = page.locator('[data-tile=by_month]');
  await tile.hover();
  await tile.getByRole('button', { name: 'More' }).click();
  for (const item of ['Time granularity', 'Year'])
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  await expect.poll(() => asked).toBe(2);
  release.resolve();
  await settled(page);
  await page.unroute('**/query');
  expect(new URL(page.url()).searchParams.get('t.by_month')).toBe('year');
  expect(await page.locator('[data-status=fresh]').count()).toBe(await page.locator('[data-tile]').count());
});

describe('text on disk', () => {
  const file = () => path.join(workspace, 'dashboards', 'mine.yaml');
  const text = (title: string, more = '') =>
    `version: 1\ntitle: ${title}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 8, 3] }\n${more}`;

  /** Opens the document, if a test before this one has not left it open. */
  const openMine = async () => {
    if (new URL(opened.page.url()).pathname === '/d/mine') return;
    await writeFile(file(), text('First'));
    await read('mine', 200);
    await go('/d/mine');
  };
  const read = (id: string, status: number) =>
    expect
      .poll(async () => (await opened.page.request.get(`${opened.address}/api/v1/dashboards/${id}`)).status())
      .toBe(status);

  test('a new document appears, and an edit shows in the open page within a second', async () => {
    const { page } = opened;
    await openMine();
    expect(await page.locator('header h1').textContent()).toBe('First');
    await writeFile(
      file(),
      text(
        'Second',
        '      colours: { kind: bar, x: { measure: rows }, y: { field: colour }, at: [8, 0, 8, 8] }\n',
      ),
    );
    await page.waitForFunction(() => document.querySelector('header h1')?.textContent === 'Second');
    await page.waitForSelector('[data-tile=colours]');
  });

  test('a broken tile shows its error in its own frame, and the others still work', async () => {
    const { page } = opened;
    await openMine();
    await writeFile(
      file(),
      text(
        'Third',
        '      wrong: { kind: bar, x: { measure: rowz }, y: { field: colour }, at: [8, 0, 8, 8] }\n',
      ),
    );
    await page.waitForSelector('[data-tile=wrong][data-status=broken]');
    expect(await page.locator('[data-tile=wrong]').textContent()).toContain('did you mean `rows`?');
    await expect.poll(() => figure(page, 'n')).toBe('5');
  });

  test('a broken document keeps its last valid page and shows file, line, column and suggestion; a fix updates the page', async () => {
    const { page } = opened;
    await openMine();
    await writeFile(file(), text('Third'));
    await page.waitForFunction(() => document.querySelector('[data-tile=wrong]') === null);
    await writeFile(file(), text('Fourth').replace('model: small', 'modle: small'));
    await page.getByText('1 error in this dashboard').click();
    expect(await page.textContent('main')).toMatch(
      /dashboards\/mine\.yaml, line 3, column 1.*did you mean `model`\?/,
    );
    expect(await page.locator('header h1').textContent()).toBe('Third');
    expect(await figure(page, 'n')).toBe('5');
    await shoot(page, 'broken-document-light-1440');
    await writeFile(file(), text('Fifth'));
    await page.waitForFunction(() => document.querySelector('header h1')?.textContent === 'Fifth');
  });

  test('a document that was never valid shows its error instead of the page', async () => {
    const { page } = opened;
    const never = path.join(workspace, 'dashboards', 'never.yaml');
    await writeFile(never, text('Never').replace('model: small', 'modle: small'));
    await read('never', 200);
    await page.goto(`${opened.address}/d/never`);
    await page.waitForSelector('text=This dashboard cannot be displayed');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.waitForSelector('.cm-content >> text=modle: small');
    await rm(never);
  });

  test('data past its maximum age is labelled stale, and stays visible', async () => {
    const { page } = opened;
    await openMine();
    await writeFile(file(), text('Fifth', '').replace('model: small', 'model: small\nstaleAfter: 30 days'));
    await page.waitForSelector('[data-tile=n][data-stale=true]');
    expect(await page.locator('header').first().textContent()).toContain('Out of date:');
    expect(await page.locator('[data-tile=n]').textContent()).toMatch(/Out of date: \d+ (years|days) old/);
    expect(await figure(page, 'n')).toBe('5');
    await writeFile(file(), text('Fifth'));
    await page.waitForSelector('[data-tile=n][data-stale=false]');
  });

  test('a filter bar whose code arrives late moves no tile', async () => {
    const { page } = opened;
    await openMine();
    const colours =
      '      colours: { kind: bar, x: { measure: rows }, y: { field: colour }, at: [8, 0, 8, 8] }\n';
    await writeFile(file(), text('Fifth', colours));
    const hold = Promise.withResolvers<void>();
    await page.route('**/AddFilter-*.js', async route => {
      await hold.promise;
      await route.continue();
    });
    await page.waitForSelector('[data-tile=colours]');
    await page.reload();
    const tile = page.locator('[data-tile=colours][data-stale=false]');
    const before = await tile.boundingBox();
    expect(await page.getByRole('button', { name: 'Filter', exact: true }).count()).toBe(0);
    hold.resolve();
    await page.getByRole('button', { name: 'Filter', exact: true }).waitFor();
    expect(await tile.boundingBox()).toEqual(before);
    await page.unroute('**/AddFilter-*.js');
    await writeFile(file(), text('Fifth'));
  });

  test('a dashboard with a refresh interval says so, and asks again while the page is visible', async () => {
    const { page } = opened;
    await openMine();
    await writeFile(
      file(),
      text('Fifth', '').replace('model: small', 'model: small\nrefresh: { every: 5 seconds }'),
    );
    await page.waitForSelector('header >> text=Refreshes every 5 sec');
    const again = () => page.waitForResponse(response => /\/dashboards\/mine\b/.test(response.url()));
    await again();
    // Attempts that fail leave the page as it is.
    await page.route(/\/dashboards\/mine\b/, route => route.fulfill({ status: 503 }));
    expect((await again()).status()).toBe(503);
    await page.unroute(/\/dashboards\/mine\b/);
    await again();
    expect(await figure(page, 'n')).toBe('5');
    await writeFile(file(), text('Fifth'));
    await page.waitForSelector('header >> text=Refreshes every', { state: 'detached' });
  });

  test('a data file that changes shows in the open page', async () => {
    const { page } = opened;
    await openMine();
    await writeFile(
      path.join(workspace, 'data', 'small.csv'),
      'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n2024-01-03,red,3\n2024-01-04,,4\n2024-01-05,"",5\n2024-01-06,red,6\n',
    );
    await page.waitForFunction(() => document.querySelector('[data-tile=n] p.tabular')?.textContent === '6');
  });

  test('an overview is saved under a name, as a file, and never overwrites another', async () => {
    const { page } = opened;
    await openMine();
    await go('/d/overview%2Fsmall');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Name').fill('Small things');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/d/small-things');
    await settled(page);
    expect(await page.locator('header h1').textContent()).toBe('Small things');
  });
});

describe('with the keyboard alone', () => {
  test('a mark is focused, selected, brushed and cleared', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.locator('[data-tile=delays] [role=application]').focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(page.url()).toContain('s.delays=delay:0..5');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await settled(page);
    expect(page.url()).toContain('s.delays=delay:0..15');
    expect(await page.locator('[data-tile=delays] [aria-live]').textContent()).toContain('Selected: 0 to 15');
    await page.keyboard.press('Escape');
    await page.waitForURL(url => !url.search.includes('s.'));
  });

  test('the command palette opens any page', async () => {
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bird');
    await page
      .getByPlaceholder('Ask for a chart, or search dashboards, fields and commands…')
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/d/bird-strikes');
    await settled(page);
  });

  /** Delays the palette until the returned function is called. */
  const holdPalette = async (page: Page) => {
    const held = Promise.withResolvers<void>();
    await page.route('**/CommandPalette-*.js', async route => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await settled(page);
    return held.resolve;
  };

  test.each(['before', 'after'])(
    'text typed before the palette opens leads to its result, with Enter %s it opened',
    async when => {
      const { page } = opened;
      await go('/d/flight-delays');
      const come = await holdPalette(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('bird');
      if (when === 'before') await page.keyboard.press('Enter');
      come();
      if (when === 'after') {
        await page
          .getByPlaceholder('Ask for a chart, or search dashboards, fields and commands…')
          .and(page.locator(':focus'))
          .waitFor();
        await page.keyboard.press('Enter');
      }
      await page.waitForURL('**/d/bird-strikes');
      await settled(page);
      await page.unroute('**/CommandPalette-*.js');
    },
  );

  test('letters typed while the palette loads are its first text, and not shortcuts', async () => {
    const { page } = opened;
    await go('/d/bird-strikes');
    const come = await holdPalette(page);
    const button = page.getByRole('button', { name: 'Export' });
    await button.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('flx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('ight delays');
    expect(await page.getByRole('status', { name: 'Command palette' }).textContent()).toBe('flight delays');
    come();
    const field = page.getByPlaceholder('Ask for a chart, or search dashboards, fields and commands…');
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).toBe('flight delays');
    expect(await page.getByRole('menuitem').first().textContent()).toContain('Flight delays');
    expect(await page.evaluate(() => document.fullscreenElement)).toBe(null);
    await page.keyboard.press('Escape');
    if (await field.isVisible()) await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate(node => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    expect(await field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.unroute('**/CommandPalette-*.js');
    expect(opened.faults).toEqual([]);
  });

  test('T shows a chart as a table', async () => {
    const { page } = opened;
    await go('/d/bird-strikes');
    await page.locator('[data-tile=species] [role=application]').focus();
    await page.keyboard.press('t');
    await expect
      .poll(() => page.locator('[data-tile=species] table').textContent())
      .toContain('Unknown bird - small');
  });

  test('closing a dialog opened by a shortcut restores the focus, the first time too', async () => {
    const { page } = opened;
    await go('/d/bird-strikes');
    for (const [name, role] of [
      [/^Operator/, 'dialog'],
      ['Export', 'menu'],
    ] as const) {
      const button = page.getByRole('button', { name });
      await button.focus();
      for (let i = 0; i < 2; i++) {
        await page.keyboard.press('Enter');
        await page.getByRole(role).waitFor();
        // An open menu receives the letters of its entries; the page behind it receives none.
        if (role === 'menu') await page.keyboard.press('e');
        await page.keyboard.press('Escape');
        await page.getByRole(role).waitFor({ state: 'detached' });
        await expect.poll(() => button.evaluate(one => one === document.activeElement)).toBe(true);
      }
    }
    expect(new URL(page.url()).pathname).toBe('/d/bird-strikes');
  });

  test('Escape moves the focus from a chart to its tile, arrows to the next tiles, Enter back in; D opens the dates', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/d/flight-delays`);
    await settled(page);
    const focused = () =>
      page.evaluate(
        () =>
          `${document.activeElement?.closest('[data-tile]')?.getAttribute('data-tile')}${document.activeElement?.hasAttribute('data-tile') ? '' : `: ${document.activeElement?.getAttribute('role')}`}`,
      );
    await page.locator('[data-tile=delays] [role=application]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('delays: application');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('delays');
    const boxes = new Map(
      await page.locator('[data-tile]').evaluateAll(tiles =>
        tiles.map(
          tile =>
            [
              tile.getAttribute('data-tile')!,
              tile.getBoundingClientRect().toJSON() as {
                x: number;
                y: number;
                right: number;
                bottom: number;
              },
            ] as const,
        ),
      ),
    );
    // Moves over every tile and back: the focus goes in the direction of the arrow key.
    for (const [key, is] of [
      ['ArrowRight', (a: DOMRect, b: DOMRect) => b.x >= a.right],
      ['ArrowLeft', (a: DOMRect, b: DOMRect) => b.right <= a.x],
      ['ArrowDown', (a: DOMRect, b: DOMRect) => b.y >= a.bottom],
      ['ArrowUp', (a: DOMRect, b: DOMRect) => b.bottom <= a.y],
    ] as const) {
      for (let step = 0; step < 3; step++) {
        const from = await focused();
        await page.keyboard.press(key);
        const to = await focused();
        if (to !== from)
          expect(is(boxes.get(from) as DOMRect, boxes.get(to) as DOMRect), `${from} ${key} ${to}`).toBe(true);
      }
    }
    await page.locator('[data-tile=delays]').focus();
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('delays: application');
    await page.keyboard.press('d');
    await page.getByRole('dialog', { name: 'Departure' }).waitFor();
    await page.keyboard.press('Escape');
    // Escape clears the selection before it leaves the tile.
    await page.locator('[data-tile=origins] [role=application]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(url => url.search.includes('s.origins='));
    await page.keyboard.press('Escape');
    await page.waitForURL(url => !url.search.includes('s.origins='));
    expect(await focused()).toBe('origins: application');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('origins');
  });

  test('every shortcut is listed; single-letter shortcuts can be turned off, and stay off', async () => {
    const { page } = opened;
    await go('/d/bird-strikes');
    await page.locator('h1').first().click();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect
      .poll(() => dialog.locator('h3').allTextContents())
      .toEqual(['Dashboard', 'Chart', 'Tile', 'General']);
    expect(
      await dialog
        .locator('dl > div')
        .evaluateAll(rows =>
          rows.map(row => `${row.querySelector('dt')!.textContent}: ${row.querySelector('dd')!.textContent}`),
        ),
    ).toEqual(
      expect.arrayContaining([
        'Go to filters: /',
        'Full screen: F',
        'Clear selections and filters: ShiftX',
        'Select a range: Shift← ↑ ↓ →',
        'Go to Home: GthenH',
        'Show or hide navigation: [',
      ]),
    );
    expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
    await shoot(page, 'keys-light-1440');
    await dialog.locator('label').click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.keyboard.press('[');
    await page.keyboard.press('/');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForTimeout(300);
    expect(await page.getByRole('navigation').isVisible()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(new URL(page.url()).pathname).toBe('/d/bird-strikes');

    await page.keyboard.press('Control+k');
    await page
      .getByPlaceholder('Ask for a chart, or search dashboards, fields and commands…')
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.type('shortcuts');
    await page.keyboard.press('Enter');
    await dialog.locator('label').click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('h1').first().click();
    await page.keyboard.press('[');
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await page.reload();
    await settled(page);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.keyboard.press('[');
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(true);
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML');
    await page.keyboard.press('f');
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBe(null);
    await page.keyboard.press('/');
    expect(
      await page.evaluate(() => document.activeElement?.closest('[role=group]')?.getAttribute('aria-label')),
    ).toBe('Filters');
    // Keys typed into a field are text, except for those with Ctrl.
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('searchbox', { name: 'Search dashboards' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ghs?[');
    expect(await page.getByRole('searchbox', { name: 'Search dashboards' }).inputValue()).toBe('ghs?[');
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.press('Escape');
    expect(opened.faults).toEqual([]);
  });
});

describe('by touch, on a phone', () => {
  test('a sideways drag brushes, a tap selects, and the filters open as one sheet', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      locale: 'en-US',
      storageState: await opened.page.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(`${opened.address}/d/flight-delays`);
    await settled(page);
    const chart = page.locator('[data-tile=delays] [role=application]');
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    const fingers = await context.newCDPSession(page);
    const at = (share: number) => [{ x: box.x + box.width * share, y: box.y + box.height * 0.5 }];
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.4) });
    for (let step = 1; step <= 6; step++)
      await fingers.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: at(0.4 + step * 0.05),
      });
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.waitForURL(url => url.search.includes('s.delays=delay:'));
    await settled(page);
    const brushed = await figure(page, 'flights');
    expect(brushed).not.toBe('1.52M');
    // An edge is taken hold of from beside it, where a finger does not cover it.
    const frame = (await page.locator('[data-tile=delays] [data-testid=brush]').boundingBox())!;
    const beside = (shift: number) => [
      { x: frame.x + frame.width + 16 + shift, y: frame.y + frame.height / 2 },
    ];
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: beside(0) });
    for (let step = 1; step <= 6; step++)
      await fingers.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: beside(step * 8) });
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await settled(page);
    const wider = (await page.locator('[data-tile=delays] [data-testid=brush]').boundingBox())!;
    expect(wider.x).toBe(frame.x);
    expect(wider.width).toBeGreaterThan(frame.width + 30);
    const origins = page.locator('[data-tile=origins] [role=application]');
    await origins.scrollIntoViewIfNeeded();
    await origins.tap({ position: { x: 140, y: 12 } });
    await page.waitForURL(url => url.search.includes('s.origins='));
    await page.getByRole('button', { name: 'Filters (3)' }).tap();
    await page.getByRole('dialog', { name: 'Filters' }).getByText('Busiest origins: Chicago').waitFor();
    await context.close();
  });
});

describe('a figure', () => {
  test('has an explanation: its query, its filters and their origins, its rows, its SQL', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    const tile = page.locator('[data-tile=on_time]');
    await tile.hover();
    await tile.getByRole('button', { name: 'Explain this number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('count(*) filter (where delay < 15)', { exact: false }).waitFor();
    expect(await dialog.textContent()).toMatch(/Rows read.*of 3,000,000/);
    expect(await dialog.textContent()).toContain('from the dashboard');
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'explain');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a database', () => {
  test('is tested before it is saved, and its errors are shown beside its fields', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/data`);
    await page.getByRole('button', { name: 'Connect a database' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Host').fill('127.0.0.1');
    await dialog.getByLabel('Port').fill('1');
    await dialog.getByLabel('Database', { exact: true }).fill('shop');
    await dialog.getByLabel('User').fill('reader');
    await dialog.getByLabel('Password').fill('x');
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('alert').textContent()).toContain('Could not connect');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('accepts a pasted URL and fills its fields from it; a host is only a host', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/data`);
    await page.getByRole('button', { name: 'Connect a database' }).click();
    const dialog = page.getByRole('dialog');
    const host = dialog.getByLabel('Host');
    await host.fill('https://db.example.org');
    expect(await dialog.getByRole('alert').textContent()).toContain('without https://');
    await host.fill('');
    await host.evaluate((field, address) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', address);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, 'mysql://reader:k%40y@db.example.org:3307/shop');
    await expect
      .poll(async () =>
        Promise.all(
          ['Host', 'Port', 'Database', 'User', 'Password'].map(label =>
            dialog.getByLabel(label, { exact: true }).inputValue(),
          ),
        ),
      )
      .toEqual(['db.example.org', '3307', 'shop', 'reader', 'k@y']);
    expect(await dialog.getByRole('button', { name: 'MySQL or MariaDB' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('that is down is shown with its reason, and errors in its file with their line', async () => {
    const { page } = opened;
    await mkdir(path.join(workspace, 'sources'), { recursive: true });
    await writeFile(
      path.join(workspace, 'sources', 'away.yaml'),
      'version: 1\nkind: clickhouse\nlabel: Events\nconnection: { host: 127.0.0.1, port: 1, database: default, user: reader }\n',
    );
    await page.goto(`${opened.address}/data`);
    await page.getByText('Connect to 127.0.0.1:1 as reader, database default, without a password.').waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('button', { name: 'Trust and connect' }).click();
    await page.getByText('Unreachable').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(
      'Could not connect: nothing listens at 127.0.0.1:1',
    );
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'source-away');
    await rm(path.join(workspace, 'sources', 'away.yaml'));
  });
});

describe('tables', () => {
  test('are sorted and paged on the server', async () => {
    const { page } = opened;
    await go('/d/flight-delays?page=2');
    const tile = page.locator('[data-tile=list]');
    await tile.scrollIntoViewIfNeeded();
    await tile.getByRole('button', { name: 'Sort by Distance' }).click();
    await page.waitForFunction(
      () => document.querySelector('[data-tile=list] th[aria-sort=ascending]') !== null,
    );
    await tile.getByRole('button', { name: 'Next page' }).click();
    await tile.getByText('101–200 of').waitFor();
    // Other rows are read from their first one on: the next page, another order.
    const rows = tile.getByRole('region');
    const scrollDown = () => rows.evaluate(region => region.scrollTo({ top: 900 }));
    const scrolled = () => rows.evaluate(region => region.scrollTop);
    await scrollDown();
    await expect.poll(scrolled).toBe(900);
    await tile.getByRole('button', { name: 'Next page' }).click();
    await tile.getByText('201–300 of').waitFor();
    await expect.poll(scrolled).toBe(0);
    await scrollDown();
    await expect.poll(scrolled).toBe(900);
    await tile.getByRole('button', { name: 'Sort by Distance' }).click();
    await tile.getByText('1–100 of').waitFor();
    await expect.poll(scrolled).toBe(0);
    // Setting and clearing a filter starts the list again: the table does not return to its earlier position.
    await tile.getByRole('button', { name: 'Next page' }).click();
    await tile.getByText('101–200 of').waitFor();
    await page.getByRole('button', { name: 'Origin state All' }).click();
    const state = page.getByRole('dialog').getByText('CA', { exact: true });
    await state.click();
    await tile.getByText('1–100 of 188,643').waitFor();
    await state.click();
    await tile.getByText('1–100 of 1,522,083').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('every screen, light and dark, wide and narrow', () => {
  const screens = {
    home: '/',
    dashboard: '/d/flight-delays',
    filtered: '/d/flight-delays?s.delays=delay:15..60',
    network: '/d/flight-network',
    birds: '/d/bird-strikes',
    cities: '/d/two-cities',
    overview: '/d/overview%2Fairports',
    data: '/data',
    table: '/data/files/birdstrikes',
    missing: '/nowhere',
  };

  test.each(Object.entries(screens))('%s: axe finds nothing', async (name, route) => {
    const { page } = opened;
    for (const [theme, width, height] of looks) {
      await page.setViewportSize({ width, height });
      await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
      await page.goto(opened.address + route);
      if (route.startsWith('/d/')) await settled(page);
      else await page.waitForTimeout(700);
      await shoot(page, `${name}-${theme}-${width}`);
      if (name === 'dashboard' && theme === 'light') await illustrate(page, 'flight-delays');
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        'nothing is wider than the screen',
      ).toBeLessThanOrEqual(0);
      expect((await violations(page)).join('\n')).toBe('');
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => localStorage.setItem('belvedere-theme', 'light'));
  });

  test('an open filter, the palette and the save dialog pass axe as well', async () => {
    const { page } = opened;
    await go('/d/flight-delays');
    await page.getByRole('button', { name: /Origin state/ }).click();
    await page.waitForTimeout(500);
    await shoot(page, 'filter-open-light-1440');
    expect((await violations(page, { isOverlayOpen: true })).join('\n')).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Departure/ }).click();
    await page.waitForTimeout(300);
    await shoot(page, 'calendar-open-light-1440');
    expect((await violations(page, { isOverlayOpen: true })).join('\n')).toBe('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
    await shoot(page, 'palette-light-1440');
    expect((await violations(page, { isOverlayOpen: true })).join('\n')).toBe('');
    await page.keyboard.press('Escape');
  });

  test('no page threw, logged an error or violated the content security policy', () => {
    expect(opened.faults.join('\n')).toBe('');
  });
});

describe('the command line', () => {
  test('a second start on the same folder names the process that holds it', async () => {
    await expect(startCli([workspace])).rejects.toThrow(/process \d+, at http:\/\/127\.0\.0\.1:\d+/);
  });

  test('an empty folder opens with an invitation', async () => {
    const empty = path.join(workspace, 'empty');
    await mkdir(empty);
    const second = await startCli([empty], { XDG_CACHE_HOME: path.join(workspace, 'cache') });
    const other = await openPage(browser, second.url);
    await other.page.waitForSelector('text=No data yet');
    await shoot(other.page, 'empty-light-1440');
    await other.close();
    expect(await second.stop()).toBe(0);
  });

  test.each([
    [['/no/such/folder'], /No such file or folder/],
    [['--port', 'x'], /'--port <number>' argument 'x' is invalid\. Expected a number/],
    [['--host', '0.0.0.0'], /could connect without signing in/],
    [['--colour'], /colour/],
  ])('%j is refused with an explanation', async (args, words) => {
    await expect(startCli(args as string[])).rejects.toThrow(words as RegExp);
  });
});

/**
 * The elements of the page that are rendered between two moments, each as its tile (or group) and its name.
 * React gives an element a new set of properties whenever its component is rendered.
 */
function renderedOn(page: Page) {
  const propsOf = `element => element[Object.keys(element).find(key => key.startsWith('__reactProps'))]`;
  return {
    begin: () =>
      page.evaluate(
        `window.propsBefore = new Map([...document.querySelectorAll('#root *')].map(element => [element, (${propsOf})(element)])); undefined`,
      ),
    end: () =>
      page.evaluate(
        `[...window.propsBefore].filter(([element, props]) => element.isConnected && (${propsOf})(element) !== props).map(([element]) => [element.closest('[data-tile]')?.dataset.tile ?? (element.closest('[role=group]') ? 'filters' : 'page'), element.localName].join(' '))`,
      ) as Promise<string[]>,
  };
}

/** The elements of a tile that change between two moments, each as its name and the changed attribute. */
async function changesIn(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const watched = await page.evaluateHandle(within => {
    const changed: string[] = [];
    const observer = new MutationObserver(records =>
      changed.push(
        ...records.map(({ target, type, attributeName }) => `${target.nodeName} ${attributeName ?? type}`),
      ),
    );
    observer.observe(document.querySelector(within)!, {
      subtree: true,
      attributes: true,
      childList: true,
      characterData: true,
    });
    return { changed, observer };
  }, selector);
  return () =>
    watched.evaluate(({ changed, observer }) => {
      observer.disconnect();
      return changed;
    });
}

/**
 * From where to where a brush's frame is drawn on a tile's canvas, in whole pixels of the page: the longest
 * run of its upper edge.
 */
function drawnFrame(page: Page, tile: string): Promise<{ from: number; below: number }> {
  return page.evaluate(id => {
    const canvas = document.querySelector<HTMLCanvasElement>(`[data-tile=${id}] canvas`)!;
    const { left, width: shown } = canvas.getBoundingClientRect();
    const { width, height } = canvas;
    const dots = canvas.getContext('2d')!.getImageData(0, 0, width, height).data;
    // Much bluer than the background over a whole row of dots, which no grid line is.
    const isEdge = (at: number) => dots[at + 2]! - dots[at]! > 60;
    let longest = { from: 0, below: 0 };
    for (let y = 0; y < height / 4; y++) {
      for (let x = 0, from = 0; x <= width; x++) {
        if (x < width && isEdge((y * width + x) * 4)) continue;
        if (x - from > longest.below - longest.from) longest = { from, below: x };
        from = x + 1;
      }
    }
    const scale = shown / width;
    return { from: Math.round(left + longest.from * scale), below: Math.round(left + longest.below * scale) };
  }, tile);
}
