import {
  contract,
  createClient,
  sharedDashboardId,
  type Client,
  type DashboardState,
  type Endpoint,
} from '@belvedere/api';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project } from '../../browser.ts';
import { randomFrom } from '../../random/random-from.ts';
import { allRead } from '../../running-belvedere.ts';
import { claimsOf, signed, type SigningKey } from './embed-tokens.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Embedding: the users of a site see what its signed tokens allow, and nothing else (SAFETY 4, 15 to 20). */

/** As the programs of the guide name it. */
const guideDashboard = `version: 1
title: For the guide
model: kestrel_model
filters: [{ field: country }]
pages:
  - title: One
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/zanzibar_orders.csv': `city,country,kind,secret_margin\n${Array.from({ length: 120 }, (_, i) => {
    const [city, country] = [
      ['Aachen', 'DE'],
      ['Bonn', 'DE'],
      ['Graz', 'AT'],
      ['Moorhen City', 'XX'],
    ][i % 4]!;
    return `${city},${country},${['web', 'shop', 'phone'][i % 3]},${i % 50}`;
  }).join('\n')}\n`,
  'data/protected.csv': 'team,amount\nred,1\nred,2\nblue,3\n',
  'data/visits.csv': 'page\nhome\nshop\n',
  'models/kestrel_model.yaml':
    'version: 1\ntable: zanzibar_orders\n' +
    'dimensions: { city: {}, country: {}, kind: {}, secret_margin: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'models/visits.yaml':
    'version: 1\ntable: visits\ndimensions: { page: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'models/protected.yaml':
    'version: 1\ntable: protected\ndimensions: { team: {}, amount: {} }\nmeasures: { rows: { expr: count(*) } }\n' +
    'policies: [{ name: own, everyone: true, where: "team = :user.team" }]\n',
  'dashboards/projekt_falke/sales.yaml': `version: 1
title: Sales
model: kestrel_model
filters:
  - { field: city }
  - { field: kind }
pages:
  - title: Seen
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, opens: otter_board, at: [0, 0, 12, 8] }
      kinds: { kind: bar, x: { field: kind }, y: { measure: rows }, at: [12, 0, 12, 8] }
      list: { kind: table, columns: [city], at: [0, 8, 12, 8] }
  - title: Hidden Heron
    tiles:
      margin: { kind: bar, x: { field: secret_margin, bin: { step: 10 } }, y: { measure: rows }, at: [0, 0, 12, 8] }
`,
  'dashboards/otter_board.yaml': `version: 1
title: Otters
model: kestrel_model
pages:
  - title: One
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }
      pages: { kind: bar, model: visits, x: { field: page }, y: { measure: rows }, at: [12, 0, 12, 8] }
`,
  'dashboards/sales.yaml': guideDashboard,
  'dashboards/teams.yaml': `version: 1
title: Teams
model: protected
pages:
  - title: One
    tiles:
      teams: { kind: bar, x: { field: team }, y: { measure: rows }, at: [0, 0, 12, 8] }
`,
};
const id = 'projekt_falke/sales';
const site = 'https://app.example.com';
const params = { id: sharedDashboardId };
const everything: DashboardState = { page: 0, filters: {}, selections: {} };

let team: RunningTeam;
let admin: Member;
let editor: Member;
let key: SigningKey;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  admin = await team.join('Ada', 'admin');
  editor = await team.join('Edda', 'editor');
});
afterAll(() => team?.close());

/** All texts that guests were sent. */
const sent: string[] = [];
const guest = (token: string): Client =>
  createClient(team.server.address, async (input, init) => {
    const response = await fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Guest ${token}` },
    });
    sent.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  });
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { problem?: { type: string } }) => error.problem?.type ?? String(error),
  );
let made = 0;
const create = (more: { readonly dashboards?: string[]; readonly origins?: string[] } = {}, by = admin) =>
  by.client.createEmbedKey({ body: { name: `Site ${++made}`, origins: [site], ...more } });
