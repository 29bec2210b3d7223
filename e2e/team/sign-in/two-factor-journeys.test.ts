import type { Browser, CDPSession, Page } from 'playwright-core';
import { createClient } from '@belvedere/api';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, type Opened } from '../../browser.ts';
import { codeOf } from './authenticator-app.ts';
import { password, runTeam, type RunningTeam } from '../running-team.ts';

/* Second factors and passkeys in the browser, with Chromium's virtual authenticator. */

let team: RunningTeam;
let site: string;
let browser: Browser;
let opened: Opened;
let page: Page;
let cdp: CDPSession;
let key: string;
let backupCodes: readonly string[];
let lastStep = 0;

beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\ntitle: Shop\n',
    'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
  });
  await team.join('Vera', 'viewer');
  // Browsers accept no IP address for passkeys.
  site = team.server.address.replace('127.0.0.1', 'localhost');
  browser = await launchBrowser();
  opened = await openPage(browser, `${site}/sign-in`);
  ({ page } = opened);
  await page.addInitScript(endAutofill, withoutAutofill);
  cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

const click = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);

/** The next code that was not used: the app shows another one every 30 seconds. */
async function nextCode(): Promise<string> {
  const step = () => Math.floor(Date.now() / 30_000);
  lastStep = Math.max(lastStep + 1, step() - 1);
  // The server accepts a code one step early.
  await expect.poll(() => step() + 1 >= lastStep, { timeout: 40_000 }).toBe(true);
  return codeOf(key, lastStep * 30_000);
}

async function signIn(email: string): Promise<void> {
  await page.goto(`${site}/sign-in?next=${encodeURIComponent('/settings/profile')}`);
  await fill('Email', email);
  await fill('Password', password);
  await click('Sign in');
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/**
 * Without autofill, the email field offers no passkeys: Chromium's virtual authenticator accepts such an
 * offer by itself, before a test can press a button. Applies to all later pages, too.
 */
async function setAutofill(isOn: boolean): Promise<void> {
  await page.evaluate(name => (window.name = name), isOn ? '' : withoutAutofill);
  await page.evaluate(endAutofill, withoutAutofill);
}

const withoutAutofill = 'without autofill';

function endAutofill(name: string): void {
  if (window.name === name)
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
}

const section = (name: string) => page.getByRole('region', { name });

test('Olga sets up an authenticator app, and saves her backup codes', async () => {
  await signIn(team.owner.email);
  await section('Two-factor sign-in').getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  key = (await dialog.locator('dd').innerText()).replaceAll(' ', '');
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  await fill('Code', '000000');
  await click('Turn on');
  await dialog.getByText('The code is wrong').waitFor();
  await fill('Code', await nextCode());
  await click('Turn on');
  await dialog.getByRole('heading', { name: 'Backup codes' }).waitFor();
  backupCodes = await dialog.getByRole('listitem').allInnerTexts();
  expect(backupCodes).toHaveLength(10);
  const [download] = await Promise.all([page.waitForEvent('download'), click('Download')]);
  const text = await readFile(await download.path(), 'utf8');
  expect(download.suggestedFilename()).toBe('backup-codes.txt');
  expect(text.split('\n').filter(line => backupCodes.includes(line))).toEqual(backupCodes);
  await click('I have saved the codes');
  await section('Two-factor sign-in').getByText('10 backup codes left').waitFor();
});

test('signing in asks for a code after the password, and leads to the address that was asked for', async () => {
  await signOut();
  await signIn(team.owner.email);
  await page.getByText('Your password is right.').waitFor();
  await fill('Code', '000000');
  await click('Sign in');
  await page.getByText('The code is wrong').waitFor();
  await fill('Code', await nextCode());
  await click('Sign in');
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/settings/profile');
});

test('a backup code works once', async () => {
  for (const outcome of ['9 backup codes left', 'The code is wrong']) {
    await signOut();
    await signIn(team.owner.email);
    await fill('Code', backupCodes[0]!);
    await click('Sign in');
    await page.getByText(outcome).first().waitFor();
    if (outcome.startsWith('9')) continue;
    await fill('Code', backupCodes[1]!);
    await click('Sign in');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  }
});

test('Olga adds a passkey, names it, and signs in with it, without a password or a code', async () => {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await section('Passkeys').getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await section('Passkeys').getByText('Laptop').waitFor();
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  await page.getByRole('button', { name: 'Rename passkey Laptop' }).click();
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await section('Passkeys').getByText('Work laptop').waitFor();
  // Without its user present, the browser offers the passkey, but does not use it.
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
  await setAutofill(false);
  await signOut();
  expect(await page.getByLabel('Email', { exact: true }).getAttribute('autocomplete')).toBe(
    'username webauthn',
  );
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
  await click('Sign in with a passkey');
  await page.getByRole('button', { name: /^Account: Olga/ }).waitFor();
  await setAutofill(true);
  await page.goto(`${site}/settings/profile`);
  await section('Passkeys').getByText('Last used').waitFor();
});

test('the email field offers the passkey: the browser signs in with it, without a press of the button', async () => {
  await Promise.all([
    page.waitForResponse(
      response => response.url().endsWith('/api/v1/sign-in/passkey') && response.status() === 200,
    ),
    (async () => {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    })(),
  ]);
  await page.getByRole('button', { name: /^Account: Olga/ }).waitFor();
});

/** Signs Olga in with a session in which she gave her password long ago. */
async function signInLongAgo(): Promise<void> {
  const jar = new Map<string, string>();
  const client = createClient(site, async (input, init) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init?.headers as Record<string, string>), cookie };
    const response = await fetch(input, { ...init, headers });
    for (const one of response.headers.getSetCookie()) {
      const [name = '', value = ''] = one.split(';')[0]!.split('=');
      jar.set(name, value);
    }
    return response;
  });
  await client.signIn({ body: { email: team.owner.email, password } });
  await client.enterCode({ body: { code: backupCodes[3]! } });
  // The server reads a session when it is first used.
  const state = new DatabaseSync(path.join(team.server.store.folders.root, '.belvedere', 'state.db'));
  state.exec("update session set confirmed_at = '2020-01-01T00:00:00.000Z'");
  state.close();
  await page.context().addCookies([...jar].map(([name, value]) => ({ name, value, url: site })));
}

