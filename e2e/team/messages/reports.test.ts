import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  choose,
  launchBrowser,
  openPage,
  settled,
  shoot,
  violations,
  looks,
  setCookies,
} from '../../browser.ts';
import type { Role } from '@belvedere/api';
import { allRead } from '../../running-belvedere.ts';
import { startMailServer, type MailServer, type ReceivedMail } from './mail-server.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Reports of a team: the rows in each mail, permissions, and the screens. */

const sales = `version: 1
table: sales
time: day
dimensions: { day: {}, region: {}, shop: {} }
measures: { total: { label: Revenue, expr: sum(amount) } }
policies:
  - { name: own, everyone: true, where: "region in (:user.regions)" }
`;
const board = `version: 1
title: Sales
model: sales
filters: [{ field: region }, { field: shop }]
pages:
  - title: Figures
    tiles:
      total: { kind: kpi, value: { measure: total }, at: [0, 0, 6, 3] }
      by_day: { kind: bar, x: { field: day, timeUnit: day }, y: { measure: total }, at: [0, 3, 12, 7] }
      by_shop: { kind: bar, x: { measure: total }, y: { field: shop }, at: [12, 3, 12, 7] }
  - title: Shops
    tiles:
      shops: { kind: table, columns: [shop, total], at: [0, 0, 24, 8] }
`;
const rows = Array.from({ length: 24 }, (_, i) => {
  const region = i % 2 === 0 ? 'north' : 'south';
  return `2024-05-${String(1 + (i % 12)).padStart(2, '0')},${region},canary-${region}-${i % 6},${10 + i * 3}`;
});
const report = (owner: string, more: string) =>
  `version: 1\ntitle: Weekly sales\nowner: ${owner}@example.org\ndashboard: sales\n` +
  `schedule: { at: "08:00", days: [monday], timezone: America/New_York }\n${more}`;

let mail: MailServer;
let team: RunningTeam;
let eva: Member;
let nora: Member;
let sven: Member;
let vera: Member;

beforeAll(async () => {
  mail = await startMailServer();
  team = await runTeam(
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\ntimezone: Europe/Berlin\n',
      'data/sales.csv': `day,region,shop,amount\n${rows.join('\n')}\n`,
      'models/sales.yaml': sales,
      'dashboards/sales.yaml': board,
    },
    { mail: { smtpUrl: mail.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  await allRead(team);
  const { client } = team.owner;
  eva = await join('Eva', 'editor');
  nora = await join('Nora', 'explorer');
  sven = await join('Sven', 'explorer');
  vera = await join('Vera', 'viewer');
  const regions = new Map([
    [eva, ['north', 'south']],
    [nora, ['north']],
    [sven, ['south']],
    [vera, ['north']],
  ]);
  for (const [{ id }, of] of regions) {
    await client.updateUser({ params: { user: id }, body: { attributes: { regions: of } } });
    await share(id, 'explore');
  }
});
afterAll(async () => {
  await team?.close();
  await mail?.close();
});

/** Invites a user by mail and accepts the invitation. */
async function join(name: string, role: Role): Promise<Member> {
  const email = `${name.toLowerCase()}@example.org`;
  await team.owner.client.inviteUser({ body: { email, role, groups: [] } });
  const { text } = await mail.mailTo(email, /Invitation/);
  const [, token = ''] = /\/invite\/([\w-]+)/.exec(text) ?? [];
  return enter(team.server, email, client =>
    client.acceptInvitation({ params: { token }, body: { name, password } }),
  );
}

const share = (id: string, level: 'explore' | null, exportRows?: number | null) =>
  team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'sales' },
    body: { subject: { kind: 'user', id }, level, exportRows },
  });
const save = (member: Member, id: string, text: string, base?: string) =>
  member.client.saveReportText({ params: { id }, body: { text }, ifMatch: base });
const subscribed = (member: Member, title: string) =>
  member.client.subscribe({
    params: { id: 'sales' },
    body: {
      title,
      schedule: { at: '07:30', days: 'weekdays' },
      attach: ['csv'],
      pictures: true,
      filters: {},
      parameters: {},
    },
  });

