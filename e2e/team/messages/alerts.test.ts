import type { Client } from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead } from '../../running-belvedere.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/**
 * Alerts of a team: checked with the rights of their owners, when data changes, and visible to users who can
 * see what they watch.
 */

const dashboard = `version: 1
title: Orders
model: orders
filters:
  - { field: region, control: multiSelect }
pages:
  - title: Overview
    tiles:
      total: { kind: kpi, value: { measure: sum(amount) }, at: [0, 0, 6, 4] }
      daily: { kind: line, x: { field: day, timeUnit: day }, y: { measure: sum(amount) }, at: [6, 0, 18, 8] }
      regions: { kind: bar, x: { measure: sum(amount) }, y: { field: region }, at: [0, 8, 12, 8] }
`;

const orders = (last: number) =>
  `day,region,amount\n${Array.from({ length: 20 }, (_, i) => {
    const day = `2024-03-${String(i + 1).padStart(2, '0')}`;
    return `${day},north,${i === 19 ? last : 10}\n${day},south,5`;
  }).join('\n')}\n`;

const alert = (owner: string, watch: string, when: string, more = '') => `version: 1
title: Many orders
owner: ${owner}
watch: ${watch}
when: ${when}
${more}`;

const daily = '{ dashboard: orders, tile: daily }';

let team: RunningTeam;
let mail: MailServer;
let eva: Member;
let ana: Member;
let vic: Member;

