import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, settled } from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { linkIn, startMailServer } from '../messages/mail-server.ts';
import { Visitor } from './provider-visitor.ts';
import { enter, password, runTeam, type RunningTeam } from '../running-team.ts';
import {
  clientId,
  clientSecret,
  startProvider,
  type ProviderUser,
  type SignInProvider,
} from './sign-in-provider.ts';

/* Signing in with a real provider of OpenID Connect, and attacks on it. */

let provider: SignInProvider;
let nonsense: ReturnType<typeof createServer>;
let silent: ReturnType<typeof createServer>;
let team: RunningTeam;
let browser: Browser;

const user = (id: string, more: Partial<ProviderUser> = {}): void =>
  void provider.users.set(id, {
    id,
    name: `Name of ${id}`,
    email: `${id}@example.org`,
    email_verified: true,
    ...more,
  });

beforeAll(async () => {
  process.env['BELVEDERE_OIDC_TEST'] = clientSecret;
  provider = await startProvider();
  nonsense = createServer(({ url }, response) => {
    if (!url?.includes('large')) return response.end('<!doctype html><p>Hello');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer: 'x'.repeat(2 ** 21) }));
  });
  await new Promise<void>(resolve => {
    nonsense.listen(0, '127.0.0.1', resolve);
  });
  silent = createServer(() => {});
  await new Promise<void>(resolve => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const portOf = (server: typeof silent) => (server.address() as { port: number }).port;
  team = await runTeam(
    {
      'belvedere.yaml': `version: 1
title: Shop
signIn:
  providers:
    - id: test
      name: Test ID
      issuer: ${provider.issuer}
      clientId: ${clientId}
      clientSecret: \${env:BELVEDERE_OIDC_TEST}
      createAccounts: true
      domains: [example.org]
      groups: { staff: Staff, sales: Sales }
      roles: { editors: editor, admins: admin }
      attributes: { region: region }
    - { id: away, name: Away ID, issuer: 'http://127.0.0.1:1', clientId: belvedere }
    - { id: odd, name: Odd ID, issuer: 'http://127.0.0.1:${portOf(nonsense)}', clientId: belvedere }
    - { id: large, name: Large ID, issuer: 'http://127.0.0.1:${portOf(nonsense)}/large', clientId: belvedere }
    - { id: silent, name: Silent ID, issuer: 'http://127.0.0.1:${portOf(silent)}', clientId: belvedere }
`,
      'data/sales.csv': 'region,amount\nnorth,1\nsouth,2\n',
      'models/sales.yaml':
        'version: 1\ntable: sales\ndimensions: { region: {} }\nmeasures: { rows: { expr: count(*) } }\n',
      'dashboards/sales.yaml': `version: 1
title: Sales
model: sales
filters:
  - { field: region }
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
`,
    },
    { isTrusted: true },
  );
  provider.allow(`${team.server.address}/auth/oidc/test/callback`);
  await allRead(team);
  await team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'sales' },
    body: { subject: { kind: 'everyone', id: '' }, level: 'view' },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await team?.close();
  nonsense?.close();
  silent?.closeAllConnections();
  silent?.close();
  await provider?.close();
});

const userAt = async (email: string) =>
  (await team.owner.client.listUsers({})).users.find(one => one.email === email);
const lastEntry = async (search: string) =>
  (await team.owner.client.listAudit({ query: { search, limit: 1 } })).entries[0];
const problem = (page: string) => new URL(page, 'http://localhost').searchParams.get('problem');

/** Begins a sign-in and lets the provider answer it. @param tamper changes the provider's address */
async function begun(visitor: Visitor, id: string, tamper = (address: string) => address): Promise<string> {
  const { address } = await visitor.client.beginProviderSignIn({ params: { provider: 'test' }, body: {} });
  return visitor.answer(tamper(address), id);
}

