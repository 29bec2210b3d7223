import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { collect, runBelvedere, sourcesReady, type Running } from '../../running-belvedere.ts';
import { loadPostgres, type LoadedEngine, type StatedTable } from '../loaded-engines.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/* Connecting a database, from the first try to the overview of a table, and how a figure came to be. */

const orders: StatedTable = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'placed', type: 'date' },
    { name: 'country', type: 'text' },
    { name: 'amount', type: 'decimal' },
    { name: 'big', type: 'integer' },
  ],
  rows: Array.from({ length: 400 }, (_, i) => [
    i,
    Date.UTC(2024, 0, 1 + (i % 90)),
    ['Norge', 'Österreich', '日本', ''][i % 4]!,
    i % 10 === 0 ? null : `${i}.0${i % 9}01`,
    `9007199254740993`,
  ]),
  unique: ['id'],
};

let loaded: LoadedEngine;
let folder: string;
let running: Running;
beforeAll(async () => {
  loaded = await loadPostgres([orders]);
  await loaded.keeper(
    "create role reader login password 'se''cret'; grant select on all tables in schema public to reader; create table hidden (x int)",
  );
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sources-'));
  for (const name of ['models', 'dashboards', 'sources']) await mkdir(path.join(folder, name));
  running = await runBelvedere(folder);
});
afterAll(async () => {
  await running?.close();
  await loaded?.close();
  await rm(folder, { recursive: true, force: true });
});

const connection = () => ({
  kind: 'postgres' as const,
  host: '127.0.0.1',
  port: loaded.server!.port,
  database: loaded.server!.database,
  user: 'reader',
  password: "se'cret",
});

test('a connection is tested before it is saved, and its error is shown', async () => {
  expect(await running.client.testSource({ body: connection() })).toMatchObject({
    server: expect.stringMatching(/^PostgreSQL \d/),
    warnings: [],
    tables: 1,
  });
  const keeper = await running.client.testSource({
    body: { ...connection(), user: loaded.server!.user, password: '' },
  });
  expect(keeper.warnings.join()).toContain('superuser');
  for (const [change, code] of [
    [{ port: 1 }, 'source-unreachable'],
    [{ host: 'no.such.host.invalid' }, 'source-unreachable'],
    [{ database: 'nowhere' }, 'source-refused'],
    [{ user: 'nobody_here' }, 'source-refused'],
  ] as const) {
    await expect(running.client.testSource({ body: { ...connection(), ...change } })).rejects.toMatchObject({
      problem: { type: code },
    });
  }
  // A server that is far away must show a certificate.
  await expect(running.client.testSource({ body: { ...connection(), tls: true } })).rejects.toMatchObject({
    problem: { type: expect.stringMatching(/^source-/) },
  });
});

test('a saved source is a file without the password, which is encrypted where only this account can read it', async () => {
  await running.client.saveSource({ params: { name: 'shop' }, body: { ...connection(), label: 'The shop' } });
  const text = await readFile(path.join(folder, 'sources', 'shop.yaml'), 'utf8');
  expect(text).not.toContain("se'cret");
  // The name says for which server and user the password was entered.
  const [, name] = /\$\{file:\.belvedere\/secrets\/(shop\.[0-9a-f]{32}\.[0-9a-f]{8})\}/.exec(text)!;
  const kept = path.join(folder, '.belvedere', 'secrets', name!);
  expect(await readFile(path.join(folder, '.belvedere', 'secrets', '.gitignore'), 'utf8')).toBe('*\n');
  expect(await readFile(kept, 'utf8')).toMatch(/^belvedere-secret-1:[\w-]+\n$/);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  await sourcesReady(running);
  const source = await running.client.getSource({ params: { name: 'shop' } });
  expect(source).toMatchObject({
    label: 'The shop',
    state: 'ready',
    tableList: [
      {
        name: 'orders',
        columns: [
          { name: 'id' },
          { name: 'placed' },
          { name: 'country' },
          { name: 'amount', type: 'decimal' },
          { name: 'big' },
        ],
      },
    ],
  });
  await expect(
    running.client.saveSource({ params: { name: 'shop' }, body: connection() }),
  ).rejects.toMatchObject({ problem: { type: 'revision-conflict' } });
});

