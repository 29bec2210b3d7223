import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Directory } from '../access/directory.ts';
import { openAccounts } from '../auth/accounts/open-accounts.ts';
import { Comments } from '../state/messages/comments.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { Grants } from '../state/sharing/grants.ts';
import { Inbox } from '../state/messages/inbox.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { CommentDigest } from './comment-digest.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
let folder: string;
let state: StateDatabase;
let now: number;
let inbox: Inbox;
let digest: CommentDigest;
let user: string;
let sent: string[];
let enqueued: Set<string>;
let paused: Set<string>;
let write: () => Promise<number>;
let share: (level: 'view' | null) => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-digest-'));
  state = await openStateDatabase({ folder });
  now = Date.now();
  sent = [];
  enqueued = new Set();
  paused = new Set();
  const clock = { wall: () => now, elapsed: () => now, isTrusted: () => true };
  const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
  const accounts = await openAccounts(state, { limits, clock, folder, port: () => 4600 });
  user = await accounts.users.addService({ name: 'ana', role: 'viewer' }, []);
  await accounts.people.load();
  const ids = new DocumentIds(state);
  const grants = new Grants(state, ids);
  const directory = new Directory(accounts, grants);
  const workspace = {
    dashboards: new Map([['sales', { title: 'Sales' }]]),
    models: new Map(),
    sources: new Map(),
    unappliedPolicies: [],
    declaredGrants: [],
  } as unknown as Workspace;
  share = async level => {
    const object = { objectKind: 'dashboard', object: 'sales' } as const;
    await grants.put(
      { subjectKind: 'user', subjectId: user, ...object },
      'dashboards/sales.yaml',
      level,
      'owner',
    );
    await directory.refresh();
  };
  await share('view');
  inbox = new Inbox(state);
  const comments = new Comments(state);
  write = async () => {
    const { id } = await comments.add(await ids.of('dashboard', 'dashboards/sales.yaml'), {
      author: 'nobody',
      body: 'A secret figure',
      mentions: [],
    });
    await inbox.add(id, new Map([[user, 'mention']]));
    return id;
  };
  digest = new CommentDigest({
    inbox,
    directory,
    clock,
    workspace: () => workspace,
    mail: { isOn: true, sendDigest: (...mail) => void sent.push(JSON.stringify(mail)) },
    runner: {
      paused,
      register: () => {},
      enqueue: async job => {
        const isNew = !enqueued.has(job.key);
        enqueued.add(job.key);
        return isNew;
      },
    },
  });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

test('a digest names people and dashboards after five minutes, once, and no texts', async () => {
  await write();
  await write();
  await digest.sendDue(new AbortController().signal);
  expect(sent).toEqual([]);
  now += 6 * minute;
  await digest.sendDue(new AbortController().signal);
  await digest.sendDue(new AbortController().signal);
  const named = { reason: 'mention', dashboard: 'Sales', times: 2 };
  expect(sent.map(mail => JSON.parse(mail) as unknown)).toEqual([['ana', [named], 2]]);
});

test('a digest is sent at most once an hour', async () => {
  await write();
  now += 6 * minute;
  await digest.sendDue(new AbortController().signal);
  await write();
  now += 30 * minute;
  await digest.sendDue(new AbortController().signal);
  expect(sent).toHaveLength(1);
  now += 31 * minute;
  await digest.sendDue(new AbortController().signal);
  expect(sent).toHaveLength(2);
});

test.each([
  ['were read', async (id: number) => inbox.mark(user, [id], true)],
  ['a user wants no mail about', async () => inbox.chooseMail(user, false)],
  ['a user may no longer see', async () => share(null)],
])('no digest tells of comments that %s', async (_, change) => {
  await change(await write());
  now += 2 * hour;
  await digest.sendDue(new AbortController().signal);
  await digest.enqueueDue();
  expect(sent).toEqual([]);
  expect(enqueued.size).toBe(0);
});

test('there is a job only if a digest is due, and one of several servers in a minute', async () => {
  await write();
  await digest.enqueueDue();
  expect(enqueued.size).toBe(0);
  now = Math.ceil((now + 6 * minute) / minute) * minute;
  await digest.enqueueDue();
  await digest.enqueueDue();
  expect(enqueued.size).toBe(1);
});

test('while its jobs are paused, none pile up; afterwards there is one', async () => {
  await write();
  now += 6 * minute;
  paused.add('comment-mail');
  await digest.enqueueDue();
  now += minute;
  await digest.enqueueDue();
  expect(enqueued.size).toBe(0);
  paused.clear();
  await digest.enqueueDue();
  expect(enqueued.size).toBe(1);
});
