import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, looks, openPage, shoot, violations, type Opened, setCookies } from '../../browser.ts';
import { startMailServer, type MailServer } from '../messages/mail-server.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';
import { Visitor } from './provider-visitor.ts';
import { clientId, clientSecret, startProvider, type SignInProvider } from './sign-in-provider.ts';

/* An owner sets the mail server and a sign-in provider in the browser; both are real, and used at once. */

let mails: MailServer;
let provider: SignInProvider;
let team: RunningTeam;
let admin: Member;
let browser: Browser;
let opened: Opened;

beforeAll(async () => {
  mails = await startMailServer();
  provider = await startProvider();
  const hosts = [mails.url, provider.issuer].map(address => new URL(address).host);
  team = await runTeam(
    {
      'belvedere.yaml': `version: 1\ntitle: Shop\nwebhooks: { allow: ${JSON.stringify(hosts)} }\n`,
      'data/a.csv': 'a\n1\n',
    },
    { isTrusted: true },
  );
  admin = await team.join('Adam', 'admin');
  provider.allow(`${team.server.address}/auth/oidc/company_login/callback`);
  provider.users.set('ana', {
    id: 'ana',
    name: 'Ana',
    email: 'ana@example.org',
    email_verified: true,
    groups: ['staff'],
  });
  browser = await launchBrowser();
  opened = await openPage(browser, `${team.server.address}/favicon.svg`);
  await setCookies(opened.page.context(), team.owner.cookie, team.server.address);
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
  await provider?.close();
  await mails?.close();
});

const at = (place: string) => new URL(place, team.server.address).href;
const actionsOf = async (search: string) =>
  (await team.owner.client.listAudit({ query: { search, limit: 50 } })).entries.map(({ action }) => action);

test('an owner sets the mail server, tests it, and invitations go through it', async () => {
  const { page } = opened;
  const { port } = new URL(mails.url);
  await page.goto(at('/settings/mail'));
  await page.getByText('No mail server is set up.').waitFor();
  await page.getByRole('button', { name: 'Set up a mail server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mail server' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter the name of the server.').waitFor();
  await dialog.getByRole('textbox', { name: 'Server' }).fill('10.0.0.1');
  await dialog.getByRole('textbox', { name: 'Sender' }).fill('Shop <shop@example.org>');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/`10\.0\.0\.1` is not on the public internet/).waitFor();
  await dialog.getByRole('textbox', { name: 'Server' }).fill('127.0.0.1');
  await dialog.getByRole('button', { name: /Encryption/ }).click();
  await page.getByRole('option', { name: 'Not encrypted' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('25');
  await dialog.getByRole('textbox', { name: 'Port' }).fill(port);
  await dialog.getByRole('button', { name: 'Send a test message' }).click();
  await dialog.getByText('Sent to olga@example.org.').waitFor();
  expect((await mails.mailTo('olga@example.org', /Shop/)).from).toBe('shop@example.org');
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await shoot(page, 'mail-server-dialog-light-1440');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Shop <shop@example.org>').waitFor();
  await page.getByText(`127.0.0.1:${port} · Not encrypted`).waitFor();

  const invited = { email: 'ben@example.org', role: 'viewer' as const, groups: [] };
  expect(await team.owner.client.inviteUser({ body: invited })).toMatchObject({ mailedTo: invited.email });
  await mails.mailTo(invited.email, /Invitation to Shop/);
  mails.behaviour = 'refuse';
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText(/refused the sender or the recipient \(550\)/).waitFor();
  mails.behaviour = 'take';
  expect(await actionsOf('mail-server.')).toEqual(
    expect.arrayContaining(['mail-server.change', 'mail-server.test']),
  );
});

test('an owner adds a sign-in provider, checks it, and users sign in with it at once', async () => {
  const { page } = opened;
  await page.goto(at('/settings/sign-in'));
  await page.getByText(/There are no sign-in providers/).waitFor();
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Company login');
  expect(await dialog.getByRole('textbox', { name: 'ID', exact: true }).inputValue()).toBe('company_login');
  expect(await dialog.getByRole('textbox', { name: 'Callback address' }).inputValue()).toBe(
    at('/auth/oidc/company_login/callback'),
  );
  await dialog.getByRole('textbox', { name: 'Issuer' }).fill('https://169.254.169.254');
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill(clientId);
  await dialog.getByLabel('Client secret').fill('not the secret');
  await dialog.getByRole('checkbox', { name: 'Create an account' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('List the domains for which accounts are created, or * for all.').waitFor();
  await dialog.getByRole('textbox', { name: 'Email domains' }).fill('example.org');
  await dialog.getByRole('button', { name: 'Check provider' }).click();
  await dialog.getByText(/`169\.254\.169\.254` is not on the public internet/).waitFor();
  await dialog.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
  await dialog.getByRole('button', { name: 'Check provider' }).click();
  await dialog.getByText('The provider cannot be used like this.').waitFor();
  await dialog.getByLabel('Client secret').fill(clientSecret);
  await dialog.getByRole('button', { name: 'Check provider' }).click();
  await dialog.getByText('The provider answers and accepts the client.').waitFor();
  await dialog.getByText('Groups, roles and attributes').click();
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await dialog.getByRole('textbox', { name: 'Value of the claim 1' }).fill('staff');
  await dialog.getByRole('combobox', { name: 'Role 1' }).selectOption('editor');
  expect(await violations(page, { isOverlayOpen: true })).toEqual([]);
  await shoot(page, 'provider-dialog-light-1440');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/creates accounts for example\.org as Viewer/).waitFor();

  const { providers } = await team.stranger.getSignIn({});
  expect(providers).toEqual([{ id: 'company_login', name: 'Company login' }]);
  const visitor = new Visitor(team);
  expect(await visitor.signIn('ana', 'company_login')).toBe('/signed-in');
  expect(await visitor.client.getSession({})).toMatchObject({ user: { name: 'Ana' }, role: 'editor' });
});

test('a provider is changed without its secret, and removed after a second look', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Edit “Company login”' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Company login”' });
  expect(await dialog.getByLabel('Client secret').inputValue()).toBe('');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Company');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Check provider “Company”' }).click();
  await page.getByText('The provider answers and accepts the client.').waitFor();
  await page.getByRole('button', { name: 'Remove “Company”' }).click();
  await page.getByText('Accounts stay. People without a password need a reset link.').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText(/There are no sign-in providers/).waitFor();
  expect((await team.stranger.getSignIn({})).providers).toEqual([]);
  expect(await actionsOf('provider.')).toEqual(
    expect.arrayContaining(['provider.create', 'provider.check', 'provider.change', 'provider.delete']),
  );
});