test('a source’s tables have overviews at once, with every tile drawn', async () => {
  const end = Date.now() + 20_000;
  while (!running.server.store.current.dashboards.has('overview/shop_orders') && Date.now() < end)
    await new Promise(resolve => setTimeout(resolve, 50));
  const { document, brokenTiles } = await running.client.getDashboard({
    params: { id: 'overview/shop_orders' },
  });
  expect(brokenTiles).toEqual({});
  const frames = await collect(
    await running.client.queryTiles({
      params: { id: 'overview/shop_orders' },
      body: { state: { page: 0, filters: {}, selections: {} } },
    }),
  );
  expect(frames.filter(frame => frame.header.kind === 'problem').map(frame => frame.header)).toEqual([]);
  expect(new Set(frames.flatMap(frame => ('tile' in frame.header ? [frame.header.tile] : [])))).toEqual(
    new Set(Object.keys(document!.pages[0]!.tiles)),
  );
});

test('numbers keep every digit, and a table’s key allows joins to it', async () => {
  await writeFile(
    path.join(folder, 'models', 'sales.yaml'),
    'version: 1\nsource: shop\ntable: orders\ntime: placed\njoins: { same: { table: orders, on: { id: id } } }\ndimensions: { placed: {}, country: {}, amount: {}, twin: { column: same.country } }\nmeasures: { revenue: { expr: sum(amount), label: Revenue }, huge: { expr: sum(big) } }\n',
  );
  await running.server.store.refresh();
  expect(running.server.store.current.problems).toEqual([]);
  const { rows } = await running.client.postQuery({
    params: { name: 'sales' },
    body: {
      dimensions: ['country'],
      measures: ['revenue', 'huge'],
      where: { country: { oneOf: ['日本'] } },
      order: [],
    },
  });
  const kept = orders.rows.filter(row => row[2] === '日本');
  const revenue = kept.reduce(
    (sum, row) => sum + (row[3] === null ? 0n : BigInt(String(row[3]).replace('.', ''))),
    0n,
  );
  expect(rows).toEqual([['日本', Number(revenue) / 1e4, String(9007199254740993n * BigInt(kept.length))]]);
});

test('a model copied beside the files joins tables from two sources with every digit; without a copy that is refused', async () => {
  await mkdir(path.join(folder, 'data'), { recursive: true });
  await writeFile(
    path.join(folder, 'data', 'regions.csv'),
    'country,region\nNorge,north\nÖsterreich,middle\n日本,east\n',
  );
  const model = (extract: string) =>
    `version: 1\nsource: shop\n${extract}table: orders\njoins: { place: { source: files, table: regions, on: { country: country } } }\ndimensions: { placed: {}, country: {}, amount: {}, region: { column: place.region } }\nmeasures: { revenue: { expr: sum(amount) }, huge: { expr: max(big) } }\n`;
  await writeFile(path.join(folder, 'models', 'joined.yaml'), model(''));
  await running.server.store.refresh();
  expect(running.server.store.current.problems.map(problem => problem.message)).toEqual([
    expect.stringContaining('needs an `extract`'),
  ]);
  await writeFile(path.join(folder, 'models', 'joined.yaml'), model('extract: { every: 1 hour }\n'));
  await running.server.store.reload();
  const end = Date.now() + 90_000;
  while (!running.server.store.current.models.has('joined') && Date.now() < end)
    await new Promise(resolve => setTimeout(resolve, 50));
  expect(running.server.store.current.problems).toEqual([]);
  const { jobs } = await running.client.listJobs({ query: { kind: 'extract' } });
  expect(jobs.map(({ object, state }) => [object, state])).toEqual([['shop_orders', 'done']]);
  const { rows } = await running.client.postQuery({
    params: { name: 'joined' },
    body: { dimensions: ['region'], measures: ['rows', 'revenue', 'huge'], order: [{ by: 'region' }] },
  });
  const sumOf = (country: string) =>
    Number(
      orders.rows
        .filter(row => row[2] === country && row[3] !== null)
        .reduce((sum, row) => sum + BigInt(String(row[3]).replace('.', '')), 0n),
    ) / 1e4;
  expect(rows).toEqual([
    ['east', 100, sumOf('日本'), '9007199254740993'],
    ['middle', 100, sumOf('Österreich'), '9007199254740993'],
    ['north', 100, sumOf('Norge'), '9007199254740993'],
    [null, 100, sumOf(''), '9007199254740993'],
  ]);
  // An empty text of the database is still one, and not nothing.
  expect(
    (
      await running.client.postQuery({
        params: { name: 'joined' },
        body: { dimensions: ['country'], measures: ['rows'], where: { country: { oneOf: [''] } } },
      })
    ).rows,
  ).toEqual([['', 100]]);
});

