import type { Client, DashboardSummary } from '@belvedere/api';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, settled, shoot, violations, setCookies } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/** Home of a team: owners, verifications, views, tags, and sharing. */

const dashboard = (title: string, more = '') => `version: 1
title: ${title}
${more}model: sales
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
`;

let team: RunningTeam;
let eva: Member;
let ana: Member;

beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\ntitle: Shop\n',
    'data/sales.csv': 'region,amount\nnorth,1\nsouth,2\n',
    'dashboards/sales.yaml': dashboard('Sales', 'tags: [Finance, Monthly]\n'),
    'dashboards/stock.yaml': dashboard('Stock'),
  });
  await allRead(team);
  const { client } = team.owner;
  await client.saveGroup({ params: { group: 'finance' }, body: { name: 'Finance', attributes: {} } });
  const { groups } = await client.listGroups({});
  eva = await team.join('Eva', 'editor');
  ana = await team.join('Ana', 'explorer', [groups[0]!.id]);
  const share = (object: string, subject: { kind: 'group' | 'everyone' | 'user'; id: string }) =>
    client.putGrant({
      params: { kind: 'dashboard', object },
      body: { subject, level: subject.id === eva.id ? 'manage' : 'view' },
    });
  await share('sales', { kind: 'group', id: groups[0]!.id });
  await share('sales', { kind: 'user', id: eva.id });
  await share('stock', { kind: 'everyone', id: '' });
  await client.putGrant({
    params: { kind: 'model', object: 'sales' },
    body: { subject: { kind: 'user', id: eva.id }, level: 'explore' },
  });
});
afterAll(() => team?.close());

const listed = async (client: Client, id: string, search = ''): Promise<DashboardSummary | undefined> =>
  (await client.listDashboards({ query: { search } })).dashboards.find(one => one.id === id);
const record = async (client: Client, id: string) => (await listed(client, id))?.record;
const verify = (member: { client: Client }, id: string) =>
  member.client.verifyDashboard({ params: { id }, body: { days: 30 } });

test('a new dashboard belongs to who made it; managers may name another owner who may open it', async () => {
  await eva.client.saveDashboardText({
    params: { id: 'new' },
    body: { text: dashboard('New') },
  });
  expect(await record(eva.client, 'new')).toMatchObject({
    owner: { id: eva.id, name: 'Eva' },
    isSharedWithCaller: false,
  });
  const { revisions } = await eva.client.listRevisions({ params: { id: 'new' } });
  expect(revisions.map(({ author }) => author)).toEqual(['Eva']);
  const own = (user: string) => eva.client.setDashboardOwner({ params: { id: 'new' }, body: { user } });
  await expect(own(ana.id)).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
  await expect(own('nobody')).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
  await eva.client.putGrant({
    params: { kind: 'dashboard', object: 'new' },
    body: { subject: { kind: 'user', id: ana.id }, level: 'view' },
  });
  await own(ana.id);
  expect((await record(eva.client, 'new'))?.owner?.name).toBe('Ana');
  // The owner is a contact; this gives no rights.
  await expect(verify(ana, 'new')).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
});

