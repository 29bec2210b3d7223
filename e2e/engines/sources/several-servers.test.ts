import { createClient, type Client, type Level } from '@belvedere/api';
import { resolveWorkspace, startServer, type RunningServer } from '@belvedere/server';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pagesFolder } from '../../../apps/cli/src/project.ts';
import { rotateKeys } from '../../../apps/server/src/commands/rotate-keys.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../../team/running-team.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

// Two servers, each with a copy of the workspace, share one state database: a change at the first takes
// effect at the second within five seconds, on requests and on open pages.
const within = { timeout: 5000, interval: 50 };
const files = {
  'belvedere.yaml': 'version: 1\n',
  'data/orders.csv': 'country,price\nFR,1\nDE,2\n',
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { country: {} }\nmeasures: { revenue: { expr: sum(price) } }\n',
  'dashboards/sales.yaml': `version: 1
title: Sales
model: orders
pages:
  - title: One
    tiles:
      a: { kind: kpi, value: { measure: revenue }, at: [0, 0, 6, 3] }
`,
};
const sales = { id: 'sales' };

let postgres: TestServer;
let url: string;
let folder: string;
let first: RunningTeam;
let second: RunningServer;
const stops: (() => void)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  url = `postgres://${postgres.user}@${postgres.host}:${postgres.port}/${postgres.database}?schema=several`;
  first = await runTeam(files, { stateUrl: url });
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-second-'));
  await cp(path.join(first.folder, 'workspace'), folder, {
    recursive: true,
    // The lock is of the first server; the secrets are of both.
    filter: file => !/[/\\]lock-\d+$/.test(file),
  });
  second = await startServer({
    location: { ...(await resolveWorkspace(folder)), stateUrl: url },
    mode: 'team',
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder,
  });
});
afterAll(async () => {
  for (const stop of stops) stop();
  await second?.close();
  await first?.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const signedIn = ({ email }: Member) =>
  enter(second, email, client => client.signIn({ body: { email, password } }));

/** Joins at the first server and signs in at the second. */
async function joined(name: string, role: 'viewer' | 'editor' | 'maker'): Promise<[Member, Member]> {
  const here = await first.join(name, role);
  // The second server does not know the account yet for a moment.
  const there = await vi.waitFor(() => signedIn(here), { timeout: 5000, interval: 500 });
  return [here, there];
}

/** Opens a page's stream of events at a server. */
async function listen(
  address: string,
  { cookie }: Member,
  window = '',
): Promise<{ readonly heard: () => string; readonly isOpen: () => boolean }> {
  const stop = new AbortController();
  stops.push(() => stop.abort());
  const response = await fetch(`${address}/api/v1/events${window && `?window=${window}`}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let [text, isOpen] = ['', true];
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return void (isOpen = false);
      text += value ?? '';
    }
  })();
  return { heard: () => text, isOpen: () => isOpen };
}

const share = (subject: { kind: 'user' | 'group'; id: string }, level: Level | null) =>
  first.owner.client.putGrant({ params: { kind: 'dashboard', object: 'sales' }, body: { subject, level } });

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { problem?: { status: number } }) => error.problem?.status,
  );
const seen = ({ client }: Member) => outcome(client.getDashboard({ params: sales }));

describe('a change on one server acts on the other', () => {
  test('a grant and its end, on requests and open pages', async () => {
    const [, ana] = await joined('Ana', 'viewer');
    expect(await seen(ana)).toBe(404);
    const page = await listen(second.address, ana);
    await expect.poll(page.heard).toContain('"kind":"workspace"');
    await share({ kind: 'user', id: ana.id }, 'view');
    await expect.poll(() => seen(ana), within).toBe('done');
    await expect.poll(page.heard, within).toContain('"kind":"access"');
    await share({ kind: 'user', id: ana.id }, null);
    await expect.poll(() => seen(ana), within).toBe(404);
  });

  test('a group, its members and its end', async () => {
    const [, bea] = await joined('Bea', 'viewer');
    const { id } = await first.owner.client.saveGroup({
      params: { group: 'sellers' },
      body: { name: 'Sellers', attributes: {} },
    });
    await share({ kind: 'group', id }, 'view');
    await first.owner.client.updateUser({ params: { user: bea.id }, body: { groups: [id] } });
    await expect.poll(() => seen(bea), within).toBe('done');
    await first.owner.client.removeGroup({ params: { group: id } });
    await expect.poll(() => seen(bea), within).toBe(404);
  });

  test('the end of sessions, of a token and of an account: streams end, requests are refused', async () => {
    const [here, there] = await joined('Cleo', 'editor');
    const page = await listen(second.address, there);
    await expect.poll(page.heard).toContain('"kind":"workspace"');
    await first.owner.client.endUserSessions({ params: { user: here.id } });
    await expect.poll(page.isOpen, within).toBe(false);
    expect(await outcome(there.client.getSession({}))).toBe(401);

    const again = await signedIn(here);
    const { token, secret } = await again.client.createOwnToken({
      body: { name: 'program', scope: 'read', days: 1 },
    });
    const program = createClient(first.server.address, (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
      }),
    );
    await expect.poll(() => outcome(program.getSession({})), within).toBe('done');
    await again.client.revokeOwnToken({ params: { token: token.id } });
    await expect.poll(() => outcome(program.getSession({})), within).toBe(401);

    const last = await listen(second.address, again);
    await first.owner.client.updateUser({ params: { user: here.id }, body: { isDisabled: true } });
    await expect.poll(last.isOpen, within).toBe(false);
    expect(await outcome(again.client.getSession({}))).toBe(401);
  });

  test('public links: the switch, a link, and its end', async () => {
    const { client } = first.owner;
    const opened = (secret: string) => outcome(createClient(second.address).openLink({ body: { secret } }));
    await client.switchLinks({ body: { isOn: true } });
    const { link, secret } = await client.createLink({
      params: sales,
      body: { name: 'All', days: 7, filters: {}, downloads: false },
    });
    await expect.poll(() => opened(secret), within).toBe('done');
    await client.switchLinks({ body: { isOn: false } });
    await expect.poll(() => opened(secret), within).not.toBe('done');
    await client.switchLinks({ body: { isOn: true } });
    await expect.poll(() => opened(secret), within).toBe('done');
    await client.revokeLink({ params: { ...sales, link: link.id } });
    await expect.poll(() => opened(secret), within).not.toBe('done');
  });

  test('comments, drafts and windows are heard of by open pages', async () => {
    const [here, there] = await joined('Dan', 'maker');
    await share({ kind: 'user', id: here.id }, 'edit');
    await expect.poll(() => seen(there), within).toBe('done');
    const [windowHere, windowThere] = ['a'.repeat(24), 'b'.repeat(24)];
    const at = await listen(first.server.address, here, windowHere);
    const page = await listen(second.address, there, windowThere);
    await expect.poll(page.heard).toContain('"kind":"workspace"');
    await here.client.addComment({ params: sales, body: { body: 'Look' } });
    await expect.poll(page.heard, within).toContain('"kind":"comments"');
    const { hash } = await here.client.getDashboardText({ params: sales });
    await here.client.putDraft({
      params: sales,
      body: { text: files['dashboards/sales.yaml'], base: hash, after: 0 },
    });
    await expect.poll(page.heard, within).toContain('"kind":"draft"');
    const put = (client: Client, window: string, document?: string) =>
      client.putPresence({ params: { window }, body: { isEditing: true, ...(document && { document }) } });
    await put(here.client, windowHere, 'sales');
    await expect.poll(page.heard, within).toContain(windowHere);
    const { windows } = await put(there.client, windowThere, 'sales');
    expect(windows.map(({ window, user }) => [window, user?.name])).toEqual([
      [windowThere, 'Dan'],
      [windowHere, 'Dan'],
    ]);
    await expect.poll(at.heard, within).toContain(windowThere);
    await put(here.client, windowHere);
    await expect
      .poll(async () => (await put(there.client, windowThere, 'sales')).windows.length, within)
      .toBe(1);
  });
});

test('after its connection was cut, a server reads what it may have missed', async () => {
  const [here, there] = await joined('Eva', 'viewer');
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'belvedere %'`,
  );
  await expect.poll(() => outcome(share({ kind: 'user', id: here.id }, 'view'))).toBe('done');
  await expect.poll(() => seen(there), within).toBe('done');
  // As a pooler does that passes no notifications on.
  await admin.query('alter table several.access_grant disable trigger notify_change');
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'belvedere %'`,
  );
  await expect.poll(() => outcome(share({ kind: 'user', id: here.id }, null))).toBe('done');
  await expect.poll(() => seen(there), within).toBe(404);
  await admin.end();
});

test('keys are not rotated while a server of another folder uses the database', async () => {
  const third = await mkdtemp(path.join(os.tmpdir(), 'belvedere-third-'));
  const location = { ...(await resolveWorkspace(third)), stateUrl: url };
  await expect(rotateKeys(location)).rejects.toThrow('Another server uses this state database');
  await rm(third, { recursive: true, force: true });
});

test('the set-up code of the second server is void once the first has been set up', async () => {
  const code = second.setupCode ?? 'none';
  const again = createClient(second.address).setUp({
    body: { code, name: 'Eve', email: 'eve@example.org', password },
  });
  expect(await outcome(again)).toBe(403);
});
