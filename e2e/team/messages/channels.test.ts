import { createClient, type Client, type NewChannel } from '@belvedere/api';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveWorkspace, startServer } from '@belvedere/server';
import { pagesFolder } from '../../../apps/cli/src/project.ts';
import { project } from '../../browser.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/**
 * Channels through the API: permissions, secrets that never leave, and messages that arrive (SAFETY 4, 11,
 * 16, 46, 47).
 */

const freePort = async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

let mails: MailServer;
let target: http.Server;
let host: string;
let guidePort: number;
const bodies: string[] = [];
let team: RunningTeam;
let admin: Member;
let editor: Member;
let viewer: Member;
beforeAll(async () => {
  mails = await startMailServer();
  target = http.createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end();
  });
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  guidePort = await freePort();
  team = await runTeam(
    {
      'belvedere.yaml':
        'version: 1\ntitle: Shop\nlocale: de\n' +
        `webhooks: { allow: ["${host}", "127.0.0.1:${guidePort}"] }\n`,
      'data/a.csv': 'a\n1\n',
      'models/a.yaml':
        'version: 1\ntable: a\ndimensions: { a: {} }\nmeasures: { rows: { expr: count(*) } }\n',
      'dashboards/late.yaml':
        'version: 1\ntitle: Late\nmodel: a\npages:\n  - title: One\n    tiles:\n' +
        '      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n',
      'access.yaml': 'version: 1\ngrants:\n  - { dashboard: late, everyone: true, level: view }\n',
    },
    { isTrusted: true, mail: { smtpUrl: mails.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  const join = async (name: string, role: 'admin' | 'editor' | 'viewer') => {
    const email = `${name.toLowerCase()}@example.org`;
    await team.owner.client.inviteUser({ body: { email, role, groups: [] } });
    const mail = await mails.mailTo(email, /Einladung/);
    const token = /\/invite\/([\w-]{20,})/.exec(mail.text)![1]!;
    return enter(team.server, email, client =>
      client.acceptInvitation({ params: { token }, body: { name, password } }),
    );
  };
  admin = await join('Adam', 'admin');
  editor = await join('Edda', 'editor');
  viewer = await join('Vera', 'viewer');
});
afterAll(async () => {
  await team?.close();
  target?.close();
  await mails?.close();
});

const limits = { perHour: 60, groupSeconds: 0 };
const hook = (name: string, more: Partial<NewChannel['target']> = {}): NewChannel => ({
  name,
  target: {
    kind: 'webhook',
    template: 'generic',
    url: `http://${host}/hidden-path`,
    ...more,
  } as NewChannel['target'],
  limits,
});
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { readonly problem?: { readonly type: string } }) => error.problem?.type ?? String(error),
  );

test('webhooks are off at first, and only an owner switches them on', async () => {
  expect(await problemOf(admin.client.createChannel({ body: hook('hook') }))).toBe('not-allowed');
  expect(await problemOf(admin.client.switchWebhooks({ body: { isOn: true } }))).toBe('not-allowed');
  await team.owner.client.switchWebhooks({ body: { isOn: true } });
  await admin.client.createChannel({ body: hook('hook') });
});

test('editors see names and kinds only, viewers nothing', async () => {
  expect(await editor.client.listChannels({})).toEqual({
    channels: [{ name: 'hook', kind: 'webhook', template: 'generic', state: 'active' }],
  });
  const all = (client: Client): readonly (() => Promise<unknown>)[] => [
    () => client.listChannelSettings({}),
    () => client.createChannel({ body: hook('other') }),
    () =>
      client.updateChannel({ params: { channel: 'hook' }, body: { target: hook('hook').target, limits } }),
    () => client.rotateChannelSecret({ params: { channel: 'hook' } }),
    () => client.removeChannel({ params: { channel: 'hook' } }),
    () => client.testChannel({ params: { channel: 'hook' } }),
    () => client.switchWebhooks({ body: { isOn: false } }),
    () => client.listDeliveries({ query: { limit: 50 } }),
    () => client.resendDelivery({ params: { delivery: 'x' } }),
  ];
  for (const call of [...all(editor.client), ...all(viewer.client), () => viewer.client.listChannels({})])
    expect(await problemOf(call())).toBe('not-allowed');
  expect(await problemOf(team.stranger.listChannels({}))).toBe('not-signed-in');
});