describe('access to these settings', () => {
  const server = {
    host: 'smtp.example.org',
    port: 587,
    security: 'starttls' as const,
    from: 'b@example.org',
  };
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: { readonly problem?: { readonly type: string } }) => error.problem?.type ?? String(error),
    );

  test('admins see them and change none', async () => {
    expect(await admin.client.getMailServer({})).toMatchObject({ setBy: 'owner', server: {} });
    expect(await admin.client.listProviders({})).toEqual({ providers: [] });
    expect(await outcome(admin.client.saveMailServer({ body: server }))).toBe('not-allowed');
    expect(await outcome(admin.client.testMailServer({ body: {} }))).toBe('not-allowed');
    const { page } = opened;
    await page.context().clearCookies();
    await setCookies(page.context(), admin.cookie, team.server.address);
    for (const [theme, width, height] of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      for (const name of ['mail', 'sign-in']) {
        await page.goto(at(`/settings/${name}`));
        await page.getByText(/Only owners can change/).waitFor();
        expect(await violations(page)).toEqual([]);
        await shoot(page, `settings-${name}-${theme}-${width}`);
      }
    }
  });

  test('a change needs the password that was given lately', async () => {
    const owner = new Visitor(team);
    await owner.client.signIn({ body: { email: 'olga@example.org', password } });
    // The server reads a session when it is first used.
    const state = new DatabaseSync(path.join(team.server.store.folders.root, '.belvedere', 'state.db'));
    state.exec("update session set confirmed_at = '2020-01-01T00:00:00.000Z'");
    state.close();
    const { client } = owner;
    for (const change of [
      () => client.saveMailServer({ body: server }),
      () => client.removeMailServer({}),
      () => client.testMailServer({ body: {} }),
      () =>
        client.createProvider({
          body: { id: 'p', name: 'P', issuer: 'https://p.example.org', clientId: 'p' },
        }),
      () => client.removeProvider({ params: { provider: 'p' } }),
      () => client.checkProvider({ params: { provider: 'p' }, body: {} }),
    ])
      expect(await outcome(change())).toBe('confirmation-needed');
  });
});
