import type { AuthorizationRequest } from '@belvedere/api';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Accounts } from '../../../apps/server/src/auth/accounts/accounts.ts';
import { OAuth } from '../../../apps/server/src/auth/tokens/oauth.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* Consents of assistants: how long their codes and tokens serve, and what ends them. */

const emptyState = stateDatabases();
let folder: string;

const [second, minute, day] = [1000, 60_000, 86_400_000];
const base = 'https://belvedere.example';
const redirect = 'https://claude.ai/callback';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const visit = { address: '10.0.0.1', userAgent: 'test', cookies: undefined };

describe.each(stateKinds)('a consent on %s', kind => {
  let database: StateDatabase;
  let accounts: Accounts;
  let oauth: OAuth;
  let owner: string;
  let clientId: string;
  let now: number;
  let elapsed: number;
  const clock = { wall: () => now, elapsed: () => elapsed, isTrusted: () => true };
  const pass = (ms: number) => {
    now += ms;
    elapsed += ms;
  };
  const start = async () => {
    accounts = await openAccounts(database, {
      limits: { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day },
      clock,
      folder,
      port: () => 4600,
    });
    oauth = new OAuth(accounts, ['s'.repeat(43)], clock);
  };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-oauth-'));
    [now, elapsed] = [Date.now(), 5_000_000];
    database = await emptyState(kind, folder);
    await start();
    const password = 'correct horse battery';
    const person = { name: 'Ana', email: 'ana@example.org', password };
    owner = (await accounts.signUp.setUp({ ...person, code: accounts.signUp.setupCode! }, visit)).userId;
    clientId = register();
    return async () => {
      await accounts.sessions.settled();
      await accounts.tokens.settled();
      await database.close();
      await rm(folder, { recursive: true });
    };
  });

  const register = (name = 'Claude') =>
    oauth.register({ redirect_uris: [redirect], client_name: name })['client_id'] as string;
  const request = (change: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    resource: `${base}/mcp`,
    ...change,
  });
  const codeOf = (scope: 'read' | 'explore' | 'write' = 'explore') =>
    new URL(oauth.consent(owner, request(), scope, base)).searchParams.get('code')!;
  const exchange = (form: Readonly<Record<string, string>>) =>
    oauth.exchange(new Map(Object.entries(form)), base, visit);
  const redeem = (code: string, change: Readonly<Record<string, string>> = {}) =>
    exchange({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: redirect,
      code_verifier: verifier,
      ...change,
    });
  const renew = (refresh: string, change: Readonly<Record<string, string>> = {}) =>
    exchange({ grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId, ...change });
  const works = (accessToken: string) => accounts.tokens.find(`Bearer ${accessToken}`) !== undefined;
  const listed = () => accounts.tokens.list(owner);
  const invalid = { code: 'invalid_grant' };

  test('leads back with a code, the state and the issuer, and is an access token of the user', async () => {
    const address = new URL(oauth.consent(owner, request(), 'explore', base));
    expect(address.origin + address.pathname).toBe(redirect);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ state: 'xyz', iss: base });
    const tokens = await redeem(address.searchParams.get('code')!);
    expect(works(tokens.accessToken)).toBe(true);
    expect(works(tokens.refreshToken)).toBe(false);
    expect(listed()).toMatchObject([{ name: 'Claude', client: 'claude.ai', scope: 'explore' }]);
    const rows = await database.db.selectFrom('access_token').selectAll().execute();
    for (const secret of [tokens.accessToken, tokens.refreshToken, tokens.refreshToken.split('.')[1]!])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('serves one exchange within a minute; a second one ends it', async () => {
    const late = codeOf();
    pass(minute + second);
    await expect(redeem(late)).rejects.toMatchObject(invalid);
    const code = codeOf();
    const { accessToken } = await redeem(code);
    await expect(redeem(code)).rejects.toMatchObject(invalid);
    expect([works(accessToken), listed()]).toEqual([false, []]);
    const [last] = await accounts.audit.list({ limit: 1 });
    expect(last).toMatchObject({ action: 'assistant.replay', object: 'Claude', outcome: 'refused' });
  });

  test('gives no token to another client, verifier, redirect URI or resource', async () => {
    for (const [change, code] of [
      [{ code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_grant'],
      [{ code_verifier: challenge }, 'invalid_grant'],
      [{ redirect_uri: `${redirect}/` }, 'invalid_grant'],
      [{ redirect_uri: '' }, 'invalid_grant'],
      [{ client_id: 'other' }, 'invalid_grant'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as [Readonly<Record<string, string>>, string][]) {
      const given = codeOf();
      await expect(redeem(given, change), JSON.stringify(change)).rejects.toMatchObject({ code });
      // A guess uses the code up.
      if (code === 'invalid_grant') await expect(redeem(given)).rejects.toMatchObject(invalid);
    }
    expect(listed()).toEqual([]);
  });

  test('is not asked for without PKCE, or with another redirect URI or resource', () => {
    for (const change of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: 'x' },
      { response_type: 'token' },
      { redirect_uri: 'https://claude.ai/callback/../x' },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: undefined },
      { resource: 'https://other.example/mcp' },
      { client_id: 'x' },
      { client_id: undefined },
    ] as Partial<AuthorizationRequest>[]) {
      const isRefused = expect.objectContaining({ type: 'request-invalid' }) as Error;
      expect(() => oauth.check(request(change), base), JSON.stringify(change)).toThrow(isRefused);
      expect(() => oauth.consent(owner, request(change), 'read', base)).toThrow(isRefused);
    }
  });

  test('of a client that another server has registered, or that was changed, is not asked for', () => {
    const other = new OAuth(accounts, ['t'.repeat(43)], clock);
    const foreign = other.register({ redirect_uris: [redirect] })['client_id'] as string;
    const [head, tail] = [clientId.slice(0, 20), clientId.slice(21)];
    for (const id of [foreign, `${head}${clientId[20] === 'A' ? 'B' : 'A'}${tail}`, `${clientId}A`])
      expect(() => oauth.check(request({ client_id: id }), base)).toThrow(/not registered/);
  });

  test('never exceeds the scope that was asked for', () => {
    expect(oauth.check(request({ scope: 'read openid' }), base).scopes).toEqual(['read']);
    expect(oauth.check(request({ scope: 'explore' }), base).scopes).toEqual(['read', 'explore']);
    expect(oauth.check(request(), base).scopes).toEqual(['read', 'explore', 'write']);
    expect(() => oauth.consent(owner, request({ scope: 'read' }), 'write', base)).toThrow(/scope/);
  });

  test('is renewed: each refresh token serves once, and the tokens before end', async () => {
    const first = await redeem(codeOf());
    pass(61 * minute);
    expect(works(first.accessToken)).toBe(false);
    const renewed = await renew(first.refreshToken);
    expect([works(first.accessToken), works(renewed.accessToken)]).toEqual([false, true]);
    await start();
    expect(works(renewed.accessToken)).toBe(true);
    const third = await renew(renewed.refreshToken);
    expect([works(renewed.accessToken), works(third.accessToken)]).toEqual([false, true]);
    expect(listed()).toHaveLength(1);
  });

  test('ends once any earlier refresh token is used again', async () => {
    const first = await redeem(codeOf());
    const next = await renew(first.refreshToken);
    const last = await renew(next.refreshToken);
    await expect(renew(first.refreshToken)).rejects.toMatchObject(invalid);
    expect([works(last.accessToken), listed()]).toEqual([false, []]);
    await expect(renew(last.refreshToken)).rejects.toMatchObject(invalid);
    expect((await accounts.audit.list({ limit: 1 }))[0]).toMatchObject({
      action: 'assistant.replay',
      detail: 'refresh token',
    });
  });

  test('of two renewals at once has one new token at most', async () => {
    const { refreshToken } = await redeem(codeOf());
    const results = await Promise.allSettled([renew(refreshToken), renew(refreshToken)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(listed()).toEqual([]);
  });

  test('is renewed by its client only, within its scope', async () => {
    const { refreshToken } = await redeem(codeOf('read'));
    await expect(renew(refreshToken, { client_id: register('Other') })).rejects.toMatchObject(invalid);
    await expect(renew(refreshToken, { scope: 'read write' })).rejects.toMatchObject({
      code: 'invalid_scope',
    });
    expect((await renew(refreshToken, { scope: 'read' })).scope).toBe('read');
  });

  test('ends 90 days after it was last renewed, and after a year', async () => {
    let { refreshToken } = await redeem(codeOf());
    pass(91 * day);
    await expect(renew(refreshToken)).rejects.toMatchObject(invalid);
    ({ refreshToken } = await redeem(codeOf()));
    for (let passed = 0; passed < 320; passed += 80) {
      pass(80 * day);
      ({ refreshToken } = await renew(refreshToken));
    }
    pass(46 * day);
    await expect(renew(refreshToken)).rejects.toMatchObject(invalid);
  });

  test('ends with its account, and when its user or its assistant revokes it', async () => {
    const first = await redeem(codeOf());
    const next = await redeem(codeOf());
    expect(listed().map(({ name }) => name)).toEqual(['Claude 2', 'Claude']);
    const revoke = (token: string, client = clientId) =>
      oauth.revoke(new Map(Object.entries({ token, client_id: client })), visit);
    await revoke(first.accessToken, 'other');
    expect(works(first.accessToken)).toBe(true);
    await revoke(first.refreshToken);
    expect([works(first.accessToken), works(next.accessToken)]).toEqual([false, true]);
    await accounts.tokens.revoke(owner, listed()[0]!.id);
    expect(works(next.accessToken)).toBe(false);
    await expect(renew(next.refreshToken)).rejects.toMatchObject(invalid);
    const code = codeOf();
    const last = await redeem(codeOf());
    await database.db
      .updateTable('user')
      .set({ disabled_at: new Date(now).toISOString() })
      .execute();
    await accounts.people.load();
    await expect(redeem(code)).rejects.toMatchObject(invalid);
    await expect(renew(last.refreshToken)).rejects.toMatchObject(invalid);
  });

  test('needs a client with safe redirect URIs', () => {
    for (const metadata of [
      undefined,
      {},
      { redirect_uris: [] },
      { redirect_uris: 'https://claude.ai/' },
      { redirect_uris: ['http://claude.ai/'] },
      { redirect_uris: ['https://claude.ai/', 'javascript://x/%0aalert(1)'] },
      { redirect_uris: Array.from({ length: 11 }, () => redirect) },
    ])
      expect(() => oauth.register(metadata), JSON.stringify(metadata)).toThrow(
        expect.objectContaining({ name: 'OAuthError' }) as Error,
      );
  });

  test('names its client by plain text, or by its site', () => {
    const named = (name?: string) =>
      oauth.register({ redirect_uris: [redirect], client_name: name })['client_name'];
    expect(named()).toBe('claude.ai');
    expect(named('\u202e\u0000 ')).toBe('claude.ai');
    expect(named('Cla\u202eude\n AI')).toBe('Claude AI');
    expect(named('x'.repeat(200))).toBe('x'.repeat(60));
  });
});
