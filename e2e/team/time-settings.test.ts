import { ApiError } from '@belvedere/api';
import type { Browser } from 'playwright-core';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choose, launchBrowser, openPage, shoot, violations, setCookies } from '../browser.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/* The workspace's time zone, weeks and fiscal years, which admins change in `belvedere.yaml`. */

const settings = `version: 1
title: Shop # the one in town
# Our books begin in spring.
fiscalYearStart: april
currency: EUR # and nothing else
`;
const files = {
  'belvedere.yaml': settings,
  'data/orders.csv': 'day,amount\n2024-03-31,1\n2024-04-01,2\n2024-07-01,3\n',
};
const problemOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: ApiError) => error.problem,
  );

describe('in a team', () => {
  let team: RunningTeam;
  let ada: Member;
  let edith: Member;
  let browser: Browser;
  const file = () => readFile(path.join(team.folder, 'workspace', 'belvedere.yaml'), 'utf8');

  beforeAll(async () => {
    team = await runTeam(files);
    await allRead(team);
    ada = await team.join('Ada', 'admin');
    edith = await team.join('Edith', 'maker');
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await team?.close();
  });

  test('only admins change them', async () => {
    expect(await problemOf(edith.client.putTimeSettings({ body: { weekStart: 'sunday' } }))).toMatchObject({
      type: 'not-allowed',
    });
    expect(await file()).toContain(settings);
  });

  test('an admin changes them, the rest of the file stays, and queries follow', async () => {
    const years = async () =>
      (
        await team.owner.client.postQuery({
          params: { name: 'orders' },
          body: { dimensions: [{ field: 'day', timeUnit: 'fiscalYear' }], measures: ['rows'] } as never,
        })
      ).rows.length;
    expect(await years()).toBe(2);
    expect(
      await ada.client.putTimeSettings({ body: { fiscalYearStart: 'july', timezone: 'Asia/Tokyo' } }),
    ).toEqual({ timezone: 'Asia/Tokyo', calendar: { weekStart: 'monday', fiscalYearStart: 'july' } });
    expect(await file()).toContain(settings.replace('april', 'july'));
    expect(await file()).toContain('\ntimezone: Asia/Tokyo\n');
    expect(await years()).toBe(2);
    await ada.client.putTimeSettings({ body: { fiscalYearStart: 'january' } });
    expect(await years()).toBe(1);
    const { entries } = await ada.client.listAudit({ query: { search: 'settings.change', limit: 1 } });
    expect(entries).toMatchObject([{ object: 'time zone and calendar' }]);
  });

  test('an unknown time zone, and other settings of the file, are refused', async () => {
    const before = await file();
    for (const body of [
      { timezone: 'Mars/Olympus' },
      { weekStart: 'someday' },
      { signIn: { password: false } },
    ])
      expect(await problemOf(ada.client.putTimeSettings({ body: body as never }))).toMatchObject({
        type: 'request-invalid',
      });
    expect(await file()).toBe(before);
  });

  test('the settings page has them as fields for admins, and as text for others', async () => {
    const opened = await openPage(browser, 'about:blank');
    const { page } = opened;
    const as = async ({ cookie }: Member) => {
      await page.context().clearCookies();
      await setCookies(page.context(), cookie, team.server.address);
      await page.goto(`${team.server.address}/settings`);
    };
    await as(ada);
    const section = page.getByRole('region', { name: 'Time zone and calendar' });
    await choose(section.getByRole('button', { name: /First day of the week/ }), 'sunday');
    await expect.poll(file).toContain('weekStart: sunday\n');
    await choose(section.getByRole('button', { name: /Time zone/ }), { label: 'America/New York' });
    await expect.poll(file).toContain('timezone: America/New_York\n');
    await section.getByRole('button', { name: /America\/New York/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    for (const [name, width, scheme] of [
      ['light-1440', 1440, 'light'],
      ['dark-390', 390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await shoot(page, `settings-time-${name}`);
    }
    await as(edith);
    await section.getByText('America/New York').waitFor();
    expect(await section.getByRole('button').count()).toBe(0);
    await as(ada);
    await section.getByRole('button').first().waitFor();
    await writeFile(path.join(team.folder, 'workspace', 'belvedere.yaml'), `${await file()}colour: blue\n`);
    await choose(section.getByRole('button', { name: /First day of the week/ }), 'monday');
    await section.getByRole('alert').getByText('has errors').waitFor();
    await opened.close();
  });
});

describe('in a folder of data', () => {
  let folder: string;
  let running: Running;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-time-settings-'));
    await writeFile(path.join(folder, 'orders.csv'), files['data/orders.csv']);
    running = await runBelvedere(folder);
  });
  afterAll(async () => {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('two changes at once are both kept, in a file that did not exist', async () => {
    await Promise.all([
      running.client.putTimeSettings({ body: { weekStart: 'saturday' } }),
      running.client.putTimeSettings({ body: { fiscalYearStart: 'october' } }),
    ]);
    const text = await readFile(path.join(folder, 'belvedere.yaml'), 'utf8');
    expect(text).toContain('weekStart: saturday\n');
    expect(text).toContain('fiscalYearStart: october\n');
    expect((await running.client.getSession({})).workspace.calendar).toEqual({
      weekStart: 'saturday',
      fiscalYearStart: 'october',
    });
    // Its tables are still where they were.
    expect((await running.client.listTables({})).tables.map(({ name }) => name)).toEqual(['orders']);
  });
});
