import {
  contract,
  createClient,
  tokenScopes,
  type Client,
  type Endpoint,
  type TokenScope,
} from '@belvedere/api';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead } from '../../running-belvedere.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Access tokens: their scopes, and that everything they opened ends with them (SAFETY 10, 16, 17). */

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
    'version: 1\ngrants:\n  - { dashboard: shared, user: nightly-report, level: explore }\n' +
    '  - { folder: "", user: ana@example.org, level: manage }\n' +
    '  - { model: orders, user: ana@example.org, level: explore }\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { city: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'dashboards/shared.yaml': dashboard,
  'dashboards/other.yaml': dashboard,
};

let team: RunningTeam;
let ana: Member;
let viewer: Member;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  ana = await team.join('Ana', 'editor');
  viewer = await team.join('Vera', 'viewer');
});
afterAll(() => team?.close());

let made = 0;
const create = async (member: Member, scope: TokenScope) =>
  member.client.createOwnToken({ body: { name: `program ${++made}`, scope, days: 7 } });
const withSecret = (secret: string): Client =>
  createClient(team.server.address, (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
    }),
  );
const clientOf = async (member: Member, scope: TokenScope) =>
  withSecret((await create(member, scope)).secret);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { problem?: { type: string } }) => error.problem?.type ?? String(error),
  );
const text = { text: dashboard.replace('Sales', 'Changed') };

