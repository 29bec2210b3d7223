import type { ChannelLimits } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Directory } from '../access/directory.ts';
import { applyCheck } from '../alerts/apply-check.ts';
import type { Observed } from '../alerts/observe.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { Scheduler, type Scheduled } from '../jobs/scheduler.ts';
import { AlertStates } from '../state/messages/alert-states.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { Grants } from '../state/sharing/grants.ts';
import { JobRecords } from '../state/administration/jobs.ts';
import { openStateDatabase } from '../state/database/state-database.ts';
import { TeamSettings } from '../state/administration/team-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Channels } from './channels.ts';
import { DeliverJob } from './deliver-job.ts';
import { Deliveries } from './deliveries.ts';
import type { NewMessage } from './message.ts';
import type { Sending, SendResult } from './sender.ts';

/*
 * More than a year of reports and an alert with a clock that the test sets: schedules in zones that change their
 * clocks on different days, quiet hours, targets that fail, and servers that stop and start again.
 */

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 5, 12);
const days = 400;

/** Times that fall into the hours which clocks skip or repeat. */
const reports = [
  { object: 'berlin', zone: 'Europe/Berlin', at: '02:30' },
  { object: 'new-york', zone: 'America/New_York', at: '01:30' },
  { object: 'lord-howe', zone: 'Australia/Lord_Howe', at: '02:15' },
] as const;
const quiet: ChannelLimits['quiet'] = {
  from: '22:00',
  to: '07:00',
  zone: 'Europe/Berlin',
  days: [1, 2, 3, 4, 5, 6, 7],
  passesCritical: false,
};
const alert = {
  version: 1,
  title: 'Late',
  watch: { model: 'flights', measure: 'late' },
  when: { above: 10 },
} as AlertFile;

/** The same numbers in each run. */
let seed = 20_260_105;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const localTime = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);

const message = (about: string, key: string): NewMessage => ({
  kind: about.startsWith('alert') ? 'alert' : 'report',
  about,
  key,
  title: key,
  lines: [],
  facts: [],
  links: [],
  images: [],
  files: [],
  to: [{ kind: 'channel', channel: 'night' }],
  requires: [],
});

