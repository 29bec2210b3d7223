import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveWorkspace, startServer } from '@belvedere/server';
import { project } from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { linkIn, startMailServer, type MailServer } from './mail-server.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/* Mails about accounts, through a mail server that also refuses, drops and hangs. */

let server: MailServer;
let team: RunningTeam;
let ana: Member;

beforeAll(async () => {
  server = await startMailServer();
  team = await runTeam(
    { 'belvedere.yaml': 'version: 1\ntitle: Shop\n', 'data/a.csv': 'a\n1\n' },
    { mail: { smtpUrl: server.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  const { mailedTo, link } = await team.owner.client.inviteUser({
    body: { email: 'ana@example.org', role: 'viewer', groups: [] },
  });
  expect([mailedTo, link]).toEqual(['ana@example.org', undefined]);
  const token = linkIn(await server.mailTo('ana@example.org', /Invitation to Shop/), 'invite');
  ana = await enter(team.server, 'ana@example.org', client =>
    client.acceptInvitation({ params: { token }, body: { name: 'Ana', password } }),
  );
});
beforeEach(() => {
  server.behaviour = 'take';
});
afterAll(async () => {
  await team?.close();
  await server?.close();
});

const audit = async (search: string) =>
  (await team.owner.client.listAudit({ query: { search, limit: 50 } })).entries;
const signIn = (email: string, word: string) =>
  enter(team.server, email, client => client.signIn({ body: { email, password: word } }));

describe('an invitation', () => {
  const invite = (email: string) =>
    team.owner.client.inviteUser({ body: { email, role: 'viewer', groups: [] } });

  test.each([
    ['refuse', /refused the sender or the recipient \(550\)/],
    ['drop', /could not be reached, or ended the connection/],
    ['hang', /did not answer in time/],
  ] as const)('gives the admin the link if the mail server does this: %s', async (behaviour, reason) => {
    server.behaviour = behaviour;
    const { link, mailedTo, mailProblem } = await invite(`${behaviour}@example.org`);
    expect(link).toMatch(/^\/invite\/[\w-]{43}$/);
    expect(mailedTo).toBeUndefined();
    expect(mailProblem).toMatch(reason);
    const [entry] = await audit(`mail.send ${behaviour}@example.org`);
    expect(entry).toMatchObject({ action: 'mail.send', outcome: 'failed' });
    expect(entry?.detail).toMatch(reason);
  });

  test('has one recipient, a plain and an HTML part, and no remote content', async () => {
    await invite('ben@example.org');
    const mail = await server.mailTo('ben@example.org', /Invitation/);
    expect(mail).toMatchObject({ to: ['ben@example.org'], from: 'belvedere@example.org' });
    expect(mail.text).toContain('text/plain');
    expect(mail.text).toContain('text/html');
    expect(mail.text).not.toMatch(/<img|src=|<script|http:\/\/(?!127\.0\.0\.1)/);
  });

  test('shows a name with markup and line breaks as it is', async () => {
    await team.owner.client.updateProfile({ body: { name: 'Olga <b>\r\nBcc: eve@example.org' } });
    await invite('cleo@example.org');
    const mail = await server.mailTo('cleo@example.org', /Invitation/);
    expect(mail.to).toEqual(['cleo@example.org']);
    expect(mail.text).toContain('Olga &lt;b&gt; Bcc: eve@example.org invites');
    expect(mail.text).not.toMatch(/^Bcc:/m);
    await team.owner.client.updateProfile({ body: { name: 'Olga' } });
  });
});

describe('a forgotten password', () => {
  test('is answered alike for every address, and mailed to users only', async () => {
    expect(await team.stranger.requestPasswordReset({ body: { email: 'nina@example.org' } })).toEqual({});
    expect(await team.stranger.requestPasswordReset({ body: { email: ana.email } })).toEqual({});
    await server.mailTo(ana.email, /Set a new password/);
    await expect
      .poll(async () => (await audit('user.request-password-reset')).map(one => one.outcome))
      .toEqual(expect.arrayContaining(['done', 'refused']));
    expect(server.received.some(mail => mail.to.includes('nina@example.org'))).toBe(false);
  });

  test('is replaced with the last link, once; the user gets a notice', async () => {
    const first = linkIn(await server.mailTo(ana.email, /Set a new password/), 'reset');
    const before = server.received.length;
    await team.stranger.requestPasswordReset({ body: { email: ana.email.toUpperCase() } });
    await expect.poll(() => server.received.length).toBe(before + 1);
    const second = linkIn(server.received.at(-1)!, 'reset');
    const set = (token: string) =>
      team.stranger.resetPassword({ params: { token }, body: { password: 'eight grey owls hoot' } });
    await expect(set(first)).rejects.toMatchObject({ problem: { status: 404 } });
    await set(second);
    await expect(set(second)).rejects.toMatchObject({ problem: { status: 404 } });
    await server.mailTo(ana.email, /password was changed/);
    ana = await signIn(ana.email, 'eight grey owls hoot');
  });

  test('is mailed in the language of the browser that asked', async () => {
    await fetch(`${team.server.address}/api/v1/password-resets`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-belvedere': '1',
        'accept-language': 'de-CH, en;q=0.5',
      },
      body: JSON.stringify({ email: ana.email }),
    });
    const mail = await server.mailTo(ana.email, /^Neues Passwort für Shop festlegen$/);
    expect(mail.text).toContain('eine Stunde gültig');
  });

  test('cannot flood an inbox', async () => {
    const ask = () => team.stranger.requestPasswordReset({ body: { email: 'flood@example.org' } });
    for (let i = 0; i < 3; i++) await ask();
    await expect(ask()).rejects.toMatchObject({ problem: { type: 'rate-limited' } });
  });

  test('sends nothing to a disabled account', async () => {
    const dora = await team.join('Dora', 'viewer').catch(() => undefined);
    expect(dora).toBeUndefined();
    const token = linkIn(await server.mailTo('dora@example.org', /Invitation/), 'invite');
    const { id } = await enter(team.server, 'dora@example.org', client =>
      client.acceptInvitation({ params: { token }, body: { name: 'Dora', password } }),
    );
    await team.owner.client.updateUser({ params: { user: id }, body: { isDisabled: true } });
    await team.stranger.requestPasswordReset({ body: { email: 'dora@example.org' } });
    await expect
      .poll(async () => (await audit('user.request-password-reset dora@example.org')).map(one => one.outcome))
      .toEqual(['refused']);
  });
});

describe('a change of the e-mail address', () => {
  const change = (email: string, word: string) =>
    ana.client.requestEmailChange({ body: { email, password: word } });

  test('needs the password', async () => {
    await expect(change('anna@example.org', 'wrong horse battery')).rejects.toMatchObject({
      problem: { status: 403 },
    });
  });

  test('is mailed to both addresses, and takes effect once confirmed', async () => {
    await change('anna@example.org', 'eight grey owls hoot');
    const token = linkIn(await server.mailTo('anna@example.org', /Confirm your new/), 'email');
    const notice = await server.mailTo(ana.email, /about to change/);
    expect(notice.text).toContain('anna@example.org');
    expect(notice.text).not.toContain(token);
    expect((await ana.client.getSession({})).user.email).toBe('ana@example.org');
    expect(await team.stranger.confirmEmailChange({ params: { token } })).toEqual({
      email: 'anna@example.org',
    });
    expect((await ana.client.getSession({})).user.email).toBe('anna@example.org');
    await expect(team.stranger.confirmEmailChange({ params: { token } })).rejects.toMatchObject({
      problem: { status: 404 },
    });
    ana = await signIn('anna@example.org', 'eight grey owls hoot');
  });

  test('does not tell that another user has the address', async () => {
    expect(await change('olga@example.org', 'eight grey owls hoot')).toEqual({});
    // The notice comes after the confirmation would have.
    await expect
      .poll(() => server.received.some(({ text }) => text.includes('to olga@example.org was requested')))
      .toBe(true);
    expect(server.received.filter(({ to }) => to.includes('olga@example.org'))).toEqual([]);
  });

  test('ends with a change of the password', async () => {
    await change('annie@example.org', 'eight grey owls hoot');
    const token = linkIn(await server.mailTo('annie@example.org', /Confirm your new/), 'email');
    await ana.client.changePassword({ body: { current: 'eight grey owls hoot', next: password } });
    await expect(team.stranger.confirmEmailChange({ params: { token } })).rejects.toMatchObject({
      problem: { status: 404 },
    });
  });
});

test('`belvedere mail test` sends a mail, or says why not', () => {
  const program = path.join(project, 'apps', 'cli', 'src', 'main.ts');
  const run = (env: Readonly<Record<string, string>>) => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'mail', 'test', 'ops@example.org'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    return { status, err: stderr.trim() };
  };
  expect(run({ BELVEDERE_SMTP_URL: '' }).err).toContain('No mail server is set');
  const refused = run({
    BELVEDERE_SMTP_URL: 'smtp://belvedere:very-secret@127.0.0.1:1',
    BELVEDERE_MAIL_FROM: 'b@example.org',
  });
  expect(refused.err).toContain('could not be reached');
  expect(refused.err).not.toContain('very-secret');
});