describe('a scope allows at most', () => {
  const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
    'list dashboards': client => client.listDashboards({}),
    'read a dashboard': client => client.getDashboard({ params: { id: 'shared' } }),
    'query a model': client => client.postQuery({ params: { name: 'orders' }, body: { measures: ['rows'] } }),
    'run SQL': client => client.runSql({ params: { name: 'files' }, body: { sql: 'select 1' } }),
    'save a dashboard': client => client.saveDashboardText({ params: { id: `new${++made}` }, body: text }),
    'save a model': client =>
      client.saveModelText({
        params: { name: `model${++made}` },
        body: { text: files['models/orders.yaml'] },
      }),
    'mark a favourite': client =>
      client.putFavourite({ params: { id: 'shared' }, body: { isFavourite: true } }),
    'list users': client => client.listUsers({}),
    'invite a user': client =>
      client.inviteUser({ body: { email: `u${++made}@example.org`, role: 'viewer' } }),
  };
  test.each<[TokenScope, whose: 'owner' | 'ana' | 'viewer', string[]]>([
    ['read', 'owner', ['list dashboards', 'read a dashboard']],
    ['explore', 'owner', ['list dashboards', 'read a dashboard', 'query a model']],
    [
      'write',
      'owner',
      [
        'list dashboards',
        'read a dashboard',
        'query a model',
        'run SQL',
        'save a dashboard',
        'save a model',
        'mark a favourite',
      ],
    ],
    ['admin', 'owner', Object.keys(calls)],
    ['read', 'ana', ['list dashboards', 'read a dashboard']],
    [
      'admin',
      'ana',
      ['list dashboards', 'read a dashboard', 'query a model', 'save a dashboard', 'mark a favourite'],
    ],
    ['read', 'viewer', ['list dashboards']],
    ['admin', 'viewer', ['list dashboards']],
  ])('%s, with a token of %s: %j', async (scope, whose, expected) => {
    const client = await clientOf({ owner: team.owner, ana, viewer }[whose], scope);
    const done = [];
    for (const [what, call] of Object.entries(calls))
      if ((await outcome(call(client))) === 'done') done.push(what);
    expect(done).toEqual(expected);
  });

  const request = async (secret: string, { method, path: address }: Endpoint) =>
    team.server.app.inject({
      method,
      url: address.replaceAll(/:\w+/g, 'shared'),
      headers: {
        host: `127.0.0.1:${team.server.port}`,
        authorization: `Bearer ${secret}`,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { payload: '{}' }),
    });
  const endpoints = (Object.entries(contract) as [string, Endpoint][]).filter(
    ([name]) => name !== 'getEvents',
  );
  /** The endpoints that only read, listed by hand. */
  const reading =
    /^(query|get|list|find|explain|count|export|preview)|^(postExport|postQuery|runSql|rehearseAlert|validate)$/;

  const commenting = /^(add|update|remove|resolve)Comment$/;

  test.each([
    ['read', 'nothing'],
    ['explore', 'nothing but comments'],
  ] as const)('%s changes %s, by any endpoint', async (scope, _) => {
    const { secret } = await create(team.owner, scope);
    for (const [name, endpoint] of endpoints)
      if (endpoint.method !== 'GET' && !reading.test(name)) {
        const { statusCode } = await request(secret, endpoint);
        const isAllowed = scope === 'explore' && commenting.test(name);
        expect(`${name} ${statusCode === 403}`).toBe(`${name} ${!isAllowed}`);
      }
  });

  test('no scope allows to sign in, or to make what outlives the token', async () => {
    const { secret } = await create(team.owner, 'admin');
    const ways =
      /sign-in|sign-out|setup|password|invitations\/:token\/accept|email|two-factor|passkey|identit/;
    const own = /\/me\/(?:confirm|profile|sessions|tokens)/;
    const refused = endpoints.filter(
      ([, { method, path: address }]) =>
        (ways.test(address) || own.test(address)) && (method !== 'GET' || address.includes('/me/')),
    );
    expect(refused.map(([name]) => name)).toEqual(
      expect.arrayContaining(['signIn', 'createPasswordReset', 'listSessions', 'createOwnToken']),
    );
    for (const [name, endpoint] of [
      ...refused,
      ['createServiceToken', contract.createServiceToken] as const,
    ]) {
      const { statusCode } = await request(secret, endpoint);
      expect(`${name} ${statusCode}`).toBe(`${name} 403`);
    }
  });

  test('a token that is not valid is refused by every endpoint, whatever the cookie says', async () => {
    const revoked = await create(team.owner, 'admin');
    await team.owner.client.revokeOwnToken({ params: { token: revoked.token.id } });
    const other = `belvedere_${'A'.repeat(43)}`;
    for (const secret of [revoked.secret, other, 'x', '', `${revoked.secret}x`])
      for (const [name, { method, path: address }] of secret === revoked.secret
        ? endpoints
        : endpoints.slice(0, 3)) {
        const { statusCode } = await team.server.app.inject({
          method,
          url: address.replaceAll(/:\w+/g, 'shared'),
          headers: {
            host: `127.0.0.1:${team.server.port}`,
            cookie: team.owner.cookie,
            authorization: `Bearer ${secret}`,
            'x-belvedere': '1',
          },
        });
        expect(`${name} ${statusCode}`).toBe(`${name} 401`);
      }
  });
});

test('an admin’s token that reads sees all dashboards, and only the fields that they show', async () => {
  const client = await clientOf(team.owner, 'read');
  expect((await client.listDashboards({})).dashboards.map(({ id }) => id)).toContain('other');
  expect((await client.listModels({})).models).toEqual([]);
  expect((await client.listSources({})).sources).toEqual([]);
  const values = (field: string) =>
    outcome(client.getFieldValues({ params: { id: 'shared', field }, body: { state: {} } as never }));
  expect(await values('city')).not.toBe('done');
});

test('a token needs no header of the page, a cookie does', async () => {
  const { secret } = await create(team.owner, 'write');
  const save = (headers: Record<string, string>) =>
    fetch(`${team.server.address}/api/v1/me/favourites/shared`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"isFavourite":true}',
    });
  expect((await save({ authorization: `Bearer ${secret}` })).status).toBe(200);
  expect((await save({ cookie: team.owner.cookie })).status).toBe(403);
  expect((await save({ cookie: team.owner.cookie, authorization: 'Basic eDp5' })).status).toBe(403);
});