test('changes need a confirmation that is not old', async () => {
  let cookie = '';
  const fresh = createClient(team.server.address, async (input, init) => {
    const response = await fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), cookie },
    });
    const set = response.headers.getSetCookie().map(one => one.split(';')[0]);
    if (set.length > 0) cookie = set.join('; ');
    return response;
  });
  await fresh.signIn({ body: { email: admin.email, password } });
  // The server reads a session when it is first used.
  const state = new DatabaseSync(path.join(team.server.store.folders.root, '.belvedere', 'state.db'));
  state.exec("update session set confirmed_at = '2020-01-01T00:00:00.000Z'");
  state.close();
  for (const change of [
    () => fresh.createChannel({ body: hook('later') }),
    () => fresh.testChannel({ params: { channel: 'hook' } }),
  ])
    expect(await problemOf(change())).toBe('confirmation-needed');
});

test('addresses and keys are neither answered, nor stored or logged in plain text', async () => {
  const { secret } = await admin.client.createChannel({ body: hook('secretive') });
  await admin.client.createChannel({
    body: hook('pager', { template: 'pagerduty', routingKey: 'R0UTING' } as never),
  });
  const shown = JSON.stringify([
    await admin.client.listChannelSettings({}),
    await admin.client.listAudit({ query: { limit: 100 } }),
    await admin.client.listDeliveries({ query: { limit: 50 } }),
  ]);
  for (const hidden of ['hidden-path', 'R0UTING', secret!]) expect(shown).not.toContain(hidden);
  const stored = await readFile(path.join(team.folder, 'workspace', '.belvedere', 'state.db'), 'latin1');
  const wal = await readFile(
    path.join(team.folder, 'workspace', '.belvedere', 'state.db-wal'),
    'latin1',
  ).catch(() => '');
  for (const hidden of ['hidden-path', 'R0UTING', secret!]) expect(stored + wal).not.toContain(hidden);
  expect(
    (await admin.client.listAudit({ query: { search: 'channel.create', limit: 50 } })).entries.length,
  ).toBe(3);
});

test('private and plain addresses are refused unless the operator allows them', async () => {
  for (const url of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://user:word@example.com/',
    `http://127.0.0.1:${Number(host.split(':')[1]) + 1}/`,
    'ftp://example.com/',
  ])
    expect([
      url,
      await problemOf(admin.client.createChannel({ body: hook('bad', { url } as never) })),
    ]).toEqual([url, 'request-invalid']);
});

test('an update keeps the secrets that it does not give', async () => {
  bodies.length = 0;
  const { secret, channel } = await admin.client.updateChannel({
    params: { channel: 'hook' },
    body: { target: { kind: 'webhook', template: 'slack' }, limits: { ...limits, perHour: 5 } },
  });
  expect(secret).toBeUndefined();
  const update = (ifMatch: string, perHour: number) =>
    admin.client.updateChannel({
      params: { channel: 'hook' },
      body: { target: { kind: 'webhook', template: 'slack' }, limits: { ...limits, perHour } },
      ifMatch,
    });
  await update(channel.version, 6);
  expect(await problemOf(update(channel.version, 7))).toBe('revision-conflict');
  const { isSent, detail } = await admin.client.testChannel({ params: { channel: 'hook' } });
  expect([isSent, detail]).toEqual([true, 'The target answered 200.']);
  expect(JSON.parse(bodies[0]!)).toMatchObject({ text: 'Testnachricht von Shop' });
  expect(
    await problemOf(
      admin.client.updateChannel({
        params: { channel: 'hook' },
        body: { target: { kind: 'mail', addresses: ['adam@example.org'] }, limits },
      }),
    ),
  ).toBe('request-invalid');
});

const message = (key: string, to: Parameters<RunningTeam['server']['deliveries']['add']>[0]['to']) => ({
  key,
  kind: 'alert' as const,
  about: 'alert:late',
  title: `Late ${key}`,
  state: 'firing' as const,
  lines: ['42 %'],
  facts: [],
  links: [{ label: 'Open', href: '/d/late' }],
  images: [],
  files: [],
  to,
  requires: [{ kind: 'dashboard' as const, id: 'late' }],
});

