import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

let folder: string;
let running: Running | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-workspace-'));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

const open = async (place = folder): Promise<Running> => {
  running = await runBelvedere(place);
  await allRead(running);
  return running;
};
const tableNames = async ({ client }: Running) =>
  (await client.listTables({})).tables.map(table => `${table.name}: ${table.rows}`).toSorted();

describe('tables from files', () => {
  test('a single file', async () => {
    await writeFile(path.join(folder, 'one.csv'), 'a,b\n1,2\n3,4\n');
    await writeFile(path.join(folder, 'other.csv'), 'a\n1\n');
    expect(await tableNames(await open(path.join(folder, 'one.csv')))).toEqual(['one: 2']);
  });

  test('files of every kind, gzipped too; folders of like files and partitions are one each', async () => {
    await writeFile(path.join(folder, 'a.tsv'), 'x\ty\n1\t2\n');
    await writeFile(path.join(folder, 'b.json'), '[{"x":1},{"x":2}]');
    await writeFile(path.join(folder, 'c.ndjson.gz'), gzipSync('{"x":1,"y":{"z":2}}\n{"x":2}\n'));
    await writeFile(path.join(folder, 'd.csv.gz'), gzipSync('x;y\n1,5;a\n'));
    for (const [name, text] of [
      ['parts/2024-01.csv', 'x\n1\n'],
      ['parts/2024-02.csv', 'x\n2\n3\n'],
      ['hive/year=2023/p.csv', 'x\n1\n'],
      ['hive/year=2024/p.csv', 'x\n2\n'],
      ['mixed/people.csv', 'x\n1\n'],
      ['mixed/places.csv', 'x\n1\n'],
    ]) {
      await mkdir(path.join(folder, path.dirname(name!)), { recursive: true });
      await writeFile(path.join(folder, name!), text!);
    }
    await writeFile(path.join(folder, 'notes.docx'), 'x');
    const opened = await open();
    expect(await tableNames(opened)).toEqual([
      'a: 1',
      'b: 2',
      'c: 2',
      'd: 1',
      'hive: 2',
      'mixed_people: 1',
      'mixed_places: 1',
      'parts: 3',
    ]);
    expect(
      (await opened.client.getTable({ params: { table: 'hive' } })).profile.map(column => column.name),
    ).toEqual(['x', 'year']);
    expect(
      (await opened.client.getTable({ params: { table: 'c' } })).profile.map(column => column.name),
    ).toEqual(['x', 'y_z']);
    expect((await opened.client.listTables({})).skippedFiles.map(({ file }) => path.basename(file))).toEqual([
      'notes.docx',
    ]);
  });

  test('changed files are imported again, deleted files lose their tables, and new files get them', async () => {
    await writeFile(path.join(folder, 'a.csv'), 'x\n1\n');
    await writeFile(path.join(folder, 'b.csv'), 'x\n1\n');
    const opened = await open();
    await writeFile(path.join(folder, 'a.csv'), 'x\n1\n2\n');
    await writeFile(path.join(folder, 'c.csv'), 'x\n1\n');
    await rm(path.join(folder, 'b.csv'));
    await expect.poll(async () => (await tableNames(opened)).join()).toBe('a: 2,c: 1');
  });
});

test('a person in a new file of tests/ appears without another change, and disappears with the file', async () => {
  await mkdir(path.join(folder, 'models'));
  await mkdir(path.join(folder, 'tests'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\n');
  const { server } = await open();
  await writeFile(path.join(folder, 'tests', 'who.yaml'), 'version: 1\npeople:\n  ana: {}\n');
  await expect.poll(() => [...server.store.current.people.keys()]).toEqual(['ana']);
  await rm(path.join(folder, 'tests', 'who.yaml'));
  await expect.poll(() => [...server.store.current.people.keys()]).toEqual([]);
});

test('damaged imports of an earlier run are repeated', async () => {
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\n');
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'data', 'a.csv'), 'x\n1\n2\n');
  const first = await open();
  await first.close();
  running = undefined;
  const tables = path.join(folder, '.belvedere', 'tables');
  for (const name of (await readdir(tables)).filter(file => file.endsWith('.duckdb')))
    await writeFile(path.join(tables, name), 'no database');
  const again = await open();
  expect(await tableNames(again)).toEqual(['a: 2']);
  expect(
    (await again.client.postQuery({ params: { name: 'a' }, body: { measures: ['rows'] } })).rows,
  ).toEqual([[2]]);
});