test('a token ends with its user’s account and role, at once', async () => {
  const eve = await team.join('Eve', 'maker');
  const client = await clientOf(eve, 'admin');
  const sql = () => outcome(client.runSql({ params: { name: 'files' }, body: { sql: 'select 1' } }));
  await team.owner.client.putGrant({
    params: { kind: 'source', object: 'files' },
    body: { subject: { kind: 'user', id: eve.id }, level: 'explore' },
  });
  expect(await sql()).toBe('done');
  await team.owner.client.updateUser({ params: { user: eve.id }, body: { role: 'viewer' } });
  expect(await sql()).toBe('not-found');
  await team.owner.client.updateUser({ params: { user: eve.id }, body: { isDisabled: true } });
  expect(await outcome(client.listDashboards({}))).toBe('not-signed-in');
});

test('a revoked token’s event stream ends within seconds', async () => {
  const { token, secret } = await create(ana, 'read');
  const response = await fetch(`${team.server.address}/api/v1/events`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  await ana.client.revokeOwnToken({ params: { token: token.id } });
  const ended = (async () => {
    while (!(await reader.read()).done);
  })().catch(() => {});
  await expect(ended).resolves.toBeUndefined();
});

test('a service account has what is shared with its name, and no way to sign in', async () => {
  const { client } = team.owner;
  const body = { name: 'nightly-report', role: 'explorer' as const };
  const { id } = await client.createServiceAccount({ body });
  expect(await outcome(client.createServiceAccount({ body }))).toBe('request-invalid');
  expect(await outcome(client.createServiceAccount({ body: { ...body, name: 'root', role: 'owner' } }))).toBe(
    'request-invalid',
  );
  const params = { user: id };
  const { secret } = await client.createServiceToken({ params, body: { name: 'cron', scope: 'read' } });
  const program = withSecret(secret);
  expect((await program.getSession({})).user.name).toBe('nightly-report');
  expect((await program.listDashboards({})).dashboards.map(({ id: one }) => one)).toEqual(['shared']);
  expect(await outcome(client.createPasswordReset({ params }))).toBe('not-found');
  expect(await outcome(client.updateUser({ params, body: { role: 'owner' } }))).toBe('request-invalid');
  expect(await outcome(team.stranger.signIn({ body: { email: 'nightly-report', password } }))).toBe(
    'not-signed-in',
  );
  expect(
    await outcome(
      client.createServiceToken({ params: { user: ana.id }, body: { name: 'a', scope: 'read' } }),
    ),
  ).toBe('request-invalid');
  const [token] = (await client.listTokens({ params })).tokens;
  expect(token).toMatchObject({ name: 'cron', scope: 'read', usedAt: expect.any(String) });
  await client.revokeToken({ params: { user: id, token: token!.id } });
  expect(await outcome(program.listDashboards({}))).toBe('not-signed-in');
});

test('an editor makes no service accounts, and only admins list the tokens of others', async () => {
  const { token } = await create(team.owner, 'read');
  expect(await outcome(ana.client.createServiceAccount({ body: { name: 'mine', role: 'viewer' } }))).toBe(
    'not-allowed',
  );
  expect(await outcome(ana.client.listTokens({ params: { user: team.owner.id } }))).toBe('not-allowed');
  expect(await outcome(ana.client.revokeOwnToken({ params: { token: token.id } }))).toBe('not-found');
});

test('the audit log names the token; no file has its text', async () => {
  const { token, secret } = await create(ana, 'write');
  await withSecret(secret).removeDashboard({ params: { id: 'other' } });
  const { entries } = await team.owner.client.listAudit({ query: { search: token.name } });
  expect(entries.map(({ actor, action, detail }) => [actor, action, detail])).toEqual([
    [`Ana (ana@example.org) by the token “${token.name}”`, 'dashboard.delete', undefined],
    ['Ana (ana@example.org)', 'token.create', 'scope: write'],
  ]);
  for (const folder of [team.folder])
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect((await readFile(path.join(file.parentPath, file.name))).includes(secret)).toBe(false);
});

test.each(tokenScopes)('a token with the scope %s lives a year at most', async scope => {
  const body = { name: `long ${scope}`, scope, days: 366 };
  expect(await outcome(team.owner.client.createOwnToken({ body }))).toBe('request-invalid');
});
