import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  launchBrowser,
  openPage,
  settled,
  shoot,
  violations,
  type Opened,
  looks,
  setCookies,
} from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { password, runTeam, type Member, type RunningTeam } from './running-team.ts';

/* The screens of a team: light and dark, wide and narrow. */

const dashboard = (title: string) => `version: 1
title: ${title}
model: orders
pages:
  - title: One
    tiles:
      count: { kind: kpi, title: Counted, value: { measure: rows }, at: [0, 0, 6, 3] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shops of the North\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
  'dashboards/overall.yaml': dashboard('Overall'),
  'dashboards/Sales/orders.yaml': dashboard('Orders'),
  'dashboards/Sales/North/returns.yaml': dashboard('Returns'),
  'dashboards/Stock/shelves.yaml': dashboard('Shelves'),
};
const sizes = [
  [1440, 900],
  [390, 844],
] as const;

let team: RunningTeam;
let browser: Browser;
let vera: Member;
let edda: Member;
const pages = new Map<Member | undefined, Opened>();

beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  const { client } = team.owner;
  const { id: group } = await client.saveGroup({
    params: { group: 'shop-floor' },
    body: { name: 'Managers of the shops in the north-east', attributes: { regions: ['north', 'east'] } },
  });
  vera = await team.join('Vera', 'viewer');
  edda = await team.join('Edda', 'editor', [group]);
  await team.join('Maximiliane von Hohenstein-Wallerstein', 'explorer', [group]);
  await client.inviteUser({ body: { email: 'somebody.new@example.org', role: 'viewer', groups: [group] } });
  const share = (kind: 'dashboard' | 'folder', object: string, subject: string, level: 'view' | 'manage') =>
    client.putGrant({
      params: { kind, object },
      body: { subject: { kind: subject === group ? 'group' : 'user', id: subject }, level },
    });
  const service = await client.createServiceAccount({ body: { name: 'nightly-report', role: 'viewer' } });
  await client.createServiceToken({
    params: { user: service.id },
    body: { name: 'cron on the build machine', scope: 'read' },
  });
  await share('folder', 'Sales', edda.id, 'manage');
  await share('folder', 'Stock', group, 'view');
  await share('dashboard', 'Sales/orders', group, 'view');
  browser = await launchBrowser();
  for (const member of [undefined, team.owner, vera, edda]) {
    const opened = await openPage(browser, `${team.server.address}/favicon.svg`);
    if (member) await setCookies(opened.page.context(), member.cookie, team.server.address);
    pages.set(member, opened);
  }
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  // So that one failure does not make the tests after it fail.
  for (const { page } of pages.values())
    await page.evaluate(() => localStorage.removeItem('belvedere-language'));
});

interface Screen {
  /** The user of the session; undefined without a session. */
  readonly of: () => Member | undefined;
  readonly route: () => string | Promise<string>;
  /** A text that the screen shows once it is complete. */
  readonly ready: string;
  /** Opens an overlay. */
  readonly open?: (page: Page) => Promise<void>;
}

const owner = () => team.owner;
const isWide = (page: Page) => page.viewportSize()!.width > 760;
const nobody = () => undefined;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const tokenPath = (kind: 'invite' | 'reset', link: string) => `/${kind}/${link.split('/').at(-1)!}`;

const screens: Readonly<Record<string, Screen>> = {
  'sign-in': { of: nobody, route: () => '/sign-in', ready: 'Forgot your password?' },
  invite: {
    of: nobody,
    route: async () => {
      const invited = { email: 'late@example.org', role: 'viewer', groups: [] } as const;
      const { link } = await team.owner.client.inviteUser({ body: { ...invited, groups: [] } });
      return tokenPath('invite', link!);
    },
    ready: 'Choose your name and a password.',
  },
  'invite-gone': { of: nobody, route: () => `/invite/${'a'.repeat(43)}`, ready: 'no longer valid' },
  reset: {
    of: nobody,
    route: async () => {
      const { link } = await team.owner.client.createPasswordReset({ params: { user: vera.id } } as never);
      return tokenPath('reset', link!);
    },
    ready: 'This signs you out on all devices.',
  },
  profile: { of: owner, route: () => '/settings/profile', ready: 'Change password' },
  people: { of: owner, route: () => '/settings/people', ready: 'somebody.new@example.org' },
  groups: { of: owner, route: () => '/settings/groups', ready: 'Managers of the shops' },
  permissions: { of: owner, route: () => '/settings/permissions', ready: 'Write comments' },
  audit: { of: owner, route: () => '/settings/audit', ready: 'Accepted an invitation' },
  system: { of: owner, route: () => '/settings/system', ready: 'Everything works.' },
  share: {
    of: owner,
    route: () => '/d/Sales%2Forders',
    ready: 'Counted',
    open: async page => {
      await settled(page);
      if (isWide(page)) await page.getByRole('button', { name: 'Share', exact: true }).click();
      else {
        await page.getByRole('banner').getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: /^Share/ }).click();
      }
      const all = page.getByRole('region', { name: 'Owners and admins see everything' });
      await all.getByText('Owner', { exact: true }).waitFor();
      const shared = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Managers of' });
      const name = await shared.getByText(/^Managers of/).boundingBox();
      expect(name!.width, 'the name has room').toBeGreaterThan(100);
    },
  },
  'view-as': {
    of: owner,
    route: () => '/d/Sales%2Forders',
    ready: 'Counted',
    open: async page => {
      await settled(page);
      if (isWide(page)) await button(page, 'View as…').click();
      else {
        await page.getByRole('banner').getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name: 'View as…' }).click();
      }
      await page.getByRole('combobox', { name: 'Search users and groups' }).fill('north-east');
      await page.getByRole('option', { name: /^Managers of the shops/ }).waitFor();
    },
  },
  'share-model': {
    of: owner,
    route: () => '/models/orders',
    ready: 'Measures',
    open: async page => {
      if (isWide(page)) await page.getByRole('button', { name: 'Share', exact: true }).click();
      else {
        await page.getByRole('banner').getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'History' }).waitFor();
        await page.getByRole('menuitem', { name: 'Share' }).click();
      }
      await page.getByText('Owners and admins see everything').waitFor();
    },
  },
  'invite-dialog': {
    of: owner,
    route: () => '/settings/people',
    ready: 'somebody.new@example.org',
    open: async page => {
      await button(page, 'Invite').click();
      await button(page, 'Create invitation').waitFor();
    },
  },
  'new-token': {
    of: owner,
    route: () => '/settings/profile',
    ready: 'No access tokens yet.',
    open: async page => {
      await button(page, 'New token').click();
      await button(page, 'Create token').waitFor();
    },
  },
  'service-account': {
    of: owner,
    route: () => '/settings/people',
    ready: 'somebody.new@example.org',
    open: async page => {
      await button(page, 'New service account').click();
      await button(page, 'Create account').waitFor();
    },
  },
  'access-of-user': {
    of: owner,
    route: () => '/settings/people',
    ready: 'somebody.new@example.org',
    open: async page => {
      await button(page, 'Actions for Edda').click();
      await page.getByRole('menuitem', { name: 'What they can see…' }).click();
      await page.getByText('From folder Stock').waitFor();
    },
  },
  'tokens-of-service': {
    of: owner,
    route: () => '/settings/people',
    ready: 'nightly-report',
    open: async page => {
      await button(page, 'Actions for nightly-report').click();
      await page.getByRole('menuitem', { name: 'Access tokens…' }).click();
      await page.getByText('cron on the build machine').waitFor();
    },
  },
  'account-menu': {
    of: owner,
    route: () => '/settings/people',
    ready: 'somebody.new@example.org',
    open: async page => {
      if (!isWide(page)) await button(page, 'Menu').click();
      await button(page, /^Account: Olga/).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  },
  'nothing-shared': { of: () => vera, route: () => '/', ready: 'Nothing has been shared with you yet' },
};

describe('the screens of a team', () => {
  test.each(Object.entries(screens))(
    '%s: axe finds nothing, and nothing is too wide',
    async (name, screen) => {
      const { page } = pages.get(screen.of())!;
      const address = new URL(await screen.route(), team.server.address).href;
      const found: string[] = [];
      for (const [theme, width, height] of looks) {
        await page.setViewportSize({ width, height });
        await page.evaluate(chosen => localStorage.setItem('belvedere-theme', chosen), theme);
        await page.goto(address);
        await page.getByText(screen.ready).first().waitFor();
        await screen.open?.(page);
        await page.waitForTimeout(300);
        await shoot(page, `team-${name}-${theme}-${width}`);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (excess > 0) found.push(`${theme} ${width}: ${excess} px too wide`);
        const failed = await violations(page, { isOverlayOpen: screen.open !== undefined });
        found.push(...failed.map(one => `${theme} ${width}: ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  test.each(['de', 'zh'])('in %s nothing is too wide either', async language => {
    const { page } = pages.get(team.owner)!;
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const name of ['profile', 'people', 'groups', 'permissions', 'audit', 'system']) {
        await page.evaluate(chosen => {
          localStorage.setItem('belvedere-theme', 'light');
          localStorage.setItem('belvedere-language', chosen);
        }, language);
        await page.goto(new URL(await screens[name]!.route(), team.server.address).href);
        await page.waitForTimeout(700);
        await shoot(page, `team-${name}-${language}-${width}`);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          `${name} ${width}`,
        ).toBeLessThanOrEqual(0);
      }
    }
    await page.evaluate(() => localStorage.removeItem('belvedere-language'));
  });
});

