import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startCli } from '../browser.ts';
import type { Driver, Tab } from './driver.ts';
import { browserEngines } from './engines.ts';
import { Screen } from './screen.ts';
import { keepScreenshot } from '../keep-screenshot.ts';

/** 400 orders of 2024, in four cities: as many of each. */
const orders = Array.from({ length: 400 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(i * 0.9))).toISOString().slice(0, 10);
  return `${day},${['Aachen', 'Bonn', 'Celle', 'Dessau'][i % 4]},${(i * 37) % 90}`;
});

const dashboard = `version: 1
title: Orders
model: orders
filters: [{ field: city }]
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      days: { kind: bar, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [6, 0, 18, 8] }
      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [0, 8, 12, 8] }
      list: { kind: table, columns: [day, city, minutes], at: [12, 8, 12, 8] }
`;

interface Box {
  readonly element: string;
  readonly box: readonly [x: number, y: number, width: number, height: number];
}

/** Of the first engine. */
let firstBoxes: readonly Box[] | undefined;

/** Where the parts of a dashboard are in a window without a scrollbar, which not every engine draws. Runs in the page. */
function boxesWithoutScrollbar(): Box[] {
  document.documentElement.style.setProperty('scrollbar-width', 'none');
  return [...document.querySelectorAll('header, nav, main [data-tile], main h2, main canvas')].map(one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { element: `${one.tagName} ${one.textContent.slice(0, 20)}`, box: [x, y, width, height] };
  });
}