test('the figures of a page are one query to a database, and a failing figure affects no other', async () => {
  const put = async (name: string, tiles: string) => {
    await writeFile(
      path.join(folder, 'dashboards', `${name}.yaml`),
      `version: 1\ntitle: Figures\nmodel: figures\nfilters: [{ field: placed, default: { from: '2024-03-01', below: '2024-04-01' } }]\npages:\n  - title: One\n    tiles:\n${tiles}`,
    );
    await running.server.store.refresh();
  };
  await writeFile(
    path.join(folder, 'models', 'figures.yaml'),
    'version: 1\nsource: shop\ntable: orders\ntime: placed\ndimensions: { placed: {}, country: {}, amount: {} }\nmeasures: { revenue: { expr: sum(amount) }, most: { expr: max(amount) }, countries: { expr: count(distinct country) }, overflow: { expr: sum(big * big * id) } }\n',
  );
  const figure = (id: string, measure: string, more = '') =>
    `      ${id}: { kind: kpi, value: { measure: ${measure} }${more}, at: [0, 0, 4, 3] }\n`;
  const ask = async (dashboard: string, tiles?: string[]) => {
    running.server.queries.cache.clear();
    running.server.streams.clear();
    const before = running.server.queries.executions;
    const frames = await collect(
      await running.client.queryTiles({
        params: { id: dashboard },
        body: { state: { page: 0, filters: {}, selections: {} }, ...(tiles && { tiles }) },
      }),
    );
    const told = Object.fromEntries(
      frames.flatMap(({ header, cells }) =>
        header.kind === 'cells'
          ? [[`${header.tile} ${header.part}`, Array.from(cells!.parts, part => part[0]!)] as const]
          : [],
      ),
    );
    const failed = Object.fromEntries(
      frames.flatMap(({ header }) =>
        header.kind === 'problem' ? [[header.tile, header.problem.type] as const] : [],
      ),
    );
    return { told, failed, asked: running.server.queries.executions - before };
  };
  const kept = orders.rows.filter(row => new Date(row[1] as number).getUTCMonth() === 2);
  const before = orders.rows.filter(row => new Date(row[1] as number).getUTCMonth() === 1);
  const sum = (rows: typeof kept) => rows.reduce((total, row) => total + Number(row[3] ?? 0), 0);

  await put(
    'figures',
    figure('revenue', 'revenue', ', compare: previous period') +
      figure('most', 'most') +
      figure('rows', 'rows', ', compare: previous period') +
      figure('countries', 'countries'),
  );
  const { told, asked } = await ask('figures');
  expect(told['revenue main']![0]).toBeCloseTo(sum(kept), 6);
  expect(told['most main']).toEqual([Math.max(...kept.map(row => Number(row[3] ?? 0)))]);
  expect(told['rows main']).toEqual([kept.length]);
  expect(told['countries main']).toEqual([4]);
  expect(told['rows previous']).toEqual([before.length]);
  expect(told['revenue previous']![0]).toBeCloseTo(sum(before), 6);
  // Figures of this month and of the month before; the distinct count, which arrives by itself; the data
  // time.
  expect(asked).toBeLessThanOrEqual(4);

  await put(
    'figures',
    figure('revenue', 'revenue') +
      figure('wrong', 'overflow') +
      figure('nothing', 'no_such') +
      figure('most', 'most'),
  );
  const faulty = await ask('figures', ['revenue', 'wrong', 'most']);
  expect(faulty.told['revenue main']![0]).toBeCloseTo(sum(kept), 6);
  expect(faulty.told['most main']).toEqual(told['most main']);
  expect(faulty.failed).toEqual({ wrong: 'query-failed' });
});

