import type { AlertFile } from '@belvedere/document';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertStates } from '../state/messages/alert-states.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import { alertJobKind, type AlertJobParts } from './alert-job.ts';

let folder: string;
let state: StateDatabase;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-alert-job-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const hour = 3_600_000;
const file = 'alerts/late.yaml';
const document = {
  version: 1,
  title: 'Late',
  owner: 'ana@example.org',
  watch: { dashboard: 'flights', tile: 'other' },
  when: { above: 20 },
} as unknown as AlertFile;
const job = (id: string, dueAt: number) => ({
  id,
  object: 'late',
  dueAt,
  attempt: 1,
  signal: new AbortController().signal,
  progress: () => {},
});
/** A server whose workspace has the alert, but not the dashboard that it watches. */
const serverWith = (parts: Partial<AlertJobParts>) =>
  alertJobKind({
    workspace: () => ({
      alerts: new Map([['late', { id: 'late', file, document, problems: [] }]]),
      dashboards: new Map(),
      models: new Map(),
    }),
    directory: { users: new Map(), groups: new Map() },
    ids: new DocumentIds(state),
    deliveries: { add: async () => {}, resolveIncidents: async () => false },
    choices: { of: async () => new Map() },
    runner: { enqueue: async () => true },
    onChange: () => {},
    ...parts,
  } as unknown as AlertJobParts);

test('a stopped alert keeps the time and the measure of its last check, and what it watched then', async () => {
  const states = new AlertStates(state);
  const documentId = await new DocumentIds(state).of('alert', file);
  const measure = { label: 'Delay', unit: 'min' };
  const firing = {
    group: '',
    label: '',
    state: { state: 'firing', since: 0, value: 21, notified: 'firing', notifiedAt: 0 },
    verdict: { kind: 'breach', value: 21, reason: { kind: 'limit', high: 20 } },
  } as const;
  await states.save(documentId, { checkedAt: 0, watched: 'before', measure }, [firing], [], 'tile');
  const changed: string[] = [];
  let now = 0;
  const { run } = serverWith({
    states,
    clock: { wall: () => now },
    isTeam: true,
    onChange: id => changed.push(id),
  });
  for (now of [hour, 2 * hour]) await run(job(`job ${now}`, now));
  expect(await states.of(documentId)).toEqual({
    check: { begunAt: 0, checkedAt: 0, watched: 'before', stopped: 'unknown-owner', measure },
    groups: [firing],
  });
  expect(changed).toEqual(['late']);
});

test('a check reads its values again if another server has recorded one meanwhile', async () => {
  const states = new AlertStates(state);
  const documentId = await new DocumentIds(state).of('alert', file);
  const fast = serverWith({ states, clock: { wall: () => hour }, isTeam: false });
  let isFirst = true;
  const overtaken = Object.assign(Object.create(states) as AlertStates, {
    of: async (id: string) => {
      const record = await states.of(id);
      if (isFirst) {
        isFirst = false;
        expect(await fast.run(job('fast', hour))).toMatchObject({ kind: 'done' });
      }
      return record;
    },
    transaction: <T>(work: () => Promise<T>) => states.transaction(work),
    lock: (id: string) => states.lock(id),
    save: (...all: Parameters<AlertStates['save']>) => states.save(...all),
    afterCommit: (next: () => void) => states.afterCommit(next),
  });
  const slow = serverWith({ states: overtaken, clock: { wall: () => 2 * hour }, isTeam: false });
  expect(await slow.run(job('slow', hour))).toMatchObject({ kind: 'postponed' });
  expect(await states.of(documentId)).toMatchObject({ check: { checkedAt: hour } });
  expect(await slow.run(job('slow', hour))).toMatchObject({ kind: 'done' });
  expect(await states.of(documentId)).toMatchObject({ check: { checkedAt: 2 * hour } });
});

test('a message is for recipients who have not muted the alert', async () => {
  const users = new Map(['ana', 'ben'].map(id => [id, { id, email: `${id}@example.org` }]));
  const notified = { ...document, notify: [...users.values()].map(({ email }) => ({ user: email })) };
  const sent: unknown[] = [];
  const parts = {
    workspace: () => ({
      alerts: new Map([['late', { id: 'late', file, document: notified, problems: [] }]]),
      dashboards: new Map(),
      models: new Map(),
      settings: {},
      timezone: 'UTC',
    }),
    directory: { users, groups: new Map() },
    states: new AlertStates(state),
    clock: { wall: () => hour },
    isTeam: false,
    choices: { of: async () => new Map([['ben', 'none']]) },
    deliveries: { add: async ({ to }: { readonly to: unknown }) => void sent.push(to) },
  } as unknown as Partial<AlertJobParts>;
  expect(await serverWith(parts).run(job('one', hour))).toMatchObject({ kind: 'done' });
  expect(sent).toEqual([[{ kind: 'user', userId: 'ana' }]]);
});
