import { contract, createClient, decodeFrames, type Client, type DashboardState } from '@belvedere/api';
import { whileViewingAs } from '../../apps/server/src/access/rules.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * What a viewer can name in a request, and what responses contain: every route that works while viewing as
 * another user, with fields that the dashboard exposes, fields that it does not, fields that policies hide,
 * and fields that the policies of a joined table hide. Policies of joined tables apply to every response,
 * compared with a second workspace that holds only the viewer's rows of each table (SAFETY P18).
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

const lands = [
  ['n', 'Norway', 71],
  ['a', 'Atlantis', 72],
  ['g', 'Germany', 73],
  ['s', 'Spain', 74],
] as const;
const depots = [
  ['d1', 'n'],
  ['d2', 'a'],
  ['d3', 'g'],
  ['d4', null],
] as const;
const sales = Array.from({ length: 600 }, (_, id) => ({
  id,
  shop: pick(['Corner', 'Market', 'Zanzibar']),
  mood: pick(['calm', 'wild']),
  land: pick(['n', 'a', 'g', 's', 'x', '']),
  depot: pick(['d1', 'd2', 'd3', 'd4', 'd9']),
  before: Math.floor(random() * 650),
  size: Math.floor(random() * 90),
  wages: 100_000 + id,
}));
const isAnas = ({ shop }: (typeof sales)[number]) => shop !== 'Zanzibar';
const isAnasLand = ([, called]: (typeof lands)[number]) => ['Norway', 'Germany'].includes(called);

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const csv = (columns: string, rows: readonly (readonly unknown[])[]) =>
  lines(columns, ...rows.map(row => row.join(',')));
const salesCsv = (some: typeof sales, withWages: boolean) =>
  csv(
    `id,shop,mood,land,depot,before,size${withWages ? ',wages_paid' : ''}`,
    some.map(({ wages, ...row }) => [...Object.values(row), ...(withWages ? [wages] : [])]),
  );
const landsCsv = (some: readonly (typeof lands)[number][], withLeverage: boolean) =>
  csv(
    `code,called${withLeverage ? ',leverage_rate' : ''}`,
    some.map(([code, called, rate]) => [code, called, ...(withLeverage ? [rate] : [])]),
  );
const depotsCsv = csv('name,land', depots);
const joins = `joins:
  land: { table: lands, on: { land: code } }
  depot: { table: depots, on: { depot: name } }
  depot_land: { table: lands, on: { depot.land: code } }
  earlier: { table: sales, on: { before: id } }
`;
const salesModel = (hiddenDimensions: string, hiddenMeasures: string, policies: string) => `version: 1
table: sales
${joins}dimensions: {
  id: {}, shop: {}, mood: {}, size: {},
  country: { column: land.called }, stored_in: { column: depot_land.called }, size_before: { column: earlier.size }${hiddenDimensions} }
measures: { total: { expr: sum(size) }, countries: { expr: count(distinct land.called) }${hiddenMeasures} }
hierarchies: { place: [country, shop] }
${policies}`;
const tiles = `
      figure: { kind: kpi, value: { measure: total }, at: [0, 0, 6, 4] }
      bars: { kind: bar, x: { measure: rows }, y: { field: shop }, at: [6, 0, 6, 4] }
      places: { kind: bar, x: { measure: countries }, y: { field: country }, at: [12, 0, 6, 4] }
      kept: { kind: bar, x: { measure: total }, y: { field: stored_in }, color: { field: shop }, at: [18, 0, 6, 4] }
      sizes: { kind: bar, x: { field: size, bin: { step: 10 } }, y: { measure: rows }, at: [0, 4, 6, 4] }
      cross: { kind: pivot, rows: [{ field: country }], columns: [{ field: stored_in }],
        values: [{ measure: total }, { measure: rows }], at: [6, 4, 6, 4] }
      list: { kind: table, columns: [id, shop, country, stored_in, size_before], sort: { field: id }, at: [0, 8, 12, 6] }
      sums: { kind: table, columns: [country, total], at: [12, 8, 12, 6] }`;
const dashboard = (more: string) =>
  lines(
    'version: 1',
    'title: Sales',
    'model: sales',
    'filters: [{ field: shop }, { field: size }]',
    'pages:',
    '  - title: One',
    `    tiles:${tiles}${more}`,
  );