test('in a year each due time and each change of an alert is delivered once, and never in quiet hours', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-year-'));
  const state = await openStateDatabase({ folder });
  // Nothing is read after a power failure here, and waiting for the disk takes most of the time.
  await sql`pragma synchronous = off`.execute(state.db);
  let now = start;
  const clock = { wall: () => now, elapsed: () => now, isTrusted: () => true };
  const sent: { readonly key: string; readonly at: number; readonly id: string }[] = [];
  const due: { readonly object: string; readonly at: number }[] = [];
  let changes = 0;
  const send = async (sending: Sending): Promise<SendResult> => {
    if (random() < 0.05) return { kind: 'failed', reason: 'The target answered 503.' };
    sent.push(...sending.messages.map(({ title }) => ({ key: title, at: now, id: sending.id })));
    return { kind: 'sent', detail: '' };
  };

  /** A server that was just started. */
  const open = async () => {
    const directory = new Directory(undefined, new Grants(state, new DocumentIds(state)));
    const settings = new TeamSettings(state);
    await settings.load();
    const workspace = () => ({ title: 'Shop', settings: {} }) as Workspace;
    const channels = await Channels.open({
      state,
      settings,
      secrets: ['x'.repeat(43)],
      directory,
      isTeam: false,
      clock,
      mailer: { isSet: true, offReason: undefined },
      workspace,
      allowed: new Set(),
      domains: new Set(),
    });
    const jobs = new JobRecords(state);
    const runner = new JobRunner({ jobs, clock, isAlone: true });
    const deliveries = new Deliveries({ state, channels, clock, runner });
    const { records, messages } = deliveries;
    const sender = { mail: async (_: string, sending: Sending) => send(sending) };
    runner.register(
      new DeliverJob({
        state,
        records,
        messages,
        channels,
        sender: sender as never,
        directory,
        workspace,
        clock,
        resend: id => deliveries.resend(id),
      }),
    );
    const once = { atOnce: 1, timeoutMs: 60_000, backOffMs: [60_000] };
    runner.register({
      ...once,
      kind: 'report',
      run: async ({ object, dueAt }) => {
        due.push({ object, at: dueAt });
        await deliveries.add(message(`report:${object}`, `report:${object}:${dueAt}`));
        return { kind: 'done' };
      },
    });
    const states = new AlertStates(state);
    const documentId = await new DocumentIds(state).of('alert', 'alerts/late.yaml');
    runner.register({
      ...once,
      kind: 'alert',
      run: async ({ id, dueAt }) => {
        // Firing on every other day.
        const value = Math.floor(dueAt / day) % 2 === 0 ? 20 : 5;
        const point = { from: dueAt, below: dueAt, value };
        const observed = {
          series: [{ group: '', label: '', points: [point] }],
          by: [],
        } as unknown as Observed;
        await states.transaction(async () => {
          const result = applyCheck(alert, await states.of(documentId), { observed }, now);
          await states.save(documentId, { checkedAt: now, watched: '' }, result.groups, result.changes, '');
          if (result.due.length > 0) {
            changes++;
            await deliveries.add(message('alert:late', `alert:late:${id}`));
          }
        });
        return { kind: 'done' };
      },
    });
    const scheduler = new Scheduler({ jobs, runner, clock });
    const scheduled: Scheduled[] = reports.map(({ object, zone, at }) => ({
      object,
      schedule: { kind: 'calendar', pattern: { at }, zone },
    }));
    await scheduler.setSchedules('report', scheduled);
    const everyMs = 12 * hour;
    await scheduler.setSchedules('alert', [
      { object: 'late', schedule: { kind: 'interval', everyMs, shiftMs: 0 } },
    ]);
    return { channels, jobs, runner, scheduler, deliveries };
  };

  let server = await open();
  await server.channels.create(
    {
      name: 'night',
      target: { kind: 'mail', addresses: ['night@example.org'] },
      limits: { perHour: 1000, groupSeconds: 0, quiet },
    },
    undefined,
  );
  const end = start + days * day;
  while (now < end) {
    await server.scheduler.tick();
    await server.runner.runDue();
    const next = [
      ...reports.map(({ object }) => server.scheduler.nextDue('report', object)!),
      server.scheduler.nextDue('alert', 'late')!,
      ...(await server.jobs.waiting()).flatMap(({ nextAt }) => nextAt ?? []),
    ];
    now = Math.max(now + 1, Math.min(...next));
    if (random() < 0.02) {
      // Down for up to five hours: less than the time between two due times.
      await server.runner.close();
      now += Math.floor(random() * 5 * hour);
      server = await open();
    }
  }
  // What was due last waits for the end of quiet hours, or for a further attempt.
  for (let i = 0; i < 60; i++) {
    now += hour / 2;
    await server.runner.runDue();
  }
  await server.runner.close();

  for (const { object, zone } of reports) {
    const dates = due.filter(one => one.object === object).map(({ at }) => localTime(zone, at).slice(0, 10));
    expect(new Set(dates).size, object).toBe(dates.length);
    const first = Date.parse(dates[0]!);
    const all = dates.map((_, i) => new Date(first + i * day).toISOString().slice(0, 10));
    expect(dates, object).toEqual(all);
    expect(Math.abs(dates.length - days), object).toBeLessThanOrEqual(1);
  }
  const keys = sent.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter(key => key.startsWith('report:')).toSorted()).toEqual(
    due.map(({ object, at }) => `report:${object}:${at}`).toSorted(),
  );
  expect(changes).toBeGreaterThan(days - 30);
  expect(keys.filter(key => key.startsWith('alert:'))).toHaveLength(changes);
  const times = sent.map(({ at }) => localTime(quiet!.zone, at).slice(11));
  expect(times.filter(time => time >= '22:00' || time < '07:00')).toEqual([]);
  await state.close();
  await rm(folder, { recursive: true });
}, 120_000);