test('a figure has an explanation: its query, its filters and their origins, the rows, null values, the SQL', async () => {
  await writeFile(
    path.join(folder, 'dashboards', 'shop.yaml'),
    'version: 1\ntitle: Shop\nmodel: sales\nfilters:\n  - { field: country, default: { oneOf: [Norge, 日本] } }\npages:\n  - title: One\n    tiles:\n      total: { kind: kpi, value: { measure: revenue } }\n      by_day: { kind: bar, x: { field: placed, timeUnit: month }, y: { measure: revenue } }\n',
  );
  await running.server.store.refresh();
  const state = {
    page: 0,
    filters: { amount: { from: 100 } },
    selections: { by_day: [{ placed: { from: '2024-02-01', below: '2024-03-01' } }] },
  };
  const told = await running.client.explainTile({ params: { id: 'shop', tile: 'total' }, body: { state } });
  const rows = orders.rows.filter(
    row =>
      ['Norge', '日本'].includes(String(row[2])) &&
      row[3] !== null &&
      Number(row[3]) >= 100 &&
      new Date(Number(row[1])).getUTCMonth() === 1,
  );
  expect(told).toMatchObject({
    measure: { name: 'revenue', expression: 'sum(amount)' },
    filters: [
      { text: 'Country is Norge or 日本', from: 'dashboard' },
      { text: 'Amount from 100', from: 'viewer' },
      { text: 'Placed is Feb 2024', from: 'selection', tile: 'by_day' },
    ],
    rows: rows.length,
    rowsInTable: 400,
    nulls: 0,
    source: 'the table orders of The shop',
    // The query reads nothing of the join.
    joins: [],
  });
  expect(told.sql).toContain('as "revenue"');
  const frames = await collect(await running.client.queryTiles({ params: { id: 'shop' }, body: { state } }));
  const shown = frames.find(
    frame =>
      frame.header.kind === 'cells' && frame.header.tile === 'total' && frame.header.scope === 'filtered',
  )!.cells!.parts[0]![0];
  expect(Number(told.value)).toBeCloseTo(shown!, 6);
  const marked = await running.client.explainTile({
    params: { id: 'shop', tile: 'total' },
    body: {
      state: { page: 0, filters: {}, selections: {} },
      mark: { placed: { from: '2024-01-01', below: '2024-01-02' } },
    },
  });
  expect(marked.filters.at(-1)).toEqual({
    text: 'Placed is Mon, Jan 1, 2024',
    from: 'mark',
  });
  expect(marked.nulls).toBeGreaterThan(0);
});