const exchange = (
  token: string,
  more: { readonly dashboard?: string; readonly tile?: string; readonly origin?: string } = {},
) => team.stranger.openEmbed({ body: { token, origin: site, dashboard: id, ...more } });
const opened = async (claims: Readonly<Record<string, unknown>> = {}, dashboard = id, tile?: string) => {
  const access = await exchange(signed(key, claimsOf(dashboard, claims)), {
    dashboard,
    ...(tile !== undefined && { tile }),
  });
  return { ...access, client: guest(access.token) };
};

/** The categories that tiles show. */
async function shown(client: Client, state = everything, of = sharedDashboardId) {
  const found: Record<string, Record<string, number>> = {};
  for await (const { header, cells } of await client.queryTiles({ params: { id: of }, body: { state } })) {
    if (header.kind !== 'cells' || !cells) continue;
    const [axis] = header.axes;
    if (axis?.kind !== 'categories') continue;
    found[header.tile] = Object.fromEntries(
      Array.from(cells.groups, (group, i) => [String(axis.values[group]), cells.parts[0]![i]!]),
    );
  }
  return found;
}
const policyOf = async (path: string) => {
  const { headers } = await fetch(`${team.server.address}${path}`);
  return {
    ancestors: /frame-ancestors [^;]*/.exec(headers.get('content-security-policy')!)![0],
    frameOptions: headers.get('x-frame-options'),
    robots: headers.get('x-robots-tag'),
  };
};

test('no key can be made before an owner has switched embedding on, and only admins make keys', async () => {
  expect(await outcome(create())).toBe('not-allowed');
  expect(await outcome(admin.client.switchEmbedding({ body: { isOn: true } }))).toBe('not-allowed');
  await team.owner.client.switchEmbedding({ body: { isOn: true } });
  expect(await outcome(create({}, editor))).toBe('not-allowed');
  expect(await outcome(editor.client.listEmbedKeys({}))).toBe('not-allowed');
  key = await create();
  expect(Buffer.from(key.secret).byteLength).toBeGreaterThanOrEqual(32);
  const { secret } = await admin.client.createOwnToken({
    body: { name: 'robot', scope: 'admin', days: 30 },
  });
  const robot = createClient(team.server.address, (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
    }),
  );
  expect(await outcome(create({}, { ...admin, client: robot }))).toBe('not-allowed');
  const list = JSON.stringify(await admin.client.listEmbedKeys({}));
  expect(list.includes(key.secret)).toBe(false);
  const { entries } = await team.owner.client.listAudit({ query: { limit: 100 } });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['embed.switch', 'embed-key.create']),
  );
  expect(JSON.stringify(entries).includes(key.secret)).toBe(false);
});

test.each([
  'https://app.example.com/',
  'https://app.example.com/path',
  "https://a;script-src'unsafe-inline'",
  'https://*.example.com',
  'https://app.example.com:443',
  'https://APP.example.com',
  'ftp://app.example.com',
  'https://a b',
  'null',
  '*',
  "'self'",
])('%s is no origin of a key', async origin => {
  expect(await outcome(create({ origins: [origin] }))).toBe('request-invalid');
});

describe('the page for frames', () => {
  test('names the sites of all keys that work, and no other page can be framed', async () => {
    const second = await create({ origins: ['http://localhost:8080', 'https://b.example.com'] });
    expect(await policyOf(`/embed/${id}`)).toEqual({
      ancestors: 'frame-ancestors http://localhost:8080 https://app.example.com https://b.example.com',
      frameOptions: null,
      robots: 'noindex, nofollow',
    });
    for (const path of ['/', `/d/${id}`, '/s/x', '/embedded', '/settings/embedding'])
      expect([path, (await policyOf(path)).ancestors]).toEqual([path, "frame-ancestors 'none'"]);
    await admin.client.revokeEmbedKey({ params: { key: second.key.id } });
    expect((await policyOf(`/embed/${id}`)).ancestors).toBe('frame-ancestors https://app.example.com');
  });

  test('holds nothing of the signed-in user’s workspace', async () => {
    const response = await fetch(`${team.server.address}/embed/${id}`, {
      headers: { cookie: team.owner.cookie },
    });
    const page = await response.text();
    for (const canary of ['otter_board', 'Olga', 'Sales']) expect(page.includes(canary)).toBe(false);
  });
});

