import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { keepScreenshot, keepsScreenshots } from './keep-screenshot.ts';

export const project = path.resolve(import.meta.dirname, '..');

export interface Opened {
  readonly page: Page;
  readonly address: string;
  /** Errors of the page: console errors, exceptions, and CSP violations. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** The browser of this process. Its first page costs more than a second of processor time. */
let shared: Browser | undefined;

/**
 * Starts Chromium. Test files that run in one process share it, each with contexts of its own: closing it closes
 * only these, and the browser ends with the process.
 */
export async function launchBrowser(): Promise<Browser> {
  if (!process.env['VITEST']) return startChromium();
  if (shared?.isConnected()) return shared;
  const browser = await startChromium(briefPages);
  browser.close = async () => {
    await Promise.all(browser.contexts().map(context => context.close()));
  };
  return (shared = browser);
}

/**
 * Pages of tests live for seconds, too short to gain by compiled code. Compiling it, and more threads than there
 * are processors, took two fifths of the time that the renderer used. Benchmarks start Chromium as users have it.
 */
const briefPages = ['--js-flags=--no-maglev --no-opt --single-threaded-gc', '--num-raster-threads=1'];

/** Starts a Chromium of its own, with further arguments. */
export function startChromium(further: readonly string[] = []): Promise<Browser> {
  const libraries = process.env['BELVEDERE_CHROMIUM_LIBRARIES'];
  return chromium.launch({
    // A process that is ended need not wait until its browser has closed: that ends with their connection.
    handleSIGTERM: false,
    executablePath: process.env['BELVEDERE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      '--force-color-profile=srgb',
      ...further,
    ],
    ...(libraries && { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> }),
  });
}

/** The folder of confirmations in tests. */
export const userState = path.join(os.tmpdir(), 'belvedere-user-state');

/**
 * Starts the command line on a folder as a user does, with its own port; resolves with the printed address.
 */
export async function startCli(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ url: string; output: () => string; process: ChildProcess; stop: () => Promise<number | null> }> {
  const child = spawn(
    process.execPath,
    [
      path.join(project, 'apps', 'cli', 'src', 'main.ts'),
      // A port that a test chooses comes later, and wins.
      ...(args[0] === 'serve'
        ? ['serve', '--port', '0', ...args.slice(1)]
        : ['--no-open', '--port', '0', ...args]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, XDG_STATE_HOME: userState, ...env } },
  );
  let output = '';
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      output += String(data);
      const match = /open at (\S+)/.exec(output);
      if (match) resolve(match[1]!);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(code => reject(new Error(`ended with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    process: child,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

export async function openPage(
  browser: Browser,
  url: string,
  options: { width?: number; height?: number; touch?: boolean } = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
  });
  const page = await context.newPage();
  // Benchmarks in `bench` measure durations. Here, timeouts allow for a busy machine.
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', message => {
    if (
      message.type() === 'error' &&
      !/404 \(Not Found\)|422 \(Unprocessable|412 \(Precondition|503 \(Service|ERR_CONNECTION|ERR_INCOMPLETE/.test(
        message.text(),
      )
    )
      faults.push(message.text());
  });
  page.on('pageerror', error => faults.push(String(error)));
  await page.goto(url);
  return {
    page,
    address: url.startsWith('http') ? new URL(url).origin : '',
    faults,
    close: () => context.close(),
  };
}

/** A test's own workspace: its files, a server, and a signed-in page. */
export interface OpenWorkspace extends Opened {
  readonly folder: string;
  readonly put: (file: string, text: string) => Promise<void>;
}

/**
 * Opens a page once all files are imported, since imports would change the workspace under the open page.
 * @param files by their paths in the workspace; `ready` is a text that Home shows once it has them
 */
export async function openWorkspace(
  browser: Browser,
  files: Readonly<Record<string, string>>,
  ready: string,
): Promise<OpenWorkspace> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-workspace-'));
  const put = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) await put(file, text);
  const cli = await startCli([folder]);
  const opened = await openPage(browser, cli.url);
  await opened.page.getByText(ready).first().waitFor();
  while (
    (
      (await (await opened.page.request.get(`${opened.address}/readyz`)).json()) as {
        importing: readonly string[];
      }
    ).importing.length > 0
  )
    await opened.page.waitForTimeout(50);
  return {
    ...opened,
    folder,
    put,
    close: async () => {
      await opened.close();
      await cli.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until every tile on the page has its result and has drawn it. */
export async function settled(
  page: Pick<Page, 'waitForSelector' | 'waitForFunction' | 'waitForTimeout'>,
): Promise<void> {
  await page.waitForSelector('[data-tile]');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-tile]')].every(
      tile =>
        ['fresh', 'failed', 'broken'].includes(tile.getAttribute('data-status') ?? '') &&
        !tile.querySelector('.soon'),
    ),
  );
  await page.waitForTimeout(150);
}

/** Signs a browser in with the cookies of a session, such as those of a team's member. */
export async function setCookies(context: BrowserContext, cookie: string, url: string): Promise<void> {
  await context.addCookies(
    cookie.split('; ').map(pair => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url };
    }),
  );
}

/** Returns the text of a KPI, such as `1.52M`. */
export async function figure(page: Page, tile: string): Promise<string> {
  return (await page.locator(`[data-tile=${tile}] p.tabular`).first().textContent()) ?? '';
}

/** Drags across a tile's chart, between two fractions of its width (and height). */
export async function drag(
  page: Page,
  tile: string,
  from: readonly [number, number],
  to: readonly [number, number],
  options: { release?: boolean; frame?: Pick<Page, 'locator'> } = {},
): Promise<void> {
  const surface = (options.frame ?? page).locator(`[data-tile=${tile}] [role=application]`);
  await surface.scrollIntoViewIfNeeded();
  const box = (await surface.boundingBox())!;
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (let step = 1; step <= 8; step++)
    await page.mouse.move(
      ...at([from[0] + ((to[0] - from[0]) * step) / 8, from[1] + ((to[1] - from[1]) * step) / 8]),
    );
  if (options.release !== false) await page.mouse.up();
}

/** Chooses an option of one of our selects by its label or value. */
export async function choose(select: Locator, option: string | { readonly label: string }): Promise<void> {
  await select.and(select.page().locator('button')).click();
  const list = select.page().getByRole('listbox');
  const labelled = (label: string) => list.getByRole('option', { name: label, exact: true });
  const wanted =
    typeof option === 'string'
      ? list.locator(`[data-key="=${option}"]`).or(labelled(option))
      : labelled(option.label);
  await wanted.first().click();
  await list.waitFor({ state: 'detached' });
}

/** The minified build, since every page would otherwise load a megabyte more. */
export const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns axe's violations on the page, once the dimmed preview of a model's entry has loaded. An overlay is
 * outside the page's landmarks, as the ARIA practices have it.
 */
export async function violations(page: Page, options: { isOverlayOpen?: boolean } = {}): Promise<string[]> {
  await page.locator('[data-testid=preview][aria-busy=true]').waitFor({ state: 'detached' });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(runAxe, options.isOverlayOpen ?? false);
}

/** Runs axe, which was loaded before, in the page. */
export async function runAxe(isOverlayOpen: boolean): Promise<string[]> {
  const { axe: loaded } = globalThis as unknown as {
    axe: {
      run: (
        context: unknown,
        options: unknown,
      ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
    };
  };
  const { violations: found } = await loaded.run(document, {
    resultTypes: ['violations'],
    ...(isOverlayOpen && { rules: { region: { enabled: false } } }),
  });
  return found.map(
    violation =>
      `${violation.id}: ${violation.nodes
        .slice(0, 3)
        .map(node => `${node.html.slice(0, 160)} ${node.failureSummary.replace(/\s+/g, ' ').slice(0, 200)}`)
        .join(' | ')}`,
  );
}

/**
 * The windows in which each screen is checked: each theme and each width once. Errors depend on one of them,
 * hardly ever on the pair.
 */
export const looks = [
  ['light', 1440, 900],
  ['dark', 390, 844],
] as const;

/**
 * Saves a screenshot of the window as a picture of the guide if `npm run docs:pictures` runs the test;
 * otherwise does nothing.
 * @param name its path in docs/guide, without the extension
 */
export async function illustrate(page: Page, name: string): Promise<void> {
  if (!process.env['BELVEDERE_PICTURES']) return;
  // Waits until fading elements are fully visible.
  await page.waitForTimeout(400);
  await page.screenshot({ path: path.join(project, 'docs', 'guide', `${name}.png`) });
}

/**
 * Saves a screenshot for review, unless all tests run. To capture the whole page, the window is resized for a
 * moment, which may close overlays and their triggers.
 * @param options.isWhole false captures only the visible part, unchanged, for example while a menu or a
 * dialog is open
 */
export async function shoot(page: Page, name: string, options: { isWhole?: boolean } = {}): Promise<void> {
  if (!keepsScreenshots) return nextFrames(page);
  const isOverlayOpen =
    (await page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]').count()) > 0;
  await keepScreenshot(name, () => page.screenshot({ fullPage: options.isWhole ?? !isOverlayOpen }));
}

/** Waits until the page has painted its current state, as a screenshot does. */
async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
