import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { xssStrings } from '../../apps/web/src/comments/text/xss-strings.fixture.ts';
import {
  launchBrowser,
  openPage,
  settled,
  shoot,
  violations,
  type Opened,
  looks,
  setCookies,
} from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/* Comments in the browser: from a selected mark to a mention, the inbox, an answer and its end. */

/** 250 tickets with a key, so that the table of them has three pages. */
function ticketsCsv(keeps: (i: number) => boolean): string {
  const rows = Array.from({ length: 250 }, (_, i) => i)
    .filter(keeps)
    .map(i => `T-${1000 + i},2024-${String((i % 12) + 1).padStart(2, '0')}-05,${['north', 'south'][i % 2]}`);
  return `ticket,opened,team\n${rows.join('\n')}\n`;
}

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops of the North\ntimezone: UTC\n',
  'data/orders.csv': `day,city,kind\n${Array.from({ length: 120 }, (_, i) => {
    const city = ['Aachen', 'Bonn', 'Graz', 'Malmö'][i % 4]!;
    return `2024-${String((i % 12) + 1).padStart(2, '0')}-05,${city},${['web', 'shop'][Math.floor(i / 4) % 2]}`;
  }).join('\n')}\n`,
  'data/tickets.csv': ticketsCsv(() => true),
  'dashboards/tickets.yaml': `version: 1
title: Tickets
model: tickets
filters:
  - { field: team }
pages:
  - title: List
    tiles:
      count: { kind: kpi, title: All tickets, value: { measure: rows }, at: [0, 0, 6, 4] }
      list: { kind: table, title: Ticket list, columns: [ticket, opened, team], sort: { field: ticket }, at: [0, 4, 14, 12] }
      teams: { kind: table, title: By team, columns: [team, rows], at: [14, 4, 10, 12] }
  - title: Dates
    tiles:
      dates: { kind: table, title: Dates, columns: [opened, ticket], at: [0, 0, 12, 12] }
`,
  'dashboards/orders.yaml': `version: 1
title: Orders of the year
model: orders
filters:
  - { field: kind }
pages:
  - title: Overview
    tiles:
      count: { kind: kpi, title: All orders, value: { measure: rows }, at: [0, 0, 6, 4] }
      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 4, 12, 8] }
      months: { kind: line, title: Months, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [12, 4, 12, 8] }
      old: { kind: bar, title: Old tile, x: { field: kind }, y: { measure: rows }, at: [0, 12, 12, 8] }
`,
  'dashboards/hostile.yaml': `version: 1
title: Hostile
model: orders
pages:
  - title: One
    tiles:
      count: { kind: kpi, title: All orders, value: { measure: rows }, at: [0, 0, 6, 4] }
`,
};

let team: RunningTeam;
let browser: Browser;
let ana: Member;
let anaPage: Opened;
let ownerPage: Opened;
const openAs = async ({ cookie }: Member) => {
  const opened = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(opened.page.context(), cookie, team.server.address);
  return opened;
};
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  ana = await team.join('Ana Berg', 'viewer');
  await team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'orders' },
    body: { subject: { kind: 'user', id: ana.id }, level: 'view' },
  });
  browser = await launchBrowser();
  ownerPage = await openAs(team.owner);
  anaPage = await openAs(ana);
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

const at = (path: string) => new URL(path, team.server.address).href;
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Comments' });

test('an owner comments on a selected mark, and mentions a person whose name is completed', async () => {
  const { page } = ownerPage;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/d/orders?f.kind=["web"]&s.cities=city:["Bonn"]'));
  await settled(page);
  await page.locator('[data-tile=cities]').hover();
  await page.locator('[data-tile=cities]').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Comment on the selection…' }).click();
  const panel = panelOf(page);
  await panel.getByText('About Cities · Bonn').waitFor();
  const field = panel.getByRole('textbox', { name: 'New comment' });
  await expect.poll(() => field.evaluate(node => node === document.activeElement)).toBe(true);
  await field.pressSequentially('Why so **few** web orders, @an');
  await panel.getByRole('option', { name: 'Ana Berg' }).waitFor();
  await shoot(page, 'comments-mention-light-1440');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Why so **few** web orders, @Ana Berg ');
  await field.pressSequentially('?\n- Closed\n- Moved');
  await panel.getByRole('button', { name: 'Comment', exact: true }).click();
  await panel.locator('[data-comment-body] strong', { hasText: 'few' }).waitFor();
  await panel.getByRole('button', { name: 'Cities · Bonn' }).waitFor();
  expect(await panel.locator('.mention').textContent()).toBe('@Ana Berg');
  await page.locator('[data-tile=cities]').getByRole('button', { name: '1 open thread' }).waitFor();
  await team.owner.client.addComment({
    params: { id: 'orders' },
    body: { body: 'Is this one still needed?', tile: 'old' },
  });
  // Other windows receive the event.
  await panel.getByText('Is this one still needed?').waitFor();
});