describe('a paused source', () => {
  const file = () => path.join(folder, 'sources', 'shop.yaml');
  const state = { page: 0, filters: {}, selections: {} };
  const total = async (measure = 'revenue') => {
    await writeFile(
      path.join(folder, 'dashboards', `paused_${measure}.yaml`),
      'version: 1\ntitle: Paused\nmodel: sales\npages:\n  - title: One\n' +
        `    tiles:\n      total: { kind: kpi, value: { measure: ${measure} } }\n`,
    );
    await running.server.store.refresh();
    const frames = await collect(
      await running.client.queryTiles({ params: { id: `paused_${measure}` }, body: { state } }),
    );
    return frames.map(({ header }) => header).find(({ kind }) => kind === 'cells' || kind === 'problem');
  };

  test(
    'is asked nothing, keeps its tables, and shows its last results with their age',
    { timeout: 60_000 },
    async () => {
      const before = await readFile(file(), 'utf8');
      await sourcesReady(running);
      expect(await total()).toMatchObject({ kind: 'cells' });
      const { tables } = await running.client.getSource({ params: { name: 'shop' } });
      const paused = await running.client.pauseSource({
        params: { name: 'shop' },
        body: { isPaused: true, reason: 'Upgrade until noon' },
      });
      expect(paused).toMatchObject({ state: 'paused', pausedFor: 'Upgrade until noon', tables });
      expect(await readFile(file(), 'utf8')).toBe(`${before}paused: Upgrade until noon\n`);

      expect(await total()).toMatchObject({
        kind: 'cells',
        notes: [{ kind: 'last-answer', at: expect.any(Number) }],
      });
      expect(await total('rows')).toMatchObject({
        kind: 'problem',
        problem: { type: 'source-paused', detail: expect.stringContaining('Upgrade until noon') },
      });
      for (const request of [
        running.client.retrySource({ params: { name: 'shop' } }),
        running.client.runSql({ params: { name: 'shop' }, body: { sql: 'select 1' } }),
      ])
        await expect(request).rejects.toMatchObject({ problem: { type: 'source-paused', status: 409 } });
      const sessions = async () =>
        (
          (await loaded.keeper("select 1 from pg_stat_activity where usename = 'reader'")) as {
            rows: unknown[];
          }
        ).rows.length;
      await expect.poll(sessions, { timeout: 20_000 }).toBe(0);

      const resumed = await running.client.pauseSource({
        params: { name: 'shop' },
        body: { isPaused: false },
      });
      expect(resumed.pausedFor).toBeUndefined();
      expect(await readFile(file(), 'utf8')).toBe(before);
      await sourcesReady(running);
      expect(await total('rows')).toMatchObject({ kind: 'cells' });
    },
  );

  test('is paused and resumed by its file as well', async () => {
    const before = await readFile(file(), 'utf8');
    await writeFile(file(), `${before}paused: true\n`);
    await running.server.store.reload();
    const source = await running.client.getSource({ params: { name: 'shop' } });
    expect([source.state, source.pausedFor]).toEqual(['paused', undefined]);
    // The columns of a new query are not asked for, and waiting for them would not end.
    const model = path.join(folder, 'models', 'while_paused.yaml');
    await writeFile(
      model,
      'version: 1\nsource: shop\nsql: select 1 as one\nmeasures: { rows: { expr: count() } }\n',
    );
    await running.server.store.refresh();
    const { modelsReading, problems } = running.server.store.current;
    expect(modelsReading.has('while_paused')).toBe(false);
    expect(problems.filter(({ file }) => file.endsWith('while_paused.yaml'))).toMatchObject([
      { message: expect.stringContaining('is paused') },
    ]);
    await rm(model);
    await writeFile(file(), before);
    await running.server.store.reload();
    await sourcesReady(running);
  });
});

test(
  'a dashboard with a refresh interval has newer figures than its source, while a page has it open',
  { timeout: 30_000 },
  async () => {
    await writeFile(
      path.join(folder, 'dashboards', 'watched.yaml'),
      'version: 1\ntitle: Watched\nmodel: sales\nrefresh: { every: 5 seconds }\n' +
        'pages:\n  - title: One\n    tiles:\n      total: { kind: kpi, value: { measure: revenue } }\n',
    );
    await running.server.store.refresh();
    const version = () => running.server.store.sources.states.get('shop')!.dataVersion;
    const read = async (id: string) =>
      (await running.client.getDashboard({ params: { id }, query: {} })).revision;
    await new Promise(resolve => setTimeout(resolve, 5100));
    const first = version();
    await read('shop');
    expect(version()).toBe(first);
    const before = await read('watched');
    await vi.waitUntil(() => version() > first);
    await vi.waitUntil(async () => (await read('watched')) !== before);
    // However many pages ask, the database is queried once in the interval.
    await Promise.all(Array.from({ length: 20 }, () => read('watched')));
    expect(version()).toBe(first + 1);
  },
);