describe('in a browser', () => {
  let page: Page;

  test('one signs in with a provider and returns to the address with its filter', async () => {
    user('ana');
    ({ page } = await openPage(browser, `${team.server.address}/d/sales?f.region=%5B%22north%22%5D`));
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await page.getByLabel('User').fill('ana');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(/\/d\/sales\?f\.region=/);
    await settled(page);
    expect(await page.evaluate(() => document.body.textContent)).toContain('Sales');
    expect(await userAt('ana@example.org')).toMatchObject({ name: 'Name of ana', role: 'viewer' });
    expect(await lastEntry('user.sign-in ana@example.org')).toMatchObject({
      outcome: 'done',
      detail: 'with Test ID',
    });
  });

  test('one who cancels at the provider reads so on the sign-in page, and may try again', async () => {
    ({ page } = await openPage(browser, `${team.server.address}/sign-in?next=%2Fd%2Fsales`));
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Test ID did not sign you in').waitFor();
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await page.getByLabel('User').fill('ana');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.waitForURL(/\/d\/sales$/);
  });

  test('a provider that is away or answers nonsense says so; the others work', async () => {
    ({ page } = await openPage(browser, `${team.server.address}/sign-in`));
    await page.getByRole('button', { name: 'Continue with Away ID' }).click();
    await page.getByText('Away ID does not answer').waitFor();
    await page.getByRole('button', { name: 'Continue with Odd ID' }).click();
    await page.getByText('Odd ID does not answer').waitFor();
    expect(await page.getByRole('button', { name: 'Continue with Test ID' }).isEnabled()).toBe(true);
  });

  test('an admin without a password confirms a change at the provider', async () => {
    user('adam', { groups: ['admins'] });
    ({ page } = await openPage(browser, `${team.server.address}/settings/people`));
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    await page.getByLabel('User').fill('adam');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill('new@example.org');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const window = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with Test ID' }).click();
    const popup = await window;
    await popup.getByLabel('User').fill('adam');
    await popup.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('Send this link to new@example.org').waitFor();
  });
});

test('an editor whose session ends while editing signs in again at the provider and loses nothing', async () => {
  user('emma', { groups: ['editors'] });
  const { page } = await openPage(browser, `${team.server.address}/sign-in`);
  await page.getByRole('button', { name: 'Continue with Test ID' }).click();
  await page.getByLabel('User').fill('emma');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL(url => url.pathname === '/');
  await team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'sales' },
    body: { subject: { kind: 'user', id: (await userAt('emma@example.org'))!.id }, level: 'edit' },
  });
  await page.goto(`${team.server.address}/d/sales/edit`);
  await page.getByTestId('canvas').waitFor();
  await page.getByRole('tab', { name: 'YAML', exact: true }).click();
  await page.locator('.cm-line', { hasText: 'title: Sales' }).click();
  await page.keyboard.press('End');
  await page.evaluate(() =>
    fetch('/api/v1/sign-out', { method: 'POST', headers: { 'x-belvedere': '1' } }).then(() => {}),
  );
  await page.keyboard.type(' of 2024');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  // The provider still knows the user, so its window closes by itself.
  await dialog.getByRole('button', { name: 'Continue with Test ID' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('title: Sales of 2024').waitFor();
});