test('a dangerous change long after signing in is confirmed with a passkey', async () => {
  await signInLongAgo();
  await page.goto(`${site}/settings/people`);
  await section('Sign-in').getByText('Require two-factor sign-in for everyone').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect.poll(() => section('Sign-in').getByRole('checkbox').isChecked()).toBe(true);
  await page.getByText('App, Passkey').waitFor();
});

test('Vera sets it up after her password, once Olga requires it of everyone', async () => {
  const veras = await openPage(browser, `${site}/sign-in?next=${encodeURIComponent('/settings?x=1')}`);
  const olgas = page;
  page = veras.page;
  try {
    await fill('Email', 'vera@example.org');
    await fill('Password', password);
    await click('Sign in');
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor();
    const own = (await page.locator('dd').innerText()).replaceAll(' ', '');
    // Nothing else works until then.
    expect(await page.evaluate(() => fetch('/api/v1/session').then(({ status }) => status))).toBe(401);
    await fill('Code', codeOf(own));
    await click('Turn on');
    await page.getByRole('heading', { name: 'Backup codes' }).waitFor();
    await click('I have saved the codes');
    await page.getByRole('heading', { name: 'General' }).or(page.getByText('Language')).first().waitFor();
    expect(page.url()).toBe(`${site}/settings?x=1`);
  } finally {
    page = olgas;
    await veras.close();
  }
});

test('Olga resets Vera’s second factor', async () => {
  await page.goto(`${site}/settings/people`);
  await page.getByRole('button', { name: 'Actions for Vera' }).click();
  await page.getByRole('menuitem', { name: 'Reset second factor…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  const row = page.getByRole('row').filter({ hasText: 'vera@example.org' });
  await row.getByText('None', { exact: true }).first().waitFor();
});

test('Olga turns her app off with password and code, and removes her passkey', async () => {
  await page.getByText('Require two-factor sign-in for everyone').click();
  await expect.poll(() => section('Sign-in').getByRole('checkbox').isChecked()).toBe(false);
  await page.goto(`${site}/settings/profile`);
  await section('Two-factor sign-in').getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Code', { exact: true }).fill(backupCodes[2]!);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await section('Two-factor sign-in').getByRole('button', { name: 'Set up' }).waitFor();
  await page.getByRole('button', { name: 'Remove passkey Work laptop' }).click();
  await section('Passkeys').getByText('No passkeys yet.').waitFor();
});

test('at an IP address the profile says that passkeys do not work there', async () => {
  const other = await openPage(browser, `${team.server.address}/sign-in`);
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.page.getByLabel('Email', { exact: true }).fill('vera@example.org');
  await other.page.getByLabel('Password', { exact: true }).fill(password);
  expect(await other.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('button', { name: /^Account: Vera/ }).waitFor();
  await other.page.goto(`${team.server.address}/settings/profile`);
  await other.page.getByText('Passkeys do not work at this address.').waitFor();
  await other.close();
});

test('no page reported an error', () => {
  expect(opened.faults.filter(fault => !/status of (?:401|403)/.test(fault))).toEqual([]);
});
