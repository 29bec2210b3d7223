import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expectedFaults, type Driver, type Place, type Size, type Tab } from './driver.ts';

export interface WebKitPrograms {
  readonly driver: string;
  readonly browser: string;
  readonly xvfb: string;
}

/** Keys as WebDriver writes them (W3C WebDriver, keyboard actions). */
const keyCodes: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Meta: '\uE03D',
  Escape: '\uE00C',
  Enter: '\uE007',
  Tab: '\uE004',
  Backspace: '\uE003',
  Delete: '\uE017',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Home: '\uE011',
  End: '\uE010',
};

/** WebKitGTK, the engine of Safari, by W3C WebDriver on a display of its own. */
export async function openWebKit(
  { driver, browser, xvfb }: WebKitPrograms,
  args: readonly string[] = [],
): Promise<Driver> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-webkit-'));
  const { display, server } = await openDisplay(xvfb);
  const port = await freePort();
  const own = {
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1',
    LANG: 'en_US.UTF-8',
    LANGUAGE: 'en_US',
    TZ: 'UTC',
  };
  // Its sandbox needs namespaces that a container may forbid; the pages are our own.
  const program = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, ...own, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
  });
  const root = `http://127.0.0.1:${port}`;
  await until(
    () =>
      ask(root, 'GET', '/status').then(
        () => true,
        () => false,
      ),
    'WebKitWebDriver',
  );
  const options = { binary: browser, args: ['--automation', ...args] };
  // The page is not waited for, so that its console is listened to from its beginning.
  const { sessionId } = (await ask(root, 'POST', '/session', {
    capabilities: { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string };
  const session = new Session(`${root}/session/${sessionId}`);
  await session.ask('POST', '/timeouts', { script: commandLimitMs / 2 });
  return {
    newTab: size => WebKitTab.open(session, size),
    newPhone: () => WebKitTab.open(session, { width: 390, height: 844 }),
    close: async () => {
      await session.ask('DELETE', '').catch(() => {});
      await ended(program);
      await ended(server);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One session, whose commands go to one window at a time. */
class Session {
  readonly #address: string;
  #last: Promise<unknown> = Promise.resolve();
  #window: string | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  ask(method: 'GET' | 'POST' | 'DELETE', command: string, body?: object, limitMs?: number): Promise<unknown> {
    return ask(this.#address, method, command, body, limitMs);
  }

  /** @param work the commands that run in this window before commands for another window */
  in<T>(window: string, work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (this.#window !== window) await this.ask('POST', '/window', { handle: window });
      this.#window = window;
      return work();
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Records errors of the page, including violations from before the call. */
function listenToFaults(): void {
  const page = globalThis as unknown as { faultsHeard?: string[] };
  if (page.faultsHeard) return;
  const heard: string[] = [];
  page.faultsHeard = heard;
  const tell = console.error.bind(console);
  console.error = (...all: unknown[]) => {
    heard.push(all.map(String).join(' '));
    tell(...all);
  };
  addEventListener('error', event => heard.push(event.message));
  addEventListener('unhandledrejection', event => heard.push(String(event.reason)));
  addEventListener('securitypolicyviolation', event =>
    heard.push(`${event.violatedDirective}: ${event.blockedURI}`),
  );
}

class WebKitTab implements Tab {
  readonly #session: Session;
  readonly #window: string;
  readonly #heard: string[] = [];

  private constructor(session: Session, window: string) {
    this.#session = session;
    this.#window = window;
  }

  static async open(session: Session, { width, height }: Size): Promise<WebKitTab> {
    const { handle } = (await session.ask('POST', '/window/new', { type: 'window' })) as { handle: string };
    const tab = new WebKitTab(session, handle);
    await tab.#ask('POST', '/window/rect', { width, height });
    const inner = await tab.evaluate(() => [innerWidth, innerHeight] as const);
    await tab.#ask('POST', '/window/rect', { width, height: height + (height - inner[1]) });
    return tab;
  }

  #ask(
    method: 'GET' | 'POST' | 'DELETE',
    command: string,
    body?: object,
    limitMs?: number,
  ): Promise<unknown> {
    return this.#session.in(this.#window, () => this.#session.ask(method, command, body, limitMs));
  }

  async #load(begin: () => Promise<unknown>): Promise<void> {
    await this.#collect();
    await this.evaluate(() => void ((globalThis as { isLeft?: boolean }).isLeft = true));
    await begin();
    await until(() => this.#hasArrived(), 'the next page');
    await this.evaluate(listenToFaults);
    await until(() => this.evaluate(() => document.readyState === 'complete'), 'the whole page');
  }

  /**
   * Whether the next page is loaded. Uses a script without a callback: WebKit loses callbacks of a page that
   * is being left, and the command would never end. On a busy machine it loses replies of such scripts too, so
   * a reply that does not come soon is asked for again.
   */
  async #hasArrived(): Promise<boolean> {
    const script = "return globalThis.isLeft !== true && location.href !== 'about:blank';";
    try {
      return (await this.#ask('POST', '/execute/sync', { script, args: [] }, lostReplyMs)) as boolean;
    } catch (error) {
      if (/unload event|timeout|timed out|no reply/i.test(String(error))) return false;
      throw error;
    }
  }

  goto(address: string): Promise<void> {
    return this.#load(() => this.#ask('POST', '/url', { url: address }));
  }

  async back(): Promise<void> {
    await this.#ask('POST', '/back', {});
  }

  reload(): Promise<void> {
    return this.#load(() => this.#ask('POST', '/refresh', {}));
  }

  async evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const script = `const done = arguments[arguments.length - 1]; const all = [...arguments].slice(0, -1);
      Promise.resolve().then(() => (${String(run)})(...all)).then(value => done({ value }), error => done({ error: String(error) }));`;
    const { value, error } = (await this.#ask('POST', '/execute/async', { script, args })) as {
      value?: Result;
      error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return value as Result;
  }

  #pointer(pointerType: 'mouse' | 'touch', actions: readonly object[]): Promise<unknown> {
    return this.#ask('POST', '/actions', {
      actions: [{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }],
    });
  }

  async drag([first, ...others]: readonly Place[], { isHeld = false } = {}): Promise<void> {
    await this.#pointer('mouse', [moveTo(first!), { type: 'pointerDown', button: 0 }]);
    for (const place of others) await this.#pointer('mouse', [moveTo(place)]);
    if (!isHeld) await this.lift();
  }

  async move(places: readonly Place[]): Promise<void> {
    for (const place of places) await this.#pointer('mouse', [moveTo(place)]);
  }

  async lift(): Promise<void> {
    await this.#pointer('mouse', [{ type: 'pointerUp', button: 0 }]);
  }

  async touch([first, ...others]: readonly Place[], { waitMs = 0 } = {}): Promise<void> {
    await this.#pointer('touch', [
      moveTo(first!),
      { type: 'pointerDown', button: 0 },
      { type: 'pause', duration: waitMs },
    ]);
    for (const place of others) await this.#pointer('touch', [moveTo(place)]);
    await this.#pointer('touch', [{ type: 'pointerUp', button: 0 }]);
  }

  async press(keys: string): Promise<void> {
    const values = keys.split('+').map(key => keyCodes[key] ?? key);
    const actions = [
      ...values.map(value => ({ type: 'keyDown', value })),
      ...values.toReversed().map(value => ({ type: 'keyUp', value })),
    ];
    await this.#ask('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async type(text: string): Promise<void> {
    const actions = Array.from(text, value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]).flat();
    await this.#ask('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.#ask('GET', '/screenshot')) as string, 'base64');
  }

  async #collect(): Promise<void> {
    const heard = await this.evaluate(
      () => (globalThis as unknown as { faultsHeard?: string[] }).faultsHeard?.splice(0) ?? [],
    );
    this.#heard.push(...heard.filter(text => !expectedFaults.test(text)));
  }

  async faults(): Promise<readonly string[]> {
    await this.#collect();
    return this.#heard;
  }

  async close(): Promise<void> {
    await this.#ask('DELETE', '/window');
  }
}

