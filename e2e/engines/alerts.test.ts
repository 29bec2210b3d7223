import type { AlertState, Verdict } from '@belvedere/alert';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alertJobKind } from '../../apps/server/src/alerts/alert-job.ts';
import type { AlertJobParts } from '../../apps/server/src/alerts/alert-job.ts';
import type { NewMessage } from '../../apps/server/src/deliver/message.ts';
import { AlertStates, type GroupState } from '../../apps/server/src/state/messages/alert-states.ts';
import { DocumentIds } from '../../apps/server/src/state/documents/document-ids.ts';
import { JobRecords, type NewJob } from '../../apps/server/src/state/administration/jobs.ts';
import {
  openStateDatabase,
  type StateDatabase,
} from '../../apps/server/src/state/database/state-database.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';
import type { TestServer } from '../servers/server-programs.ts';
import { startPostgres } from '../servers/start-postgres.ts';

/* The states of alerts on both state databases, and checks that are cut off at every step. */

let postgres: TestServer;
let belvedere: Running;
let schemas = 0;
beforeAll(async () => {
  postgres = await startPostgres();
  const files = {
    'data/orders.csv': 'region,amount\nnorth,30\nsouth,5\n',
    'dashboards/orders.yaml':
      'version: 1\ntitle: Orders\nmodel: orders\npages:\n  - title: One\n    tiles:\n' +
      '      total: { kind: kpi, value: { measure: sum(amount) }, at: [0, 0, 6, 4] }\n' +
      '      regions: { kind: bar, x: { measure: sum(amount) }, y: { field: region }, at: [0, 4, 6, 4] }\n',
    'alerts/total.yaml':
      'version: 1\ntitle: Total\nwatch: { dashboard: orders, tile: total }\nwhen: { above: 20 }\n' +
      'runbook: https://example.org/run\nnotify: [{ channel: ops }]\n',
    'alerts/regions.yaml':
      'version: 1\ntitle: Regions\nwatch: { dashboard: orders, tile: regions }\nwhen: { above: 20 }\nnotify: [{ channel: ops }]\n',
    'alerts/lost.yaml':
      'version: 1\ntitle: Lost\n' +
      'watch: { dashboard: orders, tile: total, filters: { region: { oneOf: [south] } } }\n' +
      'when: { below: 10 }\nhold: 10 minutes\nnotify: [{ channel: ops }]\n',
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-alerts-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  belvedere = await runBelvedere(folder);
  await allRead(belvedere);
});
afterAll(async () => {
  await belvedere?.close();
  await postgres?.stop();
});

const minute = 60_000;
const start = Date.UTC(2026, 0, 1, 12);

describe.each(['SQLite', 'PostgreSQL'])('alerts on %s', kind => {
  let database: StateDatabase;
  let states: AlertStates;
  let ids: DocumentIds;
  let now: number;
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-alerts-'));
    const { user, host, port, database: name } = postgres;
    const url = `postgres://${user}@${host}:${port}/${name}?schema=alerts_${++schemas}`;
    database = await openStateDatabase({ folder, url: kind === 'SQLite' ? undefined : url });
    states = new AlertStates(database);
    ids = new DocumentIds(database);
    now = start;
  });
  afterEach(() => database.close());

  const verdict: Verdict = { kind: 'breach', value: 21.5, reason: { kind: 'limit', high: 20 } };
  const state: AlertState = {
    state: 'firing',
    since: start,
    value: 21.5,
    notified: 'firing',
    notifiedAt: start,
  };
  const group = (name: string): GroupState => ({ group: name, label: name, state, verdict });

  test('states, changes and snoozes are kept, replaced and pruned', async () => {
    const id = await ids.of('alert', 'alerts/a.yaml');
    expect(await states.of(id)).toEqual({ groups: [] });
    const measure = { label: 'Delay', unit: 'min' };
    const change = { group: 'x', label: 'x', at: start, from: 'ok', to: 'firing', verdict } as const;
    await states.save(
      id,
      { checkedAt: start, watched: 'w', measure },
      [group('y'), group('x')],
      [change],
      'a',
    );
    await states.snooze(id, { until: start + minute, by: 'eva' });
    expect(await states.of(id)).toEqual({
      check: { begunAt: start, checkedAt: start, watched: 'w', measure },
      snooze: { until: start + minute, by: 'eva' },
      groups: [group('x'), group('y')],
    });
    const later = start + minute;
    await states.save(
      id,
      { checkedAt: later, watched: 'w', problem: 'gone' },
      [group('x')],
      [{ ...change, at: later, from: 'firing', to: 'ok' }],
      'b',
    );
    expect((await states.all()).get(id)).toMatchObject({
      check: { begunAt: start, checkedAt: later, problem: 'gone' },
      groups: [{ group: 'x' }],
    });
    expect((await states.changesOf(id, 9)).map(({ from, to, watch }) => [from, to, watch])).toEqual([
      ['firing', 'ok', 'b'],
      ['ok', 'firing', 'a'],
    ]);
    await states.snooze(id, undefined);
    expect((await states.of(id)).snooze).toBeUndefined();
    await states.prune(start + 91 * 86_400_000);
    expect(await states.changesOf(id, 9)).toEqual([]);
    await ids.delete(id);
    expect(await states.of(id)).toEqual({ groups: [] });
  });

  test('1,000 groups are kept', async () => {
    const id = await ids.of('alert', 'alerts/many.yaml');
    const groups = Array.from({ length: 1000 }, (_, i) => group(`g${String(i).padStart(4, '0')}`));
    await states.save(id, { checkedAt: start, watched: 'w' }, groups, [], 'a');
    expect((await states.of(id)).groups).toEqual(groups);
  });

  /** Checks an alert once; `cutAt` ends the process, as it were, at that step; reading takes `readMs`. */
  const checker = (messages: Map<string, NewMessage>, cutAt?: { step: string }, readMs = 0) => {
    const jobs = new JobRecords(database);
    const clock = { wall: () => now };
    const runner = { enqueue: (job: NewJob) => jobs.add(job, now) };
    const cut = (step: string) => {
      if (cutAt?.step === step) throw new Error(`Killed at ${step}`);
    };
    const guarded = Object.assign(Object.create(states) as AlertStates, {
      of: async (id: string) => {
        cut('read');
        const record = await states.of(id);
        await wait(readMs);
        return record;
      },
      transaction: async <T>(work: () => Promise<T>) => {
        const result = await states.transaction(async () => {
          const done = await work();
          cut('before commit');
          return done;
        });
        cut('after commit');
        return result;
      },
      save: async (...all: Parameters<AlertStates['save']>) => {
        await states.save(...all);
        cut('saved');
      },
      lock: (id: string) => states.lock(id),
      afterCommit: (next: () => void) => states.afterCommit(next),
    });
    const parts = {
      workspace: () => belvedere.server.store.current,
      root: belvedere.server.store.folders.root,
      queries: belvedere.server.queries,
      directory: { users: new Map(), groups: new Map() },
      states: guarded,
      ids,
      deliveries: {
        add: async (message: NewMessage) => {
          cut('message');
          // Kept with the transaction, as deliveries are.
          database.afterCommit(() => {
            if (!messages.has(message.key)) messages.set(message.key, message);
          });
        },
      },
      runner,
      writer: { write: async () => Uint8Array.of(1) },
      clock,
      isTeam: false,
      choices: { of: async () => new Map() },
      onChange: () => {},
    } as unknown as AlertJobParts;
    const { run } = alertJobKind(parts);
    return (object: string, id: string) =>
      run({
        id,
        object,
        dueAt: now,
        attempt: 1,
        signal: new AbortController().signal,
        progress: () => {},
      });
  };

  test.each(['read', 'saved', 'message', 'before commit', 'after commit'])(
    'a check that is killed at “%s” sends one message',
    async step => {
      const messages = new Map<string, NewMessage>();
      await expect(checker(messages, { step })('total', 'job-1')).rejects.toThrow('Killed');
      await checker(messages)('total', 'job-1');
      now += minute;
      await checker(messages)('total', 'job-2');
      expect([...messages.values()].map(message => message.state)).toEqual(['firing']);
      const id = await ids.of('alert', 'alerts/total.yaml');
      expect((await states.of(id)).groups.map(one => one.state.state)).toEqual(['firing']);
      expect(await states.changesOf(id, 9)).toHaveLength(1);
    },
  );

  test('of checks at the same time, one sends a message', async () => {
    const messages = new Map<string, NewMessage>();
    const check = checker(messages);
    await Promise.all(['job-1', 'job-2', 'job-3'].map(id => check('total', id)));
    expect(messages.size).toBe(1);
    const id = await ids.of('alert', 'alerts/total.yaml');
    expect(await states.changesOf(id, 9)).toHaveLength(1);
  });

  test('of checks by several servers at the same time, one sends a message', async () => {
    const messages = new Map<string, NewMessage>();
    const servers = ['job-1', 'job-2', 'job-3'].map(id => [id, checker(messages, undefined, 300)] as const);
    await Promise.all(servers.map(([id, check]) => check('total', id)));
    expect(messages.size).toBe(1);
    const id = await ids.of('alert', 'alerts/total.yaml');
    expect(await states.changesOf(id, 9)).toHaveLength(1);
  });

  test('a message says what fired, why, and where to look', async () => {
    const messages = new Map<string, NewMessage>();
    await checker(messages)('total', 'job-1');
    expect([...messages.values()][0]).toMatchObject({
      about: 'alert:total',
      title: 'Firing: Total',
      lines: ['35 is above 20.'],
      links: [{ href: '/d/orders' }, { href: '/alerts/total' }, { href: 'https://example.org/run' }],
      to: [{ kind: 'channel', channel: 'ops' }],
      requires: [{ kind: 'dashboard', id: 'orders' }],
      images: [{ name: 'tile.png' }],
    });
  });

  test('groups that change at one check share a message', async () => {
    const messages = new Map<string, NewMessage>();
    await checker(messages)('regions', 'job-1');
    expect([...messages.values()].map(({ lines }) => lines)).toEqual([['north: 30 is above 20.']]);
    const id = await ids.of('alert', 'alerts/regions.yaml');
    expect((await states.of(id)).groups.map(one => [one.label, one.state.state])).toEqual([
      ['north', 'firing'],
      ['south', 'ok'],
    ]);
  });

  test('a held condition fires at the end of its time without new data', async () => {
    const messages = new Map<string, NewMessage>();
    const id = await ids.of('alert', 'alerts/lost.yaml');
    const stateNow = async () => (await states.of(id)).groups[0]!.state.state;
    await checker(messages)('lost', 'job-1');
    expect(await stateNow()).toBe('pending');
    // That check has requested another one.
    const waiting = await new JobRecords(database).waiting();
    expect(waiting.find(one => one.kind === 'alert')?.nextAt).toBe(start + 10 * minute);
    now = start + 10 * minute;
    await checker(messages)('lost', 'job-2');
    expect(await stateNow()).toBe('firing');
    expect(messages.size).toBe(1);
  });
});
