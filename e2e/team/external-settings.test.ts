import { ApiError } from '@belvedere/api';
import { checkWorkspace, resolveWorkspace, sendTestMail, startServer } from '@belvedere/server';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, violations, setCookies } from '../browser.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from './running-team.ts';

/*
 * A folder of a stranger whose `belvedere.yaml` names a sign-in provider, a mail server, exceptions for mail and
 * webhooks, and a file elsewhere: nothing is reached or trusted before an owner confirmed it.
 */

/** Requests that the stranger's servers received. */
const reached: string[] = [];
let attacker: http.Server;
let smtp: http.Server;
let host: string;
let team: RunningTeam;
let admin: Member;
let browser: Browser;
let elsewhere: string;

beforeAll(async () => {
  process.env['BELVEDERE_OIDC_OURS'] = 'a secret of the operator';
  attacker = http.createServer((request, response) => {
    reached.push(request.url!);
    response.end('{}');
  });
  // Any connection counts, whatever its protocol.
  smtp = http.createServer().on('connection', socket => {
    reached.push('smtp');
    socket.destroy();
  });
  for (const server of [attacker, smtp])
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(attacker.address() as AddressInfo).port}`;
  const breached = 'a breached pass phrase';
  elsewhere = path.join(process.env['TMPDIR'] ?? '/tmp', `breached-${process.pid}.txt`);
  await writeFile(elsewhere, `${createHash('sha1').update(breached).digest('hex').toUpperCase()}:1\n`);
  team = await runTeam({
    'belvedere.yaml': `version: 1
title: Of a stranger
signIn:
  breachedPasswords: ${elsewhere}
  providers:
    - id: evil
      name: Company login
      issuer: http://${host}
      clientId: belvedere
      clientSecret: \${env:BELVEDERE_OIDC_OURS}
      createAccounts: true
      domains: ['*']
      roles: { all: admin }
mail: { server: 'smtp://127.0.0.1:${(smtp.address() as AddressInfo).port}', from: b@example.org, domains: [attacker.example] }
webhooks: { allow: ['${host}'] }
`,
    'data/a.csv': 'a\n1\n',
  });
  admin = await team.join('Ada', 'admin');
  await team.owner.client.switchWebhooks({ body: { isOn: true } });
  browser = await launchBrowser();
});
afterAll(async () => {
  delete process.env['BELVEDERE_OIDC_OURS'];
  await browser?.close();
  await team?.close();
  attacker?.closeAllConnections();
  attacker?.close();
  smtp?.close();
  await rm(elsewhere, { force: true });
});

const typeOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => (error as ApiError).problem.type,
  );
const unconfirmed = async () => (await team.owner.client.getSystem({})).unconfirmed;
const confirm = async (id: string) => {
  const found = (await unconfirmed()).find(one => one.id === id)!;
  await team.owner.client.confirmSetting({ params: { setting: id }, body: { content: found.content } });
};
const hook = (name: string) => ({
  name,
  target: { kind: 'webhook' as const, template: 'generic' as const, url: `http://${host}/hook` },
  limits: { perHour: 60, groupSeconds: 0 },
});
const mailTo = (name: string, address: string) => ({
  name,
  target: { kind: 'mail' as const, addresses: [address] },
  limits: { perHour: 60, groupSeconds: 0 },
});
const begin = () => team.stranger.beginProviderSignIn({ params: { provider: 'evil' }, body: {} });

test('nothing is reached, trusted or sent before a confirmation', async () => {
  const { client } = team.owner;
  expect(await team.stranger.getSignIn({})).toMatchObject({ providers: [], hasMail: false });
  expect(await typeOf(begin())).toBe('not-found');
  expect(await typeOf(client.beginIdentity({ params: { provider: 'evil' } }))).toBe('not-found');
  await fetch(`${team.server.address}/auth/oidc/evil/callback?code=x&state=y`, { redirect: 'manual' });
  await typeOf(team.stranger.requestPasswordReset({ body: { email: 'olga@example.org' } }));
  // The link is passed on by hand, since there is no mail.
  expect(
    await client.inviteUser({ body: { email: 'new@example.org', role: 'viewer', groups: [] } }),
  ).toHaveProperty('link');
  expect(await typeOf(client.createChannel({ body: hook('hook') }))).toBe('request-invalid');
  expect(await typeOf(client.createChannel({ body: mailTo('far', 'x@attacker.example') }))).toBe(
    'request-invalid',
  );
  await client.createChannel({ body: mailTo('near', 'olga@example.org') });
  expect((await client.listChannelSettings({})).channels).toMatchObject([
    { name: 'near', state: 'off', offReason: expect.stringContaining('needs confirmation') as string },
  ]);
  await typeOf(client.testChannel({ params: { channel: 'near' } }));
  const location = await resolveWorkspace(path.join(team.folder, 'workspace'));
  await expect(sendTestMail('x@attacker.example', { location, options: {} })).rejects.toThrow(
    'needs confirmation',
  );
  expect(reached).toEqual([]);
});

