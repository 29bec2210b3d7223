import { contract, type Endpoint } from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { randomValue, type Vocabulary } from '../../api/random-request.ts';
import { randomFrom } from '../../random/random-from.ts';
import { allRead } from '../../running-belvedere.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';
import { claimsOf, signed } from '../../team/links/embed-tokens.ts';
import { runTeam, type Member, type RunningTeam } from '../../team/running-team.ts';

/**
 * Hostile requests to comments, embedding and public links, on both state databases: by guests, by strangers,
 * by users who know IDs of others, and by users with permission who send what no page would send.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const requests = 250 * Number(process.env['BELVEDERE_ROUNDS'] ?? 6);
const random = randomFrom(seed);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

/** Words that occur only in objects that are shared with nobody but the owner. */
const canaries = ['Moorhen City', 'heron_board', 'Hidden Heron', 'walrus said', 'badger key', 'otter link'];
const board = (title: string, more = '') => `version: 1
title: ${title}
model: orders
filters: [{ field: city }]
pages:
  - title: One
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }
${more}`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': 'city,pay\nAachen,100\nBonn,200\n',
  'data/secrets.csv': 'city\nMoorhen City\n',
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { city: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'dashboards/sales.yaml': board('Sales'),
  'dashboards/heron_board.yaml': board('Hidden Heron').replace('model: orders', 'model: secrets'),
};
const attacked = /comments|inbox|mentionable|embed|links|event-notes|access-requests/;
const endpoints = (Object.entries(contract) as [string, Endpoint][]).filter(([, { path }]) =>
  attacked.test(path),
);
/** These requests end what the other requests need. */
const ending: ReadonlySet<string> = new Set(['switchEmbedding', 'switchLinks', 'revokeEmbedKey']);
const oddTexts = [
  '',
  ' ',
  'a',
  '\u0000',
  'a\u0000b',
  '\uD83D',
  '\u202E',
  '💥'.repeat(40),
  '%00',
  '%',
  '../sales',
  '..%2f..%2fsales',
  '__proto__',
  'constructor',
  "'; drop table comment; --",
  '{"$ne":null}',
  '<script>alert(1)</script>',
  '9007199254740993',
  '9223372036854775808',
  '-1',
  'NaN',
  '1e999',
  'x'.repeat(6000),
];