describe('folders have levels', () => {
  const levels = async (member: Member) =>
    Object.fromEntries(
      (await member.client.listDashboards({ query: {} })).folders.map(({ path, level }) => [path, level]),
    );

  test('each folder with a dashboard that the caller sees has the caller’s level', async () => {
    expect(await levels(team.owner)).toEqual({
      '': 'manage',
      Sales: 'manage',
      'Sales/North': 'manage',
      Stock: 'manage',
    });
    expect(await levels(edda)).toEqual({ Sales: 'manage', 'Sales/North': 'manage', Stock: 'view' });
    expect(await levels(vera)).toEqual({});
  });

  test('Home offers to move and share the folders that the user manages, and no others', async () => {
    const { page } = pages.get(edda)!;
    await page.goto(team.server.address);
    const offered: Record<string, readonly boolean[]> = {};
    for (const folder of ['All', 'Sales', 'Stock']) {
      const pill = page.getByRole('group', { name: 'Folder' }).getByRole('button', { name: folder }).first();
      await pill.click();
      await expect.poll(() => pill.getAttribute('aria-pressed')).toBe('true');
      offered[folder] = await Promise.all(
        [/^Rename or move/, /^Share/].map(name =>
          page.getByRole('group', { name: 'Folder' }).getByRole('button', { name }).isVisible(),
        ),
      );
    }
    expect(offered).toEqual({ All: [false, false], Sales: [true, true], Stock: [false, false] });
  });

  test('a search changes nothing of it', async () => {
    const { folders } = await edda.client.listDashboards({ query: { search: 'shelves' } });
    expect(folders.map(({ path }) => path)).toEqual(['Sales', 'Sales/North', 'Stock']);
  });
});