beforeAll(async () => {
  mail = await startMailServer();
  // Invitations that cannot be mailed give their links to the admin.
  mail.behaviour = 'refuse';
  team = await runTeam(
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\n',
      'data/orders.csv': orders(10),
      'dashboards/orders.yaml': dashboard,
    },
    { mail: { smtpUrl: mail.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  await allRead(team);
  eva = await team.join('Eva', 'editor');
  ana = await team.join('Ana', 'explorer');
  vic = await team.join('Vic', 'viewer');
  mail.behaviour = 'take';
  for (const user of [eva, ana])
    await team.owner.client.putGrant({
      params: { kind: 'dashboard', object: 'orders' },
      body: { subject: { kind: 'user', id: user.id }, level: 'explore' },
    });
});
afterAll(async () => {
  await team?.close();
  await mail?.close();
});

const save = (client: Client, id: string, text: string, base?: string) =>
  client.saveAlertText({ params: { id }, body: { text }, ifMatch: base });
const stateOf = async (client: Client, id: string) =>
  (await client.listAlerts({})).alerts.find(one => one.id === id)?.state;
const detail = (client: Client, id: string) => client.getAlert({ params: { id }, query: {} });

test('an alert fires when the data changes, and is resolved when it changes back', async () => {
  const notify = `notify: [{ user: ${eva.email} }, { user: ${vic.email} }]\n`;
  await save(eva.client, 'many', alert(eva.email, daily, '{ above: 20 }', notify));
  await expect.poll(() => stateOf(eva.client, 'many')).toBe('ok');
  await team.write('data/orders.csv', orders(100));
  await expect.poll(() => stateOf(eva.client, 'many')).toBe('firing');
  const { states, history, value } = await detail(eva.client, 'many');
  expect(value).toBe(105);
  expect(states[0]!.reason).toBe('105 is above 20.');
  expect(history.map(({ from, to }) => [from, to])).toEqual([['ok', 'firing']]);
  const fired = await mail.mailTo(eva.email, /Firing: Many orders/);
  expect(fired.text).toContain('105 is above 20.');
  expect(fired.text).toContain('/d/orders');
  await team.write('data/orders.csv', orders(10));
  await expect.poll(() => stateOf(eva.client, 'many')).toBe('ok');
  await mail.mailTo(eva.email, /Resolved: Many orders/);
  // One mail for each change, and none to a recipient who cannot see the dashboard.
  expect(mail.received.map(({ to }) => to)).toEqual([[eva.email], [eva.email]]);
});

test('its owner reads its messages, and charts mark when it fired', async () => {
  await expect
    .poll(async () =>
      (await detail(eva.client, 'many')).deliveries?.map(({ title, to, state }) => [title, to, state]),
    )
    .toEqual(
      expect.arrayContaining([
        ['Resolved: Many orders', { kind: 'user', name: 'Eva' }, 'sent'],
        ['Firing: Many orders', { kind: 'user', name: 'Eva' }, 'sent'],
        ['Firing: Many orders', { kind: 'user', name: 'Vic' }, 'dropped'],
      ]),
    );
  expect((await detail(ana.client, 'many')).deliveries).toBeUndefined();
  const { jobs } = await team.owner.client.listJobs({ query: { kind: 'delivery' } });
  expect(new Set(jobs.map(({ title }) => title))).toEqual(
    new Set(['Firing: Many orders', 'Resolved: Many orders']),
  );
  const fired = async (client: Client) =>
    (await client.listTileAlerts({ params: { id: 'orders' } })).alerts.map(one => [
      one.tile,
      one.fired.length,
    ]);
  expect(await fired(ana.client)).toEqual([['daily', 1]]);
  const { text, hash } = await eva.client.getAlertText({ params: { id: 'many' } });
  await save(eva.client, 'many', `${text}marks: false\n`, hash);
  await expect.poll(() => fired(ana.client)).toEqual([['daily', 0]]);
});

test('a text is checked with the names of recipients, and of what its author may see', async () => {
  const errors = async (text: string) =>
    (await eva.client.validate({ body: { kind: 'alert', text } })).errors.map(({ message }) => message);
  expect(await errors(alert(eva.email, daily, '{ above: 1 }'))).toEqual([]);
  expect(
    await errors(
      alert(
        eva.email,
        '{ dashboard: secrets, tile: a }',
        '{ above: 1 }',
        'notify: [{ user: vik@example.org }]\n',
      ),
    ),
  ).toEqual([
    'Unknown dashboard `secrets`.',
    `Unknown user \`vik@example.org\`; did you mean \`${vic.email}\`?`,
  ]);
});

describe('permissions', () => {
  test('viewers of the dashboard see the alert, others do not', async () => {
    expect(await stateOf(ana.client, 'many')).toBeDefined();
    const received = async ({ client }: Member) =>
      (await client.listAlerts({})).alerts.find(({ id }) => id === 'many')?.isRecipient;
    expect([await received(eva), await received(ana)]).toEqual([true, false]);
    expect(await stateOf(vic.client, 'many')).toBeUndefined();
    await expect(detail(vic.client, 'many')).rejects.toMatchObject({ problem: { type: 'not-found' } });
    expect((await vic.client.listAlerts({})).canCreate).toBe(false);
  });

  test('those who see it mute it for themselves alone', async () => {
    const put = (member: Member, isSubscribed: boolean) =>
      member.client.putAlertSubscription({ params: { id: 'many' }, body: { isSubscribed } });
    await put(ana, false);
    expect(await detail(ana.client, 'many')).toMatchObject({ hasUnsubscribed: true });
    expect(await detail(eva.client, 'many')).toMatchObject({ hasUnsubscribed: false });
    await put(ana, true);
    expect(await detail(ana.client, 'many')).toMatchObject({ hasUnsubscribed: false });
    await expect(put(vic, false)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  });

  test('only the owner and admins change it', async () => {
    const ids = ['many'];
    expect(await ana.client.snoozeAlerts({ body: { ids, until: Date.now() + 60_000 } })).toEqual({
      done: [],
    });
    expect(await ana.client.checkAlerts({ body: { ids } })).toEqual({ done: [] });
    expect(await eva.client.snoozeAlerts({ body: { ids, until: Date.now() + 60_000 } })).toEqual({
      done: ids,
    });
    expect(await detail(ana.client, 'many')).toMatchObject({ snoozedBy: 'Eva', canEdit: false });
    expect(await team.owner.client.snoozeAlerts({ body: { ids, until: null } })).toEqual({ done: ids });
  });

  test('an alert stops at once when its owner may no longer see what it watches, and runs again when they may', async () => {
    const share = (level: 'explore' | null) =>
      team.owner.client.putGrant({
        params: { kind: 'dashboard', object: 'orders' },
        body: { subject: { kind: 'user', id: eva.id }, level },
      });
    await share(null);
    await expect.poll(() => stateOf(team.owner.client, 'many')).toBe('stopped');
    expect(await detail(team.owner.client, 'many')).toMatchObject({ stopped: 'no-access' });
    expect(await detail(eva.client, 'many')).toMatchObject({ isShown: false, states: [], history: [] });
    await share('explore');
    await expect.poll(() => stateOf(team.owner.client, 'many')).toBe('ok');
  });
});

test('a rehearsal reads the past values of a series, of groups and of a figure', async () => {
  const rehearse = (watch: string, when = '{ above: 20 }') =>
    eva.client.rehearseAlert({ body: { text: alert(eva.email, watch, when) } });
  const series = await rehearse(daily);
  expect(series).toMatchObject({ unit: 'day', groups: 1, hasOther: false });
  expect(series.series[0]!.points.map(([, , value]) => value)).toEqual(Array.from({ length: 20 }, () => 15));
  const groups = await rehearse('{ dashboard: orders, tile: regions }');
  expect(groups.series.map(({ label, points }) => [label, points.at(-1)![2]])).toEqual([
    ['north', 200],
    ['south', 100],
  ]);
  const figure = await rehearse('{ dashboard: orders, tile: total }');
  expect(figure.unit).toBeUndefined();
  expect(figure.series[0]!.points).toHaveLength(90);
  expect(figure.series[0]!.points.slice(-3).map(([, , value]) => value)).toEqual([270, 285, 300]);
  await expect(rehearse('{ dashboard: orders, tile: daily, measure: sum(cost) }')).rejects.toMatchObject({
    problem: { type: 'field-unknown' },
  });
});

test('pausing an alert changes one line of its text', async () => {
  const before = await eva.client.getAlertText({ params: { id: 'many' } });
  expect(await eva.client.pauseAlerts({ body: { ids: ['many'], paused: true } })).toEqual({ done: ['many'] });
  await expect.poll(() => stateOf(eva.client, 'many')).toBe('paused');
  const paused = await eva.client.getAlertText({ params: { id: 'many' } });
  expect(paused.text).toBe(`${before.text.trimEnd()}\npaused: true\n`);
  await eva.client.pauseAlerts({ body: { ids: ['many'], paused: false } });
  expect((await eva.client.getAlertText({ params: { id: 'many' } })).text.trimEnd()).toBe(
    before.text.trimEnd(),
  );
});

test('an alert’s messages are in its own language, with its number format', async () => {
  const notify = `notify: [{ user: ${eva.email} }]\nlocale: de-DE\n`;
  await save(eva.client, 'german', alert(eva.email, daily, '{ above: 1000 }', notify));
  await expect.poll(() => stateOf(eva.client, 'german')).toBe('ok');
  await team.write('data/orders.csv', orders(1200));
  const fired = await mail.mailTo(eva.email, /Ausgelöst: Many orders/);
  expect(fired.text).toContain('1.205 liegt über 1.000.');
  expect(fired.text).toContain('Dashboard öffnen');
  expect(await detail(eva.client, 'german')).toMatchObject({
    locale: 'de-DE',
    states: [{ state: 'firing' }],
  });
  await team.write('data/orders.csv', orders(10));
  await mail.mailTo(eva.email, /Behoben: Many orders/);
  await eva.client.removeAlert({ params: { id: 'german' } });
});

test('an alert without an owner is refused with the line to add, as other errors of documents are', async () => {
  const text = alert(eva.email, daily, '{ above: 1 }').replace(/owner: .*\n/, '');
  await expect(save(eva.client, 'ownerless', text)).rejects.toMatchObject({
    problem: {
      type: 'document-invalid',
      errors: [
        {
          file: 'alerts/ownerless.yaml',
          path: 'owner',
          line: 1,
          message: expect.stringContaining(`Add \`owner: ${eva.email}\``),
        },
      ],
    },
  });
});

test('a deleted alert is restored by its owner or an admin, with its history; others do not see it', async () => {
  const text = alert(eva.email, daily, '{ above: 1 }');
  await save(eva.client, 'kept', text);
  await expect.poll(() => stateOf(eva.client, 'kept')).toBe('firing');
  const { number } = await eva.client.removeAlert({ params: { id: 'kept' } });
  const seen = async ({ client }: { readonly client: Client }) =>
    (await client.listTrash({})).documents.map(({ kind, name }) => `${kind} ${name}`);
  expect(await Promise.all([seen(eva), seen(team.owner)])).toEqual([
    expect.arrayContaining(['alert kept']),
    expect.arrayContaining(['alert kept']),
  ]);
  mail.behaviour = 'refuse';
  const max = await team.join('Max', 'maker');
  mail.behaviour = 'take';
  for (const other of [ana, vic, max]) {
    expect(await seen(other)).toEqual([]);
    await expect(other.client.restoreDocument({ params: { number } })).rejects.toMatchObject({
      problem: { type: 'not-found' },
    });
  }
  expect(await eva.client.restoreDocument({ params: { number } })).toEqual({ kind: 'alert', id: 'kept' });
  expect((await eva.client.getAlertText({ params: { id: 'kept' } })).text).toBe(text);
  expect(await stateOf(eva.client, 'kept')).toBe('firing');
  expect((await team.owner.client.listAudit({ query: { search: 'alert kept' } })).entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'alert.remove' }),
      expect.objectContaining({ action: 'alert.restore' }),
    ]),
  );
  await eva.client.removeAlert({ params: { id: 'kept' } });
});