describe('a token', () => {
  test('shows what it says: locked, limited and free filters, whatever the page asks for', async () => {
    const own = await shown(team.owner.client, everything, id);
    expect(own['cities']).toEqual({ Aachen: 30, Bonn: 30, Graz: 30, 'Moorhen City': 30 });
    // `country` is no filter of the dashboard, and is locked nevertheless.
    const { client, downloads, theme } = await opened({
      pages: ['Seen'],
      locked: { country: { oneOf: ['DE', 'AT'] }, kind: { oneOf: ['web'] } },
      limited: { city: { noneOf: ['Bonn'] } },
      theme: 'dark',
    });
    expect([downloads, theme]).toEqual([false, 'dark']);
    const seen = await client.getDashboard({ params });
    expect(seen.document!.pages.map(({ title }) => title)).toEqual(['Seen']);
    const allowed = { cities: { Aachen: 10, Graz: 10 }, kinds: { web: 20 } };
    for (const state of [
      everything,
      { ...everything, filters: { country: null, kind: null, city: null } },
      { ...everything, filters: { kind: { oneOf: ['shop'] } } },
      { ...everything, filters: { secret_margin: { from: 0, below: 5 } } },
      { ...everything, page: 1 },
    ])
      expect(await shown(client, state)).toEqual(allowed);
    const { cities } = await shown(client, { ...everything, filters: { city: { oneOf: ['Graz', 'Bonn'] } } });
    expect(cities).toEqual({ Graz: 10 });
    const values = await client.getFieldValues({
      params: { ...params, field: 'city' },
      body: { state: everything },
    });
    expect(values.values.map(({ value }) => value).toSorted()).toEqual(['Aachen', 'Graz']);
    const rows = await client.getTileRows({
      params: { ...params, tile: 'list' },
      body: { state: everything, limit: 500 },
    });
    expect(rows.total).toBe(20);
  });

  test('of one tile shows no other', async () => {
    const { client } = await opened({ tile: 'kinds' }, id, 'kinds');
    const { document } = await client.getDashboard({ params });
    expect(document!.pages.flatMap(({ tiles }) => Object.keys(tiles))).toEqual(['kinds']);
    expect(Object.keys(await shown(client))).toEqual(['kinds']);
    expect(
      await outcome(client.getTileRows({ params: { ...params, tile: 'list' }, body: { state: everything } })),
    ).not.toBe('done');
    const token = signed(key, claimsOf(id, { tile: 'kinds' }));
    for (const tile of [{}, { tile: 'cities' }, { tile: 'constructor' }])
      expect(await outcome(exchange(token, tile))).toBe('embed-refused');
    // The frame may show less than the token.
    const cities = await opened({}, id, 'cities');
    expect(Object.keys(await shown(cities.client))).toEqual(['cities']);
  });

  test('has the attributes for row policies, of names and types that they know', async () => {
    const attempt = (attributes: unknown, dashboard = 'teams') => outcome(opened({ attributes }, dashboard));
    expect(await shown((await opened({ attributes: { team: 'red' } }, 'teams')).client)).toEqual({
      teams: { red: 2 },
    });
    for (const attributes of [{}, { team: [] }])
      expect([attributes, await shown((await opened({ attributes }, 'teams')).client)]).toEqual([
        attributes,
        { teams: {} },
      ]);
    for (const attributes of [
      { region: 'x' },
      { team: 'red', region: 'x' },
      { team: 7 },
      { team: true },
      { team: '' },
      { team: ['red', 'blue'] },
      { team: null },
      { team: { red: true } },
      { TEAM: 'red' },
      { constructor: 'red' },
      'red',
      ['team'],
    ])
      expect([attributes, await attempt(attributes)]).toEqual([attributes, 'embed-refused']);
  });

  test('with a field that would filter nothing is refused', async () => {
    const attempt = (claims: object, dashboard = id) => outcome(opened({ ...claims }, dashboard));
    const de = { oneOf: ['DE'] };
    expect(await attempt({ locked: { nothing: de } })).toBe('embed-refused');
    expect(await attempt({ limited: { nothing: de } })).toBe('embed-refused');
    expect(await attempt({ free: ['country'] })).toBe('embed-refused');
    expect(await attempt({ free: ['city'], locked: { city: de } })).toBe('embed-refused');
    expect(await attempt({ pages: ['Missing'] })).toBe('embed-refused');
    // One of its tiles is of another model, which has no countries.
    expect(await attempt({ locked: { country: de } }, 'otter_board')).toBe('embed-refused');
    expect(
      Object.keys(await shown((await opened({ locked: { country: de } }, 'otter_board', 'cities')).client)),
    ).toEqual(['cities']);
  });

  test('shows no rows once a model has lost a field that it locks', async () => {
    const claims = { locked: { country: { oneOf: ['DE'] } } };
    const { client } = await opened(claims);
    expect((await shown(client))['cities']).toEqual({ Aachen: 30, Bonn: 30 });
    const file = 'models/kestrel_model.yaml';
    await team.write(file, files[file].replace('country: {}, ', ''));
    await expect.poll(() => outcome(opened(claims))).toBe('embed-refused');
    expect((await shown(client))['cities'] ?? {}).toEqual({});
    await team.write(file, files[file]);
    await expect.poll(() => outcome(opened(claims))).toBe('done');
  });

  test('is refused if anything of it was changed, or it is not as it must be', async () => {
    const good = signed(key, claimsOf(id));
    expect(await outcome(exchange(good))).toBe('done');
    const random = randomFrom(Number(process.env['BELVEDERE_SEED']));
    const letters = 'ABCabc019-_.=+/ ';
    const changed = (text: string) => {
      const at = Math.floor(random() * text.length);
      const letter = letters[Math.floor(random() * letters.length)]!;
      const ways = [
        text.slice(0, at) + letter + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
        text.slice(0, at) + letter + text.slice(at),
        text.slice(0, at),
        text + letter,
        letter + text,
        text.split('.').toReversed().join('.'),
      ];
      return ways[Math.floor(random() * ways.length)]!;
    };
    const iat = Math.floor(Date.now() / 1000);
    const { secret } = key;
    const other = await create();
    const [head, body, signature] = good.split('.') as [string, string, string];
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    // The last letter of a signature has bits that no byte uses.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sameBytes = last[last.indexOf(signature.at(-1)!) ^ 1]!;
    const bad = [
      ...Array.from({ length: 240 }, () => changed(good)).filter(token => token !== good),
      '',
      '..',
      'a.b.c',
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${signature.slice(0, -1)}${sameBytes}`,
      `${good}=`,
      ` ${good}`,
      ...['none', 'None', 'HS384', 'HS512', 'RS256', 'ES256', 'hs256', ''].map(alg =>
        signed(key, claimsOf(id), { alg }),
      ),
      `${text({ alg: 'none', kid: key.key.id })}.${body}.`,
      signed(key, claimsOf(id), { kid: undefined }),
      signed(key, claimsOf(id), { kid: 'x' }),
      signed(key, claimsOf(id), { kid: other.key.id }),
      signed(key, claimsOf(id), { kid: '__proto__' }),
      signed(key, claimsOf(id), { kid: [key.key.id] }),
      signed(key, claimsOf(id), { crit: ['b64'], b64: false }),
      signed(key, claimsOf(id), { jwk: { kty: 'oct', k: secret } }),
      signed(key, claimsOf(id), { jku: 'https://evil.example/keys' }),
      signed({ ...key, secret: other.secret }, claimsOf(id)),
      signed({ ...key, secret: '' }, claimsOf(id)),
      signed({ ...key, secret: Buffer.from(secret, 'base64url').toString('hex') }, claimsOf(id)),
      ...[
        { aud: undefined },
        { aud: 'belvedere' },
        { aud: ['belvedere-embed'] },
        { iat: undefined },
        { exp: undefined },
        { exp: iat - 1 },
        { iat: iat - 700, exp: iat - 100 },
        { iat, exp: iat + 601 },
        // Not yet valid, even if the test takes minutes.
        { iat: iat + 500, exp: iat + 900 },
        { exp: String(iat + 300) },
        { exp: iat + 300.5 },
        { exp: 1e300 },
        { exp: null },
        { iat: -1e300 },
        { dashboard: undefined },
        { dashboard: 'otter_board' },
        { dashboard: [id] },
        { dashboard: `draft:${id}` },
        { unknown: 1 },
        { theme: 'blue' },
        { locale: 'de"><script>' },
        { downloads: 'true' },
        { pages: [] },
        { locked: [] },
        { locked: { city: 'Bonn' } },
        { locked: { city: { oneOf: [] } } },
        { locked: { city: { oneOf: [{}] } } },
        { locked: { city: { oneOf: ['Bonn'], noneOf: ['Graz'] } } },
        { limited: { city: null } },
        { free: 'city' },
        { sub: 7 },
        { tile: '' },
      ].map(claims => signed(key, { ...claimsOf(id), ...claims })),
      // Names that are repeated, or inherited by every object.
      ...['"dashboard":"otter_board",', '"__proto__":{},'].map(more => {
        const repeated = Buffer.from(`{${more}${JSON.stringify(claimsOf(id)).slice(1)}`).toString(
          'base64url',
        );
        return signed(key, {}).replace(/\..*\./, `.${repeated}.`);
      }),
    ];
    expect(bad.length).toBeGreaterThan(250);
    const accepted: string[] = [];
    for (const token of bad) if ((await outcome(exchange(token))) !== 'embed-refused') accepted.push(token);
    expect(accepted).toEqual([]);
    expect(await outcome(exchange('x'.repeat(5001)))).toBe('request-invalid');
    for (const [more, how] of [
      [{ origin: 'https://evil.example' }, 'another site'],
      [{ origin: 'null' }, 'no site'],
      [{ origin: `${site}/` }, 'another spelling'],
      [{ dashboard: 'otter_board' }, 'another dashboard'],
    ] as const)
      expect([how, await outcome(exchange(good, more))]).toEqual([how, 'embed-refused']);
    await admin.client.revokeEmbedKey({ params: { key: other.key.id } });
  });

  test('says nothing of what the key may not show', async () => {
    const limited = await create({ dashboards: ['teams'] });
    const refusal = (dashboard: string) =>
      exchange(signed(limited, claimsOf(dashboard)), { dashboard }).then(
        () => 'done',
        (error: { problem: { detail: string } }) => error.problem.detail,
      );
    expect(await refusal('teams')).toBe('done');
    expect(await refusal(id)).toBe(await refusal('nothing_here'));
    await admin.client.revokeEmbedKey({ params: { key: limited.key.id } });
  });
});

describe('a guest in a frame', () => {
  test('is sent no name of anything else, and uses no other endpoint', async () => {
    sent.length = 0;
    const { token, client } = await opened({
      pages: ['Seen'],
      locked: { country: { oneOf: ['DE', 'AT'] } },
      sub: 'viewer-canary',
    });
    await client.getDashboard({ params, query: { language: 'de' } });
    await shown(client);
    await client.getFieldValues({ params: { ...params, field: 'city' }, body: { state: everything } });
    for await (const _ of await client.getBrushIndex({
      params,
      body: { state: everything, active: 'cities' },
    }));
    await outcome(client.getTileRows({ params: { ...params, tile: 'margin' }, body: { state: everything } }));
    for (const canary of [
      'zanzibar_orders',
      'kestrel_model',
      'projekt_falke',
      'otter_board',
      'Hidden Heron',
      'secret_margin',
      'Moorhen City',
      'viewer-canary',
      'Ada',
      'example.org',
      key.secret,
      key.key.id,
    ])
      expect([canary, sent.some(text => text.includes(canary))]).toEqual([canary, false]);
    const own = new Set([
      'getDashboard',
      'queryTiles',
      'getBrushIndex',
      'getTileRows',
      'getFieldValues',
      'getImage',
      'getMap',
      'postExport',
    ]);
    const answers = await Promise.all(
      (Object.entries(contract) as [string, Endpoint][])
        .filter(([name]) => !own.has(name))
        .map(async ([name, { method, path }]) => {
          const address = path.replaceAll(':id', sharedDashboardId).replaceAll(/:\w+/g, 'files');
          const response = await fetch(`${team.server.address}${address}`, {
            method,
            headers: {
              authorization: `Guest ${token}`,
              'x-belvedere': '1',
              'content-type': 'application/json',
            },
            ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
          });
          return [name, response.status];
        }),
    );
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  });

  test('downloads pictures only where the token allows it', async () => {
    const picture = (client: Client) =>
      outcome(client.postExport({ params, body: { format: 'svg', tile: 'cities', state: everything } }));
    expect(await picture((await opened()).client)).toBe('not-allowed');
    expect(await picture((await opened({ downloads: true })).client)).toBe('done');
  });

  test('sees texts of claims as texts', async () => {
    const markup = '<img src=x onerror=alert(1)>"\'</script>{{7*7}}';
    const { client } = await opened({ sub: markup, locked: { city: { oneOf: [markup] } } });
    const { document } = await client.getDashboard({ params });
    expect(document!.filters!.find(({ field }) => field === 'city')!.default).toEqual({ oneOf: [markup] });
    const response = await fetch(`${team.server.address}/embed/${encodeURIComponent(markup)}`);
    const page = await response.text();
    // The address in it is percent-encoded.
    for (const part of ['<img src', 'onerror=', "'</script"])
      expect([part, page.includes(part)]).toEqual([part, false]);
  });
});

/** Gets a picture as a site's server does. */
const picture = (address: string, token?: string) =>
  fetch(`${team.server.address}/embed/${address}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

describe('a picture', () => {
  const own = { downloads: true, locked: { country: { oneOf: ['AT'] } } };

  test('has what its token shows, as SVG and PNG, in bounds', async () => {
    const token = signed(key, claimsOf(id, own));
    const svg = await picture(`${id}/tiles/cities.svg?width=500`, token);
    expect(Object.fromEntries(svg.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^inline; .*\.svg/),
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*sandbox/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    const text = await svg.text();
    expect(text).toMatch(/^<svg .*width="500"/);
    expect([text.includes('Graz'), text.includes('Aachen')]).toEqual([true, false]);
    for (const address of [`${id}/tiles/kinds.png?theme=dark&locale=de`, `${encodeURIComponent(id)}.png`]) {
      const png = await picture(address, token);
      expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(
        Buffer.from(await png.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    }
    for (const query of ['width=100', 'width=4001', 'width=x', 'theme=blue', `token=${token}`, 'state={}']) {
      const { status } = await picture(`${id}/tiles/cities.svg?${query}`, token);
      expect([query, status]).toEqual([query, 400]);
    }
    const { entries } = await team.owner.client.listAudit({ query: { limit: 20 } });
    expect(entries.filter(({ action }) => action === 'data.export').map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['svg', 'png']),
    );
    expect(JSON.stringify(entries).includes(token)).toBe(false);
  });

  test('is refused without a token, without downloads, and of what the token does not show', async () => {
    const token = (claims: Readonly<Record<string, unknown>>, dashboard = id) =>
      signed(key, claimsOf(dashboard, claims));
    const session = await fetch(`${team.server.address}/embed/${id}.png`, {
      headers: { cookie: team.owner.cookie },
    });
    const attempts = {
      session,
      none: await picture(`${id}/tiles/cities.svg`),
      changed: await picture(`${id}/tiles/cities.svg`, `${token(own)}x`),
      'no downloads': await picture(`${id}/tiles/cities.svg`, token({})),
      'another tile': await picture(`${id}/tiles/cities.svg`, token({ ...own, tile: 'kinds' })),
      'another dashboard': await picture('otter_board.png', token(own)),
      'no tile': await picture(`${id}/tiles/nothing.svg`, token(own)),
      'hidden page': await picture(`${id}/tiles/margin.svg`, token({ ...own, pages: ['Seen'] })),
      'guest access': await picture(`${id}.png`, (await opened(own)).token),
    };
    for (const [name, response] of Object.entries(attempts)) {
      const body = await response.text();
      expect([name, response.status, body.includes('Graz')]).toEqual([name, 403, false]);
    }
  });

  test('ends with its key, also while pictures are drawn', async () => {
    const short = await create();
    const token = signed(short, claimsOf(id, own));
    const attempt = () => picture(`${id}/tiles/cities.svg`, token).then(({ status }) => status);
    expect(await attempt()).toBe(200);
    const drawing = Array.from({ length: 6 }, attempt);
    await admin.client.revokeEmbedKey({ params: { key: short.key.id } });
    const after = await Promise.all(Array.from({ length: 4 }, attempt));
    expect(after).toEqual([403, 403, 403, 403]);
    for (const status of await Promise.all(drawing)) expect([200, 403, 410]).toContain(status);
  });
});

describe('oEmbed', () => {
  const described = async (url: string, more = '') => {
    const response = await fetch(
      `${team.server.address}/api/v1/oembed?url=${encodeURIComponent(url)}${more}`,
    );
    return [response.status, (await response.json()) as { html: string }] as const;
  };

  test('describes a frame alike whether or not there is such a dashboard, and without a token', async () => {
    const at = (dashboard: string) => `${team.server.address}/embed/${dashboard}`;
    const [status, found] = await described(`${at(id)}?a=1#token=canary`, '&format=json&maxwidth=400');
    expect([status, found]).toEqual([
      200,
      {
        version: '1.0',
        type: 'rich',
        provider_name: 'Belvedere',
        cache_age: 300,
        html: `<iframe src="${at(id)}" width="400" height="640" title="Dashboard" style="border:0"></iframe>`,
        width: 400,
        height: 640,
      },
    ]);
    const [, missing] = await described(at('nothing'), '&maxwidth=400');
    expect(missing.html).toBe(found.html.replace(id, 'nothing'));
    const [, marked] = await described(at(`"><script>alert(1)</script>&'`));
    expect(marked.html.match(/[<>"]/g)!.length).toBe(14);
    for (const url of ['https://evil.example/embed/sales', at(''), `${team.server.address}/d/${id}`, 'x', ''])
      expect([url, (await described(url))[0]]).toEqual([url, 404]);
    const page = await (await fetch(at(id))).text();
    const href = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)">/.exec(page)![1]!;
    const discovered = await fetch(href.replaceAll('&amp;', '&'));
    expect(await discovered.json()).toMatchObject({ type: 'rich' });
  });
});

describe('the access of a token ends', () => {
  const state = ({ client }: { readonly client: Client }) => outcome(client.getDashboard({ params }));

  test('with the token, which is not accepted again', async () => {
    const token = signed(key, claimsOf(id, {}, 3));
    const { token: access, endsInMs } = await exchange(token);
    expect(endsInMs).toBeLessThanOrEqual(3000);
    expect(await state({ client: guest(access) })).toBe('done');
    await expect.poll(() => state({ client: guest(access) }), { interval: 200 }).toBe('link-ended');
    expect(await outcome(exchange(token))).toBe('embed-refused');
  });

  test('when its key is revoked; the other key of its name goes on', async () => {
    const old = await create();
    const next = await admin.client.rotateEmbedKey({ params: { key: old.key.id } });
    expect(next.key).toMatchObject({ name: old.key.name, origins: [site] });
    expect(await outcome(admin.client.rotateEmbedKey({ params: { key: next.key.id } }))).toBe(
      'request-invalid',
    );
    const body = { name: old.key.name, origins: [site] };
    expect(await outcome(admin.client.createEmbedKey({ body }))).toBe('request-invalid');
    const access = await Promise.all(
      [old, next].map(async one => ({ client: guest((await exchange(signed(one, claimsOf(id)))).token) })),
    );
    expect(await Promise.all(access.map(state))).toEqual(['done', 'done']);
    await admin.client.revokeEmbedKey({ params: { key: old.key.id } });
    expect(await Promise.all(access.map(state))).toEqual(['link-ended', 'done']);
    expect(await outcome(exchange(signed(old, claimsOf(id))))).toBe('embed-refused');
    expect(await outcome(admin.client.revokeEmbedKey({ params: { key: old.key.id } }))).toBe('not-found');
    const { keys } = await admin.client.listEmbedKeys({});
    expect(keys.find(one => one.id === next.key.id)).toMatchObject({
      state: 'active',
      createdBy: 'Ada',
      usedAt: expect.any(String),
    });
  });

  test('while embedding is switched off', async () => {
    const access = await opened();
    await team.owner.client.switchEmbedding({ body: { isOn: false } });
    expect(await state(access)).toBe('link-ended');
    expect(await outcome(exchange(signed(key, claimsOf(id))))).toBe('embed-refused');
    expect((await policyOf(`/embed/${id}`)).ancestors).toBe("frame-ancestors 'none'");
    await team.owner.client.switchEmbedding({ body: { isOn: true } });
    expect(await state(access)).toBe('done');
  });

  test('when the key’s maker is no longer an admin', async () => {
    const access = await opened();
    const put = (role: 'admin' | 'editor') =>
      team.owner.client.updateUser({ params: { user: admin.id }, body: { role } });
    await put('editor');
    expect(await state(access)).toBe('link-ended');
    expect((await policyOf(`/embed/${id}`)).ancestors).toBe("frame-ancestors 'none'");
    await put('admin');
    expect(await state(access)).toBe('done');
  });

  test('with a dashboard that the key is limited to, and follows it where it goes', async () => {
    const limited = await create({ dashboards: ['otter_board'] });
    const shows = (dashboard: string) =>
      outcome(exchange(signed(limited, claimsOf(dashboard)), { dashboard }));
    expect(await shows('otter_board')).toBe('done');
    await team.owner.client.moveDashboard({ params: { id: 'otter_board' }, body: { to: 'moved' } });
    await expect.poll(() => shows('moved')).toBe('done');
    const { number } = await team.owner.client.removeDashboard({ params: { id: 'moved' } });
    await expect.poll(() => shows('moved')).toBe('embed-refused');
    // Without its dashboards it does not show all others.
    expect(await shows(id)).toBe('embed-refused');
    await team.owner.client.restoreDocument({ params: { number } });
    await expect.poll(() => shows('moved')).toBe('done');
  });
});

describe('the script for sites', () => {
  test('is small, and other sites may load it', async () => {
    const response = await fetch(`${team.server.address}/embed.js`);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    // Minified, not compressed.
    expect((await response.text()).length).toBeLessThanOrEqual(6000);
    const { headers } = await fetch(`${team.server.address}/old-browser.js`);
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

describe('the guide', () => {
  const guide = readFileSync(path.join(project, 'docs/guide/embed.md'), 'utf8');
  const programs = (language: string) =>
    Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')), ([, text]) => text!);
  const run = async (command: readonly string[], file: string, text: string, env: object) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-guide-'));
    await writeFile(path.join(folder, file), text);
    const [program, ...args] = command;
    // Not waited for in one go: the server that a program calls runs in this process.
    const { stdout, stderr } = await promisify(execFile)(program!, [...args, file], {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: 60_000,
    });
    await rm(folder, { recursive: true });
    expect(stderr).toBe('');
    return stdout.trim();
  };
  const languages: readonly (readonly [string, readonly string[], string])[] = [
    ['js', [process.execPath], 'sign.mjs'],
    ['python', ['python3'], 'sign.py'],
    ['php', ['php'], 'sign.php'],
    ['ruby', ['ruby'], 'sign.rb'],
    ['go', ['go', 'run'], 'sign.go'],
    ['sh', ['sh'], 'sign.sh'],
  ];
  const isThere = ([program]: readonly string[]) => spawnSync(program!, ['--version']).error === undefined;
  for (const [, command] of languages)
    if (!isThere(command))
      console.warn(`There is no ${command[0]} here: its program in the guide is not run.`);

  let own: SigningKey;
  let token = '';
  beforeAll(async () => {
    own = await create();
  });

  for (const [language, command, file] of languages)
    test.skipIf(!isThere(command))(`signs a token with ${language}`, async () => {
      const env = { KEY_ID: own.key.id, KEY_SECRET: own.secret };
      token = await run(command, file, programs(language)[0]!, env);
      const access = await exchange(token, { dashboard: 'sales' });
      expect(access.endsInMs).toBeGreaterThan(200_000);
    });

  test('gets a picture', async () => {
    const [, program] = programs('sh');
    const env = { BELVEDERE: team.server.address, TOKEN: token };
    const picture = await run(['sh'], 'picture.sh', program!, env);
    expect(picture).toMatch(/^<svg .*<\/svg>$/s);
  });
});