test('a group gets groups of its own, which are shown where it is chosen', async () => {
  const { page } = pages.get(team.owner)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(new URL('/settings/groups', team.server.address).href);
  await button(page, 'New group').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Everyone in shops');
  await dialog.getByRole('checkbox', { name: /Managers of the shops/ }).check({ force: true });
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('vera');
  await expect
    .poll(() => dialog.getByRole('region', { name: 'Members' }).getByRole('checkbox').count())
    .toBe(1);
  await dialog.getByRole('checkbox', { name: /Vera/ }).check({ force: true });
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('');
  await shoot(page, 'team-group-dialog-light-1440');
  // Nothing scrolls below the close button.
  await page.setViewportSize({ width: 1440, height: 420 });
  await dialog.getByRole('button', { name: 'Add attribute' }).scrollIntoViewIfNeeded();
  const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
  expect(
    await page.evaluate(
      ([x, y]) =>
        document.elementsFromPoint(x!, y!).find(one => one.matches('h2, h3, p, label, span, input'))?.tagName,
      [close!.x + close!.width / 2, close!.y + close!.height / 2],
    ),
  ).toBe('H2');
  await shoot(page, 'team-group-dialog-scrolled-light-1440');
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3 members · Contains Managers of the shops in the north-east').waitFor();
  await shoot(page, 'team-nested-groups-light-1440');
  await button(page, /^Edit “Managers of the shops/).click();
  await page.getByText('It is in Everyone in shops, so it cannot contain groups itself.').waitFor();
  await page.goto(new URL('/settings/people', team.server.address).href);
  await page
    .getByRole('button', { name: /north-east \(in Everyone in shops\)/ })
    .first()
    .waitFor();
  await page.goto(new URL('/d/overall', team.server.address).href);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('combobox', { name: 'Add people or groups' }).fill('Everyone in shops');
  await page.getByRole('option', { name: /Group with Managers of the shops/ }).waitFor();
  await shoot(page, 'team-share-nested-light-1440');
  await page.getByRole('combobox', { name: 'Add people or groups' }).fill('very');
  await page.getByRole('option', { name: 'Everyone in shops' }).waitFor();
  expect(await page.getByRole('option', { name: 'Everyone in this workspace' }).count()).toBe(0);
  await team.owner.client.removeGroup({
    params: {
      group: (await team.owner.client.listGroups({})).groups.find(({ name }) => name === 'Everyone in shops')!
        .id,
    },
  });
});