const forbidden = `
      pay: { kind: kpi, value: { measure: paid }, at: [0, 14, 6, 4] }
      lever: { kind: bar, x: { field: leverage }, y: { measure: rows, scale: {} }, at: [6, 14, 6, 4] }
      broken: { kind: kpi, value: { measure: wagez }, at: [12, 14, 6, 4] }`;

const folders: string[] = [];
let whole: Running;
let own: Running;
let ana: Client;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-doors-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

beforeAll(async () => {
  console.log(`closed doors seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const settings = { 'belvedere.yaml': 'version: 1\ntimezone: UTC\n', 'data/depots.csv': depotsCsv };
  whole = await runBelvedere(
    await folderOf({
      ...settings,
      'data/sales.csv': salesCsv(sales, true),
      'data/lands.csv': landsCsv(lands, true),
      'models/sales.yaml': salesModel(
        ',\n  wages: { column: wages_paid }, leverage: { column: land.leverage_rate }, wages_before: { column: earlier.wages_paid }',
        ', paid: { expr: sum(wages_paid) }',
        'policies: [{ name: own, groups: [clerks], where: "shop in (:user.shops)", hide: [wages, paid] }]\n',
      ),
      // Its name differs from its table's, and it has more fields than the model that joins it uses.
      'models/countries.yaml': lines(
        'version: 1',
        'table: lands',
        'dimensions: { code: {}, called: {}, leverage: { column: leverage_rate } }',
        'policies: [{ name: near, everyone: true, where: "called in (:user.lands)", hide: [leverage] }]',
      ),
      'models/areas.yaml': 'version: 1\ntable: lands\ndimensions: { called: {} }\n',
      'models/written.yaml': 'version: 1\nsql: "select called from lands"\ndimensions: { called: {} }\n',
      'models/faulty.yaml': lines(
        'version: 1',
        'sql: "select shop, cast(wages_paid || shop as integer) as number from sales"',
        'measures: { sum: { expr: sum(number) } }',
        'policies: [{ name: own, everyone: true, where: "shop = \'Corner\'" }]',
      ),
      'models/distant.yaml': 'version: 1\nsource: far\ntable: orders\ndimensions: { id: {} }\n',
      'sources/far.yaml': lines(
        'version: 1',
        'kind: postgres',
        'label: Far away',
        'connection: { host: canary-host.invalid, database: secret_base, user: secret_login, password: "${env:NO_SUCH_VARIABLE}" }',
      ),
      'dashboards/sales.yaml': dashboard(''),
      'dashboards/kept.yaml': dashboard(forbidden).replace(
        'filters: [{ field: shop }',
        'filters: [{ field: wages }, { field: shop }',
      ),
      'dashboards/lands.yaml': lines(
        'version: 1',
        'title: Lands',
        'pages:',
        '  - title: One',
        '    tiles:',
        '      areas: { kind: table, model: areas, columns: [called], at: [0, 0, 6, 4] }',
        '      written: { kind: table, model: written, columns: [called], at: [6, 0, 6, 4] }',
      ),
      'dashboards/faulty.yaml': lines(
        'version: 1',
        'title: Faulty',
        'model: faulty',
        'pages:',
        '  - title: One',
        '    tiles:',
        '      figure: { kind: kpi, value: { measure: sum }, at: [0, 0, 6, 4] }',
      ),
      'dashboards/distant.yaml': lines(
        'version: 1',
        'title: Distant',
        'model: distant',
        'pages:',
        '  - title: One',
        '    tiles:',
        '      list: { kind: table, columns: [id], at: [0, 0, 6, 4] }',
      ),
      'tests/people.yaml': lines(
        'version: 1',
        'people:',
        '  ana: { groups: [clerks], attributes: { shops: [Corner, Market], lands: [Norway, Germany] } }',
        '  balthazar: { groups: [] }',
      ),
    }),
  );
  own = await runBelvedere(
    await folderOf({
      ...settings,
      'data/sales.csv': salesCsv(sales.filter(isAnas), false),
      'data/lands.csv': landsCsv(lands.filter(isAnasLand), false),
      'models/sales.yaml': salesModel('', '', ''),
      'tests/people.yaml': 'version: 1\npeople:\n  ana: { groups: [] }\n',
      'dashboards/sales.yaml': dashboard(''),
    }),
  );
  await allRead(whole);
  await allRead(own);
  ana = createClient(whole.server.address, whole.send, 'ana');
});
afterAll(async () => {
  await whole?.close();
  await own?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const plain: DashboardState = { page: 0, filters: {}, selections: {} };

interface Sent {
  readonly route: keyof typeof contract;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function send(
  running: Running,
  { route, params = {}, query = {}, body }: Sent,
  as?: string,
): Promise<Response> {
  const { method, path: pattern } = contract[route];
  const address = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = new URLSearchParams({ ...query, ...(as !== undefined && { as }) }).toString();
  return running.send(`${running.server.address}${address}${search && `?${search}`}`, {
    method,
    headers: { 'x-belvedere': '1', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/**
 * The whole content of a response: headers and cells of frames, sorted and without durations; problems
 * without the ID of their request.
 */
async function said(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.headers.get('content-type')?.includes('frames'))
    return (
      `${response.status} ${new TextDecoder('latin1').decode(bytes)}`
        .replace(/"instance":"[^"]*"/, '')
        .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?/g, '')
        // A drawing quotes the field that the request names, as wide as its letters.
        .replaceAll(/ textLength="[\d.]+"/g, '')
    );
  const frames = await collect(
    decodeFrames(
      (async function* () {
        yield bytes;
      })(),
    ),
  );
  const told = frames.map(({ header, ...frame }) =>
    JSON.stringify({ ...header, engineMs: 0, ...frame }, (_, value: unknown) =>
      ArrayBuffer.isView(value)
        ? Array.from(value as unknown as ArrayLike<number>, String).toSorted()
        : value,
    ),
  );
  return [response.status, ...told.toSorted()].join('\n');
}

const sales1 = { id: 'sales' };
const condition = { oneOf: ['calm', 7] };
/** Every state in which a field can be named. */
const statesNaming = (field: string): readonly (readonly [string, DashboardState])[] => [
  ['a filter', { ...plain, filters: { [field]: condition } }],
  ['a filter that is cleared', { ...plain, filters: { [field]: null } }],
  ['a range', { ...plain, filters: { [field]: { from: 1, below: 50 } } }],
  ['a search', { ...plain, filters: { [field]: { contains: 'a' } } }],
  ['a selection', { ...plain, selections: { bars: [{ [field]: condition, shop: { oneOf: ['Corner'] } }] } }],
  ['a break-out', { ...plain, tiles: { bars: { color: field } } }],
  ['an opened mark', { ...plain, tiles: { places: { drill: [{ [field]: condition }] } } }],
  ['a table’s order', { ...plain, tiles: { list: { sort: { by: field, descending: true } } } }],
  ['a table’s columns', { ...plain, tiles: { list: { without: [field] } } }],
];
/**
 * For every route that viewers may call, the requests that can name a field. Routes without such a request
 * have an empty list.
 */
const naming: Readonly<
  Partial<Record<keyof typeof contract, (field: string) => readonly (readonly [string, Sent])[]>>
> = {
  getSession: () => [],
  listDashboards: field => [
    ['a search among dashboards', { route: 'listDashboards', query: { search: field } }],
  ],
  findMovedDashboard: field => [
    ['a dashboard of that name', { route: 'findMovedDashboard', params: { id: field } }],
  ],
  getDashboard: () => [],
  getThumbnail: () => [],
  getImage: () => [],
  getMap: () => [],
  getEvents: () => [],
  queryTiles: field =>
    statesNaming(field).map(([what, state]) => [
      what,
      { route: 'queryTiles', params: sales1, body: { state } },
    ]),
  getBrushIndex: field =>
    statesNaming(field).map(([what, state]) => [
      what,
      { route: 'getBrushIndex', params: sales1, body: { state, active: 'bars' } },
    ]),
  getTileRows: field => [
    ...statesNaming(field).map(
      ([what, state]) =>
        [what, { route: 'getTileRows', params: { id: 'sales', tile: 'list' }, body: { state } }] as const,
    ),
    [
      'rows in an order',
      {
        route: 'getTileRows',
        params: { id: 'sales', tile: 'list' },
        body: { state: plain, sort: { by: field } },
      },
    ],
    [
      'rows far down in an order',
      {
        route: 'getTileRows',
        params: { id: 'sales', tile: 'list' },
        body: { state: plain, sort: { by: field }, offset: 20_000 },
      },
    ],
    [
      'rows behind a chart in an order',
      {
        route: 'getTileRows',
        params: { id: 'sales', tile: 'bars' },
        body: { state: plain, sort: { by: field } },
      },
    ],
    [
      'groups in an order',
      {
        route: 'getTileRows',
        params: { id: 'sales', tile: 'sums' },
        body: { state: plain, sort: { by: field } },
      },
    ],
    [
      'rows behind a mark',
      {
        route: 'getTileRows',
        params: { id: 'sales', tile: 'bars' },
        body: { state: plain, mark: { [field]: condition } },
      },
    ],
  ],
  getFieldValues: field => [
    ['a value list', { route: 'getFieldValues', params: { id: 'sales', field }, body: { state: plain } }],
    [
      'a value list that is searched',
      { route: 'getFieldValues', params: { id: 'sales', field }, body: { state: plain, search: 'a' } },
    ],
    ...statesNaming(field).map(
      ([what, state]) =>
        [
          `another field’s values under ${what}`,
          { route: 'getFieldValues', params: { id: 'sales', field: 'country' }, body: { state } },
        ] as const,
    ),
  ],
  getExport: field =>
    statesNaming(field).flatMap(([what, state]) =>
      (['csv', 'svg'] as const).map(
        format =>
          [
            `${format} with ${what}`,
            {
              route: 'getExport',
              params: sales1,
              query: { format, ...(format === 'csv' && { tile: 'list' }), state: JSON.stringify(state) },
            },
          ] as const,
      ),
    ),
  postExport: field =>
    statesNaming(field).map(([what, state]) => [
      `csv with ${what}`,
      { route: 'postExport', params: sales1, body: { format: 'csv', tile: 'bars', state } },
    ]),
  countExportRows: field =>
    statesNaming(field).map(([what, state]) => [
      `a count of rows with ${what}`,
      { route: 'countExportRows', params: sales1, body: { state } },
    ]),
  explainTile: field => [
    ...statesNaming(field).map(
      ([what, state]) =>
        [what, { route: 'explainTile', params: { id: 'sales', tile: 'figure' }, body: { state } }] as const,
    ),
    [
      'a mark',
      {
        route: 'explainTile',
        params: { id: 'sales', tile: 'bars' },
        body: { state: plain, mark: { [field]: condition } },
      },
    ],
  ],
};
const readerRoutes = [...whileViewingAs];
/** A name that nothing has, as long as another and as like to every third. */
const unknownLike = (name: string) => `q${name.slice(1)}`;
const unexposed = {
  'that no tile shows': 'mood',
  'that a policy hides': 'wages',
  'that a joined table’s policy hides': 'leverage',
  'that a policy hides and a join would show': 'wages_before',
  'of the table and of no model': 'wages_paid',
  'that is a hidden measure': 'paid',
};

describe('a field named in a viewer’s request', () => {
  test('is tested on every route that viewers may use', () => {
    expect(Object.keys(naming).toSorted()).toEqual(readerRoutes.toSorted());
  });

  test.each(
    readerRoutes.flatMap(route =>
      Object.entries(unexposed).map(([kind, field]) => [route, kind, field] as const),
    ),
  )('through %s of a field %s gets the response for an unknown field', async (route, _, field) => {
    for (const [what, request] of naming[route]!(field)) {
      const [other] = naming[route]!(unknownLike(field)).filter(([also]) => also === what);
      const [here, nowhere] = [
        await said(await send(whole, request, 'ana')),
        await said(await send(whole, other![1], 'ana')),
      ];
      expect([what, here.replaceAll(field, '@')]).toEqual([
        what,
        nowhere.replaceAll(unknownLike(field), '@'),
      ]);
    }
  });

  test('is accepted if the dashboard exposes it', async () => {
    for (const route of readerRoutes) {
      for (const [what, request] of naming[route]!('shop')) {
        // The columns of a table of measures can be sorted; conditions contain texts.
        if (what === 'groups in an order' || what.endsWith('a range')) continue;
        expect([route, what, (await send(whole, request, 'ana')).status]).toEqual([route, what, 200]);
      }
    }
  });

  test('changes no figure unless the dashboard exposes it', async () => {
    const figure = async (state: DashboardState) =>
      (await collect(await ana.queryTiles({ params: sales1, body: { state, tiles: ['figure'] } }))).flatMap(
        ({ cells }) => (cells ? [Number(cells.parts[0]![0])] : []),
      )[0];
    const all = sales.filter(isAnas).reduce((sum, { size }) => sum + size, 0);
    for (const [, state] of [...statesNaming('mood'), ...statesNaming('wages')].filter(
      ([what]) => what !== 'a selection',
    ))
      expect(await figure(state)).toBe(all);
    expect(await figure({ ...plain, filters: { shop: { oneOf: ['Corner'] } } })).toBe(
      sales.filter(({ shop }) => shop === 'Corner').reduce((sum, { size }) => sum + size, 0),
    );
  });

  test('is among a figure’s rows only if the dashboard shows it', async () => {
    const { columns } = await ana.getTileRows({
      params: { id: 'sales', tile: 'bars' },
      body: { state: plain },
    });
    expect(columns.map(({ name }) => name)).toEqual([
      'id',
      'shop',
      'size',
      'country',
      'stored_in',
      'size_before',
    ]);
    expect(
      (
        await whole.client.getTileRows({ params: { id: 'sales', tile: 'bars' }, body: { state: plain } })
      ).columns.map(({ name }) => name),
    ).toContain('wages');
  });

  test('that a locked filter binds lists only the values it allows', async () => {
    await writeFile(
      path.join(folders[0]!, 'dashboards', 'locked.yaml'),
      dashboard('').replace('{ field: shop }', '{ field: shop, locked: true, default: { oneOf: [Corner] } }'),
    );
    await expect.poll(() => whole.server.store.current.dashboards.has('locked')).toBe(true);
    const values = async (client: Client) =>
      (
        await client.getFieldValues({
          params: { id: 'locked', field: 'shop' },
          body: { state: { ...plain, filters: { shop: null } } },
        })
      ).values.map(({ value }) => value);
    expect([await values(ana), await values(whole.client)]).toEqual([['Corner'], ['Corner']]);
  });
});

describe('drafts and earlier revisions', () => {
  test('are found by editors, and not by viewers', async () => {
    const { text, hash } = await whole.client.getDashboardText({ params: sales1 });
    await whole.client.putDraft({
      params: sales1,
      body: { text: text.replace('title: Sales', 'title: A secret draft'), base: hash, after: 0 },
    });
    for (const id of ['draft:sales', 'revision:1:sales', 'draft:nothing', 'explore:sales:1']) {
      for (const { route, ...rest } of requestsTo(id)) {
        const response = await send(whole, { route, ...rest }, 'ana');
        const answer = await said(response);
        expect([id, route, response.status, answer.replaceAll(id, '@')]).toEqual([
          id,
          route,
          404,
          (
            await said(
              await send(
                whole,
                { route, ...rest, params: { ...rest.params, id: 'q'.repeat(id.length) } },
                'ana',
              ),
            )
          ).replaceAll('q'.repeat(id.length), '@'),
        ]);
      }
    }
    expect((await whole.client.getDashboard({ params: { id: 'draft:sales' }, query: {} })).title).toBe(
      'A secret draft',
    );
  });

  test('appear in no event that viewers receive', async () => {
    const controller = new AbortController();
    const response = await whole.send(
      `${whole.server.address}/api/v1/events?as=ana&window=0123456789abcdef01234567`,
      {
        signal: controller.signal,
      },
    );
    const heard: string[] = [];
    const listening = (async () => {
      for await (const bytes of response.body!) heard.push(new TextDecoder().decode(bytes));
    })().catch(() => {});
    const { text, hash, draft } = await whole.client.getDashboardText({ params: sales1 });
    await whole.client.putDraft({
      params: sales1,
      body: {
        text: text.replace('title: Sales', 'title: Another secret'),
        base: hash,
        after: draft!.version,
      },
    });
    await whole.client.putPresence({
      params: { window: 'fedcba9876543210fedcba98' },
      body: { document: 'sales', isEditing: true },
    });
    await whole.client.addEventNote({ params: sales1, body: { from: '2024-01-01', text: 'Something' } });
    await expect.poll(() => heard.join('')).toContain('"kind":"notes"');
    expect(heard.join('')).not.toMatch(/draft|presence|reading/);
    controller.abort();
    await listening;
  });
});

/** Every request a viewer can make of a dashboard. */
function requestsTo(id: string): readonly Sent[] {
  const state = plain;
  return [
    { route: 'getDashboard', params: { id } },
    { route: 'getThumbnail', params: { id } },
    { route: 'queryTiles', params: { id }, body: { state } },
    { route: 'getBrushIndex', params: { id }, body: { state, active: 'bars' } },
    ...['figure', 'bars', 'list', 'sums', 'pay', 'lever', 'broken', 'areas', 'written'].flatMap(
      (tile): Sent[] => [
        { route: 'getTileRows', params: { id, tile }, body: { state } },
        { route: 'explainTile', params: { id, tile }, body: { state } },
        { route: 'getExport', params: { id }, query: { format: 'csv', tile } },
      ],
    ),
    ...['shop', 'country', 'wages', 'leverage', 'called', 'sum', 'mood'].map((field): Sent => ({
      route: 'getFieldValues',
      params: { id, field },
      body: { state },
    })),
    { route: 'getExport', params: { id }, query: { format: 'svg' } },
    { route: 'getExport', params: { id }, query: { format: 'html' } },
    { route: 'postExport', params: { id }, body: { format: 'csv', state } },
  ];
}

describe('responses to a viewer', () => {
  /**
   * Names of hidden columns and fields, values of others, parts of statements, origins of data, and names of
   * other users.
   */
  const canaries = [
    /wages|wagez|leverage|paid/i,
    /mood|wild/,
    /Zanzibar|Atlantis|Spain/,
    /\bselect\b[^<]*\bfrom\b|cast\(|convert/i,
    /canary-host|secret_base|secret_login|NO_SUCH_VARIABLE|Far away/,
    /balthazar/,
  ];
  /** An answer with everything in it that is packed. */
  const unpacked = (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    const data = /<script type="application\/json" id="belvedere-data">(.*?)<\/script>/s.exec(text)?.[1];
    if (data === undefined) return text;
    const { pages, indexes, ...rest } = JSON.parse(data) as {
      pages: string[];
      indexes: Record<string, string>;
    };
    return [
      JSON.stringify(rest),
      ...[...pages, ...Object.values(indexes)].map(packed =>
        Buffer.from(packed, 'base64').toString('latin1'),
      ),
    ].join('\n');
  };

  test.each(['sales', 'kept', 'lands', 'faulty', 'distant', 'draft:sales', 'revision:1:sales', 'nothing'])(
    'contain nothing hidden, of the dashboard %s',
    async id => {
      const found: string[] = [];
      for (const request of requestsTo(id)) {
        const response = await send(whole, request, 'ana');
        // A problem names the requested name and nothing else of the model.
        const asked = request.params?.['field'] ?? request.params?.['tile'] ?? '';
        const text = unpacked(Buffer.from(await response.arrayBuffer())).replaceAll(
          asked === '' ? '\0' : `\`${asked}\``,
          '',
        );
        for (const canary of canaries) {
          const [match] = canary.exec(text) ?? [];
          if (match !== undefined)
            found.push(
              `${request.route} ${JSON.stringify(request.params)} ${response.status}: ${match.slice(0, 100)}`,
            );
        }
      }
      expect(found).toEqual([]);
    },
  );

  test('contain the hidden values for the owner, which proves that the test would find them', async () => {
    const texts = await Promise.all(
      ['sales', 'kept', 'lands', 'faulty']
        .flatMap(requestsTo)
        .map(async request => unpacked(Buffer.from(await (await send(whole, request)).arrayBuffer()))),
    );
    for (const canary of canaries.slice(0, 4))
      expect([canary, texts.some(text => canary.test(text))]).toEqual([canary, true]);
  });

  test('contain nothing hidden on routes without a dashboard', async () => {
    for (const request of [
      { route: 'getSession' },
      { route: 'listDashboards' },
      { route: 'getImage', params: { file: 'no.png' } },
      { route: 'getMap', params: { file: 'no.json' } },
    ] satisfies Sent[]) {
      const text = await said(await send(whole, request, 'ana'));
      for (const canary of canaries)
        expect([request.route, canary, canary.exec(text)?.[0]]).toEqual([request.route, canary, undefined]);
    }
  });

  test('report a tile with hidden contents as forbidden', async () => {
    const frames = await collect(
      await ana.queryTiles({
        params: { id: 'kept' },
        body: { state: plain, tiles: ['pay', 'lever', 'broken'] },
      }),
    );
    const problems = frames.flatMap(({ header }) =>
      header.kind === 'problem' ? [[header.tile, header.problem.type] as const] : [],
    );
    expect(problems.toSorted()).toEqual([
      ['lever', 'not-allowed'],
      ['pay', 'not-allowed'],
    ]);
  });

  test('explain a figure in words, and to the owner with its query', async () => {
    const explain = (client: Client) =>
      client.explainTile({ params: { id: 'sales', tile: 'figure' }, body: { state: plain } });
    const seen = await explain(ana);
    expect([seen.sql, seen.source, seen.joins, seen.measure?.expression]).toEqual([
      undefined,
      undefined,
      [],
      undefined,
    ]);
    expect(seen.policies).toEqual([
      { name: 'own', text: 'shop in (:user.shops)', isFit: true },
      { name: 'near', text: '', isFit: true },
    ]);
    expect((await explain(whole.client)).sql).toContain('select');
  });
});

