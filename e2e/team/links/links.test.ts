import {
  contract,
  createClient,
  sharedDashboardId,
  type Client,
  type DashboardState,
  type Endpoint,
  type Frame,
  type GuestView,
} from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../../random/random-from.ts';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Public links: a guest sees what the link shows, and nothing else of the workspace (SAFETY 4, 15 to 20). */

/** Texts that no guest may receive. */
const canaries = {
  table: 'zanzibar_orders',
  model: 'kestrel_model',
  folder: 'projekt_falke',
  otherDashboard: 'otter_board',
  hiddenPage: 'Hidden Heron',
  hiddenField: 'badger_margin',
  lockedOut: 'Moorhen City',
  image: 'walrus.svg',
  person: 'Ana',
  mail: 'example.org',
  sql: 'select',
} as const;

const dashboard = `version: 1
title: Sales
model: kestrel_model
filters:
  - { field: country }
  - { field: city }
  - { field: kind }
pages:
  - title: Seen
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, opens: otter_board, at: [0, 0, 12, 8] }
      kinds: { kind: bar, x: { field: kind }, y: { measure: rows }, at: [12, 0, 12, 8] }
      list: { kind: table, columns: [city, amount], at: [0, 8, 12, 8] }
      logo: { kind: image, file: walrus.svg, alt: Logo, at: [12, 8, 4, 4] }
      reached: { kind: kpi, value: { measure: rows }, target: { measure: goal }, at: [16, 8, 4, 4] }
  - title: Hidden Heron
    tiles:
      margin: { kind: bar, x: { field: badger_margin, bin: { step: 10 } }, y: { measure: rows }, at: [0, 0, 12, 8] }
`;
const rows = Array.from({ length: 120 }, (_, i) => {
  const [city, country] = [
    ['Aachen', 'DE'],
    ['Bonn', 'DE'],
    ['Graz', 'AT'],
    ['Moorhen City', 'XX'],
  ][i % 4]!;
  const day = `202${i < 40 ? 3 : 4}-05-01`;
  return `${city},${country},${['web', 'shop', 'phone'][i % 3]},${i},${i % 50},${day}`;
});
const model = `version: 1
table: zanzibar_orders
time: day
dimensions: { city: {}, country: {}, kind: {}, amount: {}, badger_margin: {}, day: {} }
measures: { rows: { expr: count(*) }, goal: { expr: count(city) } }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/zanzibar_orders.csv': `city,country,kind,amount,badger_margin,day\n${rows.join('\n')}\n`,
  'data/protected.csv': 'team,amount\nred,1\nred,2\nblue,3\n',
  'images/walrus.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>',
  'models/kestrel_model.yaml': model,
  'models/protected.yaml':
    'version: 1\ntable: protected\ndimensions: { team: {}, amount: {} }\nmeasures: { rows: { expr: count(*) } }\n' +
    'policies: [{ name: own, everyone: true, where: "team = :user.team" }]\n',
  'dashboards/projekt_falke/sales.yaml': dashboard,
  'dashboards/otter_board.yaml': dashboard.replace('Sales', 'otter_board'),
  'dashboards/years.yaml': `version: 1
title: Years
model: kestrel_model
filters: [{ field: day }]
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
`,
  'dashboards/gone.yaml': `version: 1
title: Gone
model: osprey_model
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }
      cities: { kind: bar, model: kestrel_model, x: { field: city }, y: { measure: rows }, at: [6, 0, 12, 4] }
      others: { kind: kpi, model: merlin_model, value: { measure: rows }, at: [18, 0, 6, 4] }