test('unread mentions are mailed without their texts, unless a user switches that off', async () => {
  const options = { mail: { smtpUrl: server.url, mailFrom: 'Belvedere <belvedere@example.org>' } };
  const other = await runTeam(
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\n',
      'data/a.csv': 'a\n1\n',
      'dashboards/sales.yaml':
        'version: 1\ntitle: Sales\nmodel: a\npages: [{ title: One, tiles: { n: { kind: kpi, value: { measure: rows } } } }]\n',
    },
    options,
  );
  await allRead(other);
  const join = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`;
    await other.owner.client.inviteUser({ body: { email, role: 'admin', groups: [] } });
    const token = linkIn(await server.mailTo(email, /Invitation/), 'invite');
    return enter(other.server, email, client =>
      client.acceptInvitation({ params: { token }, body: { name, password } }),
    );
  };
  const [dora, emil] = [await join('Dora'), await join('Emil')];
  expect(await emil.client.getMailChoice({})).toEqual({ hasMail: true, isOn: true });
  await emil.client.putMailChoice({ body: { isOn: false } });
  await other.owner.client.addComment({
    params: { id: 'sales' },
    body: { body: '@Dora @Emil a secret figure', mentions: [dora.id, emil.id] },
  });
  await other.server.close();
  // As if it had been written an hour ago.
  const state = new DatabaseSync(path.join(other.folder, 'workspace', '.belvedere', 'state.db'));
  state.exec("update inbox set at = '2020-01-01T00:00:00.000Z'");
  state.close();
  const again = await startServer({
    location: await resolveWorkspace(path.join(other.folder, 'workspace')),
    mode: 'team',
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder: other.folder,
    ...options,
  });
  const mail = await server.mailTo('dora@example.com', /new comment/);
  expect(mail.text).toContain('Olga mentioned you on');
  expect(mail.text).toContain('/inbox');
  expect(mail.text).not.toContain('secret figure');
  const toEmil = server.received.filter(({ to }) => to.includes('emil@example.com'));
  expect(toEmil.map(({ subject }) => subject)).toEqual(['Invitation to Shop']);
  await again.close();
  await rm(other.folder, { recursive: true, force: true, maxRetries: 5 });
});
