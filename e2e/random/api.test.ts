import { contract, type Endpoint } from '@belvedere/api';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomFrom } from './random-from.ts';
import { randomValue, type Vocabulary } from '../api/random-request.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * Random requests whose shape the contract accepts, or nearly accepts. The server answers each, or names the
 * problem. None is an internal error.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const requests = 400 * Number(process.env['BELVEDERE_ROUNDS'] ?? 6);
const random = randomFrom(seed);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
/**
 * Endless streams, requests that remove what the other requests need, and requests that reach other machines.
 */
const notAsked: ReadonlySet<string> = new Set([
  'getEvents',
  'removeDashboard',
  'moveDashboard',
  'moveFolder',
  'setImportOptions',
  'saveRelationship',
  'cancelImport',
  'testSource',
  'saveSource',
]);

/** Answered from the data. */
const withFigures: ReadonlySet<string> = new Set([
  'queryTiles',
  'getBrushIndex',
  'getTileRows',
  'explainTile',
  'getFieldValues',
  'getExport',
  'postExport',
]);

const tiles = {
  rows: '{ kind: kpi, value: { measure: rows }, compare: previous period, spark: { field: when, timeUnit: week } }',
  kinds: '{ kind: bar, x: { field: kind }, y: { measure: rows } }',
  days: '{ kind: line, x: { field: when, timeUnit: day }, y: { field: amount, aggregate: mean }, color: { field: ok } }',
  heat: '{ kind: heatmap, x: { field: amount, bin: { maxbins: 10 } }, y: { field: kind }, color: { measure: rows } }',
  chosen: "{ kind: bar, x: { field: ':by' }, y: { measure: rows } }",
  dots: '{ kind: scatter, x: { field: amount }, y: { field: amount }, color: { field: kind } }',
  boxes: '{ kind: boxplot, x: { field: kind }, y: { field: amount } }',
  list: '{ kind: table, columns: [when, kind, amount, note] }',
  sums: '{ kind: table, columns: [kind, rows, median(amount)] }',
  cross: '{ kind: pivot, rows: [{ field: kind }], columns: [{ field: ok }], values: [{ measure: rows }] }',
  words: "{ kind: text, text: 'There are {{rows}} of them' }",
};
const dashboard = `version: 1\ntitle: Own\nmodel: things\nfilters: [{ field: when, control: dateRange }, { field: kind }, { field: amount }]\nparameters: { by: { kind: field, options: [kind, ok] } }\npages:\n  - title: One\n    tiles:\n${Object.entries(
  tiles,
)
  .map(([id, tile]) => `      ${id}: ${tile}`)
  .join('\n')}\n`;
const fields = ['when', 'when', 'kind', 'kind', 'amount', 'amount', 'ok', 'note', 'none', 'constructor'];
const vocabulary: Vocabulary = {
  names: {
    id: [
      'own',
      'own',
      'own',
      'own',
      'own',
      'own',
      'draft:own',
      'explore:things',
      'overview/things',
      '../own',
    ],
    name: ['things', 'things', 'things', 'files', 'none', 'per_kind'],
    table: ['things', 'none'],
    tile: [...Object.keys(tiles), 'none'],
    tiles: Object.keys(tiles),
    active: Object.keys(tiles),
    selections: Object.keys(tiles),
    // A random selection of a tile's fields.
    'selections/': fields,
    oneOf: ['a', 'b', 'a\u0001', 'true', '10', '2024-01-10', 'note 3'],
    field: fields,
    filters: fields,
    where: fields,
    mark: fields,
    drill: fields,
    by: ['rows', 'amount', 'kind'],
    color: fields,
    dimensions: fields,
    measures: ['rows', 'mean(amount)', 'median(amount)', 'sum(kind)', 'distinct(note)', 'count()', 'none'],
    parameters: ['by', 'none'],
    from: ['2024', '2024-02', '2024-02-11', '2024-02-11T10:30'],
    below: ['2024-03', '2024-06-11', '2025'],
    sql: [
      'select * from things',
      'select kind, count(*) as n from things group by 1',
      'select',
      'drop table things',
      'select 1; select 2',
      "select '\u0000'",
      'select * from none',
    ],
    text: [
      dashboard,
      'version: 1\ntable: things\ndimensions: { kind: {}, amount: {} }\nmeasures: { m: { expr: sum(amount) } }\n',
      'version: 1\n',
      '{',
      'a note',
    ],
    locale: ['de-CH', 'en-US', 'zh', 'ar-EG', 'en-US-u-nu-arab', 'xx', 'no_such'],
  },
  texts: [
    '',
    ' ',
    'a',
    'x',
    'null',
    'constructor',
    '%',
    '"',
    "'",
    ';',
    '\u0000',
    '\uD83D',
    '\u202E',
    '💥',
    'é'.repeat(30),
    '1',
    '-1',
    '1e999',
    '12',
    '90 days',
    '1 month',
    '2024-02-11',
    'day',
    'month',
  ],
};