test('the table of permissions is searched, and leads to why a person sees something', async () => {
  const { page } = pages.get(team.owner)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(new URL('/settings/permissions', team.server.address).href);
  await page.getByRole('searchbox', { name: 'Search' }).fill('export data');
  await expect.poll(() => page.getByRole('table').count()).toBe(1);
  const row = page.getByRole('row').filter({ hasText: 'Export data' });
  const cells = await row
    .getByRole('cell')
    .evaluateAll(all => all.map(cell => cell.querySelector('[aria-label]')?.getAttribute('aria-label')));
  expect(cells).toEqual([undefined, 'No', 'Yes', 'Yes', 'Yes', 'Yes', 'Yes']);
  await page.getByRole('button', { name: /Person/ }).click();
  await page.getByRole('option', { name: /Edda/ }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('dialog', { name: 'What Edda can see' }).getByText('From folder Stock').waitFor();
});

test('an admin sees a dashboard as a viewer in a group, until they stop', async () => {
  const { page } = pages.get(team.owner)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(new URL('/d/Sales%2Forders', team.server.address).href);
  await button(page, 'View as…').click();
  await page.getByRole('combobox', { name: 'Search users and groups' }).fill('north-east');
  await page.getByRole('option', { name: /^Managers of the shops/ }).click();
  await page.getByText(/^Viewing as a viewer in “Managers of the shops in the north-east”/).waitFor();
  await page.getByText('Counted').first().waitFor();
  expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
  await shoot(page, 'team-viewing-as-group-light-1440');
  // This group sees nothing else of the folder.
  await page.goto(new URL('/d/Sales%2FNorth%2Freturns', team.server.address).href);
  await page.getByText('or this user does not have access to it').waitFor();
  await button(page, 'Stop viewing').click();
  await page.getByText('Counted').first().waitFor();
});

test('a user who shares a dashboard for editing sees what else an editor needs', async () => {
  const { page } = pages.get(team.owner)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(new URL('/d/overall', team.server.address).href);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const note = dialog.getByText('Editors also need “Can explore”');
  await dialog.getByText('Not shared yet.').waitFor();
  expect(await note.count()).toBe(0);
  await dialog.getByRole('button', { name: /Can view/ }).click();
  await page.getByRole('option', { name: 'Can edit' }).click();
  await note.waitFor();
  await shoot(page, 'team-share-editors-light-1440');
});

test('an open share dialog shows that an invited person has joined', async () => {
  const { page } = pages.get(team.owner)!;
  const { link } = await team.owner.client.inviteUser({
    body: {
      email: 'nina@example.org',
      role: 'viewer',
      shares: [{ kind: 'dashboard', object: 'overall', level: 'view' }],
    },
  });
  await page.goto(new URL('/d/overall', team.server.address).href);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const access = page.getByRole('dialog').getByRole('region', { name: 'People with access' });
  await access.getByText('nina@example.org').waitFor();
  expect(await access.getByText('Nina', { exact: true }).count()).toBe(0);
  await team.stranger.acceptInvitation({
    params: { token: link!.split('/').at(-1)! },
    body: { name: 'Nina', password },
  });
  await access.getByText('Nina', { exact: true }).waitFor();
});

test('a request without a session is answered with the sign-in', async () => {
  await expect(team.stranger.listDashboards({ query: {} })).rejects.toMatchObject({
    problem: { type: 'not-signed-in', detail: 'Sign in to continue.' },
  });
});

test('no page reported an error', () => {
  for (const { faults } of pages.values())
    expect(faults.filter(fault => !/status of (?:401|404)|^ChunkLoadError/.test(fault))).toEqual([]);
});