/** The attached text files of a mail, decoded. */
function csvsOf({ raw }: ReceivedMail): string[] {
  const encoded = raw.matchAll(/Content-Type: text\/csv[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g);
  return Array.from(encoded, ([, text = '']) =>
    Buffer.from(text.replaceAll(/\s/g, ''), 'base64').toString('utf8'),
  );
}
const csvOf = (received: ReceivedMail) => csvsOf(received)[0] ?? '';

describe('a report that is run now', () => {
  test('mails each recipient their own rows, with pictures in the body and a way out', async () => {
    await save(
      eva,
      'weekly',
      report('eva', 'attach: [csv, pdf]\nto: [{ user: nora@example.org }, { user: sven@example.org }]\n'),
    );
    await eva.client.runReport({ params: { id: 'weekly' } });
    const [toNora, toSven] = await Promise.all([
      mail.mailTo(nora.email, /Weekly sales/),
      mail.mailTo(sven.email, /Weekly sales/),
    ]);
    expect(csvOf(toNora)).toContain('canary-north-2');
    expect(csvOf(toNora)).not.toContain('south');
    expect(csvOf(toSven)).toContain('canary-south-1');
    expect(csvOf(toSven)).not.toContain('north');
    expect(toNora.raw).toMatch(/Content-Type: image\/png[^]*Content-(ID|Disposition: inline)/i);
    expect(toNora.raw).toContain('application/pdf');
    expect(toNora.raw).toMatch(/^List-Unsubscribe: <http[^>]*\/reports\/weekly\/unsubscribe>/im);
    const [run] = (await eva.client.getReport({ params: { id: 'weekly' } })).history;
    expect(run).toMatchObject({ outcome: 'sent', recipients: 2, left: [] });
  });

  test('sends nothing to a recipient who has lost the dashboard, and stops once its owner has', async () => {
    await share(sven.id, null);
    const before = mail.received.filter(({ to }) => to.includes(sven.email)).length;
    await eva.client.runReport({ params: { id: 'weekly' } });
    await expect
      .poll(async () => (await eva.client.getReport({ params: { id: 'weekly' } })).history[0]?.left)
      .toEqual([{ recipient: sven.email, reason: 'forbidden' }]);
    await share(eva.id, null);
    await eva.client.runReport({ params: { id: 'weekly' } });
    await expect
      .poll(async () => (await team.owner.client.getReport({ params: { id: 'weekly' } })).state)
      .toBe('stopped');
    const told = await mail.mailTo(eva.email, /has stopped/);
    expect(told.text).not.toContain('canary');
    expect(mail.received.filter(({ to }) => to.includes(sven.email))).toHaveLength(before);
    await share(eva.id, 'explore');
    await share(sven.id, 'explore');
  });
});

test.each([
  ['recipient', 2, null, 2],
  ['recipient', null, 2, 3],
  ['owner', 2, null, 2],
  ['owner', null, 2, 2],
] as const)(
  'files with the rows of the %s: of %s rows for the recipient and %s for the owner, %s are in them',
  async (of, ofRecipient, ofOwner, expected) => {
    const id = `limited-${of}-${ofRecipient}`;
    await share(nora.id, 'explore', ofRecipient);
    await share(eva.id, 'explore', ofOwner);
    await save(
      eva,
      id,
      report('eva', `rows: ${of}\nattach: [csv]\nto: [{ user: nora@example.org }]\n`).replace(
        'Weekly sales',
        id,
      ),
    );
    await eva.client.runReport({ params: { id } });
    const files = csvsOf(await mail.mailTo(nora.email, new RegExp(id)));
    const listed = files.map(file => new Set(file.match(/canary-\w+-\d/g)).size);
    expect(Math.max(...listed)).toBe(expected);
    await eva.client.removeReport({ params: { id } });
    await share(nora.id, 'explore', null);
    await share(eva.id, 'explore', null);
  },
);

test('a mail that waits is not sent once its recipient may see other rows', async () => {
  await save(eva, 'waiting', report('eva', 'attach: [csv]\nto: [{ user: sven@example.org }]\n'));
  const before = mail.received.length;
  mail.behaviour = 'later-data';
  await eva.client.runReport({ params: { id: 'waiting' } });
  const delivery = async () =>
    (await team.owner.client.listDeliveries({ query: {} })).deliveries.find(
      ({ about }) => about === 'report:waiting',
    );
  await expect.poll(async () => (await delivery())?.attempts).toBe(1);
  await team.owner.client.updateUser({
    params: { user: sven.id },
    body: { attributes: { regions: ['east'] } },
  });
  mail.behaviour = 'take';
  await expect.poll(async () => (await delivery())?.state).toBe('dropped');
  expect(mail.received).toHaveLength(before);
  await team.owner.client.updateUser({
    params: { user: sven.id },
    body: { attributes: { regions: ['south'] } },
  });
  await eva.client.removeReport({ params: { id: 'waiting' } });
});

describe('rights', () => {
  test('only the owner of a report and admins see its recipients, pause it and run it', async () => {
    const seen = await nora.client.getReport({ params: { id: 'weekly' } });
    expect(seen).toMatchObject({ isEditable: false, isRecipient: true, to: [] });
    expect(JSON.stringify(seen)).not.toContain('sven');
    expect(seen.content).toEqual({ pictures: true, attach: ['csv', 'pdf'] });
    expect(seen.terms).toBeUndefined();
    await expect(nora.client.runReport({ params: { id: 'weekly' } })).rejects.toMatchObject({
      problem: { type: 'not-allowed' },
    });
    expect(await nora.client.pauseReports({ body: { ids: ['weekly'], isPaused: true } })).toEqual({
      left: ['weekly'],
    });
    await expect(nora.client.getReportText({ params: { id: 'weekly' } })).rejects.toMatchObject({
      problem: { type: 'not-found' },
    });
    await expect(vera.client.getReport({ params: { id: 'weekly' } })).rejects.toMatchObject({
      problem: { type: 'not-found' },
    });
    expect((await vera.client.listReports({ query: {} })).reports).toEqual([]);
  });

  test('explorers subscribe themselves, and viewers do not', async () => {
    const { id } = await subscribed(nora, 'Mine');
    const { text } = await nora.client.getReportText({ params: { id } });
    expect(text).toContain('owner: nora@example.org');
    await expect(subscribed(vera, 'Mine')).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    await expect(
      save(nora, 'mine', report('nora', 'to: [{ user: sven@example.org }]\n')),
    ).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    await expect(save(eva, 'as-olga', report('olga', 'rows: owner\n'))).rejects.toMatchObject({
      problem: { type: 'not-allowed' },
    });
    await nora.client.removeReport({ params: { id } });
  });

  test('a preview is drawn with the caller’s own rights', async () => {
    const preview = await sven.client.previewReport({
      body: { text: report('olga', 'rows: owner\nattach: [xlsx]\nto: [{ user: nora@example.org }]\n') },
    });
    expect(preview.subject).toContain('Weekly sales');
    expect(preview.files.map(({ name }) => name)).toEqual(['Sales.xlsx']);
    expect(preview.html).toContain('data:image/png;base64,');
    const { html } = await sven.client.previewReport({
      body: { text: report('olga', 'filters: { shop: { oneOf: [canary-south-1] } }\n') },
    });
    expect(html).toContain('canary-south-1');
    const german = await sven.client.previewReport({ body: { text: report('olga', 'locale: de\n') } });
    expect(german.html).toMatch(/<html lang="de"[^]*Dashboard öffnen/);
    await share(vera.id, null);
    await expect(vera.client.previewReport({ body: { text: report('olga', '') } })).rejects.toMatchObject({
      problem: { type: 'document-invalid' },
    });
    await share(vera.id, 'explore');
    await expect(
      sven.client.previewReport({ body: { text: report('olga', 'filters: { shp: { oneOf: [a] } }\n') } }),
    ).rejects.toMatchObject({ problem: { type: 'field-unknown' } });
    await expect(
      team.owner.client.previewReport({
        body: { text: report('olga', 'filters: { shp: { oneOf: [a] } }\n') },
      }),
    ).rejects.toMatchObject({ problem: { type: 'document-invalid' } });
  });

  test('the link of a mail changes only the subscription of its signed-in recipient, and only by a press', async () => {
    const { raw } = await mail.mailTo(nora.email, /Weekly sales/);
    const [, link = ''] = /^List-Unsubscribe: <([^>]+)>/im.exec(raw.replaceAll(/\r\n\s+/g, '')) ?? [];
    expect(link).toBe(`${team.server.address}/reports/weekly/unsubscribe`);
    // It holds no secret: whoever has a forwarded mail can do nothing with it.
    expect(raw).not.toMatch(/List-Unsubscribe-Post/i);
    const isOff = async (member: Member) =>
      (await member.client.getReport({ params: { id: 'weekly' } })).hasUnsubscribed;
    const request = (method: string, address: string, cookie = '') =>
      fetch(address, {
        method,
        redirect: 'manual',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
      }).then(({ status }) => status);
    // Mail scanners open links, and one-click requests of mail programs are not offered.
    for (const cookie of ['', nora.cookie])
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) await request(method, link, cookie);
    expect(await request('PUT', `${team.server.address}/api/v1/reports/weekly/subscription`)).not.toBe(200);
    expect([await isOff(nora), await isOff(sven)]).toEqual([false, false]);

    const put = (member: Member, id: string) =>
      member.client.putSubscription({ params: { id }, body: { isSubscribed: false } }).then(
        () => 'done',
        ({ problem }: { problem?: { type: string } }) => problem?.type ?? 'refused',
      );
    // Followed again, by another recipient, by a viewer without it, and for reports that do not exist.
    expect([await put(nora, 'weekly'), await put(nora, 'weekly')]).toEqual(['done', 'done']);
    expect([await isOff(nora), await isOff(sven)]).toEqual([true, false]);
    expect(await put(vera, 'weekly')).toBe('not-found');
    for (const id of ['weekly2', 'weekly/..', '../weekly', 'weekly%00', 'constructor', '__proto__'])
      expect([id, await put(nora, id)]).toEqual([id, expect.stringMatching(/^(not-found|request-invalid)$/)]);
    await nora.client.putSubscription({ params: { id: 'weekly' }, body: { isSubscribed: true } });

    // Taken off the list, the link of an old mail is gone; back on it, the recipient gets mail as before.
    const { text, hash } = await eva.client.getReportText({ params: { id: 'weekly' } });
    const without = text.replaceAll(/^.*nora@example\.org.*\n/gm, '');
    expect(without).not.toBe(text);
    const saved = await save(eva, 'weekly', without, hash);
    expect(await put(nora, 'weekly')).toBe('not-found');
    await save(eva, 'weekly', text, saved.hash);
    expect(await isOff(nora)).toBe(false);
  });

  test('a recipient who has unsubscribed gets no more, until they subscribe again', async () => {
    const put = (isSubscribed: boolean) =>
      nora.client.putSubscription({ params: { id: 'weekly' }, body: { isSubscribed } });
    await put(false);
    await eva.client.runReport({ params: { id: 'weekly' } });
    await expect
      .poll(async () => (await eva.client.getReport({ params: { id: 'weekly' } })).history[0]?.left)
      .toEqual([{ recipient: nora.email, reason: 'unsubscribed' }]);
    await put(true);
    await expect(
      vera.client.putSubscription({ params: { id: 'weekly' }, body: { isSubscribed: false } }),
    ).rejects.toMatchObject({ problem: { type: 'not-found' } });
  });
});