test(
  'results expire on schedule, however often the tables are listed in between',
  { timeout: 30_000 },
  async () => {
    const file = path.join(folder, 'sources', 'shop.yaml');
    await writeFile(file, `${await readFile(file, 'utf8')}refresh: { every: 5 seconds }\n`);
    await running.server.store.reload();
    await sourcesReady(running);
    const version = () => running.server.store.sources.states.get('shop')!.dataVersion;
    const first = version();
    const end = Date.now() + 15_000;
    while (version() === first && Date.now() < end) {
      await running.client.retrySource({ params: { name: 'shop' } });
      await new Promise(resolve => setTimeout(resolve, 400));
    }
    expect(version()).toBe(first + 1);
  },
);

test(
  'results of a model with a watermark are refreshed when it has moved, and not before',
  { timeout: 40_000 },
  async () => {
    await loaded.keeper(
      "create table visits (id int primary key, at timestamp, pages int); insert into visits values (1, '2024-05-01 10:00', 3), (2, '2031-01-01 00:00', 4); create table loads (id int primary key, loaded timestamp); insert into loads values (1, '2024-05-02 09:30'); grant select on visits, loads to reader",
    );
    await writeFile(
      path.join(folder, 'models', 'visits.yaml'),
      'version: 1\nsource: shop\ntable: visits\ntime: at\nwatermark: max(done.loaded)\njoins: { done: { table: loads, on: { id: id } } }\ndimensions: { at: {} }\nmeasures: { pages: { expr: sum(pages) } }\n',
    );
    await writeFile(
      path.join(folder, 'models', 'visits_plain.yaml'),
      'version: 1\nsource: shop\ntable: visits\ntime: at\ndimensions: { at: {} }\nmeasures: { pages: { expr: sum(pages) } }\n',
    );
    await writeFile(
      path.join(folder, 'dashboards', 'visits.yaml'),
      'version: 1\ntitle: Visits\nmodel: visits\nfilters: [{ field: at, default: { last: 7 days } }]\npages:\n  - title: One\n    tiles:\n      pages: { kind: kpi, value: { measure: pages } }\n',
    );
    await running.client.retrySource({ params: { name: 'shop' } });
    await running.server.store.refresh();
    const marks = async () => (await running.client.getSource({ params: { name: 'shop' } })).watermarks;
    const until = async (isSo: () => Promise<boolean>) => {
      for (const end = Date.now() + 15_000; !(await isSo()) && Date.now() < end;)
        await new Promise(resolve => setTimeout(resolve, 100));
      expect(await isSo()).toBe(true);
    };
    await until(async () => (await marks()).length > 0);
    expect(await marks()).toEqual([
      {
        model: 'visits',
        label: 'Visits',
        expression: 'max(done.loaded)',
        value: Date.UTC(2024, 4, 2, 9, 30),
        type: 'time',
        since: expect.any(String),
      },
    ]);
    const pagesOf = async (name: string) =>
      (
        await running.client.postQuery({
          params: { name },
          body: { dimensions: [], measures: ['pages'], order: [] },
        })
      ).rows[0]![0];
    expect([await pagesOf('visits'), await pagesOf('visits_plain')]).toEqual([7, 7]);
    // The data time is the watermark, not the latest day, which is in the future: “the last 7 days” end at
    // the watermark.
    const frames = await collect(
      await running.client.queryTiles({
        params: { id: 'visits' },
        body: { state: { page: 0, filters: {}, selections: {} } },
      }),
    );
    expect(frames.find(frame => frame.header.kind === 'end')!.header).toMatchObject({
      dataTime: '2024-05-02T09:30:00',
      applied: { at: '2024-04-26/2024-05-03' },
    });

    const version = () => running.server.store.sources.states.get('shop')!.dataVersion;
    const before = version();
    const { revision } = await running.client.getDashboard({ params: { id: 'visits' } });
    await loaded.keeper("insert into visits values (3, '2024-05-01 12:00', 10)");
    // The cached copy is queried again with the source's next version; this one is not.
    await until(async () => version() > before && (await pagesOf('visits_plain')) === 17);
    expect(await pagesOf('visits')).toBe(7);
    expect((await running.client.getDashboard({ params: { id: 'visits' } })).revision).toBe(revision);
    await loaded.keeper("insert into loads values (3, '2024-05-02 11:00')");
    await until(async () => (await marks())[0]?.value === Date.UTC(2024, 4, 2, 11));
    expect(await pagesOf('visits')).toBe(17);
    expect((await running.client.getDashboard({ params: { id: 'visits' } })).revision).not.toBe(revision);
  },
);