test('the list of passwords elsewhere is not read before', async () => {
  const guess = 'a breached pass phrase';
  const invite = async (name: string) => {
    const { link } = await team.owner.client.inviteUser({
      body: { email: `${name}@example.org`, role: 'viewer', groups: [] },
    });
    return enter(team.server, `${name}@example.org`, client =>
      client.acceptInvitation({
        params: { token: link!.split('/').at(-1)! },
        body: { name, password: guess },
      }),
    );
  };
  await invite('before');
  await confirm('breached-passwords');
  await expect(invite('after')).rejects.toThrow(/password/i);
});

test('only owners confirm, and only the content that they saw', async () => {
  const [first] = await unconfirmed();
  const params = { setting: first!.id };
  const { content } = first!;
  expect(await typeOf(admin.client.confirmSetting({ params, body: { content } }))).toBe('not-allowed');
  expect(await typeOf(team.owner.client.confirmSetting({ params, body: { content: 'f'.repeat(64) } }))).toBe(
    'revision-conflict',
  );
  expect((await admin.client.getSystem({})).unconfirmed.map(({ id }) => id)).toEqual([
    'provider:evil',
    'mail-server',
    'mail-domains',
    'webhook-hosts',
  ]);
});

test('check names each with its line, and --trust confirms all for one run', async () => {
  const location = await resolveWorkspace(path.join(team.folder, 'workspace'));
  const file = { root: location.root, data: location.data, state: path.join(team.folder, 'check') };
  const { warnings, problems } = await checkWorkspace({ ...location, ...file });
  const of = (text: string) => warnings.filter(({ message }) => message.includes(text));
  expect(of('needs confirmation').map(one => ('line' in one ? one.line : 0))).toEqual([6, 14, 14, 15]);
  expect(of('sending the environment variable BELVEDERE_OIDC_OURS, creating accounts')).toHaveLength(1);
  expect(problems).toEqual([]);
  const trusted = await checkWorkspace({ ...location, ...file, isTrusted: true });
  expect(trusted.warnings).toEqual([]);
});

test.each([
  ['en', 'light', 1440, 'Settings to confirm'],
  ['de', 'dark', 390, 'Zu bestätigende Einstellungen'],
  ['zh', 'light', 390, '待确认的设置'],
] as const)('the page shows them in %s, %s, at %d px', async (language, colorScheme, width, title) => {
  const { page, close } = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(page.context(), team.owner.cookie, team.server.address);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
  await page.goto(`${team.server.address}/settings/system`);
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByText('BELVEDERE_OIDC_OURS').waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, `external-settings-${language}-${width}`);
  if (language === 'zh') {
    await page.getByRole('button', { name: /BELVEDERE_OIDC_OURS/ }).click();
    await page.getByText('BELVEDERE_OIDC_OURS').waitFor({ state: 'detached' });
  }
  await close();
});

test('a confirmed setting is used at once, and the confirmation is in the audit log', async () => {
  expect((await team.stranger.getSignIn({})).providers).toEqual([{ id: 'evil', name: 'Company login' }]);
  expect(await typeOf(begin())).toBe('overloaded');
  expect(reached.splice(0)).toContain('/.well-known/openid-configuration');
  for (const id of ['mail-server', 'mail-domains', 'webhook-hosts']) await confirm(id);
  const { client } = team.owner;
  await client.createChannel({ body: hook('hook') });
  expect(await client.testChannel({ params: { channel: 'hook' } })).toMatchObject({ isSent: true });
  await client.createChannel({ body: mailTo('far', 'x@attacker.example') });
  await client.testChannel({ params: { channel: 'near' } });
  expect(reached).toEqual(expect.arrayContaining(['/hook', 'smtp']));
  const { entries } = await client.listAudit({ query: { search: 'setting.confirm', limit: 10 } });
  expect(entries).toHaveLength(5);
});

test('a confirmation survives a restart, and a change of its content asks again', async () => {
  await team.server.close();
  const file = path.join(team.folder, 'workspace', 'belvedere.yaml');
  const text = await readFile(file, 'utf8');
  const again = async (changed: string) => {
    await writeFile(file, changed);
    const server = await startServer({
      location: await resolveWorkspace(path.join(team.folder, 'workspace')),
      mode: 'team',
      host: '127.0.0.1',
      port: 0,
      movesOn: false,
      version: 'test',
      pagesFolder: team.folder,
    });
    const { client } = await enter(server, 'olga@example.org', one =>
      one.signIn({ body: { email: 'olga@example.org', password } }),
    );
    const { unconfirmed: left } = await client.getSystem({});
    await server.close();
    return { left: left.map(({ id }) => id), notices: server.notices };
  };
  expect((await again(text)).left).toEqual([]);
  const { left, notices } = await again(
    text
      .replace('all: admin', 'all: editor')
      .replace('[attacker.example]', '[attacker.example, b.example]')
      .replace(`allow: ['${host}']`, "allow: ['10.0.0.1:80']")
      .replace('smtp://127.0.0.1', 'smtps://127.0.0.1'),
  );
  expect(left).toEqual(['provider:evil', 'mail-server', 'mail-domains', 'webhook-hosts']);
  expect(notices.filter(one => one.includes('needs confirmation'))).toHaveLength(4);
});
