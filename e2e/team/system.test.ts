import { ApiError } from '@belvedere/api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, looks, violations, setCookies } from '../browser.ts';
import { metricsTokenOf, resolveWorkspace } from '@belvedere/server';
import path from 'node:path';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/** The system screen: the state of the server, and canceling a query as an admin. */

const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': `city,amount\n${Array.from({ length: 3000 }, (_, i) => `Aachen ${i},${i}`).join('\n')}\n`,
  'models/slow.yaml': `version: 1
sql: select a.city, b.amount from orders a, orders b, orders c where a.amount + b.amount + c.amount > 3
dimensions: { city: {} }
measures: { rows: { expr: count(*) } }
`,
  'dashboards/slow.yaml': `version: 1
title: Slow board
model: slow
pages:
  - title: One
    tiles:
      count: { kind: kpi, title: Heavy count, value: { measure: rows }, at: [0, 0, 6, 3] }
`,
};
/** Takes hours unless it is cancelled. */
const endless =
  "select count(*) from orders a, orders b, orders c, orders d where a.city || d.city <> 'a secret of Mia'";

let team: RunningTeam;
let mia: Member;
let vera: Member;
let ada: Member;
let browser: Browser;

beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  mia = await team.join('Mia', 'maker');
  vera = await team.join('Vera', 'viewer');
  ada = await team.join('Ada', 'admin');
  await team.owner.client.putGrant({
    params: { kind: 'source', object: 'files' },
    body: { subject: { kind: 'user', id: mia.id }, level: 'edit' },
  });
  await team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'slow' },
    body: { subject: { kind: 'user', id: vera.id }, level: 'view' },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

const queries = async () => (await ada.client.getSystem({})).queries;
const problemOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => (error as ApiError).problem,
  );
const runEndless = (member: Member) =>
  problemOf(
    member.client.runSql({
      params: { name: 'files' },
      body: { sql: endless, limit: 10 },
    }) as Promise<unknown>,
  );
const pageOf = async (member: Member) => {
  const opened = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(opened.page.context(), member.cookie, team.server.address);
  return opened.page;
};

describe('the system report', () => {
  test('has the version, the state database, free disk space and no problems', async () => {
    const report = await ada.client.getSystem({});
    expect(report).toMatchObject({ version: 'test', mode: 'team', problems: [], state: { kind: 'sqlite' } });
    expect(report.state.bytes).toBeGreaterThan(10_000);
    expect(report.storage.freeBytes).toBeGreaterThan(0);
    expect(report.storage.folders.find(({ kind }) => kind === 'imports')?.bytes).toBeGreaterThan(0);
  });

  test.each(['vera', 'mia'] as const)('is not for %s', async name => {
    const { client } = { vera, mia }[name];
    expect(await problemOf(client.getSystem({}))).toMatchObject({ type: 'not-allowed' });
    expect(await problemOf(client.cancelQuery({ params: { query: 'x' } }))).toMatchObject({
      type: 'not-allowed',
    });
  });
});