test('the person, a viewer, finds it in the inbox, sees it as it was, and answers', async () => {
  const { page } = anaPage;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/'));
  await page.getByRole('link', { name: 'Inbox (1 unread)' }).click();
  await page.getByRole('link', { name: /^Olga mentioned you on Orders of the year/ }).waitFor();
  await shoot(page, 'comments-inbox-light-1440');
  await page.getByRole('button', { name: 'Mark as read', exact: true }).click();
  await page.getByRole('button', { name: 'Mark as unread' }).click();
  await page.getByRole('link', { name: /^Olga mentioned you/ }).click();
  const panel = panelOf(page);
  await panel.getByText('New', { exact: true }).first().waitFor();
  // Comments count as read once they are shown.
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
  await panel.getByRole('link', { name: 'Show original view' }).click();
  await page.waitForURL(/s\.cities/);
  await settled(page);
  await expect.poll(() => page.locator('[data-tile=count]').textContent()).toContain('15');
  const thread = panel.locator('[data-thread]', { hasText: 'few' });
  await thread.getByRole('button', { name: 'Reply' }).click();
  await thread.getByRole('textbox', { name: 'Reply to Olga' }).fill('The shop moved in May.');
  await page.keyboard.press('Control+Enter');
  await thread.getByRole('article', { name: 'You' }).getByText('The shop moved in May.').waitFor();
  await thread.getByRole('article', { name: 'You' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await thread.getByRole('textbox', { name: 'Edit' }).fill('The shop moved in June.');
  await thread.getByRole('button', { name: 'Save' }).click();
  await thread.getByText('The shop moved in June.').waitFor();
  await thread.getByText('edited').waitFor();
  expect(await panel.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
  // The owner's page has it, too.
  await panelOf(ownerPage.page).getByText('The shop moved in June.').waitFor();
});

test('a thread says that its tile is gone; one is resolved, one deleted', async () => {
  const { page } = ownerPage;
  const { text, hash } = await team.owner.client.getDashboardText({ params: { id: 'orders' } });
  await team.owner.client.saveDashboardText({
    params: { id: 'orders' },
    body: { text: text.replace(/ {6}old: .*\n/, '') },
    ifMatch: hash,
  });
  const panel = panelOf(page);
  await panel.getByText('This tile no longer exists.').waitFor();
  await shoot(page, 'comments-gone-light-1440');
  const gone = panel.locator('[data-thread]', { hasText: 'still needed' });
  await gone.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await gone.getByRole('button', { name: 'Delete' }).click();
  await gone.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Resolve' }).click();
  await panel.getByText('No open comments.').waitFor();
  await panel.getByRole('tab', { name: 'Resolved (1)' }).click();
  await panel.getByText('Resolved by Olga').waitFor();
  await panel.getByRole('button', { name: 'Reopen' }).click();
  await panel.getByRole('tab', { name: 'Open (1)' }).click();
  await panel.getByText('The shop moved in June.').waitFor();
});

test('a thread follows its tile to another page, and leads there', async () => {
  const { page } = ownerPage;
  const params = { id: 'orders' };
  await team.owner.client.addComment({ params, body: { body: 'Why none in May?', tile: 'months' } });
  const { text, hash } = await team.owner.client.getDashboardText({ params });
  const [line] = / {6}months: .*\n/.exec(text)!;
  await team.owner.client.saveDashboardText({
    params,
    body: { text: `${text.replace(line, '')}  - title: Time\n    tiles:\n${line}` },
    ifMatch: hash,
  });
  const panel = panelOf(page);
  const thread = panel.locator('[data-thread]', { hasText: 'none in May' });
  await page.getByRole('tab', { name: 'Time' }).waitFor();
  await thread.getByRole('button', { name: 'Months' }).click();
  await page.locator('[data-tile=months]').waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  expect(await panel.getByText('This tile no longer exists.').count()).toBe(0);
  await thread.getByRole('button', { name: 'Resolve' }).click();
  await thread.waitFor({ state: 'detached' });
  const moved = await team.owner.client.getDashboardText({ params });
  await team.owner.client.saveDashboardText({ params, body: { text }, ifMatch: moved.hash });
  await page.getByRole('tab', { name: 'Time' }).waitFor({ state: 'detached' });
});

test('a row of a table is commented with keys alone, found on its page, and said to be gone', async () => {
  const { page } = ownerPage;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at('/d/tickets'));
  await settled(page);
  const list = page.locator('[data-tile=list]');
  const panel = panelOf(page);
  const firstRow = list.getByRole('button', { name: 'Comment on this row…' }).first();
  await firstRow.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await panel.getByText('About Ticket list · T-1002').waitFor();
  const field = panel.getByRole('textbox', { name: 'New comment' });
  await expect.poll(() => field.evaluate(node => node === document.activeElement)).toBe(true);
  await page.keyboard.type('Who takes this one?');
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('button', { name: 'Ticket list · T-1002' }).waitFor();
  const row = list.locator('tbody tr', { hasText: 'T-1002' });
  await row.getByRole('button', { name: '1 open thread' }).waitFor();
  // Rows of measures are named by the dimensions that they are grouped by.
  const params = { id: 'tickets' };
  const state = { page: 0, filters: {}, selections: {} };
  const { key, total } = await team.owner.client.getTileRows({
    params: { ...params, tile: 'teams' },
    body: { state, row: { team: { oneOf: ['south'] } } },
  });
  expect({ key, total }).toEqual({ key: ['team'], total: 1 });
  await expect(
    team.owner.client.getTileRows({
      params: { ...params, tile: 'teams' },
      body: { state, row: { ticket: { oneOf: ['T-1002'] } } },
    }),
  ).rejects.toThrow('`ticket`');
  // A row of the last page is the first of the table while its thread is shown.
  const { id } = await team.owner.client.addComment({
    params,
    body: { body: 'And this?', tile: 'list', anchor: [{ ticket: { oneOf: ['T-1249'] } }], state },
  });
  const last = panel.locator('[data-thread]', { hasText: 'And this?' });
  await last.getByRole('button', { name: 'Ticket list · T-1249' }).click();
  const shown = list.locator('tr[data-shown]');
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1249')]);
  await shoot(page, 'comments-row-light-1440');
  await page.goto(at('/d/tickets?comment=1002'));
  await page.goto(at(`/d/tickets?comment=${id}`));
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1249')]);
  await list.getByRole('button', { name: 'Next page' }).click();
  await list.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1249')]);
  await expect.poll(() => list.locator('tbody tr').count()).toBe(50);
  // The rows of a mark list its threads alone.
  await shown.getByRole('button', { name: '1 open thread' }).click();
  await panel.getByText('Only on Ticket list · T-1249').waitFor();
  expect(await panel.locator('[data-thread]').count()).toBe(1);
  await panel.getByRole('button', { name: 'Show all threads' }).click();
  // A row on another page, from the address of a comment, and from a tile that is shown alone.
  await team.owner.client.addComment({
    params,
    body: { body: 'Too late?', tile: 'dates', anchor: [{ ticket: { oneOf: ['T-1007'] } }], state },
  });
  await page.goto(at(`/d/tickets?comment=${id}&tile=count`));
  await panel.getByRole('button', { name: /^Dates, on page Dates · T-1007/ }).click();
  const onDates = page.locator('[data-tile=dates] tr[data-shown]');
  await expect.poll(() => onDates.allTextContents()).toEqual([expect.stringContaining('T-1007')]);
  await page.goto(at(`/d/tickets?comment=${id}&tile=count`));
  await last.getByRole('button', { name: 'Ticket list · T-1249' }).click();
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1249')]);
  // Filters that hide the row say so, and are cleared from there.
  await page.goto(at(`/d/tickets?comment=${id}&f.team=["north"]`));
  await last.getByText('The filters hide this row.').waitFor();
  await shoot(page, 'comments-row-hidden-light-1440');
  await last.getByRole('button', { name: 'Clear filters' }).click();
  await last.getByText('The filters hide this row.').waitFor({ state: 'detached' });
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1249')]);
  await writeFile(
    path.join(team.folder, 'workspace/data/tickets.csv'),
    ticketsCsv(i => i !== 249),
  );
  await last.getByText('This row is no longer in the table.').waitFor();
  expect(await panel.getByText('This row is no longer in the table.').count()).toBe(1);
  await panel
    .locator('[data-thread]', { hasText: 'Who takes' })
    .getByRole('button', { name: /T-1002/ })
    .click();
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1002')]);
  await page.setViewportSize({ width: 390, height: 844 });
  // On a phone the panel covers the table, and makes way for it.
  await panel
    .locator('[data-thread]', { hasText: 'Who takes' })
    .getByRole('button', { name: /T-1002/ })
    .click();
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining('T-1002')]);
  await shoot(page, 'comments-row-light-390');
});

