import type { ChannelLimits, NewChannel } from '@belvedere/api';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Directory } from '../../../apps/server/src/access/directory.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { Channels } from '../../../apps/server/src/deliver/channels.ts';
import { backOffMs, DeliverJob } from '../../../apps/server/src/deliver/deliver-job.ts';
import { Deliveries } from '../../../apps/server/src/deliver/deliveries.ts';
import type { NewMessage } from '../../../apps/server/src/deliver/message.ts';
import { Sender } from '../../../apps/server/src/deliver/sender.ts';
import { testChannels } from '../../../apps/server/src/deliver/test-channel.ts';
import { mailSettings } from '../../../apps/server/src/mail/mail-settings.ts';
import { Mailer } from '../../../apps/server/src/mail/mailer.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { Grants } from '../../../apps/server/src/state/sharing/grants.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import type { Workspace } from '../../../apps/server/src/workspace/workspace.ts';
import { startMailServer, type MailServer } from '../../team/messages/mail-server.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* Channels and deliveries on both state databases, to real servers that misbehave, with a clock that the test sets. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

interface Received {
  readonly path: string;
  readonly key: string;
  readonly signature: string;
  readonly text: string;
  readonly body: { readonly messages: readonly { readonly about: string }[] };
}

const emptyState = stateDatabases();
let mails: MailServer;
let target: http.Server;
let origin: string;
const received: Received[] = [];
/** The target's response: a status, or no response. */
let answer: { readonly status?: number; readonly headers?: http.OutgoingHttpHeaders } | 'drop' = {};
beforeAll(async () => {
  mails = await startMailServer();
  target = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      received.push({
        path: request.url!,
        key: String(request.headers['idempotency-key']),
        signature: String(request.headers['belvedere-signature']),
        text,
        body: JSON.parse(text) as Received['body'],
      });
      if (answer === 'drop') response.destroy();
      else response.writeHead(answer.status ?? 200, answer.headers).end('ok');
    });
  });
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
});
afterAll(async () => {
  target.close();
  await mails.close();
});

const plainLimits: ChannelLimits = { perHour: 60, groupSeconds: 0 };