test('the metrics token of a folder that was served is the one for `serve`, and another for `open`', async () => {
  const location = await resolveWorkspace(path.join(team.folder, 'workspace'));
  const found = await metricsTokenOf(location);
  expect(found.command).toBe('serve');
  const statusWith = async (token: string) =>
    (await fetch(`${team.server.address}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await statusWith(found.token)).toBe(200);
  expect(await statusWith((await metricsTokenOf(location, 'open')).token)).toBe(401);
});

describe('a running query', () => {
  test('is listed with its user and source, without its SQL, and an admin cancels it', async () => {
    const ended = runEndless(mia);
    await expect.poll(async () => (await queries()).map(({ state }) => state)).toEqual(['running']);
    const [query] = await queries();
    expect(query).toMatchObject({ kind: 'sql', source: 'files', user: { name: 'Mia' } });
    expect(JSON.stringify(await ada.client.getSystem({}))).not.toContain('secret');
    await ada.client.cancelQuery({ params: { query: query!.id } });
    expect(await ended).toMatchObject({
      type: 'cancelled-by-admin',
      detail: 'An admin cancelled it. You can run it again.',
    });
    expect(await queries()).toEqual([]);
    const { entries } = await ada.client.listAudit({ query: { search: 'query.cancel', limit: 1 } });
    expect(entries).toMatchObject([{ action: 'query.cancel', object: 'source files', detail: 'Mia' }]);
    expect(entries[0]!.actor).toContain('Ada');
  });

  test('that has ended cannot be cancelled', async () => {
    expect(await problemOf(ada.client.cancelQuery({ params: { query: 'gone' } }))).toMatchObject({
      type: 'not-found',
      detail: 'This query has ended.',
    });
  });

  test('of one user takes at most four places, and always leaves one free', async () => {
    const gone = new AbortController();
    const flood = Array.from({ length: 12 }, (_, i) =>
      mia.client
        .runSql({ params: { name: 'files' }, body: { sql: `${endless} -- ${i}`, limit: 1 } }, gone)
        .catch(() => {}),
    );
    await expect.poll(async () => (await queries()).length).toBe(12);
    const running = (await queries()).filter(({ state }) => state === 'running').length;
    expect(running).toBeGreaterThan(0);
    expect(running).toBeLessThanOrEqual(4);
    const { rows } = await ada.client.runSql({
      params: { name: 'files' },
      body: { sql: 'select 42 as answer', limit: 1 },
    });
    expect(rows).toEqual([[42]]);
    gone.abort();
    await Promise.all(flood);
    await expect.poll(queries).toEqual([]);
  });
});

test('the screen lists and cancels queries, and the tile of the viewer says so and can be retried', async () => {
  const tile = await pageOf(vera);
  await tile.goto(new URL('/d/slow', team.server.address).href);
  const sql = runEndless(mia);
  const page = await pageOf(ada);
  await page.goto(new URL('/settings/system', team.server.address).href);
  await page.getByText('Slow board › Heavy count').first().waitFor();
  await page.getByText('SQL on files').waitFor();
  for (const [theme, width, height] of looks) {
    await page.setViewportSize({ width, height });
    await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
    await page.reload();
    await page.getByText('SQL on files').waitFor();
    await shoot(page, `team-system-queries-${theme}-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  await page.getByRole('button', { name: 'Cancel “SQL on files” of Mia' }).click();
  expect(await sql).toMatchObject({ type: 'cancelled-by-admin' });
  while ((await queries()).length > 0) {
    for (const { id } of await queries())
      await ada.client.cancelQuery({ params: { query: id } }).catch(() => {});
  }
  await tile.getByText('An admin cancelled').first().waitFor();
  await shoot(tile, 'team-tile-cancelled-light-1440');
  await tile.getByRole('button', { name: 'Try again' }).first().click();
  await expect.poll(async () => (await queries()).length).toBeGreaterThan(0);
  await tile.close();
  await expect.poll(queries, { timeout: 10_000 }).toEqual([]);
  await page.getByText('No queries are running.').waitFor();
});

test('an owner sets up backups and makes one, and an admin sees how it went', async () => {
  const page = await pageOf(team.owner);
  await page.goto(new URL('/settings/system', team.server.address).href);
  const section = page.getByRole('region', { name: 'Backups' });
  await section.getByText('No backup has been made yet.').waitFor();
  await section.getByRole('button', { name: 'Set up…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set up backups' });
  await dialog.getByRole('checkbox', { name: 'Back up every day' }).press(' ');
  await dialog.getByRole('textbox', { name: 'Time' }).fill('25:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a time such as 03:00.').waitFor();
  await dialog.getByRole('textbox', { name: 'Time' }).fill('4:30');
  await dialog.getByRole('textbox', { name: 'Folder on the server' }).fill('/no/such/folder');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('has no folder').waitFor();
  await dialog.getByRole('textbox', { name: 'Folder on the server' }).fill('');
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await shoot(page, 'team-system-backups-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await section.getByText('Every day at 04:30 (UTC)').waitFor();
  await section.getByRole('button', { name: 'Back up now' }).click();
  await section.getByText('Done', { exact: true }).waitFor();
  await section.getByText(/^belvedere-.*\.tar\.gz$/).waitFor();
  const admin = await pageOf(ada);
  await admin.goto(new URL('/settings/system', team.server.address).href);
  const seen = admin.getByRole('region', { name: 'Backups' });
  await seen.getByText('Only owners can change this.').waitFor();
  await seen.getByText('Done', { exact: true }).waitFor();
  expect(await seen.getByRole('button').count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});

test('a file with errors is a link to its editor', async () => {
  await team.write('models/broken.yaml', 'version: 1\ntable orders\n');
  const page = await pageOf(ada);
  await page.goto(new URL('/settings/system', team.server.address).href);
  await page.getByRole('link', { name: 'models/broken.yaml' }).waitFor();
  await shoot(page, 'team-system-files-light-1440');
  await page.getByRole('link', { name: 'models/broken.yaml' }).click();
  await page.getByRole('heading', { name: 'No valid version yet' }).waitFor();
  await page.context().close();
});