describe('joined tables are equivalent to tables without the hidden rows', () => {
  const states: readonly DashboardState[] = [
    plain,
    { ...plain, filters: { shop: { noneOf: ['Market'] } } },
    {
      ...plain,
      selections: {
        places: [{ country: { oneOf: ['Norway', null] } }],
        kept: [{ stored_in: { oneOf: [null] } }],
      },
    },
  ];
  // Only models without row policies name rows by values that are unique.
  const withoutKey = (text: string) => text.replaceAll(/,"key":\[[^\]]*\]/g, '');
  const both = async (request: Sent) =>
    expect(withoutKey(await said(await send(whole, request, 'ana')))).toEqual(
      withoutKey(await said(await send(own, request, 'ana'))),
    );

  test.each(states.map((state, i) => [i, state] as const))(
    'results, indexes and rows in state %i',
    async (_, state) => {
      await both({ route: 'queryTiles', params: sales1, body: { state } });
      for (const active of ['bars', 'places', 'kept', 'sizes'])
        await both({
          route: 'getBrushIndex',
          params: sales1,
          body: { state: { ...state, selections: {} }, active },
        });
      for (const tile of ['list', 'sums', 'places'])
        await both({ route: 'getTileRows', params: { id: 'sales', tile }, body: { state, limit: 500 } });
      await both({
        route: 'getTileRows',
        params: { id: 'sales', tile: 'places' },
        body: { state, mark: { country: { oneOf: [null] } } },
      });
      for (const field of ['country', 'stored_in', 'size_before', 'shop'])
        await both({ route: 'getFieldValues', params: { id: 'sales', field }, body: { state } });
      for (const [format, tile] of [
        ['csv', 'list'],
        ['csv', 'cross'],
        ['svg', ''],
        ['parquet', 'list'],
      ] as const)
        await both({ route: 'postExport', params: sales1, body: { format, state, ...(tile && { tile }) } });
    },
  );

  test('thumbnails', () => both({ route: 'getThumbnail', params: sales1 }));

  test('results of the column store, once it is built', async () => {
    const { encoded } = whole.server.engine;
    await encoded.settled();
    for (const state of states)
      await both({
        route: 'queryTiles',
        params: sales1,
        body: { state: { ...state, filters: { ...state.filters, size: { from: 5 } } } },
      });
  });

  test('a model of the table without policies shows the rows that others admit, and SQL on the table shows none', async () => {
    const called = async (client: Client, tile: string) =>
      (await client.getTileRows({ params: { id: 'lands', tile }, body: { state: plain } })).rows
        .map(([name]) => name)
        .toSorted();
    expect([await called(ana, 'areas'), await called(ana, 'written')]).toEqual([['Germany', 'Norway'], []]);
    expect([await called(whole.client, 'areas'), await called(whole.client, 'written')]).toEqual([
      lands.map(([, name]) => name).toSorted(),
      lands.map(([, name]) => name).toSorted(),
    ]);
  });

  test('a model with policies that cannot be read hides the tables it names from every viewer', async () => {
    const file = path.join(folders[0]!, 'models', 'countries.yaml');
    await writeFile(
      file,
      'version: 1\ntable: lands\npolicies: [{ name: near, everyone: true, where: "true"\n',
    );
    await expect.poll(() => whole.server.store.current.models.has('countries')).toBe(false);
    const { rows } = await ana.getTileRows({
      params: { id: 'sales', tile: 'list' },
      body: { state: plain, limit: 500 },
    });
    expect([
      rows.length > 0,
      rows.every(([, , country, storedIn]) => country === null && storedIn === null),
    ]).toEqual([true, true]);
  });
});