const moveTo = ([x, y]: Place) => ({ type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) });

/** Shorter than a test's limit, so that the error names the command that does not return. */
const commandLimitMs = 45_000;

/** How long the reply of a script that only looks is waited for while a page loads. */
const lostReplyMs = 5000;

/** @throws Error with WebDriver's message, or if there is no reply within the limit */
async function ask(
  root: string,
  method: string,
  command: string,
  body?: object,
  limitMs: number = commandLimitMs,
): Promise<unknown> {
  const response = await fetch(`${root}${command}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(limitMs),
  }).catch((error: unknown) => {
    throw new Error(`${command}: no reply in ${limitMs / 1000} s`, { cause: error });
  });
  const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
  if (value?.error !== undefined) throw new Error(`${command}: ${value.error}: ${value.message}`);
  return value;
}

async function until(isSo: () => Promise<boolean>, name: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${name} did not come.`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** An X server on the first display that is free. */
async function openDisplay(xvfb: string): Promise<{ display: string; server: ChildProcess }> {
  const server = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    server.stdio[3]!.once('data', data => resolve(String(data).trim()));
    server.once('error', reject);
    server.once('exit', code => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  return { display: `:${number}`, server };
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exit = new Promise(resolve => program.once('exit', resolve));
  program.kill();
  await exit;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
