import { createClient, sharedDashboardId, type Client, type DashboardState } from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';
import { claimsOf, signed, type SigningKey } from './embed-tokens.ts';

/** Requests of a hostile viewer with a token for one dashboard, sent to the server as they are. */

const dashboard = `version: 1
title: Orders
model: orders
filters:
  - { field: city, control: select }
  - { field: kind, control: select }
pages:
  - title: Seen
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }
      kinds: { kind: bar, x: { field: kind }, y: { measure: rows }, at: [12, 0, 12, 8] }
      choice: { kind: control, field: city, control: select, at: [0, 8, 6, 2] }
      list: { kind: table, columns: [city], at: [6, 8, 12, 8] }
  - title: Heron page
    tiles:
      notes: { kind: table, columns: [note], at: [0, 0, 12, 8] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': `city,country,kind,note\n${Array.from({ length: 120 }, (_, i) => {
    const [city, country] = [
      ['Aachen', 'DE'],
      ['Bonn', 'DE'],
      ['Graz', 'AT'],
      ['Moorhen', 'XX'],
    ][i % 4]!;
    return `${city},${country},${['web', 'shop', 'phone'][i % 3]},canary${i}`;
  }).join('\n')}\n`,
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { city: {}, country: {}, kind: {}, note: {} }\n' +
    'measures: { rows: { expr: count(*) } }\n',
  'models/lines.yaml':
    'version: 1\ntable: lines\ndimensions: { line: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'dashboards/orders.yaml': dashboard,
  'dashboards/other.yaml': dashboard.replace('title: Orders', 'title: Otters'),
  'dashboards/lines.yaml': `version: 1
title: Lines
model: lines
pages:
  - title: One
    tiles:
      lines: { kind: table, columns: [line, rows], at: [0, 0, 12, 8] }
      total: { kind: kpi, value: { measure: rows }, at: [12, 0, 12, 8] }
