import type { Browser, Page } from 'playwright-core';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { figure, launchBrowser, openPage, settled, startCli, type Opened } from '../browser.ts';

/* A team’s first day, as its people see it: each in a browser of their own. */

const password = 'nine brown bears dance';
const days = Array.from({ length: 90 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
  return `${day},${['Aachen', 'Bonn', 'Celle'][i % 3]}`;
});
const dashboard = (title: string) => `version: 1
title: ${title}
model: orders
filters: [{ field: city }]
pages:
  - title: One
    tiles:
      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      days: { kind: bar, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [6, 0, 18, 8] }
`;

let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let browser: Browser;
let olga: Opened;
let ana: Opened;
const opened: Opened[] = [];

const open = async (address: string, width = 1440): Promise<Opened> => {
  const one = await openPage(browser, new URL(address, cli.url).href, { width });
  opened.push(one);
  return one;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-team-journey-'));
  for (const [file, text] of Object.entries({
    'belvedere.yaml': 'version: 1\ntitle: Shops\n',
    'data/orders.csv': `day,city\n${days.join('\n')}\n`,
    'dashboards/Sales/orders.yaml': dashboard('Orders'),
    'dashboards/Sales/returns.yaml': dashboard('Returns'),
  })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  cli = await startCli(['serve', folder]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await cli?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const link = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();

test('the first start asks for the code that it printed, and makes its reader the owner', async () => {
  const code = /Set-up code: (\S+)/.exec(cli.output())![1]!;
  olga = await open('/');
  const { page } = olga;
  await heading(page, 'Set up this workspace').waitFor();
  await fill(page, {
    'Set-up code': 'ABCD-EFGH',
    Name: 'Olga',
    Email: 'olga@example.org',
    Password: password,
  });
  await click(page, 'Create account');
  await page.getByText('The code is wrong, or was already used.').waitFor();
  await fill(page, { 'Set-up code': code, Password: 'short' });
  await click(page, 'Create account');
  await page.getByText('Use at least 12 characters.').waitFor();
  await fill(page, { Password: password });
  await click(page, 'Create account');
  await page.getByText('Orders').first().waitFor();
});

test('an invitation is a link, with which Ana makes an account; nothing is shared with her yet', async () => {
  const { page } = olga;
  await page.goto(new URL('/settings/people', cli.url).href);
  await click(page, 'Invite');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('ana@example.org');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const address = await link(page, 'Invitation link');
  ana = await open(address);
  await heading(ana.page, 'Join Shops').waitFor();
  await fill(ana.page, { Name: 'Ana', Password: password });
  await click(ana.page, 'Create account');
  await ana.page.getByText('Nothing has been shared with you yet').waitFor();
  for (const name of ['Data', 'SQL', 'Trash'])
    expect([name, await ana.page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 0]);
  // The link works only once.
  const stranger = await open(address);
  await stranger.page.getByText('This invitation is no longer valid').waitFor();
});

test('a dashboard that Olga shares appears on Ana’s open page, and only that', async () => {
  const { page } = olga;
  await page.goto(new URL('/d/Sales%2Forders', cli.url).href);
  await click(page, 'Share');
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Add people or groups').fill('ana');
  await page.getByRole('option', { name: /Ana/ }).click();
  await dialog.getByLabel('Access of Ana').waitFor();
  await ana.page.getByText('Orders').first().waitFor();
  expect(await ana.page.getByText('Returns').count()).toBe(0);
  await ana.page
    .getByRole('link', { name: /Orders/ })
    .first()
    .click();
  await settled(ana.page);
  expect(await figure(ana.page, 'all')).toBe('90');
  expect(await ana.page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
  expect(await ana.page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
});

test('signing in leads back to the very address, with its filters', async () => {
  const address = new URL('/d/Sales%2Forders?f.city=["Bonn"]', cli.url).href;
  const other = await open(address);
  await heading(other.page, 'Sign in').waitFor();
  await fill(other.page, { Email: 'ana@example.org', Password: 'wrong password here' });
  await click(other.page, 'Sign in');
  await other.page.getByText('Email or password is wrong.').waitFor();
  await fill(other.page, { Password: password });
  await click(other.page, 'Sign in');
  await settled(other.page);
  await expect.poll(() => figure(other.page, 'all')).toBe('30');
  await other.close();
  opened.splice(opened.indexOf(other), 1);
});

/** Ends the session of a page, as an admin or its age does. */
async function endSession(page: Page): Promise<void> {
  const { sessions } = await page.evaluate(
    async () =>
      (await (await fetch('/api/v1/me/sessions')).json()) as {
        sessions: { id: string; isCurrent: boolean }[];
      },
  );
  await page.evaluate(
    id => fetch(`/api/v1/me/sessions/${id}`, { method: 'DELETE', headers: { 'x-belvedere': '1' } }),
    sessions.find(({ isCurrent }) => isCurrent)!.id,
  );
}
const signInAgainDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
async function signInAgain(page: Page): Promise<void> {
  const dialog = signInAgainDialog(page);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}
async function signInAs(page: Page, email: string): Promise<void> {
  await heading(page, 'Sign in').waitFor();
  await fill(page, { Email: email, Password: password });
  await click(page, 'Sign in');
  await heading(page, 'Sign in').waitFor({ state: 'detached' });
}

describe('a session that ends', () => {
  test('while a dashboard is edited as text loses nothing of it', async () => {
    const { page } = olga;
    await page.goto(new URL('/d/Sales%2Freturns/edit', cli.url).href);
    await page.getByTestId('canvas').waitFor();
    await page.getByRole('tab', { name: 'YAML', exact: true }).click();
    const line = page.locator('.cm-line', { hasText: 'title: Returns' });
    await line.click();
    await page.keyboard.press('End');
    await endSession(page);
    await page.keyboard.type(' of 2024');
    await signInAgainDialog(page).waitFor();
    await page.getByTestId('draft-state').getByText('Changes not saved yet: signed out').waitFor();
    await signInAgain(page);
    await page.getByText('title: Returns of 2024').waitFor();
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => page.evaluate(async () => (await fetch('/api/v1/dashboards/Sales%2Freturns/text')).text()))
      .toContain('Returns of 2024');
  });

  test('while a model is edited keeps the draft while its user goes to the sign-in page', async () => {
    const { page } = olga;
    const address = new URL('/models/orders', cli.url).href;
    await page.goto(address);
    await page.locator('[data-entry]').first().waitFor();
    await page.getByRole('button', { name: 'Add measure' }).click();
    const expression = page.getByTestId('entry-panel').getByLabel('Expression');
    await expression.waitFor();
    await endSession(page);
    await expression.fill('count(distinct city)');
    await signInAgainDialog(page).waitFor();
    await page.getByTestId('draft-state').getByText('Changes not saved yet: signed out').waitFor();
    await signInAgainDialog(page).getByRole('button', { name: 'Leave this page' }).click();
    await signInAs(page, 'olga@example.org');
    await page.locator('[data-entry="measures.measure"]').click();
    expect(page.url()).toBe(address);
    await expect.poll(() => expression.inputValue()).toBe('count(distinct city)');
  });

  test('while a chart is explored leads back to that chart', async () => {
    const { page } = olga;
    await page.goto(new URL('/explore/orders', cli.url).href);
    await page.getByRole('button', { name: 'Add City to the chart' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('chart')).toBe(true);
    const address = page.url();
    const title = await page.locator('[data-tile=chart] h2').textContent();
    await endSession(page);
    await signInAs(page, 'olga@example.org');
    await expect.poll(() => page.locator('[data-tile=chart] h2').textContent()).toBe(title);
    expect(page.url()).toBe(address);
  });

  test('while a comment is written keeps the comment, the filter and the page', async () => {
    const { page } = olga;
    await page.goto(new URL('/d/Sales%2Forders?f.city=["Bonn"]', cli.url).href);
    await settled(page);
    const address = page.url();
    await page.getByRole('button', { name: /^Comments/ }).click();
    const field = page.getByRole('textbox', { name: 'New comment' });
    await field.fill('Why so few?');
    await endSession(page);
    await signInAgainDialog(page).waitFor();
    await signInAgain(page);
    expect(await field.inputValue()).toBe('Why so few?');
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('[data-comment-body]', { hasText: 'Why so few?' }).waitFor();
    expect(await figure(page, 'all')).toBe('30');
  });
});

test('an admin signs a user out everywhere; a disabled account may not come back', async () => {
  const { page } = olga;
  await page.goto(new URL('/settings/people', cli.url).href);
  const choose = async (action: string, outcome: string | RegExp) => {
    await page.getByRole('button', { name: /^Actions for Ana/ }).click();
    await page.getByRole('menuitem', { name: action }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
    await page.getByText(outcome).or(confirm).first().waitFor();
    if (await confirm.isVisible()) {
      await confirm.getByLabel('Password', { exact: true }).fill(password);
      await confirm.getByRole('button', { name: 'Confirm' }).click();
    }
    await page.getByText(outcome).waitFor();
  };
  await choose('Sign out everywhere', /^Ana.* is signed out in all browsers\.$/);
  await signInAs(ana.page, 'ana@example.org');
  // A form that she fills in stays as it is.
  await ana.page.goto(new URL('/settings/profile', cli.url).href);
  await fill(ana.page, { Name: 'Ana Maria' });
  await choose('Sign out everywhere', /^Ana.* is signed out in all browsers\.$/);
  await signInAgainDialog(ana.page).waitFor();
  await signInAgain(ana.page);
  expect(await ana.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ana Maria');
  await click(ana.page, 'Save');
  const savedName = () =>
    ana.page.evaluate(async () => {
      const session = (await (await fetch('/api/v1/session')).json()) as { user: { name: string } };
      return session.user.name;
    });
  await expect.poll(savedName).toBe('Ana Maria');
  await ana.page.goto(new URL('/', cli.url).href);
  await choose('Disable account', 'Disabled');
  await heading(ana.page, 'Sign in').waitFor();
  await fill(ana.page, { Email: 'ana@example.org', Password: password });
  await click(ana.page, 'Sign in');
  await ana.page.getByText('Email or password is wrong.').waitFor();
});

test('a token is shown once, works at once, and stops working once revoked', async () => {
  const { page } = olga;
  await page.goto(new URL('/settings/profile', cli.url).href);
  const section = page.getByRole('region', { name: 'Access tokens' });
  await section.getByRole('button', { name: 'New token' }).click();
  await section.getByRole('button', { name: 'Create token' }).click();
  await section.getByText('Enter a name.').waitFor();
  await section.getByLabel('Name').fill('Nightly report');
  await section.getByRole('button', { name: 'Create token' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
  const secret = section.getByLabel('Token', { exact: true });
  await secret.or(confirm).first().waitFor();
  if (await confirm.isVisible()) {
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
  }
  const token = await secret.inputValue();
  const status = async () =>
    (await fetch(new URL('/api/v1/dashboards', cli.url), { headers: { authorization: `Bearer ${token}` } }))
      .status;
  expect(await status()).toBe(200);
  await page.reload();
  await section.getByText('Nightly report').waitFor();
  expect(await page.content()).not.toContain(token);
  await section.getByText(/Last used/).waitFor();
  await section.getByRole('button', { name: 'Revoke “Nightly report”' }).click();
  await section.getByRole('button', { name: 'Revoke', exact: true }).click();
  await section.getByText('No access tokens yet.').waitFor();
  expect(await status()).toBe(401);
});

test('sharing with a person without an account invites them, and they find the dashboard on Home', async () => {
  const { page } = olga;
  await page.goto(new URL('/d/Sales%2Freturns', cli.url).href);
  await click(page, 'Share');
  const field = page.getByRole('combobox', { name: 'Add people or groups' });
  await field.fill('dora@example.org');
  await page.getByRole('option', { name: /Invite dora@example.org/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByText('Access to “Returns”: Can view').waitFor();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Invitation link', { exact: true }).or(confirm).first().waitFor();
  if (await confirm.isVisible()) {
    await confirm.getByLabel('Password', { exact: true }).fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
  }
  const address = await link(page, 'Invitation link');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const access = page.getByRole('dialog').getByRole('region', { name: 'People with access' });
  await access.getByText('dora@example.org').waitFor();
  await access.getByText('Invited').waitFor();
  const dora = await open(address);
  await fill(dora.page, { Name: 'Dora', Password: password });
  await click(dora.page, 'Create account');
  await dora.page
    .getByRole('link', { name: /Returns/ })
    .first()
    .waitFor();
  expect(await dora.page.getByText('Orders').count()).toBe(0);
});

test('the audit log tells all of it', async () => {
  const { page } = olga;
  await page.goto(new URL('/settings/audit', cli.url).href);
  for (const action of [
    'Set up the workspace',
    'Invited a person',
    'Accepted an invitation',
    'Changed sharing',
  ])
    await page.getByText(action).first().waitFor();
  await page.getByRole('button', { name: 'All actions Action' }).click();
  await page.getByRole('option', { name: 'Changed sharing' }).click();
  const list = page.getByRole('region', { name: 'Entries of the audit log' });
  await list.getByText('Accepted an invitation').first().waitFor({ state: 'detached' });
  await list.getByText('Changed sharing').first().waitFor();
  await page.getByRole('button', { name: 'All results Result' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.getByText('No entries match.').waitFor();
});

test('no page reported an error', () => {
  for (const { faults } of opened)
    // A page may be left while it still loads.
    expect(faults.filter(fault => !/status of (?:401|403|404|400)|^ChunkLoadError/.test(fault))).toEqual([]);
});