test('200 hostile comments show as text', async () => {
  for (const body of xssStrings)
    await team.owner.client.addComment({ params: { id: 'hostile' }, body: { body } });
  const { page } = await openAs(team.owner);
  await page.addInitScript(() => {
    Object.assign(window, { hacked: () => document.body.setAttribute('data-hacked', '') });
  });
  await page.goto(at('/d/hostile'));
  await settled(page);
  await page.getByRole('button', { name: /^Comments/ }).click();
  const bodies = panelOf(page).locator('[data-comment-body]');
  for (let listed = 30; listed < xssStrings.length; listed += 30) {
    await expect.poll(() => bodies.count()).toBe(listed);
    await panelOf(page)
      .getByRole('button', { name: /^Show older/ })
      .click();
  }
  await expect.poll(() => bodies.count()).toBe(xssStrings.length);
  const found = await page.evaluate(() => ({
    isHacked: document.body.hasAttribute('data-hacked'),
    elements: [
      ...new Set(
        [...document.querySelectorAll('[data-comment-body] *')].flatMap(({ tagName, attributes }) => [
          tagName,
          ...[...attributes].map(({ name }) => `${tagName} ${name}`),
        ]),
      ),
    ].toSorted(),
    addresses: [...document.querySelectorAll<HTMLAnchorElement>('[data-comment-body] a')]
      .map(({ protocol }) => protocol)
      .filter(protocol => protocol !== 'https:' && protocol !== 'http:'),
  }));
  expect(found).toEqual({
    isHacked: false,
    elements: ['A', 'A href', 'A rel', 'A target', 'CODE', 'LI', 'P', 'PRE', 'STRONG', 'UL'],
    addresses: [],
  });
  await page.context().close();
});

