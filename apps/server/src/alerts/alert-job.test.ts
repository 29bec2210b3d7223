import type { AlertFile } from '@belvedere/document';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlertStates } from '../state/alert-states.ts';
import { DocumentIds } from '../state/document-ids.ts';
import { openStateDatabase, type StateDatabase } from '../state/state-database.ts';
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

test('a stopped alert keeps the time and the measure of its last check, and what it watched then', async () => {
  const states = new AlertStates(state);
  const ids = new DocumentIds(state);
  const file = 'alerts/late.yaml';
  const documentId = await ids.of('alert', file);
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
  const document = {
    version: 1,
    title: 'Late',
    owner: 'ana@example.org',
    watch: { dashboard: 'flights', tile: 'other' },
    when: { above: 20 },
  } as unknown as AlertFile;
  const { run } = alertJobKind({
    workspace: () => ({ alerts: new Map([['late', { id: 'late', file, document, problems: [] }]]) }),
    directory: { users: new Map(), groups: new Map() },
    states,
    ids,
    clock: { wall: () => now },
    isTeam: true,
    onChange: (id: string) => changed.push(id),
  } as unknown as AlertJobParts);
  for (now of [hour, 2 * hour])
    await run({
      id: `job ${now}`,
      object: 'late',
      dueAt: now,
      attempt: 1,
      signal: new AbortController().signal,
      progress: () => {},
    });
  expect(await states.of(documentId)).toEqual({
    check: { begunAt: 0, checkedAt: 0, watched: 'before', stopped: 'unknown-owner', measure },
    groups: [firing],
  });
  expect(changed).toEqual(['late']);
});
