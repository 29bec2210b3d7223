import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, violations, type Opened } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/* Every screen of team mode, light and dark, wide and narrow. */

let team: RunningTeam;
let ana: Member;
let browser: Browser;
let invitation: string;
let reset: string;
const opened = new Map<Member | undefined, Opened>();

beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\ntitle: Shops of the north\n',
    'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
    'dashboards/Sales/orders.yaml':
      'version: 1\ntitle: Orders\nmodel: orders\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n',
  });
  await allRead(team);
  const { client } = team.owner;
  const { id } = await client.saveGroup({
    params: { group: 'sales' },
    body: { name: 'Sales of all regions', attributes: { regions: ['north', 'south'], level: 3 } },
  });
  ana = await team.join('Ana', 'viewer', [id]);
  await team.join('Bartholomew', 'maker');
  for (const [subject, level] of [
    [{ kind: 'group', id }, 'view'],
    [{ kind: 'user', id: ana.id }, 'manage'],
  ] as const)
    await client.putGrant({
      params: { kind: 'dashboard', object: 'Sales/orders' },
      body: { subject, level },
    });
  invitation = (await client.inviteUser({ body: { email: 'new.person@example.org', role: 'editor' } })).link;
  reset = (await client.createPasswordReset({ params: { user: ana.id } })).link;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});

/** A page of a user's own browser. */
async function pageOf(member: Member | undefined): Promise<Page> {
  const known = opened.get(member);
  if (known) return known.page;
  const one = await openPage(browser, 'about:blank');
  await one.page.context().addCookies(
    (member?.cookie ?? '')
      .split('; ')
      .filter(Boolean)
      .map(cookie => {
        const [name, value] = cookie.split(/=(.*)/s) as [string, string];
        return { name, value, url: team.server.address };
      }),
  );
  opened.set(member, one);
  return one.page;
}

interface Screen {
  readonly address: () => string;
  readonly who?: () => Member;
  readonly ready: string;
  /** What is opened on it. */
  readonly open?: (page: Page) => Promise<void>;
}
const owner = () => team.owner;
const press = (name: string) => async (page: Page) => {
  const button = page.getByRole('button', { name, exact: true }).first();
  // On a phone it is in the menu of the header.
  if (!(await button.isVisible())) {
    await page
      .getByRole('button', { name: 'More' })
      .or(page.getByRole('button', { name: /^Actions/ }))
      .first()
      .click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  } else await button.click();
};

const screens: Readonly<Record<string, Screen>> = {
  'sign-in': { address: () => '/sign-in', ready: 'Forgot your password?' },
  invitation: { address: () => invitation, ready: 'Join Shops of the north' },
  'invitation-gone': { address: () => '/invite/none-of-these-tokens-at-all', ready: 'no longer valid' },
  reset: { address: () => reset, ready: 'Set a new password' },
  profile: { address: () => '/settings/profile', who: () => ana, ready: 'Sessions' },
  people: { address: () => '/settings/people', who: owner, ready: 'Bartholomew' },
  inviting: {
    address: () => '/settings/people',
    who: owner,
    ready: 'Bartholomew',
    open: press('Invite'),
  },
  groups: { address: () => '/settings/groups', who: owner, ready: 'Sales of all regions' },
  audit: { address: () => '/settings/audit', who: owner, ready: 'Set up the workspace' },
  'home-of-a-viewer': { address: () => '/', who: () => ana, ready: 'Orders' },
  'home-of-an-owner': { address: () => '/', who: owner, ready: 'Orders' },
};

describe.each([
  ['light', 1440],
  ['light', 390],
  ['dark', 1440],
  ['dark', 390],
] as const)('%s, %i px wide', (theme, width) => {
  test.each(Object.keys(screens))(
    '%s: axe finds nothing, and nothing is wider than the screen',
    async name => {
      const { address, who, ready, open } = screens[name]!;
      const page = await pageOf(who?.());
      await page.setViewportSize({ width, height: 900 });
      await page.goto(new URL(address(), team.server.address).href);
      await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
      await page.reload();
      await page.getByText(ready).first().waitFor();
      await open?.(page);
      if (open) await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(500);
      await shoot(page, `team-${name}-${theme}-${width}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
      expect((await violations(page, { isOverlayOpen: open !== undefined })).join('\n')).toBe('');
    },
  );
});

test('the Share dialog passes axe', async () => {
  const page = await pageOf(team.owner);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(new URL('/d/Sales%2Forders', team.server.address).href);
  await press('Share')(page);
  await page.getByRole('dialog').getByText('Sales of all regions').waitFor();
  await page.waitForTimeout(500);
  await shoot(page, 'team-share-1440');
  expect((await violations(page, { isOverlayOpen: true })).join('\n')).toBe('');
});

test('no screen reports an error', () => {
  for (const { faults } of opened.values())
    expect(faults.filter(fault => !/status of (?:401|404)/.test(fault))).toEqual([]);
});