describe('text in a file', () => {
  test.each([
    ['codes with leading zeros stay text', 'code\n0171\n99\n', 'code', 'text'],
    ['months are dates', 'month\n2024-03\n2024-04\n', 'month', 'date'],
    ['decimal commas are numbers', 'x;y\n1,5;a\n2,25;b\n', 'x', 'number'],
    ['money is numbers', 'price\n"$1,234.50"\n$5\n', 'price', 'number'],
    [
      'a question and its answers name columns',
      'id,Which?,,\n,red,green,blue\n1,5,6,7\n2,8,9,10\n',
      'Which?: green',
      'integer',
    ],
    [
      'a question and its answers name columns, of which one is quoted and on two lines: they are read as they stand',
      'id,"Which\nof these?",,\n,red,green,blue\n1,5,6,7\n2,8,9,10\n',
      'id',
      'integer',
    ],
    ['NA beside numbers is no value', 'x,y\n1,a\nNA,b\n3,c\n', 'x', 'integer'],
    ['quoted empty text beside numbers is no value', 'x,y\n1,a\n"",b\n3,c\n', 'x', 'integer'],
  ])('%s', async (_, text, column, type) => {
    await writeFile(path.join(folder, 't.csv'), text);
    const { profile } = await (await open()).client.getTable({ params: { table: 't' } });
    expect(profile.find(one => one.name === column)?.type).toBe(type);
  });

  test('null, empty and the word null are three things', async () => {
    await writeFile(path.join(folder, 't.csv'), 'k,n\na,1\n,2\n"",3\nnull,4\n');
    const { rows } = await (
      await open()
    ).client.postQuery({
      params: { name: 't' },
      body: { dimensions: ['k'], measures: ['rows'], order: [{ by: 'k' }] },
    });
    expect(rows).toEqual([
      ['', 1],
      ['a', 1],
      ['null', 1],
      [null, 1],
    ]);
  });

  test('rejected rows are counted and listed', async () => {
    await writeFile(path.join(folder, 't.csv'), 'a,b\n1,2\n3,4,5,6\n7,8\n');
    const { report } = await (await open()).client.getTable({ params: { table: 't' } });
    expect([report!.rowsRead, report!.rowsKept + report!.rowsRejected]).toEqual([3, 3]);
    expect(report!.rejected.map(row => row.line)).toEqual(report!.rowsRejected === 1 ? [3] : []);
  });
});

describe('a join', () => {
  const model = (title: string) =>
    `version: 1\nlabel: ${title}\ntable: sales\njoins:\n  place: { table: places, on: { at: code } }\ndimensions:\n  city: { column: place.city }\nmeasures:\n  total: { expr: sum(amount) }\n`;

  test('brings the other table’s columns', async () => {
    await files('code,city\n1,Rome\n2,Oslo\n');
    const { rows } = await (
      await open()
    ).client.postQuery({
      params: { name: 'sales_model' },
      body: { dimensions: ['city'], measures: ['total'], order: [{ by: 'city' }] },
    });
    expect(rows).toEqual([
      ['Oslo', 5],
      ['Rome', 30],
      [null, 7],
    ]);
  });

  test('with duplicate keys never multiplies a measure, and reports them', async () => {
    await files('code,city\n1,Rome\n1,Roma\n2,Oslo\n');
    const opened = await open();
    const { rows } = await opened.client.postQuery({
      params: { name: 'sales_model' },
      body: { dimensions: ['city'], measures: ['total'], order: [{ by: 'city' }] },
    });
    expect(rows).toEqual([
      ['Oslo', 5],
      [null, 37],
    ]);
    expect(
      opened.server.store.current.problems.map(
        problem => `${problem.file}:${problem.line} ${problem.message}`,
      ),
    ).toEqual([
      'models/sales_model.yaml:5 `places.code` is not unique (3 rows have 2 different values). Rows whose key occurs more than once are not joined.',
    ]);
  });

  async function files(places: string): Promise<void> {
    for (const name of ['data', 'models', 'dashboards']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'data', 'sales.csv'), 'at,amount\n1,10\n1,20\n2,5\n3,7\n');
    await writeFile(path.join(folder, 'data', 'places.csv'), places);
    await writeFile(path.join(folder, 'models', 'sales_model.yaml'), model('Sales'));
  }
});