describe('a provider', () => {
  test('identifies a user by issuer and subject, whatever becomes of the address', async () => {
    user('cleo');
    await new Visitor(team).signIn('cleo');
    user('cleo', { email: 'cleopatra@example.org' });
    const visitor = new Visitor(team);
    expect(await visitor.signIn('cleo')).toBe('/signed-in');
    expect((await visitor.client.getSession({})).user.email).toBe('cleo@example.org');
  });

  test('sets role, groups and attributes at each sign-in, and no others', async () => {
    const { client } = team.owner;
    await client.saveGroup({ params: { group: 'own' }, body: { name: 'Own', attributes: {} } });
    user('dora', { groups: ['staff', 'editors', 'unknown'], region: 'north' });
    await new Visitor(team).signIn('dora');
    const groupsOf = async (email: string) => {
      const { groups } = await client.listGroups({});
      const ids = (await userAt(email))!.groups;
      return groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
    };
    const dora = (await userAt('dora@example.org'))!;
    expect(dora).toMatchObject({ role: 'editor', attributes: { region: 'north' } });
    expect(await groupsOf(dora.email)).toEqual(['Staff']);
    await client.updateUser({
      params: { user: dora.id },
      body: { groups: [...dora.groups, 'own'], attributes: { region: 'north', level: 3 } },
    });
    user('dora', { groups: ['sales'] });
    await new Visitor(team).signIn('dora');
    expect(await userAt('dora@example.org')).toMatchObject({ role: 'viewer', attributes: { level: 3 } });
    expect(await groupsOf(dora.email)).toEqual(['Own', 'Sales']);
    expect(await lastEntry('user.update dora')).toMatchObject({ actor: 'Sign-in with Test ID' });
  });

  test('connects the account of a verified address, but never that of an admin', async () => {
    const eva = await team.join('Eva', 'editor');
    user('eva', { groups: ['editors'] });
    const visitor = new Visitor(team);
    await visitor.signIn('eva');
    expect((await visitor.client.getSession({})).user.id).toBe(eva.id);
    user('olga');
    expect(problem(await new Visitor(team).signIn('olga'))).toBe('connect-first');
  });

  test('lets an invited user in with the role and groups of the invitation', async () => {
    await team.owner.client.inviteUser({
      body: { email: 'fay@example.org', role: 'explorer', groups: ['own'] },
    });
    user('fay');
    await new Visitor(team).signIn('fay');
    expect((await userAt('fay@example.org'))?.groups).toContain('own');
    expect((await team.owner.client.listUsers({})).invitations.map(({ email }) => email)).not.toContain(
      'fay@example.org',
    );
  });

  test.each([
    ['email-unverified', { email_verified: false, email: 'gus@example.org' }],
    ['domain', { email: 'gus@example.com' }],
    ['domain', { email: 'gus@evil-example.org' }],
  ])('does not sign in with this problem: %s, %j', async (expected, claims) => {
    user('gus', claims);
    expect(problem(await new Visitor(team).signIn('gus'))).toBe(expected);
    expect(await userAt(claims.email)).toBeUndefined();
  });

  test('keeps disabled accounts out, with the answer for unknown ones', async () => {
    user('hal');
    const visitor = new Visitor(team);
    await visitor.signIn('hal');
    const { id } = (await userAt('hal@example.org'))!;
    await team.owner.client.updateUser({ params: { user: id }, body: { isDisabled: true } });
    expect(problem(await new Visitor(team).signIn('hal'))).toBe('no-account');
    // Nor is another identity with the address connected.
    user('hal2', { email: 'hal@example.org' });
    expect(problem(await new Visitor(team).signIn('hal2'))).toBe('no-account');
    await expect(visitor.client.getSession({})).rejects.toMatchObject({ problem: { status: 401 } });
  });

  test.each(['silent', 'large'])('that is %s does not keep its users waiting', async id => {
    await expect(
      new Visitor(team).client.beginProviderSignIn({ params: { provider: id }, body: {} }),
    ).rejects.toMatchObject({ problem: { type: 'overloaded' } });
  });

  test('never says its secret', async () => {
    const texts = await Promise.all([
      team.stranger.getSignIn({}),
      team.owner.client.listIdentities({}),
      team.owner.client.listAudit({ query: { limit: 500 } }),
    ]);
    expect(JSON.stringify(texts)).not.toContain(clientSecret);
    expect(JSON.stringify(texts[0])).not.toContain(provider.issuer);
  });
});

describe('a callback', () => {
  const refused = async (visitor: Visitor, callback: string, expected: string) => {
    expect(problem(await visitor.return(callback))).toBe(expected);
    await expect(visitor.client.getSession({})).rejects.toMatchObject({ problem: { status: 401 } });
  };
  const changed = (callback: string, name: string, value: string) => {
    const url = new URL(callback);
    url.searchParams.set(name, value);
    return url.href;
  };

  test('is refused without the cookie that began the visit, as in another browser', async () => {
    const callback = await begun(new Visitor(team), 'ana');
    await refused(new Visitor(team), callback, 'expired');
  });

  test('is refused with a wrong state', async () => {
    const visitor = new Visitor(team);
    await refused(visitor, changed(await begun(visitor, 'ana'), 'state', 'x'.repeat(43)), 'invalid');
  });

  test('is refused with a code of another visit', async () => {
    const [victim, attacker] = [new Visitor(team), new Visitor(team)];
    const stolen = new URL(await begun(attacker, 'ana')).searchParams.get('code')!;
    await refused(victim, changed(await begun(victim, 'ana'), 'code', stolen), 'invalid');
  });

  test('is refused a second time', async () => {
    const visitor = new Visitor(team);
    const { address } = await visitor.client.beginProviderSignIn({ params: { provider: 'test' }, body: {} });
    const callback = await visitor.answer(address, 'ana');
    expect(await visitor.return(callback)).toBe('/signed-in');
    await visitor.client.signOut({});
    await refused(visitor, callback, 'expired');
  });

  test('is refused with the nonce of another visit', async () => {
    const visitor = new Visitor(team);
    const callback = await begun(visitor, 'ana', address => changed(address, 'nonce', 'n'.repeat(43)));
    await refused(visitor, callback, 'invalid');
  });

  test('is refused without PKCE, or with a foreign issuer, or for another provider', async () => {
    const visitor = new Visitor(team);
    const withOwn = (address: string) => changed(address, 'code_challenge', 'c'.repeat(43));
    await refused(visitor, await begun(visitor, 'ana', withOwn), 'invalid');
    await refused(visitor, changed(await begun(visitor, 'ana'), 'iss', 'http://127.0.0.1:1'), 'invalid');
    await refused(visitor, (await begun(visitor, 'ana')).replace('/oidc/test/', '/oidc/odd/'), 'expired');
  });

  test('leads nowhere but to own pages', async () => {
    const visitor = new Visitor(team);
    const page = await visitor.return(
      `${team.server.address}/auth/oidc/test/callback?next=https://evil.example&error=x`,
    );
    expect(page).toBe('/sign-in?problem=expired&provider=test');
    expect(await visitor.return(`${team.server.address}/auth/oidc/%0d%0ax/callback?code=1`)).toMatch(
      /^\/sign-in\?problem=expired&provider=%0D%0Ax$/,
    );
  });
});

