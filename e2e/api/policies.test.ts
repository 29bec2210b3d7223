import { createClient, decodeFrames, type Client, type DashboardState, type Frame } from '@belvedere/api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { randomFrom } from '../random/random-from.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * Row policies (SAFETY P18): every response to a user over all rows equals the response over a folder that
 * holds only their rows. Two folders: one with policies, viewed as ana; one with only ana's rows.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const rows = Array.from({ length: 3000 }, (_, i) => ({
  id: i,
  carrier: i < 40 ? 'AA' : pick(['AA', 'aa', 'AA ', 'ÁA', 'UA', 'DL', '']),
  region: pick(['north', 'south', 'east', 'west']),
  delay: i < 2 ? i * 10 : Math.floor(random() * 400) - 60,
  amount: (Math.floor(random() * 100_000) / 100).toFixed(2),
  placed: new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 200))).toISOString().slice(0, 10),
  salary: Math.floor(random() * 9000),
}));
const isAnas = (row: (typeof rows)[number]) =>
  (row.carrier === 'AA' && ['north', 'east'].includes(row.region)) || row.delay > 300;

const csv = (some: readonly (typeof rows)[number][]) =>
  `id,carrier,region,delay,amount,placed,salary\n${some.map(row => `${row.id},"${row.carrier}",${row.region},${row.delay},${row.amount},${row.placed},${row.salary}`).join('\n')}\n`;
const model = (more: string, salary: string) => `version: 1
label: Orders
table: orders
time: placed
dimensions: { id: { column: id }, carrier: {}, region: {}, delay: {}, amount: {}, placed: {}${salary && ', salary: {}'} }
measures: { money: { expr: sum(amount) }, mean: { expr: avg(delay) }, middle: { expr: median(delay) }, carriers: { expr: count(distinct carrier) }${salary && ', pay: { expr: sum(salary) }'} }
hierarchies: { place: [region, carrier] }
${more}`;
const policies = `policies:
  - { name: own carrier, groups: [airlines], where: "carrier = :user.carrier and region in (:user.regions)", hide: [salary, pay] }
  - { name: very late, everyone: true, where: "delay > 300" }
`;
const dashboard = `version: 1
title: Orders
model: orders
filters: [{ field: placed, control: dateRange, default: { last: 5 months } }, { field: region }]
pages:
  - title: One
    tiles:
      figure: { kind: kpi, value: { measure: money }, compare: previous period, spark: { field: placed, timeUnit: week }, at: [0, 0, 6, 4] }
      bars: { kind: bar, x: { measure: rows }, y: { field: carrier, sort: { measure: rows, order: descending } }, at: [6, 0, 6, 4] }
      delays: { kind: bar, x: { field: delay, bin: { maxbins: 20 } }, y: { measure: rows }, at: [12, 0, 6, 4] }
      course: { kind: line, x: { field: placed, timeUnit: day }, y: { measure: mean }, color: { field: region }, at: [18, 0, 6, 4] }
      heat: { kind: heatmap, x: { field: delay, bin: { step: 50 } }, y: { field: region }, color: { measure: money }, at: [0, 4, 8, 4] }
      dots: { kind: scatter, x: { field: delay }, y: { field: amount }, at: [8, 4, 8, 4] }
      cross: { kind: pivot, rows: [{ field: region }, { field: carrier }], columns: [{ field: placed, timeUnit: quarter }], values: [{ measure: middle }, { measure: carriers }], at: [16, 4, 8, 4] }
      list: { kind: table, columns: [id, carrier, amount], sort: { field: amount, order: descending }, at: [0, 8, 12, 6] }
      sums: { kind: table, columns: [region, money, mean], sparklines: [money], at: [12, 8, 12, 6] }
`;
/**
 * A model that no engine can query: its error message holds a value of another user's row, and the statement.
 */
const faulty = {
  'models/faulty.yaml':
    'version: 1\nsql: "select carrier, cast(region as integer) as number from orders"\nmeasures: { sum: { expr: sum(number) } }\npolicies: [{ name: own, everyone: true, where: "carrier = \'AA\'" }]\n',
  'dashboards/faulty.yaml':
    'version: 1\ntitle: Faulty\nmodel: faulty\npages:\n  - title: One\n    tiles:\n      figure: { kind: kpi, value: { measure: sum }, at: [0, 0, 6, 4] }\n',
};
/** Many people, two and two of the same rights. */
const crowd = ['AA', 'aa', 'AA ', 'ÁA', 'UA', 'DL'].flatMap(carrier =>
  [['north'], ['south', 'east'], ['west']].flatMap(regions =>
    [1, 2].map(n => ({
      name: `${carrier.trim()}${carrier.endsWith(' ') ? '_' : ''}-${regions.join('-')}-${n}`,
      carrier,
      regions,
    })),
  ),
);
const tests = `version: 1
people:
  ana: { groups: [airlines], attributes: { carrier: AA, regions: [north, east] } }
  ben: { groups: [airlines] }
  cam: { groups: [] }
${crowd.map(({ name, carrier, regions }) => `  ${JSON.stringify(name)}: { groups: [airlines], attributes: ${JSON.stringify({ carrier, regions })} }`).join('\n')}
`;