test(
  'a failing watermark blocks nothing, and one that is not an aggregate is reported',
  { timeout: 30_000 },
  async () => {
    await writeFile(
      path.join(folder, 'models', 'visits.yaml'),
      'version: 1\nsource: shop\ntable: visits\nwatermark: max(1 / (pages - pages))\ndimensions: { at: {} }\nmeasures: { pages: { expr: sum(pages) } }\n',
    );
    await writeFile(
      path.join(folder, 'models', 'visits_plain.yaml'),
      'version: 1\nsource: shop\ntable: visits\nwatermark: at\ndimensions: { at: {} }\n',
    );
    await running.server.store.refresh();
    expect(
      running.server.store.current.problems.map(problem => [problem.file, problem.line, problem.message]),
    ).toEqual([['models/visits_plain.yaml', 4, 'The watermark must be an aggregate such as `max(at)`.']]);
    await rm(path.join(folder, 'models', 'visits_plain.yaml'));
    await running.server.store.refresh();
    await loaded.keeper('revoke select on visits from reader');
    const version = () => running.server.store.sources.states.get('shop')!.dataVersion;
    const before = version();
    // A look that began just before had the right still: the next one has not.
    await expect
      .poll(async () => (await running.client.getSource({ params: { name: 'shop' } })).watermarks)
      .toEqual([]);
    await expect.poll(version).toBeGreaterThan(before);
    await loaded.keeper('grant select on visits to reader');
    expect(
      (
        await running.client.postQuery({
          params: { name: 'visits' },
          body: { dimensions: [], measures: ['pages'], order: [] },
        })
      ).rows,
    ).toEqual([[17]]);
  },
);

test('an error in a source’s file is shown with its line, and a password in it is refused', async () => {
  await writeFile(
    path.join(folder, 'sources', 'bad.yaml'),
    'version: 1\nkind: postgres\nconnection:\n  host: x\n  database: y\n  user: z\n  password: hunter2\n',
  );
  await running.server.store.refresh();
  expect(
    running.server.store.current.problems.map(problem => [problem.file, problem.line, problem.message]),
  ).toEqual([['sources/bad.yaml', 7, expect.stringContaining('never the secret itself')]]);
});

test('a removed source is gone with its file, and comes back with that', async () => {
  const file = path.join(folder, 'sources', 'shop.yaml');
  const before = await readFile(file, 'utf8');
  await sourcesReady(running);
  expect(await running.client.removeSource({ params: { name: 'shop' } })).toEqual({});
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await expect(running.client.getSource({ params: { name: 'shop' } })).rejects.toMatchObject({
    problem: { type: 'not-found' },
  });
  await expect(running.client.removeSource({ params: { name: 'shop' } })).rejects.toMatchObject({
    problem: { type: 'not-found' },
  });
  await expect(running.client.removeSource({ params: { name: 'files' } })).rejects.toMatchObject({
    problem: { type: 'not-found' },
  });
  await writeFile(file, before);
  await running.server.store.reload();
  await sourcesReady(running);
  expect((await running.client.getSource({ params: { name: 'shop' } })).tables).toBeGreaterThan(0);
});