test('behind a public address, the callback has it and the cookie belongs to it alone', async () => {
  const behind = await runTeam(
    {
      'belvedere.yaml': `version: 1
signIn: { providers: [{ id: test, name: Test, issuer: '${provider.issuer}', clientId: ${clientId} }] }
`,
    },
    { isTrusted: true, publicUrl: 'https://b.example' },
  );
  const { headers, body } = await behind.server.app.inject({
    method: 'POST',
    url: '/api/v1/sign-in/providers/test',
    headers: { host: 'b.example', origin: 'https://b.example', 'x-belvedere': '1' },
    payload: {},
  });
  const { searchParams } = new URL((JSON.parse(body) as { address: string }).address);
  expect(searchParams.get('redirect_uri')).toBe('https://b.example/auth/oidc/test/callback');
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  expect(headers['set-cookie']).toMatch(/^__Host-belvedere-provider=.*; HttpOnly; Secure; SameSite=Lax$/);
  await behind.close();
});

test('a user gets a mail when the account of the address is connected', async () => {
  const mail = await startMailServer();
  const mailed = await runTeam(
    {
      'belvedere.yaml': `version: 1
signIn:
  providers:
    - { id: test, name: Test ID, issuer: '${provider.issuer}', clientId: ${clientId},
        clientSecret: '\${env:BELVEDERE_OIDC_TEST}' }
`,
    },
    { isTrusted: true, mail: { smtpUrl: mail.url, mailFrom: 'belvedere@example.org' } },
  );
  provider.allow(`${mailed.server.address}/auth/oidc/test/callback`);
  await mailed.owner.client.inviteUser({ body: { email: 'pia@example.org', role: 'viewer', groups: [] } });
  const token = linkIn(await mail.mailTo('pia@example.org', /Invitation/), 'invite');
  await enter(mailed.server, 'pia@example.org', client =>
    client.acceptInvitation({ params: { token }, body: { name: 'Pia', password } }),
  );
  user('pia');
  expect(await new Visitor(mailed).signIn('pia')).toBe('/signed-in');
  expect((await mail.mailTo('pia@example.org', /new way to sign in/)).text).toContain('with Test ID');
  await new Visitor(mailed).signIn('pia');
  expect(mail.received.filter(({ subject }) => /new way/.test(subject))).toHaveLength(1);
  await mailed.close();
  await mail.close();
});

