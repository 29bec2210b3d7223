import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { xssStrings } from '../../../apps/web/src/comments/text/xss-strings.fixture.ts';
import { startHost, type RunningHost } from '../../../samples/embed-host/host.ts';
import { signToken, type EmbedKey } from '../../../samples/embed-host/sign-token.ts';
import {
  drag,
  launchBrowser,
  openPage,
  settled,
  shoot,
  startChromium,
  violations,
  type Opened,
  looks,
  setCookies,
} from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type RunningTeam } from '../running-team.ts';

/* Embedding in the browser: from the settings to another site's page with two frames, until the key is revoked. */

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops of the North\ntimezone: UTC\n',
  'data/orders.csv': `day,city,kind\n${Array.from({ length: 240 }, (_, i) => {
    const month = String((i % 12) + 1).padStart(2, '0');
    const city = ['Aachen', 'Bonn', 'Graz', 'Malmö'][i % 4];
    return `2024-${month}-05,${city},${['web', 'shop'][Math.floor(i / 4) % 2]}`;
  }).join('\n')}\n`,
  'models/orders.yaml':
    'version: 1\ntable: orders\ntime: day\ndimensions: { day: {}, city: {}, kind: {} }\nmeasures: { rows: { expr: count(*) } }\n' +
    'policies: [{ name: own, everyone: true, where: "city in (:user.cities)" }]\n',
  'dashboards/north/orders.yaml': `version: 1
title: Orders of the year
model: orders
refresh: { every: 10 minutes }
staleAfter: 1 day
filters:
  - { field: kind }
  - { field: city }
pages:
  - title: Overview
    tiles:
      count: { kind: kpi, title: All orders, value: { measure: rows }, at: [0, 0, 24, 4] }
      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }
      months: { kind: line, title: Months, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [12, 4, 12, 8] }
`,
};

let team: RunningTeam;
let browser: Browser;
let maker: Opened;
let visitor: Opened;
let host: RunningHost;
let stranger: RunningHost;
let key: EmbedKey;
let claims: Record<string, unknown> = {};
let lifeSeconds = 300;
/** Of all requests of the visitor's page and its frames. */
const paths = new Set<string>();
const own = { attributes: { cities: ['Aachen', 'Bonn'] }, free: ['kind'] };
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  browser = await launchBrowser();
  maker = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(maker.page.context(), team.owner.cookie, team.server.address);
  visitor = await openPage(browser, `${team.server.address}/favicon.svg`);
  visitor.page.on('request', request => paths.add(new URL(request.url()).pathname));
  const options = {
    belvedere: team.server.address,
    dashboard: 'north/orders',
    tile: 'months',
    sign: () => signToken(key, { dashboard: 'north/orders', ...claims }, lifeSeconds),
  };
  host = await startHost(options);
  stranger = await startHost(options);
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
  await stranger?.close();
  await team?.close();
});

const at = (path: string) => new URL(path, team.server.address).href;
/** A site without HTTPS, whose name is not that of this machine: browsers give its frames no Web Locks. */
const plainHost = 'portal.test';
const plainSite = ({ port }: RunningHost) => `http://${plainHost}:${port}`;
const site = ({ port }: RunningHost) => `http://localhost:${port}`;
const heard = (page: Page) => page.locator('#heard').textContent();

/** Opens the site's page, and waits for the whole dashboard in its frame. */
async function open(page: Page): Promise<Frame> {
  await page.goto(site(host));
  const frame = await frameOf(page, 'whole');
  await frame.locator('[data-tile=count]').waitFor();
  return frame;
}
async function frameOf(page: Page, id: string): Promise<Frame> {
  const element = await page.locator(`#${id} iframe`).elementHandle();
  return (await element!.contentFrame())!;
}
const figure = (frame: Frame) => frame.locator('[data-tile=count]').textContent();

test('an owner switches embedding on, and makes a key for a site', async () => {
  const { page } = maker;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/settings/embedding'));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('form', { name: 'New key' });
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText('Enter a name.').waitFor();
  await form.getByText(/^Enter origins such as/).waitFor();
  await form.getByRole('textbox', { name: 'Name' }).fill('Customer portal');
  await form.getByRole('textbox', { name: 'Origins' }).fill(`${site(host)}/ ${plainSite(host)}`);
  await form.getByRole('checkbox', { name: 'All dashboards' }).uncheck({ force: true });
  await form.getByText('Choose at least one dashboard.').waitFor();
  await form.getByRole('checkbox', { name: 'Orders of the year' }).check({ force: true });
  await shoot(page, 'embed-new-light-1440');
  await form.getByRole('button', { name: 'Create key' }).click();
  key = {
    id: await page.getByRole('textbox', { name: 'Key ID (kid)' }).inputValue(),
    secret: await page.getByRole('textbox', { name: 'Secret' }).inputValue(),
  };
  expect(Buffer.from(key.secret).byteLength).toBeGreaterThanOrEqual(32);
  await shoot(page, 'embed-created-light-1440');
});