describe.each(stateKinds)('deliveries on %s', kind => {
  let state: StateDatabase;
  let channels: Channels;
  let deliveries: Deliveries;
  let directory: Directory;
  let accounts: Awaited<ReturnType<typeof openAccounts>>;
  let now: number;
  let ana: string;
  let workspace: Workspace;
  let jobs: { readonly object: string; readonly key: string; at: number }[];
  let job: DeliverJob;
  /** Opens the channels again, as after a restart. */
  let reopen: (secret: string) => Promise<void>;
  let test_: ReturnType<typeof testChannels>;

  beforeEach(async () => {
    now = Date.UTC(2026, 10, 30, 12);
    received.length = 0;
    answer = {};
    mails.behaviour = 'take';
    jobs = [];
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-deliveries-'));
    state = await emptyState(kind, folder);
    const clock = { wall: () => now, elapsed: () => now, isTrusted: () => true };
    const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
    accounts = await openAccounts(state, { limits, clock, folder, port: () => 4600 });
    await state.db
      .insertInto('user')
      .values({
        id: 'ana',
        name: 'Ana',
        email: 'ana@example.org',
        email_verified: 1,
        image: null,
        created_at: '2026-01-01',
        updated_at: '2026-01-01',
        role: 'viewer',
        disabled_at: null,
        last_seen_at: null,
        attributes: '{}',
      })
      .execute();
    ana = 'ana';
    await accounts.people.load();
    const ids = new DocumentIds(state);
    const grants = new Grants(state, ids);
    directory = new Directory(accounts, grants);
    await directory.refresh();
    workspace = {
      title: 'Shop',
      settings: {},
      dashboards: new Map([['delays', { id: 'delays' }]]),
      models: new Map(),
      sources: new Map(),
      unappliedPolicies: [],
      declaredGrants: [{ everyone: true, dashboard: 'delays', level: 'view' }],
    } as unknown as Workspace;
    const allowed = new Set([new URL(origin).host]);
    const parts = {
      state,
      settings: accounts.settings,
      secrets: ['x'.repeat(43)] as const,
      directory,
      isTeam: true,
      clock,
      mailer: { isSet: true, offReason: undefined },
      workspace: () => workspace,
      allowed,
      domains: new Set(['ops.example']),
    };
    channels = await Channels.open(parts);
    await channels.switchWebhooks(true);
    const runner = {
      enqueue: async (one: { object: string; key: string; dueAt: number }) => {
        if (jobs.some(({ key }) => key === one.key)) return false;
        jobs.push({ object: one.object, key: one.key, at: one.dueAt });
        return true;
      },
    };
    deliveries = new Deliveries({ state, channels, clock, runner });
    const settings = mailSettings({ smtpUrl: mails.url, mailFrom: 'belvedere@example.org' })!;
    const sender = new Sender({
      mailer: new Mailer({ settings }, { silentMs: 500, wholeMs: 2000 }),
      allowed,
      clock,
      address: () => 'https://b.example',
      workspace: () => ({ title: 'Shop' }),
    });
    const { records, messages } = deliveries;
    const resend = (id: string) => deliveries.resend(id);
    job = new DeliverJob({
      state,
      records,
      messages,
      channels,
      sender,
      directory,
      workspace: () => workspace,
      clock,
      resend,
    });
    reopen = async secret => {
      channels = await Channels.open({ ...parts, secrets: [secret] });
      deliveries = new Deliveries({ state, channels, clock, runner });
      job = new DeliverJob({
        state,
        records,
        messages,
        channels,
        sender,
        directory,
        workspace: () => workspace,
        clock,
        resend,
      });
    };
    test_ = testChannels({ channels, sender, clock, workspace: () => ({ title: 'Shop' }) });
    return async () => {
      await state.close();
      await rm(folder, { recursive: true });
    };
  });

  /** Runs the due jobs in order, as the runner does. */
  const run = async () => {
    for (;;) {
      const next = jobs.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)[0];
      if (!next) return;
      const outcome = await job
        .run({ object: next.object, signal: new AbortController().signal })
        .catch((error: Error) => ({ kind: 'given up' as const, error }));
      if (outcome.kind === 'postponed') next.at = outcome.until;
      else next.at = Infinity;
    }
  };
  /** Runs everything up to a time from now. */
  const runFor = async (ms: number) => {
    const end = now + ms;
    await run();
    for (;;) {
      const next = Math.min(...jobs.map(({ at }) => at));
      if (next > end) break;
      now = next;
      await run();
    }
    now = end;
  };
  /** Later than the one before, so that lists have an order. */
  const add = async (added: NewMessage) => {
    now += 1;
    await deliveries.add(added);
  };
  const message = (key: string, more: Partial<NewMessage> = {}): NewMessage => ({
    key,
    kind: 'alert',
    about: 'alert:late',
    title: 'Late flights',
    state: 'firing',
    severity: 'warning',
    lines: ['40 % are late.'],
    facts: [{ label: 'Value', value: '40 %' }],
    links: [{ label: 'Open', href: '/d/delays' }],
    images: [],
    files: [],
    to: [{ kind: 'channel', channel: 'hook' }],
    requires: [{ kind: 'dashboard', id: 'delays' }],
    ...more,
  });
  const hook = (limits: Partial<ChannelLimits> = {}, target: Partial<NewChannel['target']> = {}) =>
    channels.create(
      {
        name: 'hook',
        target: {
          kind: 'webhook',
          template: 'generic',
          url: `${origin}/hook`,
          ...target,
        } as NewChannel['target'],
        limits: { ...plainLimits, ...limits },
      },
      ana,
    );
  const mail = (addresses: string[], limits: Partial<ChannelLimits> = {}) =>
    channels.create(
      { name: 'mail', target: { kind: 'mail', addresses }, limits: { ...plainLimits, ...limits } },
      ana,
    );
  const states = async () =>
    (await deliveries.records.list({ limit: 200 }))
      .toReversed()
      .map(({ state: is, reason }) => (reason === undefined ? is : `${is}: ${reason}`));
  const tried = () => received.length;

  test('store a message once for its key, and roll back with their transaction', async () => {
    await hook();
    await Promise.all([deliveries.add(message('a')), deliveries.add(message('a'))]);
    await add(message('a'));
    await state
      .transaction(async () => {
        await add(message('b'));
        throw new Error('no');
      })
      .catch(() => {});
    await runFor(minute);
    expect(await states()).toEqual(['sent']);
    expect(tried()).toBe(1);
  });

  test('to a webhook are signed, and have the same key and body in all attempts', async () => {
    const { secret } = await hook();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const stored = JSON.stringify(await state.db.selectFrom('channel').selectAll().execute());
    expect(stored.includes(secret!) || stored.includes('/hook')).toBe(false);
    answer = { status: 500 };
    await add(message('a'));
    await runFor(10 * second);
    expect(await states()).toEqual(['waiting: The target answered 500.']);
    answer = 'drop';
    await runFor(minute);
    answer = {};
    await runFor(hour);
    expect(await states()).toEqual(['sent']);
    expect(tried()).toBe(3);
    expect(new Set(received.map(({ key }) => key)).size).toBe(1);
    expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('are signed with the earlier secret too for a day after it was replaced', async () => {
    const { secret: first } = await hook();
    const { secret: second, channel } = await channels.rotateSecret('hook');
    expect(Date.parse(channel.earlierSecretUntil!) - now).toBe(day);
    // A change of the channel keeps both.
    const target = { kind: 'webhook', template: 'generic' } as const;
    await channels.update('hook', { target, limits: { ...plainLimits, perHour: 30 } });
    await reopen('x'.repeat(43));
    const signers = async (key: string) => {
      await add(message(key));
      await runFor(minute);
      const { signature, text } = received.at(-1)!;
      const [, time] = /^t=(\d+)/.exec(signature)!;
      return [first!, second!].filter(secret =>
        signature.includes(`v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`),
      );
    };
    expect(await signers('a')).toEqual([first, second]);
    now += day;
    expect(await signers('b')).toEqual([second]);
    expect(channels.list()[0]!.earlierSecretUntil).toBeUndefined();
  });

  test('are given up after 24 hours of failures', async () => {
    await hook();
    answer = { status: 503 };
    await add(message('a'));
    await runFor(23 * hour);
    expect(tried()).toBe(9);
    await runFor(2 * hour);
    expect(await states()).toEqual(['given-up: The target answered 503.']);
    expect(tried()).toBe(backOffMs.length + 1);
    expect(backOffMs.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(day);
  });

  test.each([301, 302, 307, 400, 401, 404, 410, 422])('are given up at once for %i', async status => {
    await hook();
    answer = { status, headers: { location: '/elsewhere' } };
    await add(message('a'));
    await runFor(day);
    expect((await states())[0]).toMatch(`given-up: The target answered ${status}.`);
    expect(received.map(one => one.path)).toEqual(['/hook']);
  });

  test.each([
    [408, {}, 30 * second],
    [429, { 'retry-after': '120' }, 120 * second],
    [503, { 'retry-after': 'Mon, 30 Nov 2026 12:10:00 GMT' }, 10 * minute],
    [429, { 'retry-after': '999999' }, hour],
    [429, { 'retry-after': '1' }, 30 * second],
    [503, { 'retry-after': 'soon' }, 30 * second],
  ] as const)('are tried again after %i with %o in %i ms', async (status, headers, wait) => {
    await hook();
    answer = { status, headers };
    await deliveries.add(message('a'));
    await run();
    expect(jobs[0]!.at - now).toBe(wait);
  });

  test('are given up after 24 hours, however often the target asks to wait', async () => {
    await hook();
    answer = { status: 429, headers: { 'retry-after': '3600' } };
    await add(message('a'));
    await runFor(3 * day);
    expect((await states())[0]).toBe('given-up: The target answered 429.');
  });

  test('to a channel that does not exist, is off, or is deleted are dropped with the reason', async () => {
    await add(message('a'));
    await runFor(minute);
    await hook();
    await channels.switchWebhooks(false);
    await add(message('b'));
    await runFor(minute);
    await channels.switchWebhooks(true);
    await add(message('c'));
    await channels.remove('hook');
    await runFor(minute);
    expect(await states()).toEqual([
      'dropped: There is no channel `hook`.',
      'dropped: Webhooks are switched off under Settings › Channels.',
      'dropped: There is no channel `hook`.',
    ]);
    expect(tried()).toBe(0);
  });

  test('wait during quiet hours; critical ones pass if the channel says so', async () => {
    const quiet = { from: '12:00', to: '14:30', zone: 'UTC', days: [1], passesCritical: true };
    await hook({ quiet });
    await add(message('a'));
    await add(message('b', { severity: 'critical' }));
    await runFor(minute);
    expect(await states()).toEqual(['waiting: Quiet hours', 'sent']);
    await runFor(2 * hour);
    expect(tried()).toBe(1);
    await runFor(hour);
    expect(await states()).toEqual(['sent', 'sent']);
  });

  test('keep the limit of a channel over any hour', async () => {
    await hook({ perHour: 3 });
    for (let i = 0; i < 8; i++) await add(message(`m${i}`));
    await runFor(30 * minute);
    expect(tried()).toBe(3);
    expect((await states())[7]).toBe('waiting: At most 3 messages an hour');
    await runFor(hour - 30 * minute);
    expect(tried()).toBe(6);
    await runFor(hour);
    expect(tried()).toBe(8);
    expect(new Set(received.map(({ key }) => key)).size).toBe(8);
  });

  test('of one channel are grouped into one message, which retries as one', async () => {
    await hook({ groupSeconds: 60 });
    for (const about of ['a', 'b', 'c']) {
      await add(message(about, { about: `alert:${about}`, title: about }));
      now += 10 * second;
    }
    await add(message('report', { kind: 'report' }));
    await run();
    answer = { status: 500 };
    await runFor(40 * second);
    expect(received.map(({ body }) => body.messages.map(one => one.about))).toEqual([
      ['alert:late'],
      ['alert:a', 'alert:b', 'alert:c'],
    ]);
    await add(message('d', { about: 'alert:d' }));
    answer = {};
    await runFor(hour);
    const groups = received.filter(({ body }) => body.messages.length > 1);
    expect(groups.length).toBe(2);
    expect(new Set(groups.map(({ key }) => key)).size).toBe(1);
    expect(await states()).toEqual(['sent', 'sent', 'sent', 'sent', 'sent']);
  });

  describe('by mail', () => {
    const subjects = () => mails.received.map(({ subject }) => subject);
    beforeEach(() => {
      (mails.received as unknown[]).length = 0;
    });

    test('go to each address on its own, with pictures, files and the same ID in all attempts', async () => {
      await mail(['ana@example.org', 'wall@ops.example']);
      mails.behaviour = 'later-data';
      await add(
        message('a', {
          to: [{ kind: 'channel', channel: 'mail' }],
          images: [{ name: 'chart.png', alt: 'A chart', png: Uint8Array.of(1, 2, 3), width: 600 }],
          files: [{ name: 'Bericht ü.csv', type: 'text/csv', bytes: Buffer.from('a\n1\n') }],
        }),
      );
      await run();
      expect(await states()).toEqual([
        'waiting: ' + `The mail server ${new URL(mails.url).host} refused the mail (451).`,
        'waiting: ' + `The mail server ${new URL(mails.url).host} refused the mail (451).`,
      ]);
      mails.behaviour = 'take';
      await runFor(minute);
      expect(await states()).toEqual(['sent', 'sent']);
      expect(mails.received.map(({ to }) => to.join()).toSorted()).toEqual([
        'ana@example.org',
        'wall@ops.example',
      ]);
      expect(new Set(mails.received.map(({ id }) => id)).size).toBe(2);
      const [first] = mails.received;
      expect(first!.subject).toBe('Late flights');
      expect(first!.text).toContain('cid:image-1-1@belvedere');
      expect(first!.raw).toMatch(/Content-ID: <image-1-1@belvedere>/i);
      expect(first!.raw).toMatch(/Content-Disposition: attachment/i);
      expect(first!.raw).toMatch(/^Date: Mon, 30 Nov 2026 12:00:00 \+0000/m);
    });

    test('have a page for unsubscribing in List-Unsubscribe, and nothing that unsubscribes by itself', async () => {
      await add(
        message('a', { to: [{ kind: 'user', userId: ana }], unsubscribe: '/alerts/late/unsubscribe' }),
      );
      await runFor(minute);
      const [one] = mails.received;
      expect(one!.raw).toMatch(/^List-Unsubscribe: <https:\/\/b\.example\/alerts\/late\/unsubscribe>/m);
      expect(one!.raw).not.toMatch(/List-Unsubscribe-Post/i);
    });

    test('that were handed over without an answer are uncertain, and sent again by hand only', async () => {
      for (const behaviour of ['hang-data', 'take-and-drop'] as const) {
        mails.behaviour = behaviour;
        await add(message(behaviour, { to: [{ kind: 'user', userId: ana }] }));
        await run();
      }
      mails.behaviour = 'take';
      await runFor(3 * day);
      expect((await states()).every(one => one.startsWith('uncertain: '))).toBe(true);
      expect(subjects().length).toBe(1);
      const [found] = await deliveries.records.list({ limit: 1 });
      await deliveries.resend(found!.id);
      await expect(deliveries.resend(found!.id)).rejects.toMatchObject({ type: 'request-invalid' });
      await runFor(minute);
      expect(subjects().length).toBe(2);
      expect((await deliveries.records.find(found!.id))?.state).toBe('sent');
      // The same ID: a mail program shows a mail that came twice once.
      expect(new Set(mails.received.map(({ id }) => id)).size).toBe(1);
    });

    test.each([
      ['refuse', 'given-up', /refused the sender or the recipient \(550\)/],
      ['refuse-data', 'given-up', /refused the mail \(554\)/],
      ['later-data', 'waiting', /refused the mail \(451\)/],
      ['drop', 'waiting', /ended the connection/],
    ] as const)('that a server treats so: %s, are %s', async (behaviour, expected, reason) => {
      mails.behaviour = behaviour;
      await add(message('a', { to: [{ kind: 'user', userId: ana }] }));
      await run();
      const [found] = await deliveries.records.list({ limit: 1 });
      expect(found).toMatchObject({ state: expected, reason: expect.stringMatching(reason) });
    });

    test('to users who may no longer see what they are about, or are disabled, are dropped', async () => {
      const to = [{ kind: 'user', userId: ana } as const];
      await add(message('gone', { to, requires: [{ kind: 'dashboard', id: 'gone' }] }));
      await add(message('nobody', { to: [{ kind: 'user', userId: 'nobody' }] }));
      await mail(['ana@example.org', 'wall@ops.example']);
      await add(message('seen', { to }));
      await add(message('channel', { to: [{ kind: 'channel', channel: 'mail' }] }));
      // After the messages were stored, and before they are sent.
      await state.db.updateTable('user').set({ disabled_at: '2026-11-30' }).execute();
      await accounts.people.load();
      await directory.refresh();
      await runFor(minute);
      expect((await states()).toSorted()).toEqual([
        'dropped: The account is disabled.',
        'dropped: The account is disabled.',
        'dropped: The account of ana@example.org is disabled.',
        'dropped: The user no longer exists.',
        'sent',
      ]);
      expect(mails.received.map(({ to: all }) => all.join())).toEqual(['wall@ops.example']);
    });

    test('to users who lost access a moment ago are dropped, also at their address in a channel', async () => {
      await mail(['ana@example.org', 'wall@ops.example']);
      await add(message('own', { to: [{ kind: 'user', userId: ana }] }));
      await add(message('channel', { to: [{ kind: 'channel', channel: 'mail' }] }));
      workspace = { ...workspace, declaredGrants: [] };
      await runFor(minute);
      expect((await states()).toSorted()).toEqual([
        'dropped: The user may no longer see the dashboard `delays`.',
        'dropped: The user may no longer see the dashboard `delays`.',
        'sent',
      ]);
    });

    describe('that wait while a user leaves the group with which a dashboard was shared', () => {
      const secret = { kind: 'dashboard', id: 'delays' } as const;
      const toMail = [{ kind: 'channel', channel: 'mail' } as const];
      beforeEach(async () => {
        await accounts.groups.save('sales', { name: 'Sales', attributes: {} });
        await accounts.groups.setGroupsOf(ana, ['sales']);
        await accounts.people.load();
        workspace = {
          ...workspace,
          dashboards: new Map(['delays', 'open'].map(id => [id, { id }])),
          declaredGrants: [
            { group: 'Sales', dashboard: 'delays', level: 'view' },
            { everyone: true, dashboard: 'open', level: 'view' },
          ],
        } as unknown as Workspace;
      });
      /** As the endpoints do, five seconds before the next attempt. */
      const leave = async () => {
        now = Math.min(...jobs.map(({ at }) => at)) - 5 * second;
        await accounts.groups.setGroupsOf(ana, []);
        await accounts.people.load();
      };
      const dropped = 'dropped: The user may no longer see the dashboard `delays`.';

      test('after a failed attempt, are dropped', async () => {
        mails.behaviour = 'later-data';
        await add(message('a', { to: [{ kind: 'user', userId: ana }], requires: [secret] }));
        await run();
        expect((await states())[0]).toMatch('waiting: ');
        mails.behaviour = 'take';
        await leave();
        await runFor(day);
        expect([await states(), mails.received.length]).toEqual([[dropped], 0]);
      });

      test('in quiet hours, are dropped', async () => {
        const quiet = { from: '11:00', to: '13:00', zone: 'UTC', days: [1], passesCritical: false };
        await mail(['ana@example.org'], { quiet });
        await add(message('a', { to: toMail, requires: [secret] }));
        await run();
        expect(await states()).toEqual(['waiting: Quiet hours']);
        await leave();
        await runFor(day);
        expect([await states(), mails.received.length]).toEqual([[dropped], 0]);
      });

      test('for others to be sent with them, are dropped, and the others are sent', async () => {
        await mail(['ana@example.org'], { groupSeconds: 60 });
        await add(message('a', { to: toMail, requires: [secret], title: 'Secret' }));
        await add(message('b', { to: toMail, requires: [{ kind: 'dashboard', id: 'open' }], title: 'Open' }));
        await leave();
        await runFor(day);
        expect((await states()).toSorted()).toEqual([dropped, 'sent']);
        expect(mails.received.map(({ text }) => text.includes('Secret'))).toEqual([false]);
      });
    });

    test('only go to addresses that were entered on this machine', async () => {
      await mail(['ana@example.org']);
      await hook();
      const settings = JSON.stringify({ kind: 'mail', addresses: ['wall@ops.example'] });
      await state.db.updateTable('channel').set({ settings }).where('name', '=', 'mail').execute();
      await reopen('x'.repeat(43));
      await add(message('changed', { to: [{ kind: 'channel', channel: 'mail' }] }));
      await run();
      await reopen('y'.repeat(43));
      await add(message('foreign'));
      await run();
      const [changed, foreign] = await states();
      expect(changed).toBe('dropped: wall@ops.example is no longer in the channel `mail`.');
      expect(foreign).toMatch(/^dropped: The address of the channel `hook` cannot be read/);
      expect(tried() + subjects().length).toBe(0);
    });

    test('only go to users and to domains of the workspace', async () => {
      await expect(mail(['eve@elsewhere.example'])).rejects.toThrow(
        /neither a user’s address, nor of a domain/,
      );
      await expect(mail(['eve@sub.ops.example'])).rejects.toThrow(/neither/);
      await expect(mail(['WALL@OPS.example'])).resolves.toBeDefined();
    });
  });

  test('that a channel’s test sends answer at once, past its limits', async () => {
    await hook({ quiet: { from: '00:00', to: '00:00', zone: 'UTC', days: [1], passesCritical: false } });
    const signal = new AbortController().signal;
    expect(await test_('hook', signal)).toEqual({ isSent: true, detail: 'The target answered 200.' });
    answer = { status: 418 };
    expect(await test_('hook', signal)).toEqual({ isSent: false, detail: 'The target answered 418.' });
    await channels.update('hook', {
      target: { kind: 'webhook', template: 'pagerduty', routingKey: 'r' },
      limits: plainLimits,
    });
    answer = {};
    await test_('hook', signal);
    const events = received
      .slice(-2)
      .map(({ body }) => body as unknown as { event_action: string; dedup_key: string });
    expect(events.map(({ event_action: action }) => action)).toEqual(['trigger', 'resolve']);
    expect(events[0]!.dedup_key).toBe(events[1]!.dedup_key);
  });

  test('lose their files a week after they ended, and their records after 90 days', async () => {
    await hook();
    const files = [{ name: 'a.csv', type: 'text/csv', bytes: Buffer.from('a') }];
    await add(message('sent', { files }));
    await add(message('dropped', { files, to: [{ kind: 'channel', channel: 'none' }] }));
    await run();
    await add(message('waiting', { files, to: [{ kind: 'channel', channel: 'hook' }] }));
    const fileCount = async () => (await state.db.selectFrom('message_file').select('name').execute()).length;
    now += 6 * day;
    await deliveries.prune(now);
    expect(await fileCount()).toBe(3);
    now += day + 1;
    await deliveries.prune(now);
    expect(await fileCount()).toBe(1);
    const listed = await deliveries.records.list({ limit: 10 });
    expect(listed.map(({ hasLostFiles }) => hasLostFiles)).toEqual([false, true, true]);
    now += 90 * day;
    await deliveries.prune(now);
    expect((await deliveries.records.list({ limit: 10 })).map(({ state: is }) => is)).toEqual(['waiting']);
  });

  test('that lost their job get another one', async () => {
    await hook();
    await add(message('a'));
    jobs = [];
    await deliveries.recover(now + minute);
    expect(jobs.length).toBe(0);
    now += hour;
    await deliveries.recover(now);
    await deliveries.recover(now);
    expect(jobs.length).toBe(1);
    await runFor(minute);
    expect(await states()).toEqual(['sent']);
  });

  test('that are cancelled are given up, whatever their attempt comes to, and can be sent again', async () => {
    await hook();
    await add(message('a'));
    const { object } = jobs[0]!;
    answer = { status: 500 };
    const running = job.run({ object, signal: new AbortController().signal });
    await expect.poll(tried).toBe(1);
    await job.cancelled(object);
    await running;
    expect(await states()).toEqual(['given-up: It was cancelled.']);
    now += hour;
    await deliveries.recover(now);
    await runFor(day);
    expect(tried()).toBe(1);
    answer = {};
    await job.again(object);
    await runFor(minute);
    expect(await states()).toEqual(['sent']);
    await job.cancelled(object);
    expect(await states()).toEqual(['sent']);
  });

  test('are listed in pages, by state and channel', async () => {
    await hook();
    for (let i = 0; i < 5; i++) {
      await add(message(`m${i}`, { title: `m${i}` }));
      if (i % 2 === 0) now += second;
    }
    const page = await deliveries.records.list({ limit: 2 });
    const rest = await deliveries.records.list({
      limit: 5,
      after: [page.at(-1)!.createdAt, page.at(-1)!.id],
    });
    expect([...page, ...rest].map(({ title }) => title).toSorted()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
    expect(new Set([...page, ...rest].map(({ id }) => id)).size).toBe(5);
    expect(await deliveries.records.list({ limit: 5, channel: 'other' })).toEqual([]);
    expect(await deliveries.records.list({ limit: 5, states: ['sent'] })).toEqual([]);
    expect(await deliveries.records.counts()).toMatchObject({ waiting: 5, sent: 0 });
  });
});
