import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, violations, type Opened, setCookies } from '../../browser.ts';
import { codeOf } from './authenticator-app.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';

/* The screens of second factors and passkeys: light and dark, wide and narrow, three languages. */

let team: RunningTeam;
let site: string;
let browser: Browser;
let stranger: Opened;
let owner: Opened;

beforeAll(async () => {
  team = await runTeam({ 'belvedere.yaml': 'version: 1\ntitle: Shops of the North\n' });
  site = team.server.address.replace('127.0.0.1', 'localhost');
  const ada = await team.join('Ada', 'admin');
  for (const member of [team.owner, ada]) {
    const { key } = await member.client.startTwoFactor({});
    await member.client.enableTwoFactor({ body: { code: codeOf(key) } });
  }
  for (const name of ['Laptop', 'Security key in the drawer of the desk in the office'])
    await team.owner.client.addPasskey({
      body: {
        name,
        passkey: new SoftwareAuthenticator(site).create((await team.owner.client.startPasskey({})).options),
      },
    });
  await team.join('Vera', 'viewer');
  await team.owner.client.requireTwoFactor({ body: { isRequired: true } });
  browser = await launchBrowser();
  stranger = await openPage(browser, `${site}/favicon.svg`);
  owner = await openPage(browser, `${site}/favicon.svg`);
  await signedIn(owner, team.owner);
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

async function signedIn({ page }: Opened, { cookie }: Member): Promise<void> {
  await setCookies(page.context(), cookie, site);
}

const enterPassword = async (page: Page, email: string) => {
  await page.locator('input[name=username]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('form button[type=submit]').click();
};

interface Screen {
  readonly of: () => Opened;
  readonly route: string;
  readonly open: (page: Page) => Promise<void>;
  readonly isOverlay?: boolean;
}

const screens: Readonly<Record<string, Screen>> = {
  'sign-in': {
    of: () => stranger,
    route: '/sign-in',
    open: page => page.locator('form button svg').last().waitFor(),
  },
  code: {
    of: () => stranger,
    route: '/sign-in',
    open: async page => {
      await enterPassword(page, 'ada@example.org');
      await page.locator('input[name=code]').waitFor();
    },
  },
  'required-set-up': {
    of: () => stranger,
    route: '/sign-in',
    open: async page => {
      await enterPassword(page, 'vera@example.org');
      await page.locator('svg[role=img]').waitFor();
    },
  },
  profile: {
    of: () => owner,
    route: '/settings/profile',
    open: async page => {
      await page.getByText('Laptop').first().waitFor();
      await page.locator('#two-factor').scrollIntoViewIfNeeded();
    },
  },
  'turn-off': {
    of: () => owner,
    route: '/settings/profile',
    open: async page => {
      await page.locator('#two-factor button').last().click();
      await page.getByRole('dialog').locator('input[name=code]').waitFor();
    },
    isOverlay: true,
  },
  people: {
    of: () => owner,
    route: '/settings/people',
    open: async page => {
      await page.getByText('vera@example.org').first().waitFor();
      await page.getByRole('checkbox').last().waitFor({ state: 'attached' });
    },
  },
};

test.each(Object.entries(screens))('%s: axe finds nothing, and nothing is too wide', async (name, screen) => {
  const { page } = screen.of();
  const found: string[] = [];
  for (const [language, theme, width, height] of [
    ['en', 'light', 1440, 900],
    ['en', 'dark', 390, 844],
    ['de', 'light', 390, 844],
    ['zh', 'light', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(
      ([one, other]) => {
        localStorage.setItem('belvedere-theme', one);
        localStorage.setItem('belvedere-language', other);
      },
      [theme, language] as const,
    );
    await page.goto(`${site}${screen.route}`);
    await screen.open(page);
    await page.waitForTimeout(300);
    await shoot(page, `two-factor-${name}-${language}-${theme}-${width}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) found.push(`${language} ${theme} ${width}: ${excess} px too wide`);
    if (language !== 'en') continue;
    const failed = await violations(page, { isOverlayOpen: screen.isOverlay ?? false });
    found.push(...failed.map(one => `${theme} ${width}: ${one}`));
  }
  expect(found).toEqual([]);
});

test('no page reported an error', () => {
  for (const { faults } of [stranger, owner])
    expect(faults.filter(fault => !/status of (?:401|403|429)/.test(fault))).toEqual([]);
});
