import { ApiError, type DashboardState } from '@belvedere/api';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choose, launchBrowser, setCookies, settled, shoot, violations } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/* Dashboards that show times in the time zone of their viewers. */

/** Every 20 minutes over both changes of clocks in Berlin, New York and on Lord Howe Island, whose is half an hour. */
const moments = ['2024-03-09', '2024-03-30', '2024-04-06', '2024-10-05', '2024-10-26', '2024-11-02'].flatMap(
  day => Array.from({ length: 3 * 24 * 3 }, (_, i) => Date.parse(`${day}T00:00:00Z`) + i * 20 * 60_000),
);
/** Days around each change, few enough to be drawn by hours. */
const changesOfClocks = [
  ['2024-03-09', '2024-03-12'],
  ['2024-03-30', '2024-04-02'],
  ['2024-04-06', '2024-04-09'],
  ['2024-10-05', '2024-10-08'],
  ['2024-10-26', '2024-10-29'],
  ['2024-11-02', '2024-11-05'],
] as const;
const dashboard = (timezone: string) => `version: 1
title: Calls
model: calls
timezone: ${timezone}
filters: [{ field: at, control: dateRange }]
pages:
  - title: One
    tiles:
      hours: { kind: line, x: { field: at, timeUnit: hour }, y: { measure: rows }, at: [0, 0, 24, 8] }
      days: { kind: bar, x: { field: at, timeUnit: day }, y: { measure: rows }, at: [0, 8, 24, 8] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntimezone: UTC\n',
  'access.yaml':
    'version: 1\ngrants:\n' +
    '  - { dashboard: own, everyone: true, level: edit }\n' +
    '  - { dashboard: fixed, everyone: true, level: edit }\n',
  'data/calls.csv': `at,line\n${moments.map((ms, i) => `${new Date(ms).toISOString()},${i}`).join('\n')}\n`,
  'dashboards/own.yaml': dashboard('viewer'),
  'dashboards/fixed.yaml': dashboard('Asia/Tokyo'),
};

/** The moments by their day or hour on a zone's clocks, counted by plain code. */
function counted(zone: string, unit: 'day' | 'hour'): [string, number][] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    ...(unit === 'hour' && { timeStyle: 'short' }),
  });
  const nameOf = (ms: number) =>
    format
      .format(ms)
      .replace(/:\d\d$/, ':00')
      .replace(' ', 'T');
  return [...Map.groupBy(moments, nameOf)]
    .map(([name, { length }]): [string, number] => [name, length])
    .toSorted();
}

describe('a dashboard in its viewers’ time zone', () => {
  let team: RunningTeam;
  let ada: Member;
  let browser: Browser;

  beforeAll(async () => {
    team = await runTeam(files);
    await allRead(team);
    ada = await team.join('Ada', 'editor');
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await team?.close();
  });

  const rowsOf = async (
    { cookie }: Member,
    tile: 'days' | 'hours',
    state: Partial<DashboardState> = {},
    id = 'own',
  ): Promise<[string, number][]> => {
    const search = new URLSearchParams({ format: 'csv', tile, state: JSON.stringify(state) }).toString();
    const response = await fetch(`${team.server.address}/api/v1/dashboards/${id}/export?${search}`, {
      headers: { cookie },
    });
    return (await response.text())
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line): [string, number] => {
        const [name, count] = line.replaceAll('"', '').split(',');
        return [name!.slice(0, tile === 'days' ? 10 : 16).replace(' ', 'T'), Number(count)];
      })
      .filter(([, count]) => count > 0)
      .toSorted();
  };

  test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    'groups by the hours and days of %s, also where clocks change',
    async zone => {
      expect(await rowsOf(ada, 'days', { zone })).toEqual(counted(zone, 'day'));
      const hours = counted(zone, 'hour');
      for (const [from, below] of changesOfClocks) {
        const rows = await rowsOf(ada, 'hours', { zone, filters: { at: { from, below } } });
        expect(rows).toEqual(hours.filter(([name]) => name >= from && name < below));
      }
    },
  );

  test('filters by days of that zone', async () => {
    const filters = { at: { from: '2024-03-31', below: '2024-04-01' } };
    const total = async (zone: string) =>
      (await rowsOf(ada, 'hours', { zone, filters })).reduce((sum, [, count]) => sum + count, 0);
    // The day has 23 hours in Berlin.
    expect([await total('Europe/Berlin'), await total('UTC')]).toEqual([23 * 3, 24 * 3]);
  });

  test('a zone in the state changes nothing on a dashboard with a zone of its own', async () => {
    expect(await rowsOf(ada, 'days', { zone: 'America/New_York' }, 'fixed')).toEqual(
      counted('Asia/Tokyo', 'day'),
    );
  });

  test('without a zone in the state, the zone of the profile applies, else the workspace’s', async () => {
    expect(await rowsOf(ada, 'days')).toEqual(counted('UTC', 'day'));
    await ada.client.updateProfile({ body: { zone: 'Pacific/Auckland' } });
    expect((await ada.client.getSession({})).user).toMatchObject({ name: 'Ada', zone: 'Pacific/Auckland' });
    // Programs, which send no zone, are told the one that they get.
    expect((await ada.client.getDashboard({ params: { id: 'own' } })).timezone).toBe('Pacific/Auckland');
    expect(await rowsOf(ada, 'days')).toEqual(counted('Pacific/Auckland', 'day'));
    expect(await rowsOf(team.owner, 'days')).toEqual(counted('UTC', 'day'));
    await ada.client.updateProfile({ body: { zone: null } });
    expect((await ada.client.getSession({})).user.zone).toBeUndefined();
    expect(await rowsOf(ada, 'days')).toEqual(counted('UTC', 'day'));
  });

  test('an unknown zone is refused, in a state and in a profile', async () => {
    for (const request of [
      ada.client.updateProfile({ body: { zone: 'Mars/Olympus' } }),
      ada.client.updateProfile({ body: { zone: '+02:00' } }),
      ada.client.queryTiles({
        params: { id: 'own' },
        body: { state: { page: 0, filters: {}, selections: {}, zone: "UTC' or 1=1" } },
      }),
    ])
      await expect(request).rejects.toMatchObject({
        problem: { type: 'request-invalid' },
      } as Partial<ApiError>);
  });

  const signedIn = async ({ cookie }: Member, timezoneId: string): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-US', timezoneId, reducedMotion: 'reduce' });
    await setCookies(context, cookie, team.server.address);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return page;
  };
  const zoneAskedBy = async (page: Page, act: () => Promise<unknown>): Promise<string | undefined> => {
    const asked = page.waitForRequest(request => request.url().endsWith('/dashboards/own/query'));
    await act();
    return (JSON.parse((await asked).postData() ?? '{}') as { state: DashboardState }).state.zone;
  };

  test('the page uses the browser’s zone, the profile’s, or the link’s, and offers to return to one’s own', async () => {
    const page = await signedIn(ada, 'America/New_York');
    const at = `${team.server.address}/d/own`;
    expect(await zoneAskedBy(page, () => page.goto(at))).toBe('America/New_York');
    await settled(page);
    expect(await page.getByTitle('Time zone: America/New_York').count()).toBe(1);

    expect(await zoneAskedBy(page, () => page.goto(`${at}?zone=Asia/Tokyo`))).toBe('Asia/Tokyo');
    await settled(page);
    const notice = page.getByRole('status').filter({ hasText: 'This link shows times in Asia/Tokyo.' });
    await notice.waitFor();
    expect(await violations(page)).toEqual([]);
    for (const [name, width, scheme] of [
      ['light-1440', 1440, 'light'],
      ['dark-390', 390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await shoot(page, `viewer-zone-link-${name}`);
    }
    expect(
      await zoneAskedBy(page, () => notice.getByRole('button', { name: 'Use America/New York' }).click()),
    ).toBe('America/New_York');
    await notice.waitFor({ state: 'detached' });
    // A copied link shows others the same.
    await expect.poll(() => new URL(page.url()).searchParams.get('zone')).toBe('America/New_York');

    await page.goto(`${team.server.address}/settings/profile`);
    const zone = page.getByRole('region', { name: 'Time zone' });
    await zone.getByText('Same as this browser (America/New York)').first().waitFor();
    await choose(zone.getByRole('button'), { label: 'Europe/Berlin' });
    await expect.poll(async () => (await ada.client.getSession({})).user.zone).toBe('Europe/Berlin');
    await shoot(page, 'profile-zone');
    expect(await zoneAskedBy(page, () => page.goto(at))).toBe('Europe/Berlin');
    await page.context().close();
  });

  test('an invalid zone in a link is ignored with a notice', async () => {
    const page = await signedIn(team.owner, 'UTC');
    expect(await zoneAskedBy(page, () => page.goto(`${team.server.address}/d/own?zone=Nowhere/Land`))).toBe(
      'UTC',
    );
    await page.getByText('Part of this link no longer fits').waitFor();
    await page.context().close();
  });

  test('the editor offers it, and changes one line of the file', async () => {
    const page = await signedIn(team.owner, 'America/New_York');
    await page.goto(`${team.server.address}/d/fixed/edit`);
    await settled(page);
    const time = page.getByRole('button', { name: /Time zone/ });
    await time.waitFor();
    await choose(time, 'viewer');
    await page.getByRole('button', { name: /Viewer’s own/ }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByLabel('Change description').fill('Own time zones');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await team.owner.client.getDashboardText({ params: { id: 'fixed' } })).text)
      .toBe(dashboard('viewer'));
    await page.context().close();
  });

  test('an unknown zone in a file is an error with its line', async () => {
    const { errors } = await ada.client.validate({
      body: { kind: 'dashboard', text: dashboard('Europe/Berln') },
    });
    expect(errors).toMatchObject([{ line: 4, message: expect.stringContaining('`Europe/Berlin`') }]);
  });
});
