import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHost, type RunningHost } from '../../samples/embed-host/host.ts';
import { signToken, type EmbedKey } from '../../samples/embed-host/sign-token.ts';
import { axe, runAxe } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runBuild } from '../site/run-build.ts';
import { serveSite, type ServedSite } from '../site/serve-site.ts';
import { runTeam, type Member, type RunningTeam } from '../team/running-team.ts';
import type { Driver, Tab } from './driver.ts';
import { browserEngines } from './engines.ts';
import { Screen } from './screen.ts';
import { keepScreenshot } from '../keep-screenshot.ts';

/* Embedding, comments and static sites in each engine. */

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops\ntimezone: UTC\n',
  'data/orders.csv': `day,city,kind\n${Array.from({ length: 240 }, (_, i) => {
    const city = ['Aachen', 'Bonn', 'Graz', 'Malmö'][i % 4];
    return `2024-${String((i % 12) + 1).padStart(2, '0')}-05,${city},${['web', 'shop'][Math.floor(i / 4) % 2]}`;
  }).join('\n')}\n`,
  'dashboards/orders.yaml': `version: 1
title: Orders
model: orders
filters: [{ field: kind }]
pages:
  - title: One
    tiles:
      count: { kind: kpi, title: All orders, value: { measure: rows }, at: [0, 0, 24, 4] }
      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }
      months: { kind: bar, title: Months, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [12, 4, 12, 8] }
`,
};

let team: RunningTeam;
let ana: Member;
let key: EmbedKey;
let lifeSeconds = 300;
let host: RunningHost;
let stranger: RunningHost;
let cache: string;
let served: ServedSite;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  ana = await team.join('Ana Berg', 'explorer');
  await team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'orders' },
    body: { subject: { kind: 'user', id: ana.id }, level: 'explore' },
  });
  const options = {
    belvedere: team.server.address,
    dashboard: 'orders',
    tile: 'months',
    sign: () => signToken(key, { dashboard: 'orders', free: ['kind'] }, lifeSeconds),
  };
  host = await startHost(options);
  stranger = await startHost(options);
  await team.owner.client.switchEmbedding({ body: { isOn: true } });
  const made = await team.owner.client.createEmbedKey({ body: { name: 'Portal', origins: [site(host)] } });
  key = { id: made.key.id, secret: made.secret };
  cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sharing-'));
  const { code, stderr } = await runBuild(cache, [
    path.join(cache, 'site'),
    path.join(team.folder, 'workspace'),
  ]);
  expect(code, stderr).toBe(0);
  served = await serveSite(path.join(cache, 'site'));
});
afterAll(async () => {
  served?.stop();
  await host?.close();
  await stranger?.close();
  await team?.close();
  await rm(cache, { recursive: true, force: true });
});

const site = ({ port }: RunningHost) => `http://localhost:${port}`;
const heard = (tab: Tab) => tab.evaluate(() => document.getElementById('heard')!.textContent);