test('the screens are readable in every size, theme and language; axe finds nothing', async () => {
  const { page } = anaPage;
  const found: string[] = [];
  const screens: Readonly<Record<string, () => Promise<void>>> = {
    panel: async () => {
      await page.goto(at('/d/orders?comment=1'));
      await settled(page);
      await page.locator('[data-thread]').first().waitFor();
    },
    inbox: async () => {
      await page.goto(at('/inbox'));
      await page.locator('main li').first().waitFor();
    },
  };
  const look = async (name: string, isChecked = true) => {
    await shoot(page, `comments-${name}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${name}: ${excess} px too wide`);
    if (isChecked) found.push(...(await violations(page)).map(one => `${name}: ${one}`));
  };
  await team.owner.client.addComment({
    params: { id: 'orders' },
    body: { body: 'See `kind`, @Ana Berg', mentions: [ana.id] },
  });
  for (const [theme, width, height] of looks)
    for (const [name, open] of Object.entries(screens)) {
      await page.setViewportSize({ width, height });
      await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
      await open();
      await look(`${name}-${theme}-${width}`);
    }
  for (const language of ['de', 'zh']) {
    await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
    for (const [name, open] of Object.entries(screens)) {
      await open();
      await look(`${name}-${language}-390`, false);
    }
  }
  await page.evaluate(() => localStorage.clear());
  expect(found).toEqual([]);
});

test('no page reported an error', () => {
  expect([...ownerPage.faults, ...anaPage.faults]).toEqual([]);
});