describe.each(browserEngines)('in $name', ({ name, open }) => {
  let folder: string;
  let cli: Awaited<ReturnType<typeof startCli>>;
  let driver: Driver;
  let tab: Tab;
  let screen: Screen;
  let root: string;
  const opened: Tab[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-browsers-'));
    for (const [file, text] of Object.entries({
      'belvedere.yaml': 'version: 1\ntitle: Shops\n',
      'data/orders.csv': `day,city,minutes\n${orders.join('\n')}\n`,
      'dashboards/orders.yaml': dashboard,
    })) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    cli = await startCli([folder]);
    root = new URL(cli.url).origin;
    driver = await open();
    tab = await openTab();
    await tab.goto(cli.url);
    await screen.sees('Orders');
  });
  afterAll(async () => {
    await driver?.close();
    await cli?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async ({ task }) => {
    // So that one failure does not make the tests after it fail.
    if (task.result?.state === 'fail') await tab.goto(`${root}/d/orders`);
    for (const one of opened) expect(await one.faults()).toEqual([]);
  });

  async function openTab(size = { width: 1280, height: 900 }): Promise<Tab> {
    const one = await driver.newTab(size);
    opened.push(one);
    screen ??= new Screen(one);
    return one;
  }

  const look = (view: string, of: Tab = tab) =>
    keepScreenshot(`engines/${view}-${name.toLowerCase()}`, () => of.screenshot());
  /** Two months of the twelve: the chart’s own area begins after its axis. */
  const brush = () => screen.along('[data-tile=days] [role=application]', [0.3, 0.5], [0.45, 0.5]);

  test('Home shows its dashboards, one opens by a click, and every tile loads', async () => {
    await look('home');
    await screen.click({ css: 'main a[href="/d/orders"]' });
    await screen.settled();
    await screen.figureIs('all', '400');
    await look('dashboard');
  });

  test('tiles, titles and charts have the places that they have in the first engine', async () => {
    let boxes: readonly Box[] = [];
    await screen.until('tiles that stand still', async () => {
      const before = JSON.stringify(boxes);
      boxes = await tab.evaluate(boxesWithoutScrollbar);
      return boxes.length > 0 && JSON.stringify(boxes) === before;
    });
    await tab.evaluate(() => document.documentElement.style.removeProperty('scrollbar-width'));
    firstBoxes ??= boxes;
    expect(boxes.map(({ element }) => element)).toEqual(firstBoxes.map(({ element }) => element));
    const isApart = (one: Box, i: number) =>
      one.box.some((length, side) => Math.abs(length - firstBoxes![i]!.box[side]!) > 2);
    expect(boxes.filter(isApart)).toEqual([]);
  });

  test('a drag updates every figure during the drag, Escape clears, Back undoes', async () => {
    const places = await brush();
    await tab.move([places[0]!]);
    await tab.drag(places, { isHeld: true });
    await screen.until(
      'fewer than all while it is held',
      async () => Number(await screen.figure('all')) < 400,
    );
    const held = await screen.restingFigure('all');
    await tab.lift();
    await screen.addressHas('s.days=');
    await screen.settled();
    expect(await screen.figure('all')).toBe(held);
    await tab.press('Escape');
    await screen.figureIs('all', '400');
    await tab.back();
    await screen.figureIs('all', held);
    await tab.press('Escape');
    await screen.figureIs('all', '400');
  });

  test('a click selects a mark; a reload restores it', async () => {
    await screen.click({ css: '[data-tile=cities] [role=application]' }, [0.5, 0.12]);
    await screen.addressHas('s.cities=');
    await screen.figureIs('all', '100');
    await tab.reload();
    await screen.settled();
    await screen.figureIs('all', '100');
    await tab.press('Escape');
    await screen.figureIs('all', '400');
  });

  test('a filter is chosen from its values', async () => {
    await screen.click({ css: '[aria-label=Filters] button', name: 'City' });
    await screen.click({ css: '[role=dialog] label', name: 'Bonn' });
    await screen.figureIs('all', '100');
    await tab.press('Escape');
    await screen.addressHas('f.city=["Bonn"]');
    await screen.open(`${root}/d/orders`);
  });

  test('marks of a chart are focused and selected by keyboard', async () => {
    await tab.evaluate(() =>
      document.querySelector<HTMLElement>('[data-tile=cities] [role=application]')!.focus(),
    );
    await tab.press('ArrowDown');
    await tab.press('Enter');
    await screen.addressHas('s.cities=');
    await screen.figureIs('all', '100');
    await tab.press('Escape');
    await screen.figureIs('all', '400');
  });

  test('the command palette opens a table', async () => {
    await tab.press('Control+k');
    await tab.type('orders');
    await screen.find({ css: '[role=dialog] input:focus' });
    await screen.until(
      'an option',
      async () => (await screen.count({ css: '[role=menuitem], [role=option]', name: 'Orders' })) > 0,
    );
    await tab.press('Enter');
    await screen.addressHas('/d/');
    await screen.settled();
  });

  test('a dashboard is exported as SVG, and as one page that works from a disk', async () => {
    await screen.open(`${root}/d/orders`);
    expect(await exported('SVG')).toMatch(/^<svg.*Orders by city/s);
    const file = path.join(folder, 'exported.html');
    await writeFile(file, await exported('Offline HTML'));
    const alone = await openTab();
    await alone.goto(`file://${file}`);
    const page = new Screen(alone);
    await page.settled();
    await page.figureIs('all', '400');
    await alone.drag(await page.along('[data-tile=days] [role=application]', [0.3, 0.5], [0.45, 0.5]));
    await page.until('fewer than all', async () => Number(await page.figure('all')) < 400);
    await look('exported', alone);
    await closeTab(alone);
  });

  /** The text of the file that the browser was given to save. */
  async function exported(format: string): Promise<string> {
    await tab.evaluate(() => {
      const saved = new Map<string, Blob>();
      const page = globalThis as unknown as { savedText?: Promise<string> };
      delete page.savedText;
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob: Blob) => {
        const address = make(blob);
        saved.set(address, blob);
        return address;
      };
      HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
        page.savedText = saved.get(this.href)?.text() ?? fetch(this.href).then(response => response.text());
      };
    });
    await screen.button('Export');
    await screen.click({ css: '[role=menuitem]', name: format });
    await screen.until('the file', () => tab.evaluate(() => 'savedText' in globalThis));
    return tab.evaluate(() => (globalThis as unknown as { savedText: Promise<string> }).savedText);
  }

  async function closeTab(one: Tab): Promise<void> {
    expect(await one.faults()).toEqual([]);
    opened.splice(opened.indexOf(one), 1);
    await one.close();
  }

  test('a tile is added by a click, moved by its handle, undone, and edited as text', async () => {
    await tab.goto(`${root}/d/orders/edit`);
    await screen.find({ css: '[data-testid=canvas]' });
    await screen.click({ css: '[data-field=rows]' });
    await screen.until('a fifth tile', async () => (await screen.count({ css: '[data-edit]' })) === 5);
    await screen.settled();
    // Below the top of the canvas, because the page may scroll to what is dragged or undone.
    const top = () =>
      tab.evaluate(() => {
        const [tile, canvas] = ['[data-edit=all]', '[data-testid=canvas]'].map(
          css => document.querySelector(css)!.getBoundingClientRect().top,
        );
        return tile! - canvas!;
      });
    const before = await screen.find({ css: '[data-edit=all]' });
    const topBefore = await top();
    const grip = [before.x + before.width / 2, before.y + 12] as const;
    const isFurtherDown = async () => (await top()) > topBefore + 60;
    const goal = [grip[0] + 20, grip[1] + 200] as const;
    await tab.drag([grip, [grip[0] + 20, grip[1] + 40], [grip[0] + 20, grip[1] + 120], goal], {
      isHeld: true,
    });
    // WebKit's driver sometimes loses a movement. A person would move on until the tile follows.
    await screen.until('the tile under the pointer', async () => {
      if (await isFurtherDown()) return true;
      await tab.move([[goal[0], goal[1] - 1], goal]);
      return false;
    });
    await tab.lift();
    await screen.until('the tile further down', isFurtherDown);
    await look('editor');
    await tab.press('Control+z');
    await screen.until('the tile back', async () => Math.abs((await top()) - topBefore) < 4);
    await tab.press('Control+z');
    await screen.until('four tiles', async () => (await screen.count({ css: '[data-edit]' })) === 4);
    await screen.click({ css: '[role=tab]', name: 'YAML', isExact: true });
    await screen.click({ css: '.cm-line', name: 'title: Orders' }, [0.98, 0.5]);
    await tab.press('End');
    await tab.type(' of 2024');
    await screen.until(
      'the new title',
      async () =>
        (await screen.count({ css: 'h1', name: 'Orders of 2024' })) > 0 ||
        (await screen.count({ css: 'input', name: 'Orders of 2024' })) > 0,
    );
    await look('editor-text');
  });

  test('a field is dragged onto a tile by mouse, and onto its slot by touch', async () => {
    await tab.goto(`${root}/d/orders/edit`);
    const middle = async (css: string) => (await screen.along(css, [0.5, 0.5], [0.5, 0.5]))[0]!;
    const colours = () => screen.text('[data-shelf=color]');
    await screen.find({ css: '[data-edit=days]' });
    // The editor remembers the tab that was open last.
    await screen.click({ css: '[role=tab]', name: 'Add', isExact: true });
    await tab.drag([await middle('[data-field=city]'), [400, 300], await middle('[data-edit=days]')]);
    await screen.until('City as the colour', async () => (await colours()).includes('City'));
    await tab.press('Control+z');
    await screen.until('no colour', async () => !(await colours()).includes('City'));
    await tab.touch([await middle('[data-field=city]'), [400, 300], await middle('[data-shelf=color]')], {
      waitMs: 700,
    });
    await screen.until('City as the colour again', async () => (await colours()).includes('City'));
    await screen.settled();
  });

  test('Explore adds a field to the chart', async () => {
    await screen.open(`${root}/explore/orders`);
    // Fields of few values grow once their values are known.
    await screen.settled();
    await screen.click({ css: '[data-column=city] button', name: 'City' });
    await screen.addressHas('city');
    await screen.settled();
    await look('explore');
  });

  test('SQL is typed and run', async () => {
    await tab.goto(`${root}/sql/files`);
    await screen.click({ css: '.cm-content' });
    await tab.press('Control+a');
    await tab.type('select 6 * 7 as answer');
    await tab.press('Control+Enter');
    await screen.until(
      'the result',
      async () => (await screen.count({ css: 'td', name: '42', isExact: true })) > 0,
    );
  });

  test('a dropped file becomes a table', async () => {
    await tab.goto(`${root}/data`);
    await screen.find({ css: 'button', name: 'Add files' });
    await tab.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a,b\n1,2\n3,4\n'], 'extra.csv', { type: 'text/csv' }));
      for (const type of ['dragover', 'drop'])
        window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await screen.addressHas('/d/overview/extra');
    await screen.settled();
  });

  test('the dark theme is chosen, and kept', async () => {
    await screen.open(`${root}/d/orders`);
    await screen.button('Switch between light and dark');
    const canvas = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await screen.until('a dark page', async () => (await canvas()) === 'rgb(14, 17, 22)');
    await tab.reload();
    await screen.settled();
    expect(await canvas()).toBe('rgb(14, 17, 22)');
    await look('dashboard-dark');
    await screen.button('Switch between light and dark');
  });

  test('a phone shows all tiles at full width, and responds to touch', async () => {
    const phone = await driver.newPhone();
    opened.push(phone);
    const page = new Screen(phone);
    await page.open(`${root}/d/orders`);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.tap({ css: '[data-tile=cities] [role=application]' });
    await page.addressHas('s.cities=');
    await page.figureIs('all', '100');
    await look('phone', phone);
    await closeTab(phone);
  });

  test('six more tabs of one browser all load', async () => {
    const tabs = [];
    for (let i = 0; i < 6; i++) {
      const one = await openTab({ width: 900, height: 700 });
      await one.goto(`${root}/d/orders`);
      tabs.push(one);
    }
    for (const one of tabs) {
      await new Screen(one).figureIs('all', '400');
      await closeTab(one);
    }
  }, 240_000);

  test('a page survives a restart of its server, with its selection', async () => {
    await screen.open(`${root}/d/orders`);
    await screen.click({ css: '[data-tile=cities] [role=application]' }, [0.5, 0.12]);
    await screen.figureIs('all', '100');
    await cli.stop();
    await screen.sees('Connection lost');
    await writeFile(
      path.join(folder, 'data', 'orders.csv'),
      `day,city,minutes\n${[...orders, ...orders].join('\n')}\n`,
    );
    cli = await startCli([folder, '--port', new URL(root).port]);
    await screen.figureIs('all', '200');
    await screen.addressHas('s.cities=');
  });
});