let folders: string[];
let whole: Running;
let own: Running;
let ana: Client;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-policies-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

beforeAll(async () => {
  console.log(`policies seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const common = {
    'belvedere.yaml': 'version: 1\ntimezone: Europe/Berlin\n',
    'dashboards/orders.yaml': dashboard,
  };
  folders = [
    await folderOf({
      ...common,
      'data/orders.csv': csv(rows),
      'models/orders.yaml': model(policies, 'salary'),
      'tests/airlines.yaml': tests,
      ...faulty,
    }),
    await folderOf({
      ...common,
      'data/orders.csv': csv(rows.filter(isAnas)),
      'models/orders.yaml': model('', ''),
    }),
  ];
  whole = await runBelvedere(folders[0]!);
  own = await runBelvedere(folders[1]!);
  await allRead(whole);
  await allRead(own);
  // Until the columns of the model in SQL are known, its policies admit no user to the tables that it reads.
  await vi.waitUntil(() => whole.server.store.current.unappliedPolicies.length === 0, 60_000);
  expect(
    [whole, own].flatMap(({ server }) => [
      ...server.store.current.problems,
      ...[...server.store.current.dashboards.values()].flatMap(({ problems }) => problems),
    ]),
  ).toEqual([]);
  ana = createClient(whole.server.address, whole.send, 'ana');
});
afterAll(async () => {
  await whole?.close();
  await own?.close();
  for (const folder of folders ?? []) await rm(folder, { recursive: true, force: true });
});

const orders = { id: 'orders' };
const states: readonly DashboardState[] = [
  { page: 0, filters: {}, selections: {} },
  { page: 0, filters: { placed: null }, selections: {} },
  {
    page: 0,
    filters: { placed: null, region: { noneOf: ['north'] } },
    selections: { delays: [{ delay: { from: 0, below: 150 } }], bars: [{ carrier: { oneOf: ['AA'] } }] },
  },
];
/** Tiles come in the order in which they are ready, and the cells of one in any. */
const byTile = (frames: readonly Frame[]) =>
  frames
    .map(({ header, cells, ...frame }) => {
      const { engineMs: _, ...said } = { engineMs: 0, ...header };
      const each =
        cells &&
        Array.from(cells.groups, (group, i) => [group, ...cells.parts.map(part => part[i])]).toSorted(
          ([a], [b]) => a! - b!,
        );
      return JSON.stringify({ said, each, ...frame }, (__, value: unknown) =>
        ArrayBuffer.isView(value)
          ? Array.from(value as unknown as ArrayLike<number | bigint>, String)
          : typeof value === 'bigint'
            ? String(value)
            : value,
      );
    })
    .toSorted();
const isSame = (seen: readonly string[], alone: readonly string[]) =>
  expect(seen.filter(frame => !alone.includes(frame)).map(frame => frame.slice(0, 400))).toEqual(
    alone.filter(frame => !seen.includes(frame)).map(frame => frame.slice(0, 400)),
  );

describe('a viewer sees only her rows', () => {
  test.each(states.map((state, i) => [i, state] as const))(
    'in results and indexes of every tile, state %i',
    async (_, state) => {
      const ask = async (client: Client) =>
        byTile(await collect(await client.queryTiles({ params: orders, body: { state } })));
      const [seen, alone] = [await ask(ana), await ask(own.client)];
      expect(seen.filter(frame => frame.includes('"problem"'))).toEqual([]);
      isSame(seen, alone);
      for (const active of ['delays', 'bars', 'course']) {
        const index = async (client: Client) =>
          byTile(
            await collect(
              await client.getBrushIndex({
                params: orders,
                body: { state: { ...state, selections: {} }, active },
              }),
            ),
          );
        isSame(await index(ana), await index(own.client));
      }
    },
  );

  test('in the document, the list of fields, and a filter’s values', async () => {
    const opened = async (client: Client) =>
      (({ revision: _, updated: __, level: ___, ...rest }) => rest)(
        await client.getDashboard({ params: orders, query: {} }),
      );
    expect(await opened(ana)).toEqual(await opened(own.client));
    for (const field of ['region', 'carrier', 'placed']) {
      const values = (client: Client) =>
        client.getFieldValues({ params: { id: 'orders', field }, body: { state: states[0]!, limit: 50 } });
      expect(await values(ana)).toEqual(await values(own.client));
    }
  });

  test('in rows of tables and behind marks, page by page', async () => {
    for (const [tile, mark] of [
      ['list', undefined],
      ['sums', undefined],
      ['bars', { carrier: { oneOf: ['AA'] } }],
      ['delays', { delay: { from: 300, below: 350 } }],
    ] as [string, Record<string, { oneOf: string[] } | { from: number; below: number }> | undefined][]) {
      const page = async (client: Client, offset: number) => {
        const found = await client.getTileRows({
          params: { id: 'orders', tile },
          body: { state: states[1]!, ...(mark && { mark }), offset, limit: 40 },
        });
        // Only models without row policies name rows by values that are unique.
        return { ...found, key: undefined };
      };
      expect(await page(ana, 0)).toEqual(await page(own.client, 0));
      expect(await page(ana, 40)).toEqual(await page(own.client, 40));
    }
  });

  test('in the explanation of a figure, with the policies that applied', async () => {
    const explain = (client: Client) =>
      client.explainTile({ params: { id: 'orders', tile: 'figure' }, body: { state: states[0]! } });
    const { policies: bound, readAt: _, ...seen } = await explain(ana);
    const { sql, source, readAt: ___, policies: none, ...alone } = await explain(own.client);
    // Editors of dashboards may see the query and its fields.
    const inWords = <T extends { readonly expression?: string | undefined }>({
      expression: __,
      ...field
    }: T) => field;
    expect(seen).toEqual({
      ...alone,
      measure: inWords(alone.measure!),
      dimensions: alone.dimensions.map(inWords),
    });
    expect([typeof sql, typeof source]).toEqual(['string', 'string']);
    expect(bound).toEqual([
      { name: 'own carrier', text: 'carrier = :user.carrier and region in (:user.regions)', isFit: true },
      { name: 'very late', text: 'delay > 300', isFit: true },
    ]);
    expect(none).toBeUndefined();
    expect(await explain(whole.client)).toMatchObject({ rowsInTable: rows.length, isUnbound: true });
    expect(alone).not.toHaveProperty('isUnbound');
  });

  const take = async (
    client: Client,
    query: { readonly format: 'csv' | 'svg' | 'html' | 'parquet'; readonly tile?: string },
  ) => Buffer.from(await (await client.getExport({ params: orders, query })).arrayBuffer());

  test.each([
    { format: 'csv', tile: 'list' },
    { format: 'parquet', tile: 'list' },
    { format: 'csv', tile: 'sums' },
    { format: 'svg' },
  ] as const)('in exports: %o', async query => {
    const plain = async (client: Client) =>
      (await take(client, query)).toString('latin1').replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?/g, '');
    const seen = await plain(ana);
    expect(seen === (await plain(own.client))).toBe(true);
    expect(seen === (await plain(whole.client))).toBe(false);
  });

  test('in an offline page', async () => {
    const inside = async (client: Client) => {
      const text = (await take(client, { format: 'html' })).toString();
      const { pages, indexes, dashboard } = JSON.parse(
        /<script type="application\/json" id="belvedere-data">(.*?)<\/script>/s.exec(text)![1]!,
      ) as { pages: string[]; indexes: Record<string, string>; dashboard: { models: unknown } };
      expect(/salary|pay/.test(JSON.stringify(dashboard.models))).toBe(client === whole.client);
      const framesOf = async (base64: string) =>
        byTile(
          await collect(
            decodeFrames(
              (async function* () {
                yield Uint8Array.from(Buffer.from(base64, 'base64'));
              })(),
            ),
          ),
        );
      return (await Promise.all([...pages, ...Object.values(indexes)].map(framesOf))).flat();
    };
    isSame(await inside(ana), await inside(own.client));
    await inside(whole.client);
  });

  test('in the thumbnail on Home', async () => {
    const draw = async (client: Client) =>
      (await client.getThumbnail({ params: orders, query: { theme: 'light' } })).text();
    expect(await draw(ana)).toBe(await draw(own.client));
  });
});

describe('policies', () => {
  const count = async (as?: string) =>
    (
      await createClient(whole.server.address, whole.send, as).getTileRows({
        params: { id: 'orders', tile: 'list' },
        body: { state: states[1]!, limit: 1 },
      })
    ).total;

  test('give all users their own rows and the owner all rows; results are not shared, in whatever order they arrive', async () => {
    const late = rows.filter(row => row.delay > 300).length;
    const facts = [
      ['ana', rows.filter(isAnas).length],
      ['ben', late],
      ['cam', late],
      [undefined, rows.length],
    ] as const;
    for (const [as, expected] of [...facts, ...facts.toReversed()])
      expect([as, await count(as)]).toEqual([as, expected]);
  });

  const seenBy = async ({ name }: (typeof crowd)[number], tile: string) => {
    const frames = await collect(
      await createClient(whole.server.address, whole.send, name).queryTiles({
        params: orders,
        body: { state: states[1]!, tiles: [tile] },
      }),
    );
    return [...frames.find(frame => frame.cells)!.cells!.parts[0]!].reduce((sum, value) => sum + value, 0);
  };
  const rowsOf = ({ carrier, regions }: (typeof crowd)[number]) =>
    rows.filter(row => (row.carrier === carrier && regions.includes(row.region)) || row.delay > 300).length;

  test('give users with different rights their own rows, many at once', async () => {
    const readers = crowd.flatMap(person => Array.from({ length: 5 }, () => person));
    const seen = await Promise.all(readers.map(person => seenBy(person, 'bars')));
    expect(seen).toEqual(readers.map(rowsOf));
  });

  test('let users with equal rights share results, and no others', async () => {
    const { queries } = whole.server;
    const [first, second] = [0, 1].map(n => crowd.filter((_, i) => i % 2 === n));
    const before = queries.executions;
    expect(await Promise.all(first!.map(person => seenBy(person, 'delays')))).toEqual(first!.map(rowsOf));
    // `executions` counts every query of the server, so it has no upper bound for the first users' requests.
    const between = queries.executions;
    expect(between - before).toBeGreaterThanOrEqual(first!.length);
    expect(await Promise.all(second!.map(person => seenBy(person, 'delays')))).toEqual(second!.map(rowsOf));
    expect(queries.executions).toBe(between);
  });

  test('remove a hidden field from the document, from tiles that name it, and from filters', async () => {
    const { models } = await ana.getDashboard({ params: orders, query: {} });
    expect(JSON.stringify(models)).not.toMatch(/salary|pay/);
    expect(JSON.stringify((await whole.client.getDashboard({ params: orders, query: {} })).models)).toMatch(
      /salary/,
    );
    await expect(
      ana.getFieldValues({ params: { id: 'orders', field: 'salary' }, body: { state: states[0]! } }),
    ).rejects.toMatchObject({ problem: { type: 'field-unknown' } });
    const filtered = await collect(
      await ana.queryTiles({
        params: orders,
        body: { state: { page: 0, filters: { salary: { from: 8000 } }, selections: {} }, tiles: ['bars'] },
      }),
    );
    expect(JSON.stringify(filtered.map(frame => frame.header))).toContain(
      '{"kind":"not-applied","field":"salary"}',
    );
  });

  test('reveal the reason of a failed query to the editor only, since an engine’s message may quote any row', async () => {
    const told = async (client: Client) =>
      JSON.stringify(
        (await collect(await client.queryTiles({ params: { id: 'faulty' }, body: { state: states[0]! } })))
          .map(({ header }) => header)
          .filter(({ kind }) => kind === 'problem'),
      );
    const drawn = async (as: string) =>
      (await whole.send(`${whole.server.address}/api/v1/dashboards/faulty/export?format=svg${as}`)).text();
    const says = /north|south|east|west|convert|integer/i;
    expect(await told(whole.client)).toMatch(says);
    expect(await drawn('')).toMatch(says);
    expect(await told(ana)).toContain('The dashboard’s owner can see the details');
    expect(await told(ana)).not.toMatch(says);
    expect(await drawn('&as=ana')).not.toMatch(says);
  });

  test('give an unknown user a 404, and refuse editors’ calls to viewers', async () => {
    await expect(createClient(whole.server.address, whole.send, 'dora').getSession({})).rejects.toMatchObject(
      { problem: { type: 'not-found', status: 404 } },
    );
    await expect(
      createClient(whole.server.address, whole.send, 'constructor').getSession({}),
    ).rejects.toMatchObject({ problem: { status: 404 } });
    await expect(
      ana.postQuery({ params: { name: 'orders' }, body: { measures: ['rows'] } }),
    ).rejects.toMatchObject({ problem: { type: 'not-allowed', status: 403 } });
    await expect(ana.getTableRows({ params: { table: 'orders' }, query: {} })).rejects.toMatchObject({
      problem: { status: 403 },
    });
    await expect(ana.runSql({ params: { name: 'files' }, body: { sql: 'select 1' } })).rejects.toMatchObject({
      problem: { status: 403 },
    });
    expect(await ana.getSession({})).toMatchObject({
      user: { name: 'ana' },
      viewingAs: 'ana',
      people: [],
    });
    expect(await whole.client.getSession({})).toMatchObject({
      role: 'owner',
      people: ['ana', 'ben', 'cam', ...crowd.map(({ name }) => name)],
    });
    expect((await whole.send(`${whole.server.address}/d/orders?as=dora`)).status).toBe(200);
    // Without a session nobody is anybody.
    expect((await fetch(`${whole.server.address}/api/v1/session?as=ana`)).status).toBe(401);
  });
});