let postgres: TestServer;
beforeAll(async () => {
  console.log(`hostile requests seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

describe.each(['SQLite', 'PostgreSQL'])('with the state in %s', kind => {
  let team: RunningTeam;
  let people: Readonly<Record<string, Member>>;
  let vocabulary: Vocabulary;
  /** How each sort of caller is known. */
  let callers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The lines that the server logs. */
  const faults: string[] = [];

  beforeAll(async () => {
    const { user, host, port, database } = postgres;
    const stateUrl = `postgres://${user}@${host}:${port}/${database}?schema=hostile`;
    team = await runTeam(files, kind === 'SQLite' ? {} : { stateUrl });
    await allRead(team);
    const { owner } = team;
    people = {
      editor: await team.join('Ed', 'editor'),
      explorer: await team.join('Eve', 'explorer'),
      stranger: await team.join('Mallory', 'editor'),
    };
    const levels = { editor: 'manage', explorer: 'explore' } as const;
    for (const [who, level] of Object.entries(levels))
      await owner.client.putGrant({
        params: { kind: 'dashboard', object: 'sales' },
        body: { subject: { kind: 'user', id: people[who]!.id }, level },
      });
    await owner.client.switchLinks({ body: { isOn: true } });
    await owner.client.switchEmbedding({ body: { isOn: true } });
    const comment = async (id: string, body: string) =>
      (await owner.client.addComment({ params: { id }, body: { body } })).id;
    const own = await comment('sales', 'Why?');
    const hidden = await comment('heron_board', 'walrus said so');
    const link = (id: string, name: string) =>
      owner.client.createLink({ params: { id }, body: { name, filters: {}, days: 3 } });
    const open = await link('sales', 'for all');
    // The first link is never revoked, so that guests keep access.
    const spare = await link('sales', 'to be revoked');
    const closed = await link('heron_board', 'otter link');
    const key = await owner.client.createEmbedKey({
      body: { name: 'badger key', origins: ['https://app.example.com'], dashboards: ['sales'] },
    });
    const guest = await team.stranger.openLink({ body: { secret: open.secret } });
    const embedded = await team.stranger.openEmbed({
      body: { token: signed(key, claimsOf('sales')), dashboard: 'sales' },
    });
    callers = {
      owner: { cookie: owner.cookie },
      ...Object.fromEntries(Object.entries(people).map(([who, { cookie }]) => [who, { cookie }])),
      'guest of a link': { authorization: `Guest ${guest.token}` },
      'guest of a frame': { authorization: `Guest ${embedded.token}` },
      nobody: {},
      'with a wrong token': { authorization: `Guest ${'x'.repeat(40)}` },
    };
    const ids = [owner.id, ...Object.values(people).map(one => one.id)];
    vocabulary = {
      names: {
        id: ['sales', 'sales', 'sales', 'heron_board', 'draft:sales', 'none'],
        comment: [`${own}`, `${own}`, `${hidden}`, '999999', '9007199254740991'],
        parent: [`${own}`, `${hidden}`],
        comments: [`${own}`, `${hidden}`],
        mentions: [...ids, 'nobody'],
        link: [spare.link.id, closed.link.id, 'none'],
        key: [key.key.id, 'none'],
        secret: [open.secret, open.secret, `${open.secret}x`, closed.secret.slice(1)],
        token: [
          signed(key, claimsOf('sales')),
          signed(key, claimsOf('heron_board')),
          signed(key, claimsOf('sales'), { alg: 'none' }),
          `${signed(key, claimsOf('sales'))}x`,
        ],
        dashboard: ['sales', 'heron_board', 'none'],
        dashboards: ['sales', 'heron_board', 'none'],
        tile: ['cities', 'none'],
        origin: ['https://app.example.com', 'https://evil.example', 'null'],
        origins: ['https://app.example.com', 'http://localhost:3000', 'javascript:alert(1)'],
        pages: ['One', 'None'],
        filters: ['city', 'pay', 'constructor'],
        field: ['city', 'pay'],
        url: [
          `${team.server.address}/s/${open.secret}`,
          `${team.server.address}/embed/sales`,
          'file:///etc/passwd',
        ],
        search: ['e', 'Olga', '%'],
        name: ['a link'],
      },
      texts: oddTexts,
    };
    vi.spyOn(console, 'error').mockImplementation(
      (...said: unknown[]) => void faults.push(said.map(String).join(' ')),
    );
  }, 120_000);
  afterAll(async () => {
    vi.restoreAllMocks();
    await team?.close();
  });

  const make = (part: Endpoint['params']): Readonly<Record<string, unknown>> => {
    const made = part && randomValue(part, vocabulary, random);
    return made && typeof made === 'object' ? { ...made } : {};
  };
  const addressFor = ({ path, params, query }: Endpoint) => {
    const named = make(params);
    const route = path.replaceAll(
      /:(\w+)/g,
      (_, key: string) => encodeURIComponent(String(named[key] ?? 'x').toWellFormed()) || '%20',
    );
    const search = new URLSearchParams(
      Object.entries(make(query)).map(([key, value]) => [key, String(value)]),
    );
    return search.size > 0 ? `${route}?${search}` : route;
  };
  /**
   * A body that the contract accepts, or nearly accepts; sometimes one that is not JSON, or of another type.
   */
  const bodyFor = ({ body, method }: Endpoint): { readonly text?: string; readonly type?: string } => {
    if (!body) return method === 'GET' || random() < 0.9 ? {} : { text: '{"a":1}', type: 'application/json' };
    const text = JSON.stringify(randomValue(body, vocabulary, random));
    const roll = random();
    if (roll < 0.02) return { text: text.slice(0, -1), type: 'application/json' };
    if (roll < 0.04)
      return { text, type: pick(['text/plain', 'multipart/form-data; boundary=x', 'application/xml']) };
    if (roll < 0.06) return { text: `[${text}]`, type: 'application/json' };
    if (roll < 0.07)
      return { text: text.replace(/^\{/, '{"__proto__":{"isOn":true},'), type: 'application/json' };
    return { text, type: 'application/json' };
  };
  const send = async (
    method: string,
    route: string,
    headers: Readonly<Record<string, string>>,
    { text, type }: { readonly text?: string; readonly type?: string } = {},
  ) => {
    const response = await fetch(team.server.address + route, {
      method,
      redirect: 'manual',
      headers: { 'x-belvedere': '1', ...headers, ...(type !== undefined && { 'content-type': type }) },
      ...(text !== undefined && { body: text }),
    });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };

  test('no request is an internal error, and no response shows data of the owner to others', async () => {
    const answered = new Map<string, number>();
    for (let i = 0; i < requests; i++) {
      const [name, endpoint] = pick(endpoints.filter(([one]) => !ending.has(one) || random() < 0.05));
      const who = ending.has(name)
        ? pick(Object.keys(callers).filter(one => one !== 'owner'))
        : pick(Object.keys(callers));
      const [route, body] = [addressFor(endpoint), bodyFor(endpoint)];
      const { status, type, text } = await send(endpoint.method, route, callers[who]!, body);
      const asked = `${who}: ${endpoint.method} ${route.slice(0, 300)} ${body.text?.slice(0, 500) ?? ''}`;
      expect(status >= 500 ? `${asked}\n${text.slice(0, 500)}\n${faults.join('\n')}` : '').toBe('');
      if (status >= 400) expect([asked, type]).toEqual([asked, 'application/problem+json']);
      else answered.set(who, (answered.get(who) ?? 0) + 1);
      // A request that names a word may get it back in the response.
      const told = canaries.filter(one => text.includes(one) && !asked.includes(one));
      if (who !== 'owner') expect([asked, told]).toEqual([asked, []]);
      faults.length = 0;
    }
    expect([...answered.keys()].toSorted()).toEqual(
      expect.arrayContaining(['editor', 'explorer', 'nobody', 'owner']),
    );
  }, 600_000);

  test('pages of links and frames are the same for secrets and dashboards that exist or not', async () => {
    const odd = oddTexts.filter(text => text !== '').map(text => encodeURIComponent(text.toWellFormed()));
    for (const part of [...odd, 'sales', 'heron_board', vocabulary.names['secret']![0]!])
      for (const route of [
        `/s/${part}`,
        `/s/${part}/x`,
        `/embed/${part}`,
        `/embed/${part}/tiles/cities`,
        `/embed/${part}.png`,
        `/embed/${part}/tiles/cities.svg`,
      ])
        for (const authorization of [
          '',
          'Bearer x',
          `Bearer ${pick(vocabulary.names['token']!)}`,
          'Guest \u00e9',
        ]) {
          const { status, text } = await send('GET', route, authorization === '' ? {} : { authorization });
          expect([route.slice(0, 100), status < 500]).toEqual([route.slice(0, 100), true]);
          expect(canaries.filter(one => text.includes(one) && !route.includes(one))).toEqual([]);
        }
  }, 120_000);

  test('texts with characters that PostgreSQL does not store are kept with a mark in their place', async () => {
    const at = { params: { id: 'sales' } };
    for (const [text, kept] of [
      ['a\u0000b', 'a\uFFFDb'],
      ['a\uD83D', 'a\uFFFD'],
    ] as const) {
      const { explorer, editor } = people as { explorer: Member; editor: Member };
      expect(await explorer.client.addComment({ ...at, body: { body: text } })).toMatchObject({ body: kept });
      expect(await editor.client.addEventNote({ ...at, body: { from: '2026-01-01', text } })).toMatchObject({
        text: kept,
      });
      await editor.client.createLink({ ...at, body: { name: text, filters: {}, days: 3 } });
    }
  });

  test('of changes at once, each is done once, and none is an error', async () => {
    const { explorer, editor } = people as { explorer: Member; editor: Member };
    const at = { params: { id: 'sales' } };
    const { id } = await explorer.client.addComment({ ...at, body: { body: 'A thread' } });
    const one = { params: { id: 'sales', comment: id } };
    const statusOf = (work: Promise<unknown>) =>
      work.then(
        () => 200,
        (error: { readonly problem?: { readonly status: number } }) => error.problem?.status ?? String(error),
      );
    const all = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) =>
        statusOf(editor.client.addComment({ ...at, body: { body: `Reply ${i}`, parent: id } })),
      ),
      ...Array.from({ length: 5 }, (_, i) =>
        statusOf(explorer.client.updateComment({ ...one, body: { body: `Edit ${i}` } })),
      ),
      ...Array.from({ length: 5 }, (_, i) =>
        statusOf(editor.client.resolveComment({ ...one, body: { isResolved: i % 2 === 0 } })),
      ),
      statusOf(explorer.client.removeComment(one)),
      statusOf(explorer.client.removeComment(one)),
    ]);
    expect([all.filter(status => ![200, 400, 404].includes(status as number)), faults]).toEqual([[], []]);
    const { link } = await editor.client.createLink({ ...at, body: { name: 'race', filters: {}, days: 3 } });
    const ends = await Promise.all(
      Array.from({ length: 6 }, () =>
        statusOf(editor.client.revokeLink({ params: { id: 'sales', link: link.id } })),
      ),
    );
    expect(ends.filter(status => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(ends.filter(status => ![200, 404].includes(status as number))).toEqual([]);
    expect(faults).toEqual([]);
  }, 60_000);
});
