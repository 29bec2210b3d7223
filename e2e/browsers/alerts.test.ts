import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead } from '../running-belvedere.ts';
import { startMailServer, type MailServer } from '../team/messages/mail-server.ts';
import { password, runTeam, type RunningTeam } from '../team/running-team.ts';
import type { Driver, Tab } from './driver.ts';
import { browserEngines } from './engines.ts';
import { Screen } from './screen.ts';
import { keepScreenshot } from '../keep-screenshot.ts';

/* An alert from a tile's menu to its snooze, and a report from its dashboard to its mail, in each engine. */

const orders = (last: number) =>
  `day,amount\n${Array.from({ length: 60 }, (_, i) => {
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    return `${day},${i === 59 ? last : 40 + ((i * 37) % 23)}`;
  }).join('\n')}\n`;

const dashboard = `version: 1
title: Orders
model: orders
pages:
  - title: One
    tiles:
      total: { kind: kpi, title: Total, value: { measure: sum(amount) }, at: [0, 0, 6, 4] }
      daily: { kind: line, title: Orders a day, x: { field: day, timeUnit: day }, y: { measure: sum(amount) }, at: [6, 0, 18, 8] }
`;

describe.each(browserEngines)('in $name', ({ name, open }) => {
  let mail: MailServer;
  let team: RunningTeam;
  let driver: Driver;
  let tab: Tab;
  let screen: Screen;

  beforeAll(async () => {
    mail = await startMailServer();
    team = await runTeam(
      {
        'belvedere.yaml': 'version: 1\ntitle: Shop\ntimezone: UTC\n',
        'data/orders.csv': orders(50),
        'dashboards/orders.yaml': dashboard,
      },
      { mail: { smtpUrl: mail.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
    );
    await allRead(team);
    driver = await open();
    tab = await driver.newTab({ width: 1280, height: 900 });
    screen = new Screen(tab);
    await tab.goto(`${team.server.address}/sign-in`);
    await screen.click({ css: 'input[type=email]' });
    await tab.type(team.owner.email);
    await screen.click({ css: 'input[type=password]' });
    await tab.type(password);
    await tab.press('Enter');
    // Signing in loads the next page, during which nothing can be evaluated.
    const home = { css: 'main a[href="/d/orders"]' };
    await screen.until('Home', () => screen.count(home).catch(() => 0));
  });
  afterAll(async () => {
    await driver?.close();
    await team?.close();
    await mail?.close();
  });

  const look = (view: string) =>
    keepScreenshot(`engines/${view}-${name.toLowerCase()}`, () => tab.screenshot());
  const threshold = () =>
    tab.evaluate(() => Number(document.querySelector('[role=slider]')!.getAttribute('aria-valuenow')));

  test('an alert is made from a tile, its threshold dragged, and it fires and is snoozed', async () => {
    await screen.open(`${team.server.address}/d/orders`);
    // The button is there once the pointer is over its tile.
    await tab.move([[640, 300], (await screen.along('[data-tile=daily]', [0.5, 0.1], [0.5, 0.1]))[0]!]);
    await screen.click({ css: '[data-tile=daily] button', name: 'More' });
    await screen.click({ css: '[role=menuitem]', name: 'Alert me when…' });
    await screen.sees('Would have fired');
    await screen.find({ css: '[role=slider]' });
    const begun = await threshold();
    const line = await screen.find({ css: '[role=slider]' });
    const [x, y] = [line.x + 100, line.y + line.height / 2];
    await tab.drag([
      [x, y],
      [x, y + 20],
      [x, y + 40],
      [x, y + 60],
    ]);
    await screen.until('a lower threshold', async () => (await threshold()) < begun);
    // The text follows, and the rehearsal with it.
    const dragged = await threshold();
    await screen.find({ css: '.cm-line', name: `above: ${dragged}` });
    await look('alert-rehearsal');
    await screen.click({ css: 'label', name: 'Threshold', isExact: true });
    await tab.press('Control+a');
    await tab.type('200');
    await tab.press('Tab');
    await screen.sees('Would not have fired');
    await screen.click({ css: 'button', name: 'Save', isExact: true });
    await screen.addressHas('/alerts/orders-a-day-alert');
    await screen.sees('OK');
    await team.write('data/orders.csv', orders(500));
    await screen.sees('500 is above 200.');
    await look('alert-firing');
    const { subject, text } = await mail.mailTo(team.owner.email, /Firing/);
    expect(subject).toBe('Firing: Orders a day alert');
    expect(text).toContain('500 is above 200.');
    await screen.open(`${team.server.address}/d/orders`);
    await screen.click({ css: 'a', name: 'Firing: Orders a day alert' });
    await screen.sees('500 is above 200.');
    await screen.button('Snooze');
    await screen.click({ css: '[role=menuitem]', name: '1 day' });
    await screen.sees('Snoozed until');
    await look('alert-snoozed');
    expect(await tab.faults()).toEqual([]);
  });

  test('a dashboard is subscribed to; a report for others is previewed and sent to oneself', async () => {
    await screen.open(`${team.server.address}/d/orders`);
    await screen.click({ css: 'button', name: 'Subscribe' });
    await screen.sees('Next:');
    await look('subscribe');
    await screen.click({ css: '[role=dialog] button', name: 'Subscribe', isExact: true });
    await screen.sees('You are subscribed.');
    await tab.goto(`${team.server.address}/reports/new?dashboard=orders`);
    await screen.find({ css: 'article[aria-label=Email] a, article[aria-label=Email] dd' });
    await screen.until('the picture of the mail', async () => (await screen.count({ css: 'img' })) > 0);
    await look('report-preview');
    await screen.click({ css: 'button', name: 'Send to me now' });
    await screen.sees(`Sent to ${team.owner.email}.`);
    const sent = await mail.mailTo(team.owner.email, /Orders/);
    expect(sent.raw).toContain('image/png');
    expect(await tab.faults()).toEqual([]);
  });
});
