import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { project } from '../browser.ts';
import type { Place, Tab } from './driver.ts';

/**
 * The visible elements that match a CSS selector and whose accessible name, or else text, equals or contains
 * this.
 */
export interface Elements {
  readonly css: string;
  readonly name?: string;
  readonly isExact?: boolean;
}

interface Found {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

/** The positions and texts of the visible elements. Scrolls to the first. Runs in the page. */
function findIn({ css, name, isExact = false }: Elements): Found[] {
  const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent).trim();
  const fits = (element: Element) =>
    name === undefined || (isExact ? nameOf(element) === name : nameOf(element).includes(name));
  // The editors of text live in shadow trees.
  const roots = [
    document,
    ...[...document.querySelectorAll('*')].flatMap(element => element.shadowRoot ?? []),
  ];
  const all = roots
    .flatMap(root => [...root.querySelectorAll<HTMLElement>(css)])
    .filter(element => element.getClientRects().length > 0 && fits(element));
  const first = all[0]?.getBoundingClientRect();
  if (first && (first.top < 50 || first.bottom > innerHeight - 10))
    all[0]!.scrollIntoView({ block: 'center' });
  return all.map(element => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return {
      x,
      y,
      width,
      height,
      text: (element instanceof HTMLInputElement ? element.value : element.textContent).trim(),
    };
  });
}

/** What a user does and sees on a page, in terms of what it shows. Each method waits for its condition. */
export class Screen {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** @throws Error with `what` if the condition does not hold within a minute */
  async until(what: string, isSo: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + 60_000;
    while (!(await isSo())) {
      if (Date.now() > end) {
        const folder = path.join(project, '.cache', 'screenshots');
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, 'failed.png'), await this.tab.screenshot());
        throw new Error(`Waited in vain for ${what}. The page is in .cache/screenshots/failed.png.`);
      }
      await wait(40);
    }
  }

  count(elements: Elements): Promise<number> {
    return this.tab.evaluate(findIn, elements).then(found => found.length);
  }

  /** The position of an element once it exists and does not move. */
  async find(elements: Elements): Promise<Found> {
    let before: Found | undefined;
    let found: Found | undefined;
    await this.until(JSON.stringify(elements), async () => {
      before = found;
      [found] = await this.tab.evaluate(findIn, elements);
      return found && before && found.x === before.x && found.y === before.y && found.width === before.width;
    });
    return found!;
  }

  async text(css: string): Promise<string> {
    return (await this.find({ css })).text;
  }

  async sees(text: string): Promise<void> {
    await this.until(`the text “${text}”`, () =>
      this.tab.evaluate(wanted => document.body.innerText.includes(wanted), text),
    );
  }

  async click(elements: Elements, at: Place = [0.5, 0.5]): Promise<void> {
    await this.tab.drag([inside(await this.find(elements), at)]);
  }

  async tap(elements: Elements): Promise<void> {
    await this.tab.touch([inside(await this.find(elements), [0.5, 0.5])]);
  }

  /** The places along a line across an element, from one share of its width and height to another. */
  async along(css: string, from: Place, to: Place): Promise<Place[]> {
    const box = await this.find({ css });
    return Array.from({ length: 9 }, (_, step) =>
      inside(box, [from[0] + ((to[0] - from[0]) * step) / 8, from[1] + ((to[1] - from[1]) * step) / 8]),
    );
  }

  button(name: string): Promise<void> {
    return this.click({ css: 'button, a[href], [role=menuitem], [role=tab]', name });
  }

  async open(address: string): Promise<void> {
    await this.tab.goto(address);
    await this.settled();
  }

  /** Every tile of the page has its answer and has drawn it. */
  settled(): Promise<void> {
    return this.until('every tile', () =>
      this.tab.evaluate(() => {
        const tiles = [...document.querySelectorAll('[data-tile]')];
        return (
          tiles.length > 0 &&
          tiles.every(tile => tile.getAttribute('data-status') === 'fresh' && !tile.querySelector('.soon'))
        );
      }),
    );
  }

  /** A figure's text, such as `1.52M`. */
  figure(tile: string): Promise<string> {
    return this.tab.evaluate(
      id => document.querySelector(`[data-tile=${id}] p.tabular`)?.textContent ?? '',
      tile,
    );
  }

  /** A figure once it has stayed the same for a second, since a busy machine may take that long for the next. */
  async restingFigure(tile: string): Promise<string> {
    let figure = await this.figure(tile);
    let since = Date.now();
    await this.until(`${tile} to stand still`, async () => {
      const now = await this.figure(tile);
      if (now !== figure) since = Date.now();
      figure = now;
      return Date.now() - since >= 1000;
    });
    return figure;
  }

  async figureIs(tile: string, figure: string): Promise<void> {
    await this.until(`${tile} to be ${figure}`, async () => (await this.figure(tile)) === figure);
  }

  address(): Promise<string> {
    return this.tab.evaluate(() => decodeURIComponent(location.href));
  }

  async addressHas(text: string, isThere = true): Promise<void> {
    await this.until(
      `the address ${isThere ? 'with' : 'without'} ${text}`,
      async () => (await this.address()).includes(text) === isThere,
    );
  }
}

function inside({ x, y, width, height }: Found, [across, down]: Place): Place {
  return [x + width * across, y + height * down];
}