describe.each(browserEngines)('in $name', ({ name, open }) => {
  let driver: Driver;
  const tabs: Tab[] = [];
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver?.close());
  const newTab = async () => {
    const tab = await driver.newTab({ width: 1280, height: 900 });
    tabs.push(tab);
    return tab;
  };
  const look = (view: string, tab: Tab) =>
    keepScreenshot(`engines/${view}-${name.toLowerCase()}`, () => tab.screenshot());

  test('a site’s frames are filtered and brushed, and get new tokens; another site gets no frame', async () => {
    lifeSeconds = 6;
    const tab = await newTab();
    const screen = new Screen(tab);
    const hears = (part: string) => screen.until(part, async () => (await heard(tab)).includes(part));
    await tab.goto(site(host));
    await hears('data-time: "2024-12-05');
    await screen.button('Shop');
    await hears('filters: {"kind":{"oneOf":["shop"]}}');
    await tab.evaluate(() =>
      document.getElementById('tile')!.addEventListener('belvedere-selection', event => {
        const { detail } = event as CustomEvent<unknown>;
        document.querySelector('h1')!.textContent = JSON.stringify(detail);
      }),
    );
    const places = await screen.along('iframe[title="Orders by month"]', [0.3, 0.6], [0.55, 0.6]);
    await screen.until('the selection inside', async () => {
      await tab.move([places[0]!]);
      await tab.drag(places);
      return tab.evaluate(() => document.querySelector('h1')!.textContent.startsWith('{"months":[{"day"'));
    });
    await look('embed', tab);
    const before = host.signed();
    await screen.until('another token', async () => host.signed() > before);
    await screen.button('Web');
    await hears('filters: {"kind":{"oneOf":["web"]}}');
    expect(await heard(tab)).not.toContain('error');
    lifeSeconds = 300;

    const elsewhere = await driver.newTab({ width: 1280, height: 900 });
    const signed = stranger.signed();
    await elsewhere.goto(site(stranger));
    await elsewhere.evaluate(() => new Promise(resolve => setTimeout(resolve, 1500)));
    expect([await heard(elsewhere), stranger.signed() - signed]).toEqual(['', 0]);
  });

  test('six frames of a page send their requests one at a time', async () => {
    const tab = await newTab();
    const screen = new Screen(tab);
    const requests = watchRequests(team.server.address);
    let most = Infinity;
    // A turn that takes half a second lets others pass, as it may on a busy machine.
    await screen.until('one request at a time', async () => {
      requests.reset();
      await tab.goto(site(host));
      await tab.evaluate(() => {
        const whole = document.getElementById('whole')!;
        for (let i = 0; i < 4; i++) whole.after(whole.cloneNode());
        for (const one of document.querySelectorAll('belvedere-dashboard'))
          one.addEventListener('belvedere-data-time', () => one.setAttribute('class', 'drawn'));
      });
      const drawn = () => tab.evaluate(() => document.querySelectorAll('.drawn').length);
      await screen.until('six frames', async () => (await drawn()) === 6);
      most = requests.most();
      return most === 1;
    });
    requests.stop();
    expect([most, requests.count() >= 18]).toEqual([1, true]);
  });

  test('a comment mentions a person, whose name is completed', async () => {
    const tab = await newTab();
    const screen = new Screen(tab);
    await tab.goto(`${team.server.address}/embed.js`);
    for (const pair of team.owner.cookie.split('; '))
      await tab.evaluate(text => void (document.cookie = `${text}; path=/`), pair);
    await screen.open(`${team.server.address}/d/orders`);
    await screen.click({ css: 'header button', name: 'Comments' });
    await screen.click({ css: 'textarea', name: 'New comment' });
    await tab.type(`From ${name}: why, @an`);
    await screen.find({ css: '[role=option]', name: 'Ana Berg' });
    await tab.press('Enter');
    await tab.type('so few?');
    await tab.press('Control+Enter');
    await screen.find({ css: '[data-comment-body]', name: `From ${name}: why, @Ana Berg so few?` });
    await look('comment', tab);
    const { items } = await ana.client.getInbox({});
    expect(items.filter(({ reason }) => reason === 'mention').length).toBeGreaterThan(0);
  });

  test('a static site is read and brushed, and axe finds nothing', async () => {
    const tab = await newTab();
    const screen = new Screen(tab);
    const checked = async () => {
      await tab.evaluate(new Function(axe) as () => void);
      return tab.evaluate(runAxe, false);
    };
    await tab.goto(`${served.origin}/`);
    await screen.sees('Orders');
    expect(await checked()).toEqual([]);
    await screen.open(`${served.origin}/d/orders/`);
    await screen.figureIs('count', '240');
    const places = await screen.along('[data-tile=months] [role=application]', [0.3, 0.5], [0.55, 0.5]);
    await tab.move([places[0]!]);
    await tab.drag(places);
    await screen.until('fewer than all', async () => Number(await screen.figure('count')) < 240);
    await screen.addressHas('s.months=');
    const brushed = await screen.restingFigure('count');
    await look('site', tab);
    expect(await checked()).toEqual([]);
    await tab.reload();
    await screen.settled();
    await screen.figureIs('count', brushed);
  });

  test('no page reported an error', async () => {
    for (const tab of tabs) expect(await tab.faults()).toEqual([]);
  });
});

/** Counts the requests of pages to the API of a server that runs in this process. */
function watchRequests(address: string) {
  let [running, most, count] = [0, 0, 0];
  const onStart = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!request.url!.startsWith('/api/v1/') || `http://${request.headers.host}` !== address) return;
    count++;
    most = Math.max(most, ++running);
    response.once('close', () => running--);
  };
  subscribe('http.server.request.start', onStart);
  return {
    /** How many ran at once. */
    most: () => most,
    count: () => count,
    reset: () => {
      [most, count] = [running, 0];
    },
    stop: () => unsubscribe('http.server.request.start', onStart),
  };
}
