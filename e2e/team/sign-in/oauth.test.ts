import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, runBelvedere } from '../../running-belvedere.ts';
import { choose, launchBrowser, openPage, violations } from '../../browser.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/* Assistants that sign in, by the protocol's own client over HTTP. Their user consents through the API. */

const dashboard = `version: 1
title: Sales
model: orders
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'access.yaml':
    'version: 1\ngrants:\n' +
    '  - { dashboard: shared, everyone: true, level: view }\n' +
    '  - { model: orders, user: ana@example.org, level: explore }\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\nBonn,4\n',
  'models/orders.yaml': `version: 1
table: orders
dimensions: { city: {} }
measures: { rows: { expr: count(*) }, total: { expr: sum(amount) } }
policies:
  - { name: own city, groups: [sales], where: "city = 'Bonn'" }
`,
  'dashboards/shared.yaml': dashboard,
  'dashboards/other.yaml': dashboard.replace('Sales', 'Other'),
};
const redirectUrl = 'http://localhost:7777/callback';

let team: RunningTeam;
let ana: Member;
const open: Client[] = [];
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  await team.owner.client.saveGroup({ params: { group: 'sales' }, body: { name: 'sales' } });
  ana = await team.join('Ana', 'explorer', ['sales']);
});
afterAll(async () => {
  for (const client of open) await client.close();
  await team?.close();
});

const at = (path: string) => new URL(path, team.server.address);
type Scope = 'read' | 'explore' | 'write';

type StoredClient = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;
type StoredTokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;

/** What an assistant keeps: its registration, its tokens, and the address it led its user to. */
class Kept implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: 'Test assistant', redirect_uris: [redirectUrl] };
  asked: URL | undefined;
  #verifier = '';
  #client: StoredClient | undefined;
  #tokens: StoredTokens | undefined;
  state = () => 'a state';
  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  saveClientInformation(client: StoredClient) {
    this.#client = client;
  }
  saveTokens(tokens: StoredTokens) {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  redirectToAuthorization(address: URL) {
    this.asked = address;
  }
  invalidateCredentials() {
    this.#tokens = undefined;
  }
  #discovered: OAuthDiscoveryState | undefined;
  discoveryState = () => this.#discovered;
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  get secrets() {
    return { client: this.#client!, tokens: this.#tokens!, verifier: this.#verifier };
  }
}
async function consent({ client }: Member, asked: URL, scope: Scope): Promise<URL> {
  const request = Object.fromEntries(asked.searchParams);
  return new URL((await client.giveConsent({ body: { request, scope } })).address);
}
/** Connects an assistant by the address alone, as its user consents. */
async function connect(member: Member, scope: Scope) {
  const kept = new Kept();
  const [transport, client] = [
    new StreamableHTTPClientTransport(at('/mcp'), { authProvider: kept }),
    new Client({ name: 'test', version: '1' }),
  ];
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
  const address = await consent(member, kept.asked!, scope);
  await transport.finishAuth(address.searchParams);
  const signedIn = new Client({ name: 'test', version: '1' });
  await signedIn.connect(new StreamableHTTPClientTransport(at('/mcp'), { authProvider: kept }));
  open.push(signedIn);
  return { client: signedIn, kept, address };
}
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  return { isError, text: (content as { text?: string }[])[0]?.text ?? '' };
}
const post = (path: string, form: Readonly<Record<string, string>>, headers = {}) =>
  fetch(at(path), { method: 'POST', body: new URLSearchParams(form), headers });

test('an assistant connects by the address alone, with the rows of its user and the scope of the consent', async () => {
  const { client, kept, address } = await connect(ana, 'explore');
  expect(address.searchParams.get('iss')).toBe(team.server.address.replace(/\/$/, ''));
  expect((await call(client, 'list_dashboards')).text).toBe('shared: Sales');
  expect((await call(client, 'ask', { model: 'orders', measures: ['total'], by: ['city'] })).text).toBe(
    'City  Total\n────  ─────\nBonn      6',
  );
  expect(kept.secrets.tokens.scope).toBe('read explore');
  const { client: reader } = await connect(ana, 'read');
  expect((await call(reader, 'ask', { model: 'orders', measures: ['rows'] })).text).toMatch(/scope `read`/);
  const { entries } = await team.owner.client.listAudit({ query: {} });
  expect(entries.find(({ action }) => action === 'assistant.connect')).toMatchObject({
    object: 'Test assistant (localhost)',
    detail: 'scope: read',
  });
});

test('its user signs in, consents on a page, and finds it under access tokens', async () => {
  const kept = new Kept();
  const transport = new StreamableHTTPClientTransport(at('/mcp'), { authProvider: kept });
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow(
    UnauthorizedError,
  );
  const browser = await launchBrowser();
  const { page } = await openPage(browser, kept.asked!.href);
  // The assistant's own page. Without one the browser's error page arrives late, over the next navigation.
  await page.route(
    ({ href }) => href.startsWith(redirectUrl),
    route => route.fulfill({ body: 'Connected' }),
  );
  await page.getByLabel('Email', { exact: true }).fill('ana@example.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Connect “Test assistant”?' }).waitFor();
  await page.getByText('It will use Belvedere as ana@example.org.').waitFor();
  await page.getByText('A program on this device', { exact: true }).waitFor();
  await page.getByText('It cannot change dashboards or models.').waitFor();
  await page.getByText(/^Access ends after 90 days without use/).waitFor();
  expect(await violations(page)).toEqual([]);
  await choose(page.getByLabel('Allows'), 'read');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('Connected').waitFor();
  await transport.finishAuth(new URL(page.url()).searchParams);
  expect(kept.secrets.tokens.scope).toBe('read');

  await page.goto(at('/settings/profile').href);
  const tokens = page.getByRole('region', { name: 'Access tokens' });
  await tokens
    .getByText(/^Assistant on a device · Read dashboards/)
    .first()
    .waitFor();
  const { length: before } = (await ana.client.listOwnTokens({})).tokens;
  await tokens
    .getByRole('button', { name: /^Revoke “Test assistant/ })
    .first()
    .click();
  await tokens.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect.poll(async () => (await ana.client.listOwnTokens({})).tokens.length).toBe(before - 1);

  const changed = new URL(kept.asked!);
  changed.searchParams.set('redirect_uri', 'https://evil.example/');
  await page.goto(changed.href);
  await page.getByRole('heading', { name: 'Could not connect the assistant' }).waitFor();
  expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0);
  await page.goto(kept.asked!.href);
  await page.getByRole('button', { name: 'Don’t allow' }).click();
  await page.getByText('Connected').waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'a state',
  });
  await browser.close();
});

test('an expired access token is renewed by the client itself; a revoked consent asks the user again', async () => {
  const { client, kept } = await connect(ana, 'read');
  const { refresh_token: before } = kept.secrets.tokens;
  kept.saveTokens({ ...kept.secrets.tokens, access_token: 'belvedere_expired' });
  expect((await call(client, 'list_dashboards')).isError).toBe(false);
  expect(kept.secrets.tokens.refresh_token).not.toBe(before);
  const { tokens } = await ana.client.listOwnTokens({});
  expect(tokens[0]).toMatchObject({ client: 'localhost', scope: 'read' });
  await ana.client.revokeOwnToken({ params: { token: tokens[0]!.id } });
  kept.asked = undefined;
  await expect(call(client, 'list_dashboards')).rejects.toThrow(UnauthorizedError);
  expect(kept.asked).toBeDefined();
});

test('its token serves at /mcp and nowhere else', async () => {
  const { kept } = await connect(ana, 'explore');
  const headers = { authorization: `Bearer ${kept.secrets.tokens.access_token}` };
  for (const path of ['/api/v1/session', '/api/v1/dashboards', '/api/v1/me', '/metrics', '/readyz']) {
    const refused = await fetch(at(path), { headers: { ...headers, 'x-belvedere-call': 'x' } });
    expect([path, refused.status]).toEqual([path, 403]);
  }
  const refresh = { authorization: `Bearer ${kept.secrets.tokens.refresh_token}` };
  expect((await fetch(at('/api/v1/dashboards'), { headers: refresh })).status).toBe(401);
});

describe('the metadata', () => {
  test('is where a refusal says, and names this server as issuer', async () => {
    const refused = await fetch(at('/mcp'), { method: 'POST' });
    expect(refused.status).toBe(401);
    const [, found] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)!;
    const base = team.server.address.replace(/\/$/, '');
    expect(await (await fetch(found!)).json()).toMatchObject({
      resource: `${base}/mcp`,
      authorization_servers: [base],
    });
    expect(await (await fetch(at('/.well-known/oauth-authorization-server'))).json()).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  test('is not there while an owner has switched assistants off, and their tokens are refused', async () => {
    const { client, kept } = await connect(ana, 'read');
    await expect(ana.client.switchAssistants({ body: { isOn: false } })).rejects.toThrow();
    await team.owner.client.switchAssistants({ body: { isOn: false } });
    expect((await team.owner.client.listUsers({})).assistantsMayConnect).toBe(false);
    await expect(call(client, 'list_dashboards')).rejects.toThrow();
    const refused = await fetch(at('/mcp'), { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toBeNull();
    for (const path of ['oauth-authorization-server', 'oauth-protected-resource/mcp'])
      expect((await fetch(at(`/.well-known/${path}`))).status).toBe(404);
    const { client: registered, tokens } = kept.secrets;
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
      client_id: registered.client_id,
    };
    expect((await post('/oauth/token', refresh)).status).toBe(404);
    await expect(consent(ana, kept.asked!, 'read')).rejects.toMatchObject({ problem: { status: 404 } });
    await team.owner.client.switchAssistants({ body: { isOn: true } });
    expect((await call(client, 'list_dashboards')).isError).toBe(false);
  });
});

test('no consent is given with a token, from another site, or by a stranger', async () => {
  const { kept } = await connect(ana, 'read');
  const body = JSON.stringify({ request: Object.fromEntries(kept.asked!.searchParams), scope: 'read' });
  const { secret } = await ana.client.createOwnToken({ body: { name: 'own', scope: 'admin', days: 1 } });
  for (const [status, headers] of [
    [403, { authorization: `Bearer ${secret}` }],
    [403, { authorization: `Bearer ${kept.secrets.tokens.access_token}` }],
    [403, { cookie: ana.cookie }],
    [403, { cookie: ana.cookie, 'x-belvedere': '1', origin: 'https://evil.example' }],
    [401, { 'x-belvedere': '1' }],
  ] as [number, Record<string, string>][]) {
    const sent = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
    expect((await fetch(at('/api/v1/me/consent'), sent)).status, JSON.stringify(headers)).toBe(status);
  }
});

test('a body that is no form, too large, or has a parameter twice, is refused in the form of OAuth', async () => {
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(at('/oauth/token'), { method: 'POST', body, headers: { 'content-type': type } });
  for (const [body, type, error] of [
    ['grant_type=x&grant_type=y', undefined, 'invalid_request'],
    ['{}', 'application/json', 'invalid_request'],
    ['', undefined, 'unsupported_grant_type'],
    ['grant_type=authorization_code', undefined, 'invalid_grant'],
    ['grant_type=refresh_token&refresh_token=belvedere_refresh_x.y', undefined, 'invalid_grant'],
  ] as const) {
    const refused = await send(body, type);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([400, error]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  }
  expect((await send('x'.repeat(20_000))).status).toBe(413);
  const form = 'application/x-www-form-urlencoded';
  const elsewhere = { method: 'POST', body: 'a=b', headers: { 'content-type': form, 'x-belvedere': '1' } };
  expect((await fetch(at('/api/v1/sign-out'), elsewhere)).status).toBe(400);
});

test('strangers register only as often as an address may send changes', async () => {
  const limited = await runTeam(
    { 'belvedere.yaml': 'version: 1\ntitle: Shop\nlimits: { writesPerMinute: 3 }\n' },
    { hasRateLimits: true },
  );
  const register = () =>
    fetch(new URL('/oauth/register', limited.server.address), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUrl] }),
    });
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await register()).status);
  expect(statuses).toContain(201);
  expect(statuses.at(-1)).toBe(429);
  await limited.close();
});

test('a folder that one person has open signs no assistant in', async () => {
  const folder = path.join(team.folder, 'alone');
  await mkdir(folder);
  const alone = await runBelvedere(folder);
  const send = (address: string, method = 'GET') => fetch(new URL(address, alone.server.address), { method });
  expect((await send('/mcp', 'POST')).headers.get('www-authenticate')).toBeNull();
  for (const address of ['oauth-authorization-server', 'oauth-protected-resource'])
    expect((await send(`/.well-known/${address}`)).status).toBe(404);
  for (const address of ['register', 'token', 'revoke'])
    expect((await send(`/oauth/${address}`, 'POST')).status).toBe(404);
  await alone.close();
});