test('messages arrive, and a user who loses access gets nothing', async () => {
  const { deliveries } = team.server;
  await expect
    .poll(async () => (await viewer.client.listDashboards({ query: {} })).dashboards.length)
    .toBe(1);
  await deliveries.add(message('one', [{ kind: 'user', userId: viewer.id }]));
  expect((await mails.mailTo(viewer.email, /Late one/)).text).toContain('/d/late');
  await team.write('access.yaml', 'version: 1\ngrants: []\n');
  await expect
    .poll(async () => (await viewer.client.listDashboards({ query: {} })).dashboards.length)
    .toBe(0);
  await deliveries.add(message('two', [{ kind: 'user', userId: viewer.id }]));
  const states = async () =>
    (await admin.client.listDeliveries({ query: { limit: 50 } })).deliveries.map(({ state }) => state);
  await expect.poll(states).toEqual(['dropped', 'sent']);
  expect(mails.received.some(({ subject }) => subject.includes('Late two'))).toBe(false);
});

test('metrics count deliveries by state', async () => {
  const { cookie } = team.owner;
  const text = await fetch(`${team.server.address}/metrics`, { headers: { cookie } }).then(one => one.text());
  expect(text).toContain('belvedere_deliveries{state="sent"} 1');
  expect(text).toContain('belvedere_deliveries{state="dropped"} 1');
});

test('in local mode mail is sent, too, to any address', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-local-mail-'));
  await writeFile(path.join(folder, 'a.csv'), 'a\n1\n');
  await writeFile(
    path.join(folder, 'belvedere.yaml'),
    `version: 1\ntitle: Mine\nmail: { server: "${mails.url}", from: me@example.org }\n`,
  );
  const server = await startServer({
    location: { ...(await resolveWorkspace(folder)), isTrusted: true },
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder,
  });
  try {
    const { headers } = await fetch(server.openAddress, { redirect: 'manual' });
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    const client = createClient(server.address, (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
    );
    await client.createChannel({
      body: { name: 'me', target: { kind: 'mail', addresses: ['me@anywhere.example'] }, limits },
    });
    await server.deliveries.add({ ...message('local', [{ kind: 'channel', channel: 'me' }]), requires: [] });
    const mail = await mails.mailTo('me@anywhere.example', /Late local/);
    expect(mail.from).toBe('me@example.org');
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

describe('the guide’s program', () => {
  const guide = readFileSync(path.join(project, 'docs/guide/channels.md'), 'utf8');
  const program = (language: string) =>
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide)![1]!;
  const languages = [
    ['js', process.execPath, 'receive.mjs'],
    ['python', 'python3', 'receive.py'],
  ] as const;

  const isOpen = () =>
    new Promise<boolean>(resolve => {
      const socket = net.connect(guidePort, '127.0.0.1', () => socket.end(() => resolve(true)));
      socket.on('error', () => resolve(false));
    });
  const ended = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  for (const [language, command, file] of languages)
    test.skipIf(spawnSync(command, ['--version']).error !== undefined)(
      `in ${language} takes signed messages, and refuses others`,
      async () => {
        const name = `guide-${language}`;
        const { secret } = await admin.client.createChannel({
          body: hook(name, { url: `http://127.0.0.1:${guidePort}/` } as never),
        });
        const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-guide-'));
        await writeFile(path.join(folder, file), program(language));
        const child = spawn(command, [file], {
          cwd: folder,
          env: { ...process.env, SECRET: secret, PORT: String(guidePort) },
        });
        let output = '';
        child.stdout.on('data', (part: Buffer) => (output += part.toString()));
        child.stderr.on('data', (part: Buffer) => (output += part.toString()));
        try {
          await expect.poll(isOpen).toBe(true);
          const answer = () => admin.client.testChannel({ params: { channel: name } });
          expect(await answer()).toEqual({ isSent: true, detail: 'The target answered 204.' });
          await expect.poll(() => output.trim()).toBe('Testnachricht von Shop');
          const forged = await fetch(`http://127.0.0.1:${guidePort}/`, {
            method: 'POST',
            body: '{}',
            headers: { 'belvedere-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
          });
          expect(forged.status).toBe(401);
          const rotated = await admin.client.rotateChannelSecret({ params: { channel: name } });
          expect(rotated.secret).not.toBe(secret);
          const rotate = () => admin.client.rotateChannelSecret({ params: { channel: name } });
          // All secrets that were replaced within a day sign too, the last five of them.
          for (let replaced = 1; replaced < 5; replaced++) await rotate();
          expect(await answer()).toEqual({ isSent: true, detail: 'The target answered 204.' });
          await rotate();
          expect(await answer()).toEqual({ isSent: false, detail: 'The target answered 401.' });
        } finally {
          await ended(child);
          await rm(folder, { recursive: true });
        }
      },
    );
});