let folder: string;
let running: Running;
const faults: string[] = [];

beforeAll(async () => {
  console.log(`whatever is asked seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-asked-'));
  const samples = path.resolve(import.meta.dirname, '..', '..', 'samples', 'gallery');
  for (const name of ['dashboards', 'models'])
    await cp(path.join(samples, name), path.join(folder, name), { recursive: true });
  await mkdir(path.join(folder, 'data'));
  await writeFile(
    path.join(folder, 'data', 'things.csv'),
    `when,kind,amount,ok,note\n${Array.from({ length: 3000 }, (_, i) => `2024-0${(i % 6) + 1}-1${i % 9},${'abcdef'[i % 6]}${i % 7 === 0 ? '\u0001' : ''},${i},${i % 3 === 0},note ${i % 50}`).join('\n')}\n`,
  );
  await writeFile(
    path.join(folder, 'models', 'per_kind.yaml'),
    'version: 1\nsql: select kind, count(*) as n from things group by kind\ndimensions: { kind: {}, n: {} }\n',
  );
  await writeFile(path.join(folder, 'dashboards', 'own.yaml'), dashboard);
  running = await runBelvedere(folder);
  await allRead(running);
  vi.spyOn(console, 'error').mockImplementation(
    (...said: unknown[]) =>
      void faults.push(
        said.map(one => (one instanceof Error ? (one.stack ?? String(one)) : String(one))).join(' '),
      ),
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

test('a locale that does not exist is no error', async () => {
  const { client } = running;
  const params = { id: 'own', tile: 'rows' };
  const filters = { when: { from: '2024-01-10', below: '2024-02-10' }, amount: { from: 1, below: 2000 } };
  const state = { page: 0, filters, selections: {} };
  const explained = await client.explainTile({ params, body: { state, locale: 'en' } });
  expect(JSON.stringify(explained)).toContain('2024');
  for (const locale of ['', '!', 'en_US@euro', 'e', '-de'])
    expect(await client.explainTile({ params, body: { state, locale } })).toEqual(explained);
});

test('random requests get a result, or a problem with a reason', async () => {
  const endpoints = (Object.entries(contract) as [string, Endpoint][]).filter(
    ([name]) => !notAsked.has(name),
  );
  const answered = new Map<string, number>();
  const ofFigures = endpoints.filter(([name]) => withFigures.has(name));
  for (let i = 0; i < requests; i++) {
    // However many endpoints there are, those with figures get a share of their own.
    const [name, endpoint] = pick(random() < 0.1 ? ofFigures : endpoints);
    const { method, route, body } = requestFor(endpoint);
    const response = await running.send(running.server.address + route, {
      method,
      headers: {
        'x-belvedere': '1',
        ...(body !== undefined && {
          'content-type': endpoint.accepts ?? 'application/json',
        }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (response.ok) answered.set(name, (answered.get(name) ?? 0) + 1);
    const asked = `${method} ${decodeURI(route)} ${body ?? ''}`;
    // Indexes and results are streams: a problem with one tile arrives between the results of the others.
    expect(
      response.status === 500 || text.includes('"type":"internal"')
        ? `${asked}\n${text.slice(0, 500)}\n${faults.join('\n')}`
        : '',
    ).toBe('');
    if (!response.ok)
      expect([asked, response.headers.get('content-type')]).toEqual([asked, 'application/problem+json']);
    faults.length = 0;
  }
  // Endpoints that only refuse a request prove nothing. A short run gets some forty successful responses from
  // all of them together, a long run that many from each.
  const seen = [...withFigures].reduce((sum, name) => sum + (answered.get(name) ?? 0), 0);
  expect(seen).toBeGreaterThan(requests / 120);
  if (requests >= 40_000)
    expect([...withFigures, 'postQuery', 'runSql'].filter(name => !answered.has(name))).toEqual([]);
}, 1_200_000);

function requestFor({ method, path: address, params, query, body }: Endpoint): {
  readonly method: string;
  readonly route: string;
  readonly body: string | undefined;
} {
  const make = (part: Endpoint['params']): Readonly<Record<string, unknown>> => {
    const made = part && randomValue(part, vocabulary, random);
    return made && typeof made === 'object' ? { ...made } : {};
  };
  const named = make(params);
  const route = address.replace(
    /:(\w+)/g,
    (_, key: string) => encodeURIComponent(String(named[key] ?? 'x').toWellFormed()) || '%20',
  );
  const search = new URLSearchParams(
    Object.entries(make(query)).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
  return {
    method,
    route: search.size > 0 ? `${route}?${search}` : route,
    body: body
      ? JSON.stringify(randomValue(body, vocabulary, random))
      : method === 'PUT'
        ? 'a,b\n1,2\n'
        : undefined,
  };
}