`,
};
const site = 'https://app.example.com';
const plain: DashboardState = { page: 0, filters: {}, selections: {} };
/** It shows the 40 rows from Germany that are not by phone. */
const claims = {
  pages: ['Seen'],
  downloads: true,
  locked: { country: { oneOf: ['DE'] } },
  limited: { kind: { oneOf: ['web', 'shop'] } },
  free: ['city'],
};
/** Texts that no response may have: of rows, fields and pages outside the token. */
const hidden = /canary\d|Moorhen|Graz|phone|Heron|Otters/;

let team: RunningTeam;
let admin: Member;
let key: SigningKey;
let token: string;
let draftsBefore: string;
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  admin = await team.join('Ada', 'admin');
  await team.owner.client.switchEmbedding({ body: { isOn: true } });
  key = await admin.client.createEmbedKey({ body: { name: 'Site', origins: [site] } });
  const own = await admin.client.getDashboardText({ params: { id: 'orders' } });
  await admin.client.putDraft({
    params: { id: 'orders' },
    body: { text: own.text.replace('title: Orders', 'title: Otters'), base: own.hash, after: 0 },
  });
  draftsBefore = JSON.stringify((await admin.client.getDashboardText({ params: { id: 'orders' } })).draft);
  token = await open('orders', claims);
});
afterAll(() => team?.close());

const open = async (id: string, more: Readonly<Record<string, unknown>>, tile?: string) =>
  (
    await team.stranger.openEmbed({
      body: {
        token: signed(key, claimsOf(id, more)),
        origin: site,
        dashboard: id,
        ...(tile !== undefined && { tile }),
      },
    })
  ).token;

/** Sends a request with the guest's access, whatever the client of the pages would send. */
async function send(path: string, body?: unknown, access = token) {
  const response = await fetch(`${team.server.address}/api/v1/dashboards/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Guest ${access}`, 'x-belvedere': '1', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
const own = (path: string) => `${sharedDashboardId}/${path}`;

const guest = (access: string): Client =>
  createClient(team.server.address, (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), authorization: `Guest ${access}` },
    }),
  );
/** A description, the address, and the body of a `POST`. */
type Attempt = [what: string, path: string, body?: unknown];

/** The number of rows that each city has in the chart of cities. */
async function citiesUnder(state: DashboardState) {
  const found: Record<string, number> = {};
  const frames = await guest(token).queryTiles({
    params: { id: sharedDashboardId },
    body: { state, tiles: ['cities'] },
  });
  for await (const { header, cells } of frames) {
    const [axis] = header.kind === 'cells' ? header.axes : [];
    if (axis?.kind !== 'categories' || !cells) continue;
    for (const [i, group] of cells.groups.entries())
      if (cells.parts[0]![i]! > 0) found[String(axis.values[group])] = cells.parts[0]![i]!;
  }
  return found;
}
const allowed = { Aachen: 20, Bonn: 20 };

describe('a guest with a token for some rows of one page', () => {
  test('sees these rows', async () => {
    expect(await citiesUnder(plain)).toEqual(allowed);
  });

  const conditions = (field: string) => ({ [field]: { oneOf: ['canary0', 'XX', 'AT'] } });
  /** Names a field that the dashboard does not show, or a tile that the token does not show. */
  const states: Readonly<Record<string, DashboardState>> = {
    'a filter on a field that no tile shows': { ...plain, filters: conditions('note') },
    'a filter on the locked field': { ...plain, filters: conditions('country') },
    'no filters at all': { ...plain, filters: { country: null, kind: null, city: null } },
    'a filter on no field': { ...plain, filters: conditions('nothing') },
    'a selection on a field that no tile shows': {
      ...plain,
      selections: { kinds: [conditions('note')] },
    },
    'a selection on the locked field': { ...plain, selections: { kinds: [conditions('country')] } },
    'a selection in a tile of another page': { ...plain, selections: { notes: [conditions('note')] } },
    'a selection in the tile of a choice': { ...plain, selections: { choice: [conditions('note')] } },
    'another page': { ...plain, page: 1 },
    'a tile broken down by a field that no tile shows': {
      ...plain,
      tiles: { kinds: { drill: [conditions('note')] } },
    },
  };

  test.each(Object.entries(states))('sees the same rows with %s', async (_, state) => {
    const cities = await citiesUnder(state);
    // A condition that does not apply selects nothing; it never shows which rows have such a value.
    expect([allowed, {}]).toContainEqual(cities);
  });

  const ways = Object.entries(states).flatMap(([what, state]) => [
    [`tiles with ${what}`, own('query'), { state }],
    [`rows with ${what}`, own('tiles/list/rows'), { state, limit: 500 }],
    [`a picture with ${what}`, own('export'), { format: 'svg', state }],
    [`values with ${what}`, own('fields/city/values'), { state }],
    [
      `a brush index with ${what}`,
      own('brush-index'),
      { state: { ...state, selections: {} }, active: 'kinds' },
    ],
  ]) as Attempt[];
  const others: readonly Attempt[] = [
    ['values of a field that no tile shows', own('fields/note/values'), { state: plain }],
    ['values of it that contain a text', own('fields/note/values'), { state: plain, search: 'canary' }],
    ['values of the locked field', own('fields/country/values'), { state: plain }],
    ['values of the choice beyond the token', own('fields/kind/values'), { state: plain, search: 'ph' }],
    ['values of no field', own('fields/constructor/values'), { state: plain }],
    ['rows of a tile of another page', own('tiles/notes/rows'), { state: plain }],
    [
      'rows of a tile of another page, by its number',
      own('tiles/notes/rows'),
      { state: { ...plain, page: 1 } },
    ],
    ['rows of the choice', own('tiles/choice/rows'), { state: plain }],
    ['rows of a mark of a hidden field', own('tiles/kinds/rows'), { state: plain, mark: conditions('note') }],
    [
      'rows by a hidden field',
      own('tiles/list/rows'),
      { state: plain, sort: { by: 'note', order: 'ascending' } },
    ],
    ['an index along a tile of another page', own('brush-index'), { state: plain, active: 'notes' }],
    ['tiles of another page', own('query'), { state: plain, tiles: ['notes'] }],
    ['a file of data', own('export'), { format: 'csv', tile: 'list', state: plain }],
    ['a workbook', own('export'), { format: 'xlsx', tile: 'list', state: plain }],
    ['an offline page', own('export'), { format: 'html', state: plain }],
    ['a picture of a tile of another page', own('export'), { format: 'svg', tile: 'notes', state: plain }],
    ['the dashboard as an admin', own('').replace(/\/$/, '?as=Ada')],
    ['the dashboard as another user', own('').replace(/\/$/, '?as=olga@example.org')],
    ['tiles as an admin', own('query?as=Ada'), { state: plain }],
    ['the dashboard by its name', 'orders'],
    ['its tiles by its name', 'orders/query', { state: plain }],
    ['its draft', 'draft:orders'],
    ['tiles of its draft', 'draft:orders/query', { state: plain }],
    ['a draft of the shared name', `draft:${sharedDashboardId}`],
    ['tiles of such a draft', `draft:${sharedDashboardId}/query`, { state: plain }],
    ['its first revision', 'revision:1:orders/query', { state: plain }],
    ['a revision of the shared name', `revision:1:${sharedDashboardId}/query`, { state: plain }],
    ['another dashboard', 'other/query', { state: plain }],
    ['an overview', 'overview%2Forders/query', { state: plain }],
    ['the text of the dashboard', own('text')],
    ['an explanation', own('tiles/cities/explain'), { state: plain }],
  ];
  test.each([...ways, ...others])('is sent nothing else when asking for %s', async (_, path, body) => {
    const { status, text } = await send(path, body);
    expect([status < 500, text.match(hidden)?.[0]]).toEqual([true, undefined]);
  });

  test.each(others.filter(([, path]) => !path.startsWith(sharedDashboardId)))(
    'is refused %s',
    async (_, path, body) => {
      expect([403, 404]).toContain((await send(path, body)).status);
    },
  );

  test('has the rows of several values where a choice offers one, and none beyond the token', async () => {
    const several = (...cities: string[]) => citiesUnder({ ...plain, filters: { city: { oneOf: cities } } });
    expect(await several('Aachen', 'Graz')).toEqual({ Aachen: 20 });
    expect(await several('Graz', 'Moorhen')).toEqual({});
    const state = {
      ...plain,
      filters: { city: { oneOf: ['Bonn', 'Moorhen'] }, kind: { oneOf: ['phone', 'web'] } },
    };
    const { total } = await guest(token).getTileRows({
      params: { id: sharedDashboardId, tile: 'list' },
      body: { state, limit: 500 },
    });
    expect(total).toBe(10);
    const { values } = await guest(token).getFieldValues({
      params: { id: sharedDashboardId, field: 'kind' },
      body: { state },
    });
    expect(values.map(({ value }) => value).toSorted()).toEqual(['shop', 'web']);
  });

  test('of one tile reaches no other tile of its page', async () => {
    const access = await open('orders', { ...claims, tile: 'kinds' }, 'kinds');
    for (const [path, body] of [
      [own('tiles/list/rows'), { state: plain }],
      [own('tiles/cities/rows'), { state: plain }],
      [own('query'), { state: plain, tiles: ['cities', 'list'] }],
      [own('brush-index'), { state: plain, active: 'cities' }],
      [own('export'), { format: 'svg', tile: 'cities', state: plain }],
    ] as const) {
      const { status, text } = await send(path, body, access);
      expect([path, status < 500, /Aachen|Bonn/.test(text)]).toEqual([path, true, false]);
    }
  });

  test('has changed nothing', async () => {
    const { draft } = await admin.client.getDashboardText({ params: { id: 'orders' } });
    expect(JSON.stringify(draft)).toBe(draftsBefore);
  });
});

test('a guest downloads nothing of the first files of a table, and sees them marked', async () => {
  for (let i = 0; i < 600; i++)
    await team.write(`data/lines_${String(i).padStart(4, '0')}.csv`, `line\nline ${i}\n`);
  await vi.waitUntil(() => team.server.store.current.tables.get('lines')?.part, {
    timeout: 60_000,
    interval: 5,
  });
  const access = await open('lines', { downloads: true });
  const requests = [
    ...['svg', 'png', 'csv', 'xlsx', 'html', 'pdf'].map(
      format => [own('export'), { format, tile: 'lines', state: plain }] as const,
    ),
    [own('export'), { format: 'svg', state: plain }] as const,
  ];
  const answers = await Promise.all(requests.map(([path, body]) => send(path, body, access)));
  const picture = await fetch(`${team.server.address}/embed/lines/tiles/total.svg`, {
    headers: { authorization: `Bearer ${signed(key, claimsOf('lines', { downloads: true }))}` },
  });
  const { text } = await send(own('query'), { state: plain }, access);
  // All of this was seen before the import ended.
  expect(team.server.store.current.tables.get('lines')?.part).toMatchObject({ count: 20 });
  expect(text).toContain('"part-of-table"');
  expect(answers.map(({ status }) => status).filter(status => status < 400)).toEqual([]);
  expect([picture.status >= 400, (await picture.text()).includes('20')]).toEqual([true, false]);
});