test('the settings pass axe in both sizes and themes', async () => {
  const { page } = maker;
  const found: string[] = [];
  for (const [theme, width, height] of looks) {
    await page.setViewportSize({ width, height });
    await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
    await page.goto(at('/settings/embedding'));
    await page.getByText(key.id).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('form', { name: 'New key' }).waitFor();
    await shoot(page, `embed-settings-${theme}-${width}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${theme} ${width}: ${excess} px too wide`);
    found.push(...(await violations(page)).map(one => `${theme} ${width}: ${one}`));
  }
  expect(found).toEqual([]);
});

test('the site’s page shows its user’s rows, as high as they are; both sides filter', async () => {
  const { page } = visitor;
  claims = own;
  await page.setViewportSize({ width: 1440, height: 900 });
  const frame = await open(page);
  await expect.poll(() => figure(frame)).toContain('120');
  await expect.poll(() => heard(page)).toMatch(/data-time: "2024-10-05/);
  // One answer of the site was enough for both frames.
  const tile = await frameOf(page, 'tile');
  await tile.locator('[data-tile=months]').waitFor();
  expect(await tile.locator('[data-tile]').count()).toBe(1);
  expect(host.signed()).toBeLessThanOrEqual(2);
  await expect
    .poll(() => frame.evaluate(() => document.documentElement.scrollHeight - window.innerHeight))
    .toBe(0);
  await expect.poll(() => frame.evaluate(() => window.innerHeight)).toBeGreaterThan(300);
  expect(await frame.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
  // The frame has no header that would say how new its data is.
  await frame.getByTitle('Time zone: UTC').filter({ hasText: 'Data through Oct 5, 2024' }).waitFor();
  await frame.getByText('Refreshes every 10 min').waitFor();
  expect(await frame.getByText(/^Out of date: /).count()).toBeGreaterThan(1);

  // From outside.
  await page.getByRole('button', { name: 'Shop' }).click();
  await expect.poll(() => figure(frame)).toContain('60');
  await expect.poll(() => heard(page)).toContain('filters: {"kind":{"oneOf":["shop"]}}');
  await page.getByRole('button', { name: 'All' }).click();
  await expect.poll(() => figure(frame)).toContain('120');
  await settled(frame);

  // Inside.
  const before = await page.evaluate(() => history.length);
  await drag(page, 'months', [0.2, 0.5], [0.5, 0.5], { frame });
  await expect.poll(() => heard(page)).toMatch(/selection: \{"months":\[\{"day"/);
  await expect.poll(() => figure(frame)).not.toContain('120');
  expect(await page.evaluate(() => history.length)).toBe(before);
});

/** Returns how many frames of the page looked for changes at the same time. */
async function changesTogether(page: Page): Promise<number> {
  const frames = [await frameOf(page, 'whole'), await frameOf(page, 'tile')];
  let [running, together, all] = [0, 0, 0];
  const shared = '**/api/v1/dashboards/shared?*';
  await page.route(shared, async route => {
    running++;
    all++;
    together = Math.max(together, running);
    await page.waitForTimeout(200);
    running--;
    await route.continue();
  });
  // Each looks at once when its window is seen again.
  await Promise.all(
    frames.map(frame => frame.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))),
  );
  await expect.poll(() => all).toBeGreaterThanOrEqual(2);
  await page.unrouteAll({ behavior: 'wait' });
  return together;
}

test('the frames of a page look for changes one after the other', async () => {
  expect(await changesTogether(visitor.page)).toBe(1);
});

test('the frames of a page without HTTPS look for changes one after the other, by turns of the page', async () => {
  const own = await startChromium([`--host-resolver-rules=MAP ${plainHost} 127.0.0.1`]);
  try {
    const { page, faults } = await openPage(own, plainSite(host));
    for (const [id, tile] of [
      ['whole', 'count'],
      ['tile', 'months'],
    ] as const) {
      const frame = await frameOf(page, id);
      await frame.locator(`[data-tile=${tile}]`).waitFor();
      expect(await frame.evaluate(() => 'locks' in navigator)).toBe(false);
    }
    expect(await changesTogether(page)).toBe(1);
    expect(faults).toEqual([]);
  } finally {
    await own.close();
  }
});

test('it is readable in every size and theme, in the token’s language', async () => {
  const { page } = visitor;
  const found: string[] = [];
  // High enough for both frames to be visible: hidden frames draw nothing.
  for (const [theme, width, height] of [
    ['light', 1440, 1300],
    ['dark', 390, 1600],
    ['light', 320, 1700],
  ] as const) {
    await page.setViewportSize({ width, height });
    claims = { ...own, theme, locale: theme === 'dark' ? 'de-DE' : 'en-GB' };
    const frame = await open(page);
    await page.getByRole('button', { name: theme === 'dark' ? 'Dark' : 'Light' }).click();
    await expect.poll(() => figure(frame)).toContain('120');
    await expect
      .poll(() =>
        frame.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['theme']]),
      )
      .toEqual([theme === 'dark' ? 'de' : 'en', theme]);
    const tile = await frameOf(page, 'tile');
    await tile.locator('[data-tile=months] :is(svg, canvas)').first().waitFor();
    await settled(tile);
    await shoot(page, `embed-host-${theme}-${width}`);
    // Its tools have room, and do not offer to expand a tile that fills the frame.
    await tile.locator('[data-tile=months]').hover();
    const more = tile.getByRole('button', { name: theme === 'dark' ? 'Mehr' : 'More' });
    await expect
      .poll(async () => (await more.evaluate(node => node.getBoundingClientRect().top)) >= 0)
      .toBe(true);
    expect(await tile.getByRole('button').count()).toBe(1);
    const excess = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${theme} ${width}: ${excess} px too wide`);
  }
  expect(found).toEqual([]);
});

test('the wrapper for React sets filters and theme, hears events, and ends with its component', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1440, height: 900 });
  claims = own;
  await page.goto(`${site(host)}/none`);
  await page.evaluate(await bundleOf('embed-in-react.tsx', at('/embed/north%2Forders')));
  const frame = (await (await page.locator('iframe').elementHandle())!.contentFrame())!;
  await expect.poll(() => figure(frame)).toContain('120');
  expect(await page.locator('iframe').getAttribute('title')).toBe('Orders in React');
  await page.getByRole('button', { name: 'Shop' }).click();
  await expect.poll(() => figure(frame)).toContain('60');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(() => frame.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await settled(frame);
  await drag(page, 'months', [0.2, 0.5], [0.5, 0.5], { frame });
  await expect.poll(() => heard(page)).toMatch(/selection: \{"months":\[\{"day"/);
  const all = (await heard(page))!;
  for (const part of [
    'open: null',
    'filters: {"kind":{"oneOf":["shop"]}}',
    'data-time: "2024-10-05',
    'size: ',
  ])
    expect([part, all.includes(part)]).toEqual([part, true]);
  expect(all).not.toContain('error');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => page.locator('iframe').count()).toBe(0);
});

test('a token is renewed before it ends, and a request that came too late is sent again', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1440, height: 900 });
  claims = own;
  lifeSeconds = 6;
  const frame = await open(page);
  const token = signToken(key, { dashboard: 'north/orders', ...own }, 6);
  const before = host.signed();
  await expect.poll(() => host.signed() - before).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Web' }).click();
  await expect.poll(() => figure(frame)).toContain('60');
  await page.getByRole('button', { name: 'All' }).click();
  await expect.poll(() => figure(frame)).toContain('120');
  expect(await heard(page)).not.toContain('error');
  lifeSeconds = 300;

  // The first token has expired by now, and is not accepted again.
  const body = { token, origin: site(host), dashboard: 'north/orders' };
  await expect
    .poll(() =>
      team.stranger.openEmbed({ body }).then(
        () => 'accepted',
        (error: { problem: { detail: string } }) => error.problem.detail,
      ),
    )
    .toBe('The token has expired.');
});

test('an address with a token opens without a script, until the token ends', async () => {
  const { page } = visitor;
  const show = async (token: string) => {
    await page.goto(`${site(host)}/none`);
    await page.evaluate(
      ([src]) => {
        const frame = document.createElement('iframe');
        frame.src = src!;
        document.body.replaceChildren(frame);
      },
      [`${at('/embed/north%2Forders')}#token=${token}`],
    );
    return (await (await page.locator('iframe').elementHandle())!.contentFrame())!;
  };
  const token = signToken(key, { dashboard: 'north/orders', ...own }, 8);
  const frame = await show(token);
  await expect.poll(() => figure(frame)).toContain('120');
  expect(frame.url()).not.toContain('token');
  const body = { token, origin: site(host), dashboard: 'north/orders' };
  const hasEnded = () =>
    team.stranger.openEmbed({ body }).then(
      () => false,
      () => true,
    );
  await expect.poll(hasEnded, { interval: 1000 }).toBe(true);
  await (await show(token)).getByText('This dashboard cannot be shown here.').waitFor();
});

