import { readDocument } from '@belvedere/document';
import type { Browser, Page, Request } from 'playwright-core';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, type OpenWorkspace } from '../browser.ts';
import { randomFrom } from './random-from.ts';

/**
 * After any edits, however fast: the draft is a dashboard, the window shows what a new window shows of it,
 * every edit can be undone and redone exactly, and two windows that edit one draft end with the same text.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
// A round takes ten times as long as a round without edits.
const rounds = Math.ceil(Number(process.env['BELVEDERE_ROUNDS'] ?? 1) / 4);
const random = randomFrom(seed);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;

let browser: Browser;
let opened: OpenWorkspace;
/** Calls that a window waits for, since when. */
const underWay = new Map<Request, number>();

const trips = Array.from(
  { length: 2000 },
  (_, i) =>
    `${2021 + (i % 4)}-${String(1 + ((i * 7) % 12)).padStart(2, '0')}-${String(1 + (i % 28)).padStart(2, '0')},${pick(['Aachen', 'Bern', 'Celle', 'Davos'])},${pick(['bus', 'tram', 'ferry'])},${below(180)}`,
);
const begun = `# Where people go.
version: 1
title: Trips
model: trips
filters:
  - { field: kind } # bus, tram or ferry
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] } # all of them
      course: { kind: line, x: { field: day, timeUnit: month }, y: { measure: rows }, color: { field: kind }, at: [6, 0, 12, 8] }

      # By city.
      cities:
        kind: bar
        x: { measure: rows }
        y: { field: city, limit: 3 }
        at: [0, 4, 6, 8]
      list: { kind: table, columns: [day, city, minutes], at: [6, 8, 12, 8] }
  - title: Two
    tiles:
      kinds: { kind: donut, color: { field: kind }, theta: { measure: rows }, at: [0, 0, 12, 8] }
`;

