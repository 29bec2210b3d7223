import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, violations, type Opened, looks, setCookies } from '../../browser.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { runTeam, type RunningTeam } from '../running-team.ts';

/* Channels and deliveries in the browser: from the first channel to a delivery that is sent again. */

let mails: MailServer;
let target: http.Server;
let host: string;
let status = 200;
let team: RunningTeam;
let browser: Browser;
let opened: Opened;
beforeAll(async () => {
  mails = await startMailServer();
  target = http.createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  team = await runTeam(
    {
      'belvedere.yaml':
        'version: 1\ntitle: Shop\ntimezone: Europe/Berlin\nmail: { domains: [ops.example] }\n' +
        `webhooks: { allow: ["${host}"] }\n`,
      'data/a.csv': 'a\n1\n',
    },
    { isTrusted: true, mail: { smtpUrl: mails.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  browser = await launchBrowser();
  opened = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(opened.page.context(), team.owner.cookie, team.server.address);
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
  target?.close();
  await mails?.close();
});

const at = (path: string) => new URL(path, team.server.address).href;
const message = (key: string, title: string, channel: string) => ({
  key,
  kind: 'alert' as const,
  about: `alert:${key}`,
  title,
  state: 'firing' as const,
  severity: 'critical' as const,
  lines: ['The value is above 40.'],
  facts: [],
  links: [{ label: 'Open', href: '/alerts/late' }],
  images: [],
  files: [],
  to: [{ kind: 'channel' as const, channel }],
  requires: [],
});

test('an owner adds a channel by mail with the keyboard, and tests it', async () => {
  const { page } = opened;
  await page.goto(at('/settings/channels'));
  await page.getByText('No channels yet.').waitFor();
  await page.getByText('No deliveries yet.').waitFor();
  await shoot(page, 'channels-empty-light-1440');
  await page.getByRole('button', { name: 'Add channel' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add channel' });
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Use lowercase letters/).waitFor();
  await dialog.getByText('Enter email addresses, separated by commas.').waitFor();
  await page.keyboard.type('ops-team');
  await page.keyboard.press('Tab');
  await page.keyboard.type('eve@elsewhere.example');
  await page.keyboard.press('Enter');
  await dialog.getByText(/eve@elsewhere\.example is neither a user/).waitFor();
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill('olga@example.org, wall@ops.example');
  await dialog.getByRole('checkbox', { name: 'Quiet hours' }).check({ force: true });
  expect(await dialog.getByRole('textbox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
  await dialog.getByRole('textbox', { name: 'From' }).fill('10 pm');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a time such as 22:00.').waitFor();
  await dialog.getByRole('textbox', { name: 'From' }).fill('22:00');
  await shoot(page, 'channels-mail-dialog-light-1440');
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('quiet 22:00–07:00 (Europe/Berlin)').waitFor();
  await page.getByRole('button', { name: 'Test ops-team' }).click();
  await page.getByText('The test message was sent.').waitFor();
  await page.getByText(/olga@example\.org: 250/).waitFor();
  const mail = await mails.mailTo('wall@ops.example', /Test message of Shop/);
  expect(mail.text).toContain('Messages to the channel “ops-team” arrive here.');
});

test('webhooks are off until an owner switches them on; a generic one shows its secret once', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add channel' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('hook');
  await dialog.getByRole('button', { name: /Type/ }).click();
  await page.getByRole('option', { name: 'Webhook (JSON)' }).click();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://169.254.169.254/latest');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/is not on the public internet/).waitFor();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`http://${host}/path-that-is-secret`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue();
  expect(secret).toMatch(/^[\w-]{43}$/);
  await shoot(page, 'channels-secret-light-1440');
  await page.getByText('Close', { exact: true }).click();
  expect(await page.content()).not.toContain('path-that-is-secret');
  status = 404;
  await page.getByRole('button', { name: 'Test hook' }).click();
  await page.getByText('The target answered 404.').waitFor();
});

test('deliveries that failed show why, and are sent again by hand', async () => {
  const { page } = opened;
  const { deliveries } = team.server;
  status = 410;
  await deliveries.add(message('late', 'Late flights', 'hook'));
  await deliveries.add(message('gone', 'Cancelled flights', 'removed-channel'));
  mails.behaviour = 'take-and-drop';
  await deliveries.add(message('mailed', 'Delays by airline', 'ops-team'));
  await expect.poll(async () => (await deliveries.records.counts())['given-up']).toBe(1);
  // A mail is uncertain before its last bytes are sent, too; the attempt counts once the server has dropped it.
  const isOver = ({ state, attempts }: { state: string; attempts: number }) =>
    state === 'uncertain' && attempts === 1;
  await expect.poll(async () => (await deliveries.records.list({ limit: 9 })).filter(isOver).length).toBe(2);
  mails.behaviour = 'take';
  await page.reload();
  const list = page.getByRole('list', { name: 'Deliveries' });
  await list.getByText('The target answered 410.').waitFor();
  await list.getByText('There is no channel `removed-channel`.').waitFor();
  await list.getByText('The email may have arrived.').first().waitFor();
  await shoot(page, 'channels-failed-light-1440');
  await page.getByRole('button', { name: /Status/ }).click();
  await page.getByRole('option', { name: /^Failed/ }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  status = 200;
  await list.getByRole('button', { name: 'Send again: Late flights, hook' }).click();
  await page.getByText('No deliveries with this status.').waitFor();
  await expect.poll(async () => (await deliveries.records.counts()).sent).toBe(1);
  const { entries } = await team.owner.client.listAudit({ query: { search: 'delivery.resend', limit: 5 } });
  expect(entries.length).toBe(1);
});

test('the screens are readable in every size, theme and language; axe finds nothing', async () => {
  const { page } = opened;
  const found: string[] = [];
  const screens: Readonly<Record<string, () => Promise<void>>> = {
    page: async () => {
      await page.goto(at('/settings/channels'));
      await page.locator('#deliveries li').first().waitFor();
    },
    dialog: async () => {
      await page.goto(at('/settings/channels'));
      await page.locator('#channels li button').nth(4).click();
      await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    },
  };
  const look = async (name: string, isChecked: boolean) => {
    await shoot(page, `channels-${name}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${name}: ${excess} px too wide`);
    const isOverlayOpen = name.startsWith('dialog');
    if (isChecked) found.push(...(await violations(page, { isOverlayOpen })).map(one => `${name}: ${one}`));
  };
  for (const [theme, width, height] of looks)
    for (const [name, open] of Object.entries(screens)) {
      await page.setViewportSize({ width, height });
      await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
      await open();
      await look(`${name}-${theme}-${width}`, true);
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
  expect(opened.faults.filter(fault => !/40[034] \(/.test(fault))).toEqual([]);
});