test('a verification names who gave it, and ends when the dashboard is changed', async () => {
  await verify(eva, 'sales');
  const verified = (await record(ana.client, 'sales'))?.verified;
  expect(verified).toMatchObject({ by: { name: 'Eva' } });
  expect(Date.parse(verified!.until) - Date.parse(verified!.at)).toBe(30 * 86_400_000);
  const opened = await ana.client.getDashboard({ params: { id: 'sales' }, query: {} });
  expect(opened.record?.verified).toEqual(verified);

  const file = path.join(team.folder, 'workspace', 'dashboards', 'sales.yaml');
  const before = await readFile(file, 'utf8');
  // New data and other spacing change nothing that was checked.
  await appendFile(path.join(team.folder, 'workspace', 'data', 'sales.csv'), 'west,3\n');
  await writeFile(file, `# A comment\n${before}`);
  await expect
    .poll(async () => (await eva.client.getDashboardText({ params: { id: 'sales' } })).text)
    .toMatch(/^#/);
  await allRead(team);
  // While a file is written, it can be read half.
  await expect.poll(async () => (await record(ana.client, 'sales'))?.verified?.by?.name).toBe('Eva');

  await writeFile(file, before.replace('Sales', 'Sales of all shops'));
  await expect.poll(async () => (await listed(ana.client, 'sales'))?.title).toBe('Sales of all shops');
  expect(await record(ana.client, 'sales')).not.toHaveProperty('verified');
  await writeFile(file, before);
  await expect.poll(async () => (await record(ana.client, 'sales'))?.verified?.by?.name).toBe('Eva');

  await eva.client.unverifyDashboard({ params: { id: 'sales' } });
  expect(await record(ana.client, 'sales')).not.toHaveProperty('verified');
});

test('only managers verify, and only what has a file', async () => {
  for (const member of [ana, eva])
    await expect(verify(member, 'stock')).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
  await expect(verify(team.owner, 'overview/sales')).rejects.toMatchObject({
    problem: { type: 'not-found' },
  });
  await expect(
    team.owner.client.verifyDashboard({ params: { id: 'stock' }, body: { days: 1000 } }),
  ).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
});

test('a dashboard shared with a user or their groups is marked for them alone', async () => {
  expect(await record(ana.client, 'sales')).toMatchObject({ isSharedWithCaller: true });
  expect(await record(eva.client, 'sales')).toMatchObject({ isSharedWithCaller: true });
  expect(await record(team.owner.client, 'sales')).toMatchObject({ isSharedWithCaller: false });
  expect(await record(ana.client, 'stock')).toMatchObject({ isSharedWithCaller: false });
});

test('opening counts a user once a day', async () => {
  const open = (member: { client: Client }) => member.client.putRecent({ params: { id: 'stock' }, body: {} });
  await Promise.all([open(ana), open(ana), open(eva)]);
  await open(ana);
  expect(await record(ana.client, 'stock')).toMatchObject({ views: 2, isUnused: false });
});

test('a search finds tags and owners, of visible dashboards only', async () => {
  expect((await listed(ana.client, 'sales', 'finance'))?.tags).toEqual(['Finance', 'Monthly']);
  await team.owner.client.setDashboardOwner({ params: { id: 'sales' }, body: { user: eva.id } });
  expect(await listed(ana.client, 'sales', 'eva')).toBeDefined();
  expect(await listed(ana.client, 'stock', 'finance')).toBeUndefined();
  const zoe = await team.join('Zoe', 'viewer');
  expect(await listed(zoe.client, 'sales', 'finance')).toBeUndefined();
});

test('guests of a link get no tags, owners or verifications', async () => {
  const { client } = team.owner;
  await verify(eva, 'sales');
  await client.switchLinks({ body: { isOn: true } });
  const { token } = await client.previewLink({ params: { id: 'sales' }, body: {} });
  const response = await fetch(`${team.server.address}/api/v1/dashboards/shared`, {
    headers: { authorization: `Guest ${token}` },
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toContain('"Sales"');
  for (const secret of ['Finance', 'Monthly', 'Eva', 'verified', 'record', 'tags'])
    expect(text).not.toContain(secret);
});

describe('requests for access', () => {
  let mia: Member;
  const ask = (dashboard: string, member = mia, message = '') =>
    member.client.requestAccess({ body: { dashboard, message } });
  const requests = async (member: { client: Client }) =>
    (await member.client.listAccessRequests({})).requests.map(({ user, dashboard: { id }, message }) =>
      `${user.name} ${id} ${message}`.trim(),
    );
  const answer = async (member: { client: Client }, level: 'view' | null) => {
    const [request] = (await member.client.listAccessRequests({})).requests;
    await member.client.answerAccessRequest({ params: { request: request!.id }, body: { level } });
  };
  beforeAll(async () => {
    mia = await team.join('Mia', 'viewer');
  });

  test('are refused until an owner allows them', async () => {
    await expect(ask('sales')).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    await expect(eva.client.switchAccessRequests({ body: { isOn: true } })).rejects.toMatchObject({
      problem: { type: 'not-allowed' },
    });
    await team.owner.client.switchAccessRequests({ body: { isOn: true } });
    expect(await mia.client.listAccessRequests({})).toEqual({ isOn: true, requests: [] });
  });

  test('say nothing of whether a dashboard exists, and reach those who manage it alone', async () => {
    for (const dashboard of ['sales', 'nothing-here', 'overview/sales', 'stock'])
      expect(await ask(dashboard, mia, 'For the audit')).toEqual({});
    expect(await requests(eva)).toEqual(['Mia sales For the audit']);
    expect(await requests(team.owner)).toEqual(['Mia sales For the audit']);
    for (const member of [ana, mia]) expect(await requests(member)).toEqual([]);
    const [request] = (await eva.client.listAccessRequests({})).requests;
    await expect(
      mia.client.answerAccessRequest({ params: { request: request!.id }, body: { level: 'manage' } }),
    ).rejects.toMatchObject({ problem: { type: 'not-found' } });
  });

  test('that are declined stay declined for a week, also for other users', async () => {
    await answer(eva, null);
    await ask('sales', mia, 'Please');
    expect(await requests(eva)).toEqual([]);
    await expect(mia.client.getDashboard({ params: { id: 'sales' }, query: {} })).rejects.toMatchObject({
      problem: { type: 'not-found' },
    });
  });

  test('that are allowed share the dashboard', async () => {
    const leo = await team.join('Leo', 'viewer');
    await ask('sales', leo);
    await answer(eva, 'view');
    expect((await leo.client.getDashboard({ params: { id: 'sales' }, query: {} })).title).toBe('Sales');
    expect(await requests(eva)).toEqual([]);
    const { entries } = await team.owner.client.listAudit({ query: { limit: 100 } });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['access-request.switch', 'access-request.decline', 'grant.change']),
    );
  });
});

test('in the browser, a manager verifies a dashboard and names its owner; Home lists and filters', async () => {
  const browser = await launchBrowser();
  try {
    const { page, faults } = await openPage(browser, `${team.server.address}/favicon.svg`);
    await setCookies(page.context(), team.owner.cookie, team.server.address);
    const pia = await team.join('Pia', 'viewer');
    await pia.client.requestAccess({ body: { dashboard: 'sales', message: 'For the audit of May' } });
    await page.goto(`${team.server.address}/inbox`);
    await page.getByRole('link', { name: 'Inbox (1 unread)' }).waitFor();
    const asked = page.getByRole('region', { name: 'Requests for access' });
    await asked.getByText('asks to see “Sales”').waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'access-requests-light-1440');
    await asked.getByRole('button', { name: 'Allow' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.goto(`${team.server.address}/d/nothing-here`);
    await page.getByLabel('Message (optional)').fill('For the audit');
    await shoot(page, 'access-asked-light-1440');
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByText('If this dashboard exists, those who manage it have been asked.').waitFor();
    await page.goto(`${team.server.address}/settings/people`);
    await page.getByRole('checkbox', { name: 'People may ask for access' }).waitFor();

    await page.goto(`${team.server.address}/d/stock`);
    await settled(page);
    await page.getByRole('banner').getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Owner and verification…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Not verified').waitFor();
    await dialog.getByRole('combobox', { name: 'Change owner' }).fill('Zoe');
    await page.getByRole('option', { name: /Zoe/ }).click();
    await dialog.getByText('Zoe', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Verify', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove verification' }).waitFor();
    await shoot(page, 'home-record-light-1440');
    expect(await violations(page)).toEqual([]);
    // Its button was disabled meanwhile, which leaves the focus to the page.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Verified by/ }).click();
    await page
      .getByRole('dialog', { name: 'Verified' })
      .getByText(/^Verified by Olga on/)
      .waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${team.server.address}/`);
    const shown = page.getByRole('group', { name: 'Show' });
    await shown.getByRole('button', { name: /^Verified/ }).click();
    const list = page.getByRole('region', { name: 'Dashboard list' });
    const row = list.getByRole('row', { name: /Stock/ });
    await row.getByText('Zoe').waitFor();
    await row.getByRole('img', { name: /^Verified by/ }).waitFor();
    await page
      .getByRole('group', { name: 'Tags' })
      .getByRole('button', { name: /Monthly/ })
      .click();
    await list.getByRole('link', { name: 'Sales' }).waitFor();
    expect(await list.getByRole('link', { name: 'Stock' }).count()).toBe(0);
    await shown.getByRole('button', { name: 'All', exact: true }).click();
    expect(await violations(page)).toEqual([]);
    await page
      .getByRole('group', { name: 'Tags' })
      .getByRole('button', { name: /Monthly/ })
      .click();
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 390],
      ['dark', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await page.getByRole('group', { name: 'Tags' }).waitFor();
      await shoot(page, `home-team-${theme}-${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
