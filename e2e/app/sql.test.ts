import { strFromU8, unzipSync } from 'fflate';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

const perCity = `-- What each city comes to.
select city, count(*) as trips, sum(minutes) as minutes, max(day) as latest
from trips
group by city -- all of them`;
const inModel = (sql: string) =>
  `version: 1\nsql: |\n${sql
    .split('\n')
    .map(line => `  ${line}`)
    .join(
      '\n',
    )}\ntime: latest\ndimensions: { city: {}, latest: {} }\nmeasures: { trips: { expr: sum(trips) }, minutes: { expr: sum(minutes) } }\n`;

let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sql-'));
  for (const name of ['data', 'models', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
  await writeFile(path.join(folder, 'data', 'trips.csv'), trips(40));
  await writeFile(
    path.join(folder, 'data', 'many.csv'),
    `n\n${Array.from({ length: 5000 }, (_, i) => i).join('\n')}\n`,
  );
  await writeFile(path.join(folder, 'models', 'per_city.yaml'), inModel(perCity));
  await writeFile(
    path.join(folder, 'dashboards', 'cities.yaml'),
    'version: 1\ntitle: Cities\nmodel: per_city\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: minutes } }\n      cities: { kind: bar, x: { measure: trips }, y: { field: city } }\n',
  );
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

function trips(count: number): string {
  return `day,city,minutes\n${Array.from({ length: count }, (_, i) => `2024-01-${String((i % 20) + 1).padStart(2, '0')},${['A', 'B'][i % 2]},${i}`).join('\n')}\n`;
}
const sql = (text: string, limit?: number, source = 'files') =>
  running.client.runSql({
    params: { name: source },
    body: { sql: text, ...(limit !== undefined && { limit }) },
  });
const total = async () => {
  const frames = await collect(
    await running.client.queryTiles({
      params: { id: 'cities' },
      body: { state: { page: 0, filters: {}, selections: {} } },
    }),
  );
  return frames.find(frame => 'tile' in frame.header && frame.header.tile === 'all')?.cells?.parts[0]![0];
};

describe('a user’s SQL query', () => {
  test('names tables by their names, and returns typed rows in their order', async () => {
    const { columns, rows, isCut } = await sql(`${perCity}\norder by minutes desc;`);
    expect(columns).toEqual([
      { name: 'city', type: 'text' },
      { name: 'trips', type: 'integer' },
      { name: 'minutes', type: 'integer' },
      { name: 'latest', type: 'date' },
    ]);
    expect(rows).toEqual([
      ['B', 20, 400, Date.UTC(2024, 0, 20)],
      ['A', 20, 380, Date.UTC(2024, 0, 19)],
    ]);
    expect(isCut).toBe(false);
  });

  test('is exported in full, in each format: typed, in its order, without formulas', async () => {
    const take = async (text: string, format: 'csv' | 'xlsx' | 'parquet') =>
      running.client.exportSql({ params: { name: 'files' }, body: { sql: text, format } });
    const statement = "select n, '=1+1' as f, date '2024-02-29' as day from many order by n desc";
    const csv = await take(statement, 'csv');
    expect(csv.headers.get('content-disposition')).toContain('filename="files.csv"');
    const lines = (await csv.text()).trim().split('\r\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      5001,
      'n,f,day',
      "4999,'=1+1,2024-02-29",
      "0,'=1+1,2024-02-29",
    ]);
    const sheets = unzipSync(new Uint8Array(await (await take(statement, 'xlsx')).arrayBuffer()));
    const sheet = strFromU8(sheets['xl/worksheets/sheet2.xml']!);
    expect(sheet.match(/<row /g)).toHaveLength(5001);
    expect(sheet).toContain('<is><t xml:space="preserve">=1+1</t></is>');
    expect(sheet).not.toContain('<f>');
    expect(strFromU8(sheets['xl/sharedStrings.xml']!)).toContain('from many order by n desc');
    expect(
      Buffer.from(await (await take(statement, 'parquet')).arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('PAR1');
    await expect(take('select m from many', 'csv')).rejects.toMatchObject({
      problem: { type: 'query-failed' },
    });
    await expect(take("copy many to '/tmp/x.csv'", 'csv')).rejects.toMatchObject({
      problem: { status: 422 },
    });
    await expect(
      running.client.exportSql({ params: { name: 'nowhere' }, body: { sql: 'select 1', format: 'csv' } }),
    ).rejects.toMatchObject({ problem: { type: 'not-found' } });
    expect(running.server.queries.queues.exports.running).toBe(0);
  });

  test('a cancelled export ends in the engine', async () => {
    const controller = new AbortController();
    const response = await running.client.exportSql(
      { params: { name: 'files' }, body: { sql: 'select range as n from range(2000000000)', format: 'csv' } },
      { signal: controller.signal },
    );
    await response.body!.getReader().read();
    controller.abort();
    await expect
      .poll(() => [running.server.queries.queues.exports.running, running.server.engine.status.running])
      .toEqual([0, 0]);
  });

  test('returns the first rows of many, and reports that there are more', async () => {
    expect(await sql('select n from many order by n', 3)).toMatchObject({
      rows: [[0], [1], [2]],
      isCut: true,
    });
    expect((await sql('select n from many order by n', 5000)).isCut).toBe(false);
    expect((await sql('select n from many order by n', 4999)).rows).toHaveLength(4999);
  });

  test.each([
    ['a change', "insert into trips values ('2024-01-01', 'C', 1)"],
    ['a new table', 'create table stolen as select 1'],
    ['two statements', 'select 1; select 2'],
    ['another file', "select * from read_csv('/etc/passwd')"],
    ['a copy to a file', "copy (select 1) to '/tmp/stolen.csv'"],
    ['another database', "attach '/tmp/stolen.duckdb' as stolen"],
    ['a setting', 'set enable_external_access = true'],
    ['an extension', 'install httpfs'],
    ['nothing', '   '],
  ])('cannot be %s', async (_, text) => {
    await expect(sql(text)).rejects.toMatchObject({
      problem: { status: expect.toSatisfy((status: number) => status >= 400 && status < 500) },
    });
    expect((await sql('select count(*) from trips')).rows).toEqual([[40]]);
  });

  test('with an error returns the engine’s message', async () => {
    await expect(sql('select citty from trips')).rejects.toMatchObject({
      problem: { type: 'query-failed', detail: expect.stringContaining('citty') },
    });
    await expect(sql('select 1', 1, 'nowhere')).rejects.toMatchObject({ problem: { status: 404 } });
  });

  test.each([
    "select repeat('x', 60000000)",
    "select repeat('x', 540000000)",
    "select repeat('x', 20000) from range(4000)",
  ])('with too much text is refused, and other queries still work: %s', async text => {
    await expect(sql(text, 10_000)).rejects.toMatchObject({
      problem: { type: 'query-too-large', detail: expect.stringContaining('32 MiB') },
    });
    expect((await sql('select count(*) from trips')).rows).toEqual([[40]]);
  });

  test('ends in the engine when its request is cancelled', async () => {
    const leaving = new AbortController();
    const asked = running.client.runSql(
      {
        params: { name: 'files' },
        body: { sql: 'select count(*) from range(100000000000) a where a.range % 7 = 3' },
      },
      { signal: leaving.signal },
    );
    asked.catch(() => {});
    await expect.poll(() => running.server.queries.queues.running).toBe(1);
    leaving.abort();
    await expect.poll(() => running.server.queries.queues.running).toBe(0);
  });
});

describe('a model on SQL', () => {
  test('answers queries like any other, even with comments at its end', async () => {
    await expect.poll(total).toBe(780);
    const query = await running.client.postQuery({
      params: { name: 'per_city' },
      body: { dimensions: ['city'], measures: ['trips', 'minutes'], order: [{ by: 'city' }] },
    });
    expect(query.rows).toEqual([
      ['A', 20, 380],
      ['B', 20, 400],
    ]);
  });

  test('follows changes of its tables', async () => {
    await writeFile(path.join(folder, 'data', 'trips.csv'), trips(20));
    await expect.poll(total).toBe(190);
    await writeFile(path.join(folder, 'data', 'trips.csv'), trips(40));
    await expect.poll(total).toBe(780);
  });

  test.each([
    ['an unknown column', perCity.replace('sum(minutes)', 'sum(minuets)'), /minuets/],
    ['more than a select', 'delete from trips', /select|syntax/i],
    [
      'unbalanced parentheses',
      'select 1 as one) as x; delete from trips; select * from (select 1',
      /syntax|statement|allowed/i,
    ],
  ])('with %s shows the error in its file', async (_, text, message) => {
    await running.client.putModelDraft({
      params: { name: 'per_city' },
      body: {
        text: inModel(text),
        base: (await running.client.getModelText({ params: { name: 'per_city' } })).hash!,
        after: 0,
      },
    });
    await expect
      .poll(async () =>
        (await running.client.getModelText({ params: { name: 'per_city' } })).checked.problems
          .map(problem => `${problem.path} ${problem.message}`)
          .join(),
      )
      .toMatch(message);
    await running.client.dropModelDraft({ params: { name: 'per_city' } });
    expect(await total()).toBe(780);
  });

  test('lists its columns while it is written, before it is saved', async () => {
    const text =
      'version: 1\nsql: select city, minutes * 2 as double from trips\ndimensions: { city: {}, double: {} }\n';
    await writeFile(path.join(folder, 'models', 'fresh.yaml'), text);
    await expect
      .poll(async () => (await running.client.getModelText({ params: { name: 'fresh' } })).checked)
      .toMatchObject({
        problems: [],
        columns: [
          { name: 'city', type: 'text' },
          { name: 'double', type: 'integer' },
        ],
        dimensions: { city: 'text', double: 'integer' },
      });
    expect(
      await running.client.previewModel({
        params: { name: 'fresh' },
        body: { text, part: { dimension: 'double' } },
      }),
    ).toMatchObject({ kind: 'dimension', rows: 40, min: 0, max: 78 });
  });

  test('needs either a table or SQL, and not both', async () => {
    for (const text of ['version: 1\ntable: trips\nsql: select 1 as one\n', 'version: 1\ndimensions: {}\n']) {
      const { errors } = await running.client.validate({ body: { kind: 'model', text } });
      expect(errors).toHaveLength(1);
    }
  });
});