describe('connecting an account', () => {
  const signedIn = async (email: string) => {
    const visitor = new Visitor(team);
    await visitor.client.signIn({ body: { email, password } });
    return visitor;
  };
  const connect = async (visitor: Visitor, id: string) => {
    const { address } = await visitor.client.beginIdentity({ params: { provider: 'test' } });
    return visitor.return(await visitor.answer(address, id));
  };

  test('is for owners and admins too, with their password, and can be undone', async () => {
    user('olga2', { email: 'olga2@example.org' });
    const visitor = await signedIn('olga@example.org');
    expect(await connect(visitor, 'olga2')).toBe('/settings/profile');
    const other = new Visitor(team);
    await other.signIn('olga2');
    // No mapping of claims takes an owner's role.
    expect(await other.client.getSession({})).toMatchObject({ role: 'owner' });
    // An open session at the provider confirms nothing.
    await expect(
      other.client.inviteUser({ body: { email: 'x@example.org', role: 'viewer', groups: [] } }),
    ).rejects.toMatchObject({ problem: { type: 'confirmation-needed' } });
    const { identities } = await visitor.client.listIdentities({});
    await visitor.client.removeIdentity({ params: { identity: identities[0]!.id } });
    expect(await lastEntry('identity.remove')).toMatchObject({ outcome: 'done', detail: 'with Test ID' });
  });

  test('is refused for an account that another user has connected', async () => {
    await team.join('Ida', 'viewer');
    const visitor = await signedIn('ida@example.org');
    expect(problem(await connect(visitor, 'ana'))).toBe('taken');
  });

  test('is refused in another session than the one that began it', async () => {
    user('jo');
    const visitor = await signedIn('ida@example.org');
    const { address } = await visitor.client.beginIdentity({ params: { provider: 'test' } });
    const callback = await visitor.answer(address, 'jo');
    await visitor.client.signOut({});
    expect(problem(await visitor.return(callback))).toBe('expired');
    await visitor.client.signIn({ body: { email: 'ida@example.org', password } });
    expect((await visitor.client.listIdentities({})).identities).toEqual([]);
  });

  test('the last way to sign in cannot be disconnected', async () => {
    user('kim');
    const visitor = new Visitor(team);
    await visitor.signIn('kim');
    const { identities, hasPassword } = await visitor.client.listIdentities({});
    expect(hasPassword).toBe(false);
    const confirm = await visitor.client.beginProviderConfirmation({ params: { provider: 'test' } });
    await visitor.return(await visitor.answer(confirm.address, 'kim'));
    await expect(
      visitor.client.removeIdentity({ params: { identity: identities[0]!.id } }),
    ).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
  });
});

describe('confirming at a provider', () => {
  const confirm = async (visitor: Visitor, id: string, tamper = (address: string) => address) => {
    const { address } = await visitor.client.beginProviderConfirmation({ params: { provider: 'test' } });
    return visitor.return(await visitor.answer(tamper(address), id));
  };

  test('is refused for an open session at the provider', async () => {
    // Longer ago than the clocks of two machines may differ.
    user('max', { groups: ['admins'], signedInAt: Math.floor(Date.now() / 1000) - 600 });
    const visitor = new Visitor(team);
    await visitor.signIn('max');
    const hasNoPrompt = (address: string) => {
      const url = new URL(address);
      url.searchParams.delete('prompt');
      url.searchParams.set('max_age', '3600');
      return url.href;
    };
    expect(problem(await confirm(visitor, 'max', hasNoPrompt))).toBe('not-confirmed');
  });

  test('needs a new sign-in of the same user at the provider', async () => {
    user('lou', { groups: ['admins'] });
    const visitor = new Visitor(team);
    await visitor.signIn('lou');
    const invite = () =>
      visitor.client.inviteUser({ body: { email: 'y@example.org', role: 'viewer', groups: [] } });
    await expect(invite()).rejects.toMatchObject({ problem: { type: 'confirmation-needed' } });
    visitor.leaveProvider();
    expect(problem(await confirm(visitor, 'ana'))).toBe('not-confirmed');
    await expect(invite()).rejects.toMatchObject({ problem: { type: 'confirmation-needed' } });
    visitor.leaveProvider();
    expect(await confirm(visitor, 'lou')).toBe('/signed-in?for=confirm');
    expect((await invite()).invitation.email).toBe('y@example.org');
  });
});

test('a forgotten password is none where there was none, and a reset link of an admin makes one', async () => {
  const { id } = (await userAt('kim@example.org'))!;
  const { link } = await team.owner.client.createPasswordReset({ params: { user: id } });
  const kim = await enter(team.server, 'kim@example.org', client =>
    client.resetPassword({
      params: { token: link!.split('/').at(-1)! },
      body: { password: 'nine blue whales swim' },
    }),
  );
  expect((await kim.client.listIdentities({})).hasPassword).toBe(true);
});