test('a site that the key does not name gets no frame', async () => {
  const { page } = await openPage(browser, `${team.server.address}/favicon.svg`);
  const refused = page.waitForEvent('console', message => message.text().includes('frame-ancestors'));
  await page.goto(site(stranger));
  await refused;
  expect(await page.locator('#heard').textContent()).toBe('');
  await page.context().close();
});

test.each([
  ['an attribute that no policy knows', { attributes: { region: 'north' } }],
  ['another dashboard', { dashboard: 'orders' }],
])('a token with %s is refused, and the site hears why', async (_, other) => {
  const { page } = visitor;
  claims = { ...own, ...other };
  await page.goto(site(host));
  const frame = await frameOf(page, 'whole');
  await frame.getByText('This dashboard cannot be shown here.').waitFor();
  expect(await frame.locator('[data-tile]').count()).toBe(0);
  await expect.poll(() => heard(page)).toContain('"type":"embed-refused"');
  // The background that the site asked for, also around the refusal.
  expect(await frame.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgba(0, 0, 0, 0)',
  );
  await shoot(page, 'embed-refused-light-1440');
});

test('200 hostile texts in claims and messages stay texts', async () => {
  const { page } = visitor;
  await page.addInitScript(() => {
    Object.assign(window, { hacked: () => document.documentElement.setAttribute('data-hacked', '') });
  });
  // A token has at most 5,000 characters.
  for (let from = 0; from < xssStrings.length; from += 25) {
    const texts = xssStrings.slice(from, from + 25);
    claims = { ...own, sub: texts[0]!.slice(0, 200), locked: { city: { oneOf: ['Aachen', ...texts] } } };
    const frame = await open(page);
    await expect.poll(() => figure(frame)).toContain('60');
    const told = (filters: object) =>
      page.evaluate(wanted => {
        Object.assign(document.getElementById('whole')!, { filters: wanted });
      }, filters);
    await told({ kind: { oneOf: ['web', ...texts] } });
    await expect.poll(() => heard(page)).toContain('filters: {"kind":{"oneOf":["web"');
    await expect.poll(() => figure(frame)).toContain('30');
    await frame.getByRole('button', { name: /^Kind/ }).click();
    const options = frame.getByRole('dialog').locator('label, [role=option], [role=row]');
    await expect.poll(() => options.count()).toBeGreaterThan(1);
    await told({ kind: { contains: texts[0]! } });
    await expect.poll(() => heard(page)).toContain('"contains":');
    const found = await frame.evaluate(() => ({
      isHacked: document.documentElement.hasAttribute('data-hacked'),
      elements: document.querySelectorAll(
        '[onerror], [onload], [ontoggle], [onfocus], [href^="javascript" i], iframe, object, form[action^="javascript" i]',
      ).length,
    }));
    expect([from, found]).toEqual([from, { isHacked: false, elements: 0 }]);
    expect(await frame.title()).toContain('Orders of the year');
  }
  await page.evaluate(() => {
    Object.assign(document.getElementById('whole')!, { filters: { kind: 7 } });
  });
  await expect.poll(() => heard(page)).toContain('filters-invalid');
});