beforeAll(async () => {
  console.log(`whatever was edited seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    { 'data/trips.csv': `day,city,kind,minutes\n${trips.join('\n')}\n`, 'dashboards/trips.yaml': begun },
    'Trips',
  );
  const context = opened.page.context();
  // Streams that stay open as long as the page are not counted as requests.
  context.on(
    'request',
    request => /\/api\/(?!events)/.test(request.url()) && underWay.set(request, Date.now()),
  );
  const onEnd = (request: Request) => void underWay.delete(request);
  context.on('requestfinished', onEnd);
  context.on('requestfailed', onEnd);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const file = () => path.join(opened.folder, 'dashboards', 'trips.yaml');
interface Text {
  readonly text: string;
  readonly draft?: { readonly text: string };
}
const kept = async (): Promise<Text> =>
  opened.page.evaluate(async () => (await fetch('/api/v1/dashboards/trips/text')).json() as Promise<Text>);
const draftText = async () => {
  const { text, draft } = await kept();
  return draft?.text ?? text;
};

beforeEach(async () => {
  await opened.page.goto(opened.address);
  await opened.page.evaluate(() =>
    fetch('/api/v1/dashboards/trips/draft', { method: 'DELETE', headers: { 'x-belvedere': '1' } }),
  );
  await writeFile(file(), begun);
  await expect.poll(async () => (await kept()).text).toBe(begun);
});

const pages = (page: Page) => page.getByRole('tablist', { name: 'Pages' });
const covers = (page: Page) => page.locator('[data-edit]').all();
async function boxOf(page: Page, selector: string) {
  const all = await page.locator(selector).all();
  return all.length === 0
    ? null
    : pick(all)
        .boundingBox({ timeout: 500 })
        .catch(() => null);
}
async function dragBy(
  page: Page,
  box: { x: number; y: number; width: number; height: number } | null,
  far: readonly [number, number],
): Promise<void> {
  if (!box) return;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const steps = 1 + below(5);
  for (let step = 1; step <= steps; step++)
    await page.mouse.move(x + (far[0] * step) / steps, y + (far[1] * step) / steps);
  if (random() < 0.15) await page.keyboard.press('Escape');
  await page.mouse.up();
}
const far = () => [below(900) - 450, below(500) - 250] as const;
async function clickOneOf(page: Page, selector: string): Promise<void> {
  const all = await page.locator(selector).all();
  if (all.length > 0) await pick(all).click({ timeout: 800, noWaitAfter: true });
}
async function choose(page: Page): Promise<void> {
  const all = await covers(page);
  if (all.length > 0)
    await pick(all).click({ timeout: 800, ...(random() < 0.25 && { modifiers: ['Shift'] }) });
}
const inText = async (page: Page) => {
  await page.getByRole('tab', { name: 'YAML' }).click({ timeout: 800 });
  await page.locator('.cm-content').click({ timeout: 800 });
};

const acts: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  move: async page => dragBy(page, await boxOf(page, '[data-edit]'), far()),
  resize: async page => {
    await choose(page);
    await dragBy(page, await boxOf(page, '[data-edge]'), far());
  },
  frame: async page => {
    const canvas = await boxOf(page, '[data-testid=canvas]');
    if (canvas)
      await dragBy(
        page,
        { ...canvas, x: canvas.x + canvas.width - 8, width: 2, y: canvas.y + 4, height: 2 },
        [-below(900), below(600)],
      );
  },
  choose,
  byKeys: async page => {
    await choose(page);
    await page.keyboard.press('Enter');
    for (let i = below(5); i >= 0; i--)
      await page.keyboard.press(
        pick([
          'ArrowLeft',
          'ArrowRight',
          'ArrowUp',
          'ArrowDown',
          'Shift+ArrowRight',
          'Shift+ArrowDown',
          'Shift+ArrowUp',
        ]),
      );
    await page.keyboard.press(pick(['Enter', 'Enter', 'Escape']));
  },
  remove: async page => {
    await choose(page);
    await page.keyboard.press('Delete');
  },
  duplicate: async page => {
    await choose(page);
    await page.keyboard.press('Control+d');
  },
  copyAndPaste: async page => {
    await choose(page);
    await page.keyboard.press(pick(['Control+c', 'Control+x']));
    await page.keyboard.press('Control+v');
  },
  undo: page => page.keyboard.press('Control+z'),
  redo: page => page.keyboard.press('Control+Shift+z'),
  add: async page => {
    await page.getByRole('tab', { name: 'Add' }).click({ timeout: 800 });
    await clickOneOf(page, 'button[data-draggable=true]');
  },
  drop: async page => {
    await page.getByRole('tab', { name: 'Add' }).click({ timeout: 800 });
    const fields = await page.locator('[data-field]').all();
    const targets = await page.locator('[data-edit], [data-testid=canvas], [data-shelf]').all();
    if (fields.length > 0 && targets.length > 0) await pick(fields).dragTo(pick(targets), { timeout: 1500 });
  },
  kind: async page => {
    await choose(page);
    await clickOneOf(page, '[role=group][aria-label] > button[aria-pressed=false]:not([disabled])');
  },
  title: async page => {
    const all = await covers(page);
    if (all.length === 0) return;
    await pick(all).dblclick({ timeout: 800 });
    await page.keyboard.type(pick(['Ours', 'a: b', "it's # not", '', '"', '- x', '1']));
    await page.keyboard.press(pick(['Enter', 'Enter', 'Tab', 'Escape']));
  },
  page: page => pages(page).getByRole('tab', { selected: false }).click({ timeout: 800 }),
  typeComment: async page => {
    await inText(page);
    await page.keyboard.press('Control+Home');
    for (let i = below(20); i > 0; i--) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type(pick([' # seen', ' # x: y', '  ']));
  },
  typeWrong: async page => {
    await inText(page);
    await page.keyboard.press('Control+Home');
    for (let i = below(12); i > 0; i--) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type(pick(['{', ' - [', 'x']));
  },
  save: async page => {
    await page.keyboard.press('Control+s');
    await page.getByLabel('Change description').fill('So', { timeout: 800 });
    await page.keyboard.press('Enter');
  },
  toText: page => page.getByRole('tab', { name: 'YAML' }).click({ timeout: 800 }),
  escape: page => page.keyboard.press('Escape'),
};

/** The position and text of each tile in the window, and the draft's state. */
const shown = (page: Page) =>
  page.evaluate(() => ({
    problems: document.querySelector('[aria-live=polite][aria-label]:is(ul)')?.textContent ?? '',
    tiles: Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[data-edit]')].map(cover => {
        const place = cover.parentElement!.style;
        const tile = cover.parentElement!.querySelector<HTMLElement>('[data-tile]');
        const written = tile?.cloneNode(true) as HTMLElement | undefined;
        for (const said of written?.querySelectorAll('[aria-live]') ?? []) said.remove();
        return [
          cover.dataset['edit'],
          [
            place.left,
            place.top,
            place.width,
            place.height,
            cover.ariaLabel,
            tile?.dataset['status'],
            tile?.querySelector('[role=application]')?.ariaLabel,
            written?.textContent,
          ].join(' | '),
        ];
      }),
    ),
  }));

/** The state of the draft, in the window's words. */
const stateOf = (page: Page) =>
  page.evaluate(() => document.querySelector('[data-testid=draft-state]')?.textContent ?? '');

/** Nothing is held, open or under way, and the server has the draft. */
async function rest(page: Page): Promise<void> {
  await page.mouse.up();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
  await page.mouse.move(1, 1);
  let before = '';
  // Typed text is saved within a second.
  for (let same = 0; same < 5;) {
    const state = await stateOf(page);
    const now = JSON.stringify([await draftText(), await shown(page), state]);
    // A save takes as long as the disk does, and may then ask a question. Requests of a closed window end
    // without a response.
    const isUnderWay =
      ['Saving…', 'Changes not saved yet: the server is unreachable'].includes(state) ||
      [...underWay.values()].some(since => Date.now() - since < 20_000);
    same = now === before && !isUnderWay ? same + 1 : 0;
    before = now;
    await page.waitForTimeout(250);
  }
}

/** The text as a window has it. */
async function written(page: Page): Promise<string> {
  await page.bringToFront();
  await page.getByRole('tab', { name: 'YAML' }).click();
  await page.locator('.cm-line').first().waitFor();
  const lines = await page.locator('.cm-line').allInnerTexts();
  return lines
    .map(line => line.replace(/^\n$/, ''))
    .join('\n')
    .trimEnd();
}

async function doSome(page: Page, done: string[], names: readonly string[]): Promise<void> {
  const [act, wait] = [pick(names), pick([0, 0, 10, 40, 120, 400])];
  done.push(`${act}, ${wait} ms`);
  await acts[act]!(page).catch((error: Error) => done.push(error.message.split('\n')[0]!));
  await page.waitForTimeout(wait);
}

const edit = async (page: Page) => {
  await page.goto(`${opened.address}/d/trips/edit`);
  await page.waitForSelector('[data-testid=canvas]');
};

test(
  `an edited dashboard equals its view in a new window, and survives undo and redo exactly: ${rounds} rounds`,
  async () => {
    const { page, faults } = opened;
    for (let round = 0; round < rounds; round++) {
      await edit(page);
      const before = await draftText();
      const done: string[] = [];
      const names = Object.keys(acts).filter(name => name !== 'save' || round % 2 === 1);
      for (let left = 4 + below(10); left > 0; left--) await doSome(page, done, names);
      await rest(page);
      // A text with a syntax error has no new preview.
      while ((await stateOf(page)) === 'The YAML has errors') {
        await page.getByRole('button', { name: /^Undo/ }).click();
        await rest(page);
      }
      const context = `seed ${seed}, round ${round}: ${done.join('; ')}`;
      const text = await draftText();
      const checked = await page.evaluate(
        async body =>
          (await (
            await fetch('/api/v1/validate', {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
              body: JSON.stringify(body),
            })
          ).json()) as unknown,
        { kind: 'dashboard', text },
      );
      expect(checked, `${context}\n${text}`).toMatchObject({ errors: [] });
      const now = await shown(page);
      const which = (await pages(page).getByRole('tab', { selected: true }).textContent())!;
      const anew = await page.context().newPage();
      await edit(anew);
      await pages(anew).getByRole('tab', { name: which, exact: true }).click();
      await rest(anew);
      expect(now, `${context}\n${text}`).toEqual(await shown(anew));
      await anew.close();
      const all = (step: string) => page.getByRole('button', { name: new RegExp(`^${step}`) });
      let steps = 0;
      for (; (await all('Undo').count()) > 0; steps++) await all('Undo').click();
      await rest(page);
      expect(await draftText(), context).toBe(before);
      for (; steps > 0; steps--) await all('Redo').click();
      await rest(page);
      expect(await draftText(), context).toBe(text);
    }
    expect(faults).toEqual([]);
  },
  60_000 + rounds * 60_000,
);

test(
  `two windows that edit the same dashboard converge: ${rounds} rounds`,
  async () => {
    const { page, faults } = opened;
    const other = await page.context().newPage();
    const both = [page, other];
    // All lines of the text are there.
    for (const window of both) await window.setViewportSize({ width: 1440, height: 2400 });
    for (let round = 0; round < rounds; round++) {
      for (const window of both) await edit(window);
      const done: string[] = [];
      const names = [...Object.keys(acts), 'fileChanges', 'reload', 'leave'];
      for (let left = 6 + below(12); left > 0; left--) {
        const at = below(2);
        done.push(`${at}`);
        const [name, window] = [pick(names), both[at]!];
        await window.bringToFront();
        if (name === 'fileChanges') {
          done.push('fileChanges');
          const text = await readFile(file(), 'utf8');
          await writeFile(
            file(),
            pick([
              `${text}# ${round}.${left}\n`,
              text.replace(/^title: .*$/m, `title: Trips ${round}.${left}`),
              text.replace(/at: \[0, (\d+), /, (_, row: string) => `at: [0, ${Number(row) + 1}, `),
            ]),
          );
        } else if (name === 'reload') {
          done.push('reload');
          await window.reload();
        } else if (name === 'leave') {
          done.push('leave');
          await window
            .getByRole('button', { name: 'Close', exact: true })
            .click({ timeout: 800 })
            .catch(() => {});
          await window.goBack();
        } else await doSome(window, done, [name]);
      }
      const context = `seed ${seed}, round ${round}: ${done.join('; ')}`;
      /** Whether a window asked how to resolve a conflict. */
      const answer = async (window: Page): Promise<boolean> => {
        await window.bringToFront();
        const dialog = window.getByRole('dialog', { name: 'Conflicting changes' });
        if ((await dialog.count()) === 0) return false;
        for (const mine of await dialog.getByRole('radio', { name: 'Your version' }).all())
          await mine.check({ timeout: 2000 });
        await dialog.getByRole('button', { name: 'Apply' }).click({ timeout: 2000 });
        return true;
      };
      for (const window of both) if (!new URL(window.url()).pathname.endsWith('/edit')) await edit(window);
      for (const window of both) await rest(window);
      // Resolving a conflict in one window may cause one in the other. The conflicts must end.
      for (let times = 0, isAsked = true; isAsked; times++) {
        expect(times, `asked again and again: ${context}`).toBeLessThan(3);
        isAsked = false;
        for (const window of both) {
          isAsked = (await answer(window)) || isAsked;
          await rest(window);
        }
      }
      const [one, two] = [await written(page), await written(other)];
      const said = `${context}\n${one}\n----\n${two}\n----\n${await draftText()}`;
      expect(one, said).toBe(two);
      expect(one, said).toBe((await draftText()).trimEnd());
      if ((await stateOf(page)) === 'The YAML has errors') continue;
      const read = readDocument('dashboard', one, 'trips.yaml');
      const count = read.ok ? read.value.pages.length : 0;
      for (const window of both) {
        await expect
          .poll(() => pages(window).getByRole('tab').count(), { message: said, timeout: 5000 })
          .toBe(count > 1 ? count : 0);
        if (count > 1) await pages(window).getByRole('tab').first().click();
      }
      for (const window of both) await rest(window);
      expect((await shown(page)).tiles, said).toEqual((await shown(other)).tiles);
    }
    await other.close();
    expect(faults).toEqual([]);
  },
  60_000 + rounds * 60_000,
);
