import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drag, launchBrowser, openPage, settled, shoot, setCookies } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/** Limits of each user, and the requests of a page. */

const columns = 10;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': `city,amount\n${Array.from({ length: 2000 }, (_, i) => `City ${i % 7},${i % 100}`).join('\n')}\n`,
  'models/orders.yaml': `version: 1
table: orders
dimensions: { city: {}, amount: {} }
measures: { rows: { expr: count(*) }, total: { expr: sum(amount) } }
`,
  'dashboards/sixty.yaml': `version: 1
title: Sixty
model: orders
pages:
  - title: One
    tiles:
      brushed: { kind: bar, x: { field: amount, bin: { step: 10 } }, y: { measure: rows }, at: [0, 0, 24, 12] }
${Array.from({ length: 59 }, (_, i) => {
  const at = `[${(i % columns) * 2}, ${12 + Math.floor(i / columns) * 4}, 2, 4]`;
  return `      t${i}: { kind: kpi, value: { measure: ${i % 2 ? 'rows' : 'total'} }, at: ${at} }`;
}).join('\n')}
`,
};

let team: RunningTeam;
let ana: Member;
let ben: Member;
let browser: Browser;

beforeAll(async () => {
  team = await runTeam(files, { hasRateLimits: true });
  await allRead(team);
  ana = await team.join('Ana', 'editor');
  ben = await team.join('Ben', 'editor');
  for (const { id } of [ana, ben])
    await team.owner.client.putGrant({
      params: { kind: 'dashboard', object: 'sixty' },
      body: { subject: { kind: 'user', id }, level: 'view' },
    });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

const send = (
  cookie: string | undefined,
  {
    url = '/api/v1/session',
    method = 'GET',
    address = '10.0.0.1',
  }: {
    readonly url?: string;
    readonly method?: 'GET' | 'PUT' | 'POST';
    readonly address?: string;
  } = {},
) =>
  team.server.app.inject({
    method,
    url,
    headers: {
      host: new URL(team.server.address).host,
      'x-belvedere': '1',
      ...(cookie !== undefined && { cookie }),
    },
    remoteAddress: address,
  });
const sendAll = async (times: number, ...input: Parameters<typeof send>) => {
  const responses = await Promise.all(Array.from({ length: times }, () => send(...input)));
  return responses.map(({ statusCode }) => statusCode);
};
const pageOf = async (member: Member) => {
  const { page } = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(page.context(), member.cookie, team.server.address);
  return page;
};

test('opening a dashboard of 60 tiles and brushing it 20 times stays far below the limits', async () => {
  const page = await pageOf(ben);
  const sent: string[] = [];
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname}`);
  });
  await page.goto(new URL('/d/sixty', team.server.address).href);
  await settled(page);
  const toOpen = sent.length;
  for (let i = 0; i < 20; i++) {
    await drag(page, 'brushed', [0.1 + i / 40, 0.5], [0.3 + i / 40, 0.5]);
    await settled(page);
  }
  console.log(`sent to open: ${toOpen}; for 20 brushes: ${sent.length - toOpen}`);
  expect(toOpen).toBeLessThan(20);
  expect(sent.length - toOpen).toBeLessThan(100);
  await page.close();
});

describe('a user who sends too many requests', () => {
  test('has to wait, as a page, JSON and a header say, and others do not', async () => {
    const statuses = await sendAll(700, ana.cookie);
    expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(500);
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(0);
    const { statusCode, headers, body } = await send(ana.cookie);
    if (statusCode === 429) {
      expect(headers['content-type']).toContain('application/problem+json');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.parse(body)).toMatchObject({
        type: 'rate-limited',
        retryAfterSeconds: Number(headers['retry-after']),
        detail: expect.stringMatching(
          /^Too many requests: the limit is 600 a minute\. Try again in \d+ second/,
        ),
      });
    }
    expect((await send(ben.cookie)).statusCode).toBe(200);
  });

  test('is limited from another address and in another session, too', async () => {
    await sendAll(100, ana.cookie);
    const again = await sendAll(100, ana.cookie, { address: '10.9.9.9' });
    expect(again).toContain(429);
  });

  test('cannot spend the limit of the user as whom they view', async () => {
    const url = `/api/v1/session?as=${encodeURIComponent(ben.email)}`;
    const statuses = await sendAll(700, team.owner.cookie, { url });
    expect(statuses).toContain(429);
    expect((await send(ben.cookie)).statusCode).toBe(200);
  });

  test('has few changes, even if they are refused', async () => {
    const statuses = await sendAll(80, ben.cookie, { url: '/api/v1/me/profile', method: 'PUT' });
    expect(statuses.slice(0, 50)).not.toContain(429);
    expect(statuses).toContain(429);
    expect((await send(ben.cookie)).statusCode).toBe(200);
  });
});

test('callers without a session are limited by address', async () => {
  const statuses = await sendAll(700, undefined, { address: '10.7.7.7' });
  expect(statuses).toContain(401);
  expect(statuses).toContain(429);
  expect((await send(undefined, { address: '10.7.7.8' })).statusCode).toBe(401);
});

test('a user has at most 20 event streams, in whatever sessions', async () => {
  const gone = new AbortController();
  const open = () =>
    fetch(`${team.server.address}/api/v1/events`, { headers: { cookie: ben.cookie }, signal: gone.signal });
  const opened = await Promise.all(Array.from({ length: 21 }, open));
  expect(opened.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
  expect(opened.map(({ status }) => status)).toContain(429);
  gone.abort();
});

test('a page whose user sent too many requests says so, and continues by itself', async () => {
  const slow = await runTeam(
    { ...files, 'belvedere.yaml': 'version: 1\ntitle: Shop\nlimits: { readsPerMinute: 40 }\n' },
    { hasRateLimits: true },
  );
  try {
    await allRead(slow);
    const { page } = await openPage(browser, `${slow.server.address}/favicon.svg`);
    await setCookies(page.context(), slow.owner.cookie, slow.server.address);
    await page.goto(new URL('/settings/system', slow.server.address).href);
    await page.getByText('Everything works.').waitFor();
    let isFlooding = true;
    const flood = (async () => {
      while (isFlooding) await slow.owner.client.getSession({}).catch(() => {});
    })();
    const note = page.getByText('Too many requests. The page continues in a few seconds.');
    await note.waitFor();
    await shoot(page, 'team-limited-light-1440');
    isFlooding = false;
    await flood;
    await note.waitFor({ state: 'detached' });
    await page.getByText('Everything works.').waitFor();
  } finally {
    await slow.close();
  }
});