test('once the key is revoked, the open frame shows nothing more', async () => {
  claims = own;
  const frame = await open(visitor.page);
  const { page } = maker;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/settings/embedding'));
  await page.getByRole('button', { name: /^Rotate “Customer portal”/ }).click();
  await page.getByText('Older', { exact: true }).waitFor();
  await shoot(page, 'embed-rotated-light-1440');
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('button', { name: /^Revoke “Customer portal”/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect.poll(() => page.getByText('Older', { exact: true }).count()).toBe(0);
  // Any request ends the frame. It also checks by itself from time to time.
  await visitor.page.getByRole('button', { name: 'Shop' }).click();
  await frame.getByText(/^Your access to this dashboard has ended/).waitFor();
  expect(await frame.locator('[data-tile]').count()).toBe(0);
  await shoot(visitor.page, 'embed-ended-light-1440');
});

test('no frame holds a stream of events: the frames of a page share the connections of the browser', () => {
  expect(paths.has('/api/v1/embed/open')).toBe(true);
  expect([...paths].filter(one => one.startsWith('/api/v1/events'))).toEqual([]);
});

test('no page reported an error', () => {
  const faults = [...maker.faults, ...visitor.faults].filter(fault => !/status of (?:403|410)/.test(fault));
  expect(faults).toEqual([]);
});

/** Returns a script of this folder with all that it imports, for an evaluation in a page. */
async function bundleOf(file: string, address: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { address: JSON.stringify(address), 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      lib: { entry: path.join(import.meta.dirname, file), formats: ['iife'], name: 'site' },
    },
  });
  const [first] = built as { readonly output: readonly { readonly code?: string }[] }[];
  return first!.output[0]!.code!;
}