`,
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
const everything: DashboardState = { page: 0, filters: {}, selections: {} };
const narrow: GuestView = {
  pages: ['Seen'],
  downloads: false,
  filters: {
    country: { change: 'within', value: { oneOf: ['DE', 'AT'] } },
    kind: { change: 'no', value: { oneOf: ['web'] } },
    city: { change: 'any' },
  },
};

let team: RunningTeam;
let ana: Member;
let viewer: Member;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  ana = await team.join('Ana', 'editor');
  viewer = await team.join('Vera', 'viewer');
  for (const object of [id, 'teams'])
    for (const [user, level] of [
      [ana.id, 'manage'],
      [viewer.id, 'view'],
    ] as const)
      await team.owner.client.putGrant({
        params: { kind: 'dashboard', object },
        body: { subject: { kind: 'user', id: user }, level },
      });
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
let made = 0;
const create = async (
  view: Partial<GuestView>,
  more: { readonly passphrase?: string; readonly maxOpens?: number } = {},
  of = id,
  by: Member = ana,
) => by.client.createLink({ params: { id: of }, body: { name: `Link ${++made}`, ...view, ...more } });
const openedBy = async (view: Partial<GuestView>, of = id, by: Member = ana) => {
  const { link, secret } = await create(view, {}, of, by);
  const { token } = await team.stranger.openLink({ body: { secret } });
  return { link, secret, token, client: guest(token) };
};
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { problem?: { type: string } }) => error.problem?.type ?? String(error),
  );
const params = { id: sharedDashboardId };

/** A figure and its target, which counts the same rows. */
async function reached(client: Client, filters: DashboardState['filters']) {
  const body = { state: { ...everything, filters } };
  for await (const { header, cells } of await client.queryTiles({ params: { id: sharedDashboardId }, body }))
    if (header.kind === 'cells' && header.tile === 'reached') return cells!.parts.map(([value]) => value);
  return undefined;
}

/** The categories that tiles show; those of the selection if there is one. */
async function shown(client: Client, state: DashboardState, of = sharedDashboardId) {
  const found: Record<string, Record<string, number>> = {};
  for await (const frame of await client.queryTiles({ params: { id: of }, body: { state } })) {
    const { header, cells } = frame;
    if (header.kind !== 'cells' || !cells) continue;
    const [axis] = header.axes;
    if (axis?.kind !== 'categories') continue;
    found[header.tile] = Object.fromEntries(
      Array.from(cells.groups, (group, i) => [String(axis.values[group]), cells.parts[0]![i]!]),
    );
  }
  return found;
}

test('no link can be made or opened before an owner has switched public links on', async () => {
  expect((await ana.client.listLinks({ params: { id } })).isOn).toBe(false);
  expect(await outcome(create({}))).toBe('not-allowed');
  for (const member of [ana, viewer])
    expect(await outcome(member.client.switchLinks({ body: { isOn: true } }))).toBe('not-allowed');
  await team.owner.client.switchLinks({ body: { isOn: true } });
  expect(await outcome(create({}))).toBe('done');
  expect(await outcome(viewer.client.createLink({ params: { id }, body: { name: 'x' } }))).toBe(
    'not-allowed',
  );
  expect(await outcome(viewer.client.listLinks({ params: { id } }))).toBe('not-allowed');
  const { entries } = await team.owner.client.listAudit({ query: { limit: 100 } });
  expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['link.switch', 'link.create']));
});

describe('a guest', () => {
  test('sees the pages of the link, without its other names', async () => {
    const { client } = await openedBy(narrow);
    const opened = await client.getDashboard({ params });
    // No cached copy outlives the link.
    expect(sent.at(-2)).toContain('["cache-control","no-store"]');
    expect(opened.title).toBe('Sales');
    expect(opened.id).toBe(sharedDashboardId);
    expect(opened.document!.pages.map(({ title }) => title)).toEqual(['Seen']);
    expect(opened.notes).toEqual([]);
    expect(opened.document!.filters!.map(({ field, locked }) => [field, locked === true])).toEqual([
      ['country', false],
      ['city', false],
      ['kind', true],
    ]);
  });

  test('sees the rows that the link’s filters leave, whatever the page asks for', async () => {
    // The owner's own results are cached by then.
    const own = await shown(team.owner.client, everything, id);
    expect(own['cities']).toEqual({ Aachen: 30, Bonn: 30, Graz: 30, 'Moorhen City': 30 });
    // So are those of a viewer, and of a link that shows all rows: with as many rights as the guest has.
    expect((await shown(viewer.client, everything, id))['cities']).toEqual(own['cities']);
    expect((await shown((await openedBy({})).client, everything))['cities']).toEqual(own['cities']);
    const { client } = await openedBy(narrow);
    const allowed = { cities: { Aachen: 10, Bonn: 10, Graz: 10 }, kinds: { web: 30 } };
    const tries: DashboardState[] = [
      everything,
      { ...everything, filters: { country: null, kind: null } },
      { ...everything, filters: { country: { noneOf: ['DE', 'AT'] } } },
      { ...everything, filters: { kind: { oneOf: ['shop'] } } },
      { ...everything, filters: { badger_margin: { from: 0, below: 5 } } },
      { ...everything, page: 1 },
    ];
    const seen = await Promise.all(tries.map(state => shown(client, state)));
    expect(seen.filter((_, i) => i !== 2)).toEqual(tries.slice(1).map(() => allowed));
    expect(seen[2]!['cities'] ?? {}).toEqual({});
    const { cities } = await shown(client, { ...everything, filters: { city: { oneOf: ['Bonn'] } } });
    expect(cities).toEqual({ Bonn: 10 });
  });

  test('sees no row that the link excludes, in figures, targets, lists of values and rows', async () => {
    const excluding: GuestView = {
      pages: ['Seen'],
      downloads: false,
      filters: {
        country: { change: 'within', value: { noneOf: ['XX'] } },
        kind: { change: 'no', value: { noneOf: ['web', 'shop'] } },
        city: { change: 'any' },
      },
    };
    const { client } = await openedBy(excluding);
    const all = { Aachen: 10, Bonn: 10, Graz: 10 };
    const conditions: readonly [DashboardState['filters'], Record<string, number>][] = [
      [{}, all],
      [{ country: null, kind: null }, all],
      [{ country: { oneOf: ['XX', 'DE'] } }, { Aachen: 10, Bonn: 10 }],
      [{ country: { noneOf: ['DE'] } }, { Graz: 10 }],
      [{ country: { contains: 'X' } }, {}],
      [{ city: { noneOf: ['Aachen'] } }, { Bonn: 10, Graz: 10 }],
      [{ city: { oneOf: ['Moorhen City', 'Bonn'] } }, { Bonn: 10 }],
      [{ kind: { noneOf: ['phone'] } }, all],
    ];
    for (const [filters, cities] of conditions) {
      const seen = await shown(client, { ...everything, filters });
      expect([filters, seen['cities'] ?? {}]).toEqual([filters, cities]);
      const total = Object.values(cities).reduce((sum, value) => sum + value, 0);
      expect([filters, await reached(client, filters)]).toEqual([filters, [total, total]]);
    }
    for (const [field, expected] of [
      ['country', ['AT', 'DE']],
      ['kind', ['phone']],
      ['city', ['Aachen', 'Bonn', 'Graz']],
    ] as const) {
      const state = { ...everything, filters: { country: { noneOf: ['nothing'] } } };
      const { values } = await client.getFieldValues({ params: { ...params, field }, body: { state } });
      expect(values.map(({ value }) => value).toSorted()).toEqual(expected);
    }
    const rowsOf = { params: { ...params, tile: 'list' }, body: { state: everything, limit: 500 } };
    expect((await client.getTileRows(rowsOf)).total).toBe(30);
  });

  test('finds nothing else in lists of values, rows and brush indexes', async () => {
    const { client } = await openedBy(narrow);
    const values = async (field: string) =>
      (await client.getFieldValues({ params: { ...params, field }, body: { state: everything } })).values.map(
        ({ value }) => value,
      );
    expect((await values('country')).toSorted()).toEqual(['AT', 'DE']);
    expect(await values('kind')).toEqual(['web']);
    // A field of another page.
    expect(await outcome(values('price'))).toBe('field-unknown');
    const page = await client.getTileRows({
      params: { ...params, tile: 'list' },
      body: { state: everything, limit: 500 },
    });
    expect(page.total).toBe(30);
    const behind = { params: { ...params, tile: 'cities' }, body: { state: everything } };
    expect(await outcome(client.getTileRows(behind))).toBe('not-allowed');
    const frames: Frame[] = [];
    for await (const frame of await client.getBrushIndex({
      params,
      body: { state: everything, active: 'cities' },
    }))
      frames.push(frame);
    const index = frames.find(({ header }) => header.kind === 'index' && header.tile === 'kinds')!;
    expect([...index.cells!.parts[0]!].reduce((sum, value) => sum + value, 0)).toBe(30);
    const image = await client.getImage({ params: { file: 'file_1.svg' } });
    expect(image.headers.get('content-type')).toBe('image/svg+xml');
    expect(await outcome(client.getImage({ params: { file: 'walrus.svg' } }))).toBe('not-found');
  });

  test('cannot compare with what lies beyond a fixed range of time', async () => {
    const state: DashboardState = {
      ...everything,
      filters: { day: { from: '2024-01-01', below: '2025-01-01' } },
      compare: { from: '2023-01-01', below: '2024-01-01' },
    };
    const figures = async (client: Client, of: string) => {
      const found: Record<string, number> = {};
      for await (const { header, cells } of await client.queryTiles({ params: { id: of }, body: { state } }))
        if (header.kind === 'cells') found[header.part] = cells!.parts[0]![0]!;
      return found;
    };
    expect(await figures(team.owner.client, 'years')).toEqual({ main: 80, previous: 40 });
    const { client } = await openedBy(
      { filters: { day: { change: 'no', value: { from: '2024-01-01', below: '2025-01-01' } } } },
      'years',
      team.owner,
    );
    expect(await figures(client, sharedDashboardId)).toEqual({ main: 80 });
  });

  test('downloads pictures only where the link allows it, and no files of data', async () => {
    const download = (client: Client, format: 'svg' | 'csv' | 'html') =>
      outcome(client.postExport({ params, body: { format, tile: 'cities', state: everything } }));
    const [closed, open] = await Promise.all([openedBy(narrow), openedBy({ ...narrow, downloads: true })]);
    expect(await download(closed.client, 'svg')).toBe('not-allowed');
    expect(await download(open.client, 'svg')).toBe('done');
    expect(await download(open.client, 'csv')).toBe('not-allowed');
    expect(await download(open.client, 'html')).toBe('not-allowed');
  });

  test('uses no other endpoint, and reaches no other dashboard', async () => {
    const { token, client } = await openedBy({ ...narrow, downloads: true });
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
    for (const other of [id, 'otter_board', 'teams', 'overview/kestrel_model', `draft:${id}`])
      expect([other, await outcome(client.getDashboard({ params: { id: other } }))]).toEqual([
        other,
        'not-found',
      ]);
  });

  test('of a link to a protected dashboard has the attributes that were chosen', async () => {
    // With attributes of her choice, an editor could see the rows of others.
    const red = { attributes: { team: 'red' } };
    expect(await outcome(create(red, {}, 'teams'))).toBe('not-allowed');
    expect(await outcome(ana.client.previewLink({ params: { id: 'teams' }, body: red }))).toBe('not-allowed');
    expect(await ana.client.listLinks({ params: { id: 'teams' } })).toMatchObject({
      isProtected: true,
      canCreate: false,
    });
    expect(await outcome(create({}, {}, 'teams', team.owner))).toBe('request-invalid');
    const { client } = await openedBy(red, 'teams', team.owner);
    expect(await shown(client, everything)).toEqual({ teams: { red: 2 } });
    // Policies that came after the link leave it nothing.
    const before = await openedBy({});
    expect((await shown(before.client, everything))['cities']).not.toBeUndefined();
    await team.write(
      'models/kestrel_model.yaml',
      `${model}policies: [{ name: own, everyone: true, where: "city = :user.city" }]\n`,
    );
    await expect
      .poll(async () => Object.keys((await shown(before.client, everything))['cities'] ?? {}))
      .toEqual([]);
    await team.write('models/kestrel_model.yaml', model);
    await expect
      .poll(async () => Object.keys((await shown(before.client, everything))['cities'] ?? {}).length)
      .toBe(4);
  });

  test('tries a link before it is made, as its maker alone may', async () => {
    const { token } = await ana.client.previewLink({ params: { id }, body: narrow });
    expect((await shown(guest(token), everything))['cities']).toEqual({ Aachen: 10, Bonn: 10, Graz: 10 });
    expect(await outcome(viewer.client.previewLink({ params: { id }, body: narrow }))).toBe('not-allowed');
  });

  test('sees the other tiles while models are missing or have errors, and not their names', async () => {
    sent.length = 0;
    const { client } = await openedBy({}, 'gone', team.owner);
    const { brokenTiles } = await client.getDashboard({ params });
    expect(Object.keys(brokenTiles).toSorted()).toEqual(['count', 'others']);
    expect(Object.keys(await shown(client, everything))).toEqual(['cities']);
    expect(sent.find(text => /osprey|merlin|kestrel|otter_board/.test(text))).toBeUndefined();
  });

  test('is sent no name of anything else', async () => {
    sent.length = 0;
    const { client } = await openedBy({ ...narrow, downloads: true });
    await client.getDashboard({ params, query: { language: 'de' } });
    await shown(client, everything);
    await shown(client, { ...everything, selections: { kinds: [{ kind: { oneOf: ['web'] } }] } });
    for (const field of ['city', 'country', 'kind'])
      await client.getFieldValues({ params: { ...params, field }, body: { state: everything } });
    await client.getTileRows({
      params: { ...params, tile: 'list' },
      body: { state: everything, limit: 500 },
    });
    for (const active of ['cities', 'kinds'])
      for await (const _ of await client.getBrushIndex({ params, body: { state: everything, active } }));
    await outcome(client.getDashboard({ params: { id: 'teams' } }));
    await outcome(client.getTileRows({ params: { ...params, tile: 'margin' }, body: { state: everything } }));
    await outcome(client.postExport({ params, body: { format: 'svg', tile: 'margin', state: everything } }));
    await client.postExport({ params, body: { format: 'svg', state: everything } });
    expect(sent.length).toBeGreaterThanOrEqual(26);
    for (const [what, canary] of Object.entries(canaries))
      expect([what, sent.find(text => text.includes(canary))?.slice(0, 400)]).toEqual([what, undefined]);
    expect(sent.some(text => text.includes('Aachen'))).toBe(true);
  });
});

test('many guests of a link at once share each result', async () => {
  const { secret } = await create({ filters: { city: { change: 'any' } } });
  const guests = await Promise.all(
    Array.from({ length: 200 }, async () =>
      guest((await team.stranger.openLink({ body: { secret } })).token),
    ),
  );
  const before = team.server.queries.executions;
  const all = await Promise.all(guests.map(client => shown(client, everything)));
  expect(new Set(all.map(one => JSON.stringify(one))).size).toBe(1);
  expect(all[0]!['cities']).toEqual({ Aachen: 30, Bonn: 30, Graz: 30, 'Moorhen City': 30 });
  // Two charts and a table; the number of guests plays no part.
  expect(team.server.queries.executions - before).toBeLessThanOrEqual(12);
});

describe('a link ends', () => {
  const state = ({ client }: { readonly client: Client }) => outcome(client.getDashboard({ params }));

  test('when it is revoked, by its dashboard’s managers or an admin', async () => {
    const [first, second] = [await openedBy({}), await openedBy({})];
    expect(await outcome(viewer.client.revokeLink({ params: { id, link: first.link.id } }))).toBe(
      'not-allowed',
    );
    expect(await outcome(ana.client.revokeLink({ params: { id: 'teams', link: first.link.id } }))).toBe(
      'not-found',
    );
    await ana.client.revokeLink({ params: { id, link: first.link.id } });
    await team.owner.client.revokeAnyLink({ params: { link: second.link.id } });
    expect(await Promise.all([first, second].map(state))).toEqual(['link-ended', 'link-ended']);
    expect(await outcome(team.stranger.openLink({ body: { secret: first.secret } }))).toBe('link-ended');
  });

  test('for requests that race with its revocation: each that begins after it is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { link, secret, client } = await openedBy({ filters: { city: { change: 'any' } } });
      let isRevoked = false;
      const late: string[] = [];
      const ask = async (i: number) => {
        for (let n = 0; n < 8; n++) {
          const beganAfter = isRevoked;
          const city = ['Aachen', 'Bonn', 'Graz'][(i + n) % 3]!;
          const ended = await outcome(
            n % 2 === 0
              ? shown(client, { ...everything, filters: { city: { oneOf: [city] } } })
              : team.stranger.openLink({ body: { secret } }),
          );
          if (beganAfter) late.push(ended);
        }
      };
      const asking = Array.from({ length: 10 }, (_, i) => ask(i));
      await new Promise(resolve => setTimeout(resolve, round * 5));
      await ana.client.revokeLink({ params: { id, link: link.id } });
      isRevoked = true;
      await Promise.all(asking);
      expect([...new Set(late)]).toEqual(['link-ended']);
    }
  });

  test('when its expiry is changed to be sooner, and goes on when it is later', async () => {
    const opened = await openedBy({});
    const change = (client: Client, days: number, dashboard: string = id) =>
      outcome(client.setLinkLife({ params: { id: dashboard, link: opened.link.id }, body: { days } }));
    expect(await change(viewer.client, 1)).toBe('not-allowed');
    expect(await change(ana.client, 1, 'teams')).toBe('not-found');
    expect(await change(ana.client, 366)).toBe('request-invalid');
    expect(await change(ana.client, 365)).toBe('done');
    const { link } = opened;
    await team.owner.client.setAnyLinkLife({ params: { link: link.id }, body: { days: 1 } });
    expect(await state(opened)).toBe('done');
    const { entries } = await team.owner.client.listAudit({ query: { search: 'link.change', limit: 10 } });
    expect(entries.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^expiry: \S+ → \S+$/),
      expect.stringMatching(/^expiry: \S+ → \S+$/),
    ]);
    await ana.client.revokeLink({ params: { id, link: link.id } });
  });

  test('while public links are switched off', async () => {
    const opened = await openedBy({});
    await team.owner.client.switchLinks({ body: { isOn: false } });
    expect(await state(opened)).toBe('link-ended');
    expect(await outcome(team.stranger.openLink({ body: { secret: opened.secret } }))).toBe('link-ended');
    await team.owner.client.switchLinks({ body: { isOn: true } });
    expect(await state(opened)).toBe('done');
  });

  test('when its maker may no longer share the dashboard', async () => {
    const opened = await openedBy({});
    const put = (level: 'view' | 'manage') =>
      team.owner.client.putGrant({
        params: { kind: 'dashboard', object: id },
        body: { subject: { kind: 'user', id: ana.id }, level },
      });
    await put('view');
    expect(await state(opened)).toBe('link-ended');
    await put('manage');
    expect(await state(opened)).toBe('done');
  });

  test('with its dashboard, and follows it where it goes', async () => {
    const opened = await openedBy({});
    await team.owner.client.moveDashboard({ params: { id }, body: { to: 'moved' } });
    await expect.poll(() => state(opened)).toBe('done');
    const { number } = await team.owner.client.removeDashboard({ params: { id: 'moved' } });
    await expect.poll(() => state(opened)).toBe('link-ended');
    await team.owner.client.restoreDocument({ params: { number } });
    await team.owner.client.moveDashboard({ params: { id: 'moved' }, body: { to: id } });
    await expect.poll(() => state(opened)).toBe('done');
  });

  test('not while none of its pages is there: it goes on with the first that is', async () => {
    const opened = await openedBy({ pages: ['Seen'] });
    await team.write(`dashboards/${id}.yaml`, dashboard.replace('title: Seen', 'title: Renamed'));
    await expect.poll(() => state(opened)).toBe('not-found');
    await team.write(`dashboards/${id}.yaml`, dashboard);
    await expect.poll(() => state(opened)).toBe('done');
  });

  test('after as many openings as it allows, however many come at once', async () => {
    const { link, secret } = await create({}, { maxOpens: 5 });
    const ends = await Promise.all(
      Array.from({ length: 20 }, () => outcome(team.stranger.openLink({ body: { secret } }))),
    );
    expect(ends.filter(end => end === 'done').length).toBe(5);
    expect(new Set(ends)).toEqual(new Set(['done', 'link-ended']));
    const { links } = await ana.client.listLinks({ params: { id } });
    expect(links.find(one => one.id === link.id)).toMatchObject({ opens: 5, state: 'used-up' });
  });

  test('a passphrase opens it, and cannot be guessed', async () => {
    const { secret } = await create({}, { passphrase: 'three quiet owls' });
    const open = (passphrase?: string) =>
      outcome(team.stranger.openLink({ body: { secret, ...(passphrase && { passphrase }) } }));
    expect(await open()).toBe('passphrase-needed');
    expect(await open('three loud owls')).toBe('passphrase-wrong');
    expect(await open('three quiet owls')).toBe('done');
    const guesses = [];
    for (let i = 0; i < 11; i++) guesses.push(await open(`guess number ${i}`));
    expect(guesses.at(-1)).toBe('rate-limited');
    expect(await open('three quiet owls')).toBe('rate-limited');
  });

  test('no manipulated token or address is one', async () => {
    const { token, secret } = await openedBy({});
    const random = randomFrom(Number(process.env['BELVEDERE_SEED']));
    const changed = (text: string) => {
      const at = Math.floor(random() * text.length);
      const letter = 'abcXYZ019-_'[Math.floor(random() * 11)]!;
      const ways = [
        text.slice(0, at) + letter + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
        text.slice(0, at) + letter + text.slice(at),
        text.slice(0, at),
        [...text].toReversed().join(''),
        text + letter,
      ];
      return ways[Math.floor(random() * ways.length)]!;
    };
    for (let i = 0; i < 200; i++) {
      const other = changed(token);
      if (other === token) continue;
      const client = createClient(team.server.address, (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization: `Guest ${other}` },
        }),
      );
      expect([other, await outcome(client.getDashboard({ params }))]).toEqual([other, 'link-ended']);
    }
    for (let i = 0; i < 50; i++) {
      const other = changed(secret);
      if (other === secret || other === '') continue;
      expect(await outcome(team.stranger.openLink({ body: { secret: other } }))).toBe('link-ended');
    }
  });
});

test('the page of a link is not indexed, and holds nothing of the signed-in user’s workspace', async () => {
  const { secret } = await create(narrow);
  const response = await fetch(`${team.server.address}/s/${secret}`, {
    headers: { cookie: team.owner.cookie },
  });
  const page = await response.text();
  expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  for (const canary of [canaries.otherDashboard, canaries.mail, 'Olga', 'Sales'])
    expect([canary, page.includes(canary)]).toEqual([canary, false]);
});

test('oEmbed tells the title of a link that anyone may open, opens none, and ends with the link', async () => {
  const described = async (secret: string) => {
    const { protocol, host } = new URL(team.server.address);
    const url = encodeURIComponent(`${protocol}//${host}/s/${secret}`);
    const response = await fetch(`${team.server.address}/api/v1/oembed?url=${url}`);
    return [response.status, await response.json()] as const;
  };
  const answer = { version: '1.0', type: 'link', provider_name: 'Belvedere', cache_age: 300 };
  const open = await create(narrow);
  expect(await described(open.secret)).toEqual([200, { ...answer, title: 'Sales' }]);
  for (const more of [{ passphrase: 'three quiet owls' }, { maxOpens: 1 }]) {
    const { secret } = await create(narrow, more);
    expect(await described(secret)).toEqual([200, answer]);
    expect(await described(secret)).toEqual([200, answer]);
  }
  const { links } = await ana.client.listLinks({ params: { id } });
  expect(links.find(one => one.id === open.link.id)!.opens).toBe(0);
  const [status, missing] = await described('nothing-here');
  expect(status).toBe(410);
  await ana.client.revokeLink({ params: { id, link: open.link.id } });
  const [, ended] = await described(open.secret);
  const plain = (problem: object) => ({ ...problem, requestId: undefined, instance: undefined });
  expect(plain(ended)).toEqual(plain(missing));
  const page = await (await fetch(`${team.server.address}/s/${open.secret}`)).text();
  expect(page).toContain('type="application/json+oembed"');
});