describe('in the browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const openAs = async (member: Member, at: string, width = 1440) => {
    const opened = await openPage(browser, `${team.server.address}/favicon.svg`, { width });
    await setCookies(opened.page.context(), member.cookie, team.server.address);
    await opened.page.goto(`${team.server.address}${at}`);
    return opened;
  };
  /** Looks at a screen at each width and in each theme. */
  const look = async (page: Page, name: string, options: { isOverlayOpen?: boolean } = {}) => {
    for (const [theme, width, height] of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(200);
      await shoot(page, `reports-${name}-${width}-${theme}`);
      expect(await violations(page, options), `${name} ${width} ${theme}`).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  test('an explorer subscribes to a dashboard as it is filtered, and sees that they have', async () => {
    const { page, faults } = await openAs(nora, '/d/sales?f.shop=["canary-north-2"]');
    await settled(page);
    await page.getByRole('button', { name: /^Subscribe/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Subscribe to “Sales”' });
    await dialog.getByText(/^Next: /).waitFor();
    await choose(dialog.getByRole('button', { name: 'Days' }), 'mondays');
    // The earlier time must not be saved in place of an invalid one.
    await dialog.getByLabel('Time', { exact: true }).fill('25:00');
    await dialog.getByText('Enter a time such as 08:00.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Subscribe', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Time', { exact: true }).fill('9:15');
    await dialog.getByText('PDF').click();
    await choose(dialog.getByRole('button', { name: 'Language' }), 'Deutsch');
    await look(page, 'subscribe', { isOverlayOpen: true });
    await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await dialog.getByText(/You are subscribed\. The first mail comes Mon/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Subscribed (2)' }).waitFor();
    const text = await readFile(
      path.join(team.folder, 'workspace', 'reports', 'subscriptions', 'sales-nora.yaml'),
      'utf8',
    );
    expect(text).toContain('canary-north-2');
    expect(text).toMatch(/at: "?09:15"?/);
    expect(text).toContain('monday');
    expect(text).toContain('locale: de');

    await page.goto(`${team.server.address}/settings/subscriptions`);
    await page.getByRole('button', { name: 'Unsubscribe from Sales' }).waitFor();
    await look(page, 'settings');
    await page.getByRole('button', { name: 'Unsubscribe from Sales' }).click();
    await page.getByText('Unsubscribed').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a viewer sees what a dashboard sends them, and mutes each, in the dialog and in the settings', async () => {
    await team.owner.client.putGrant({
      params: { kind: 'dashboard', object: 'sales' },
      body: { subject: { kind: 'user', id: vera.id }, level: 'view' },
    });
    await save(
      eva,
      'for-vera',
      report('eva', 'to: [{ user: vera@example.org }]\n').replace('Weekly', 'Vera’s'),
    );
    await eva.client.saveAlertText({
      params: { id: 'much' },
      body: {
        text:
          `version: 1\ntitle: Much revenue\nowner: ${eva.email}\n` +
          `watch: { dashboard: sales, tile: total }\nwhen: { above: 999999 }\nnotify: [{ user: ${vera.email} }]\n`,
      },
    });
    const { page, faults } = await openAs(vera, '/d/sales');
    await settled(page);
    expect(await page.getByRole('button', { name: /^Subscribe/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Notifications' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications for “Sales”' });
    await dialog.getByRole('button', { name: 'Mute Much revenue' }).waitFor();
    await look(page, 'notifications', { isOverlayOpen: true });
    await choose(dialog.getByRole('button', { name: 'Comments' }), 'all');
    await expect
      .poll(async () => (await vera.client.listComments({ params: { id: 'sales' } })).notified)
      .toBe('all');
    await dialog.getByRole('button', { name: 'Unsubscribe from Vera’s sales' }).click();
    await dialog.getByText('Unsubscribed').waitFor();
    await dialog.getByRole('button', { name: 'Mute Much revenue' }).click();
    await dialog.getByText('Muted for you').waitFor();
    await dialog.getByRole('link', { name: 'All subscriptions' }).click();
    await page.getByRole('button', { name: 'Unmute Much revenue' }).waitFor();
    await page.getByText('Unsubscribed').waitFor();
    const chosen = page.getByRole('button', { name: 'Comments on Sales' });
    await chosen.waitFor();
    await look(page, 'settings-viewer');
    await choose(chosen, 'involved');
    await page.getByText('You are notified of comments that mention you').waitFor();
    await page.getByRole('button', { name: 'Unmute Much revenue' }).click();
    await page.getByRole('button', { name: 'Mute Much revenue' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('an editor lists, filters and pauses reports, and sees their history', async () => {
    await save(team.owner, 'broken', `${report('olga', '')}pages: [7]\n`);
    const { page, faults } = await openAs(team.owner, '/reports');
    await page.getByRole('link', { name: 'Weekly sales' }).first().waitFor();
    await look(page, 'list');
    await choose(page.getByRole('button', { name: 'Show' }), 'trouble');
    await page.getByText('Has errors').waitFor();
    await choose(page.getByRole('button', { name: 'Show' }), 'all');
    await page.getByRole('searchbox').fill('nora');
    await page.getByRole('checkbox', { name: 'Select all' }).press(' ');
    await page.getByRole('button', { name: 'Pause (1)' }).click();
    await page.getByText('Paused', { exact: true }).last().waitFor();
    await page.getByRole('searchbox').fill('');
    await page.goto(`${team.server.address}/reports/weekly`);
    await page.getByText('has unsubscribed').waitFor();
    await look(page, 'history');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Run now' }).last().click();
    const running = page.getByText('The report is running.');
    await running.waitFor();
    await running.waitFor({ state: 'detached' });
    await page.goto(`${team.server.address}/reports/broken`);
    await page.getByText('has only 2 pages').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('an editor makes a report by form and text, sees its mail, and sends it to themselves', async () => {
    await team.owner.client.saveGroup({
      params: { group: 'readers' },
      body: { name: 'Readers', attributes: {} },
    });
    const { page, faults } = await openAs(eva, '/reports/new?dashboard=sales');
    await page.getByLabel('Title').fill('Shops in the north');
    await page.getByText('Excel workbook').click();
    await page.getByLabel('Pages', { exact: true }).fill('2');
    const search = page.getByRole('combobox', { name: 'Add a user, a group or a channel' });
    for (const name of ['Nora', 'Readers']) {
      await search.fill(name);
      await page.getByRole('option', { name }).click();
    }
    // A figure, and a list with its own filter.
    await choose(page.getByRole('button', { name: 'Number' }), 'total');
    await page.getByRole('textbox', { name: 'Threshold' }).fill('10');
    await page.getByRole('combobox', { name: 'Add a list for…' }).fill('Sven');
    await page.getByRole('option', { name: 'Sven' }).click();
    const list = page.getByRole('region', { name: 'List 1' });
    await list.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Region', exact: true }).click();
    await page.getByRole('checkbox', { name: /^south/ }).press(' ');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Update preview' }).click();
    await page.getByRole('article', { name: 'Email' }).waitFor();
    await page.getByText(/^Sales\.xlsx \(/).waitFor();
    await look(page, 'editor');
    await page.getByRole('tab', { name: 'YAML' }).click();
    const text = page.locator('.cm-content');
    await text.waitFor();
    await expect.poll(async () => text.textContent()).toContain('group: Readers');
    expect(await text.textContent()).toMatch(/onlyIf: \{ tile: total, above: 10 \}/);
    expect(await text.textContent()).toContain('oneOf: [south]');
    await shoot(page, 'reports-editor-text');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/reports\/shops-in-the-north\/edit/);
    // The screen of the saved report is another one than that of a new report.
    await page.getByRole('heading', { name: 'Edit “Shops in the north”' }).waitFor();
    await page.getByRole('button', { name: 'Send to me now' }).click();
    await page.getByText('Sent to eva@example.org.').waitFor();
    const facts = await eva.client.getReport({ params: { id: 'shops-in-the-north' } });
    expect(facts.terms).toMatchObject({
      onlyIf: { tile: 'total', above: 10 },
      lists: [{ to: ['sven@example.org'], filters: { region: { oneOf: ['south'] } } }],
    });
    const sent = await mail.mailTo(eva.email, /Shops in the north/);
    expect(sent.raw).toContain('Sales.xlsx');
    expect(sent.raw).toContain('image/png');
    expect(mail.received.some(({ to, subject }) => to.includes(nora.email) && /north/.test(subject))).toBe(
      false,
    );
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the link of a mail ends it with one press, once signed in', async () => {
    const { page, faults } = await openAs(sven, '/reports/weekly/unsubscribe', 390);
    await page.getByRole('heading', { name: 'Unsubscribe from “Weekly sales”' }).waitFor();
    await look(page, 'unsubscribe');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You are unsubscribed.').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
    const stranger = await openPage(browser, `${team.server.address}/reports/weekly/unsubscribe`);
    await stranger.page.waitForURL(/sign-in\?next=/);
    await stranger.page.context().close();
  });
});
