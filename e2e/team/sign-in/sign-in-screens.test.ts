import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, violations, type Opened, looks, setCookies } from '../../browser.ts';
import { linkIn, startMailServer, type MailServer } from '../messages/mail-server.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/* The screens for signing in with providers and mail: light and dark, wide and narrow, in three languages. */

let mail: MailServer;
let team: RunningTeam;
let withoutPasswords: RunningTeam;
let browser: Browser;
const pages = new Map<Member | undefined, Opened>();

const providers = `
  providers:
    - { id: company, name: Company login, issuer: 'https://login.example.org', clientId: belvedere }
    - { id: partner, name: 'Partners of the shops in the north-east', issuer: 'https://id.example.org', clientId: b }
`;

beforeAll(async () => {
  mail = await startMailServer();
  const options = { isTrusted: true, mail: { smtpUrl: mail.url, mailFrom: 'belvedere@example.org' } };
  const workspace = (signIn: string) => ({
    'belvedere.yaml': `version: 1\ntitle: Shops of the North\nsignIn:${signIn}`,
  });
  team = await runTeam(workspace(providers), options);
  withoutPasswords = await runTeam(workspace(`\n  password: false${providers}`), options);
  browser = await launchBrowser();
  for (const member of [undefined, team.owner]) {
    const opened = await openPage(browser, `${team.server.address}/favicon.svg`);
    if (member) await setCookies(opened.page.context(), member.cookie, team.server.address);
    pages.set(member, opened);
  }
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
  await withoutPasswords?.close();
  await mail?.close();
});

interface Screen {
  readonly of: () => Member | undefined;
  readonly route: () => string;
  /** A text that the screen shows once it is complete. */
  readonly ready: string;
  readonly open?: (page: Page) => Promise<void>;
  /** Whether a dialog covers the page. */
  readonly isOverlay?: boolean;
}

const nobody = () => undefined;
const owner = () => team.owner;
const screens: Readonly<Record<string, Screen>> = {
  'sign-in': { of: nobody, route: () => '/sign-in', ready: 'Forgot password?' },
  'sign-in-failed': {
    of: nobody,
    route: () => '/sign-in?problem=no-account&provider=company',
    ready: 'You have no account here',
  },
  'sign-in-owner': {
    of: nobody,
    route: () => `${withoutPasswords.server.address}/sign-in`,
    ready: 'Sign in with a password (owners)',
  },
  forgot: { of: nobody, route: () => '/forgot', ready: 'Send link' },
  'forgot-sent': {
    of: nobody,
    route: () => '/forgot',
    ready: 'Send link',
    open: async page => {
      await page.getByLabel('Email').fill(`someone${Math.random()}@example.org`);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByText('an email is on its way').waitFor();
    },
  },
  email: { of: nobody, route: () => `/email/${'a'.repeat(43)}`, ready: 'From now on you sign in with it.' },
  'email-gone': {
    of: nobody,
    route: () => `/email/${'a'.repeat(43)}`,
    ready: 'From now on',
    open: async page => {
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('no longer valid').waitFor();
    },
  },
  'window-failed': {
    of: nobody,
    route: () => '/signed-in?for=confirm&problem=not-confirmed&provider=company',
    ready: 'did not confirm that you signed in again',
  },
  profile: { of: owner, route: () => '/settings/profile', ready: 'Connect Company login' },
  'invite-mailed': {
    of: owner,
    route: () => '/settings/people',
    ready: 'You are the only person here',
    isOverlay: true,
    open: async page => {
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByLabel('Email').fill('new@example.org');
      await page.getByRole('button', { name: 'Create invitation' }).click();
      await page.getByText('The invitation was sent to new@example.org').waitFor();
    },
  },
  'invite-not-mailed': {
    of: owner,
    route: () => '/settings/people',
    ready: 'You are the only person here',
    isOverlay: true,
    open: async page => {
      mail.behaviour = 'refuse';
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByLabel('Email').fill('new@example.org');
      await page.getByRole('button', { name: 'Create invitation' }).click();
      await page.getByText('refused the sender or the recipient').waitFor();
      mail.behaviour = 'take';
    },
  },
};

async function look(page: Page, name: string, screen: Screen, themed: string, width: number) {
  await page.goto(new URL(screen.route(), team.server.address).href);
  await page.getByText(screen.ready).first().waitFor();
  await screen.open?.(page);
  await page.waitForTimeout(300);
  await shoot(page, `signing-in-${name}-${themed}-${width}`);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return excess > 0 ? [`${themed} ${width}: ${excess} px too wide`] : [];
}

describe('the screens for signing in', () => {
  test.each(Object.entries(screens))(
    '%s: axe finds nothing, and nothing is too wide',
    async (name, screen) => {
      const { page } = pages.get(screen.of())!;
      const found: string[] = [];
      for (const [theme, width, height] of looks) {
        await page.setViewportSize({ width, height });
        await page.goto(new URL('/favicon.svg', new URL(screen.route(), team.server.address)).href);
        await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
        found.push(...(await look(page, name, screen, theme, width)));
        const failed = await violations(page, { isOverlayOpen: screen.isOverlay === true });
        found.push(...failed.map(one => `${theme} ${width}: ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  test.each([
    ['de', 'Passwort vergessen?', 'Company login verbinden'],
    ['zh', '忘记密码？', '关联 Company login'],
  ])('are in %s, too', async (language, onSignIn, onProfile) => {
    for (const [member, route, ready] of [
      [undefined, '/sign-in', onSignIn],
      [team.owner, '/settings/profile', onProfile],
    ] as const) {
      const { page } = pages.get(member)!;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(chosen => localStorage.setItem('belvedere-language', chosen), language);
      const screen = { of: () => member, route: () => route, ready };
      expect(await look(page, route.split('/').at(-1)!, screen, language, 390)).toEqual([]);
      await page.evaluate(() => localStorage.removeItem('belvedere-language'));
    }
  });
});

test('an owner signs in with a password where others cannot', async () => {
  const { page } = pages.get(undefined)!;
  await page.goto(`${withoutPasswords.server.address}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a password (owners)' }).click();
  await page.getByLabel('Email').fill('olga@example.org');
  await page.getByLabel('Password', { exact: true }).fill('nine brown bears dance');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(url => url.pathname === '/');
});

test('a user changes the address by a link, which is confirmed with a press', async () => {
  const { page } = pages.get(team.owner)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${team.server.address}/settings/profile`);
  const section = page.getByRole('region', { name: 'Email' });
  await section.getByLabel('New email').fill('olga.new@example.org');
  await section.getByLabel('Current password').fill('nine brown bears dance');
  await section.getByRole('button', { name: 'Change email' }).click();
  await section.getByText('Open the link that was sent to olga.new@example.org').waitFor();
  const token = linkIn(await mail.mailTo('olga.new@example.org', /Confirm your new/), 'email');
  await page.goto(`${team.server.address}/email/${token}`);
  expect((await team.owner.client.getSession({})).user.email).toBe('olga@example.org');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Your email is now olga.new@example.org').waitFor();
});

test('no page reported an error', () => {
  for (const { faults } of pages.values())
    expect(faults.filter(fault => !/status of (?:401|404)|^ChunkLoadError/.test(fault))).toEqual([]);
});