test('days follow the time zone, on days of 23 and 25 hours too', async () => {
  for (const name of ['data', 'models', 'dashboards']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'timezone: America/New_York\n');
  const start = Date.UTC(2024, 2, 9, 5);
  await writeFile(
    path.join(folder, 'data', 'beats.csv'),
    `at\n${Array.from({ length: 72 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString()).join('\n')}\n`,
  );
  const opened = await open();
  const { rows } = await opened.client.postQuery({
    params: { name: 'beats' },
    body: { dimensions: [{ field: 'at', timeUnit: 'day' }], measures: ['rows'], order: [{ by: 'at' }] },
  });
  expect(rows.map(([day, count]) => [new Date(day as number).toISOString().slice(0, 10), count])).toEqual([
    ['2024-03-09', 24],
    ['2024-03-10', 23],
    ['2024-03-11', 24],
    ['2024-03-12', 1],
  ]);
  const frames = await collect(
    await opened.client.queryTiles({
      params: { id: 'overview/beats' },
      body: {
        state: { page: 0, filters: { at: { from: '2024-03-10', below: '2024-03-11' } }, selections: {} },
      },
    }),
  );
  expect(
    frames.find(
      frame =>
        frame.header.kind === 'cells' && frame.header.tile === 'figure_1' && frame.header.part === 'main',
    )!.cells!.parts[0]![0],
  ).toBe(23);
});

test('a semantic query returns Arrow if the Accept header requests it', async () => {
  await writeFile(path.join(folder, 't.csv'), 'k,n\na,1\nb,2\n');
  const opened = await open();
  const response = await opened.send(`${opened.server.address}/api/v1/models/t/query`, {
    method: 'POST',
    headers: {
      'x-belvedere': '1',
      'content-type': 'application/json',
      accept: 'application/vnd.apache.arrow.stream',
    },
    body: JSON.stringify({ dimensions: ['k'], measures: ['rows'] }),
  });
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(Array.from(bytes.subarray(0, 4))).toEqual([255, 255, 255, 255]);
});

test('the API’s documentation is OpenAPI 3.1 with every operation; schemas are published', async () => {
  await writeFile(path.join(folder, 't.csv'), 'k\na\n');
  const opened = await open();
  const get = async (route: string) =>
    (await opened.send(opened.server.address + route)).json() as Promise<{
      openapi?: string;
      paths?: object;
      $schema?: string;
      properties?: object;
    }>;
  const api = await get('/api/openapi.json');
  expect(api.openapi).toBe('3.1.0');
  expect(Object.keys(api.paths!)).toContain('/api/v1/models/{name}/query');
  expect(Object.keys((await get('/api/schema/dashboard.json')).properties!)).toContain('pages');
  const metrics = await (await opened.send(`${opened.server.address}/metrics`)).text();
  for (const name of [
    'belvedere_queries_running',
    'belvedere_queries_waiting',
    'belvedere_engine_executions_total',
    'belvedere_cache_hits_total',
    'belvedere_worker_restarts_total',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(metrics).toContain(name);
});
