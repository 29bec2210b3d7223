// Counts the cost of many viewers instead of timing it: queries, bytes, work left running. The times are in
// bench/concurrency.bench.ts.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

const rows = 3000;
let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-readers-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `2024-0${1 + (i % 6)}-1${i % 9},${['north', 'south', 'east', 'west'][i % 4]},${i % 40},${(i * 37) % 500}`,
  );
  await writeFile(path.join(folder, 'data', 'sales.csv'), ['date,region,hour,amount', ...lines].join('\n'));
  await writeFile(
    path.join(folder, 'dashboards', 'shop.yaml'),
    `version: 1
title: Shop
model: sales
pages:
  - title: One
    tiles:
      days: { kind: area, x: { field: date, timeUnit: month }, y: { measure: rows } }
      regions: { kind: bar, x: { measure: rows }, y: { field: region } }
      amounts: { kind: bar, x: { field: amount, bin: { step: 50 } }, y: { measure: rows } }
      hours: { kind: bar, x: { field: hour }, y: { measure: rows } }
      count: { kind: kpi, value: { measure: rows } }
      list: { kind: table, columns: [date, region, amount] }
`,
  );
  running = await runBelvedere(folder);
  await allRead(running);
});

afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

const state = (selections = {}) => ({ page: 0, filters: {}, selections });
const open = (selections = {}) =>
  running.send(`${running.server.address}/api/v1/dashboards/shop/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
    body: JSON.stringify({ state: state(selections) }),
  });

describe('concurrent readers', () => {
  test('of one dashboard cause one query per tile, and get the same bytes', async () => {
    const before = running.server.queries.executions;
    const bodies = await Promise.all(
      Array.from({ length: 60 }, () => open().then(response => response.arrayBuffer())),
    );
    expect(running.server.queries.executions - before).toBe(6);
    expect(new Set(bodies.map(body => Buffer.from(body).toString('base64'))).size).toBe(1);
  });

  test('that arrive later cause no query', async () => {
    const before = running.server.queries.executions;
    await Promise.all(Array.from({ length: 20 }, () => open().then(response => response.arrayBuffer())));
    expect(running.server.queries.executions - before).toBe(0);
  });

  test('get compressed copies from the cache if they accept them, with equal contents', async () => {
    const plain = Buffer.from(await (await open()).arrayBuffer());
    const ask = async (encoding: string) => {
      const response = await running.send(`${running.server.address}/api/v1/dashboards/shop/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-belvedere': '1', 'accept-encoding': encoding },
        body: JSON.stringify({ state: state() }),
      });
      return {
        encoding: response.headers.get('content-encoding'),
        body: Buffer.from(await response.arrayBuffer()),
      };
    };
    await expect.poll(async () => (await ask('gzip')).encoding).toBe('gzip');
    expect((await ask('gzip')).body).toEqual(plain);
    expect(await ask('identity')).toEqual({ encoding: null, body: plain });
    expect((await ask('gzip;q=0')).encoding).toBeNull();
  });

  test('with selections of their own cause queries only for the changes', async () => {
    const before = running.server.queries.executions;
    const frames = await collect(
      await running.client.queryTiles({
        params: { id: 'shop' },
        body: { state: state({ regions: [{ region: { oneOf: ['north'] } }] }) },
      }),
    );
    expect(frames.filter(frame => frame.header.kind === 'problem')).toEqual([]);
    // Four charts and figures, and the table's rows with their count; the chart that selects stays as it is.
    expect(running.server.queries.executions - before).toBe(6);
  });

  test('that disconnect leave nothing running', async () => {
    const leaving = Array.from({ length: 30 }, (_, i) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 5);
      return running.client
        .queryTiles(
          { params: { id: 'shop' }, body: { state: state({ hours: [{ hour: { oneOf: [i] } }] }) } },
          { signal: controller.signal },
        )
        .then(collect)
        .catch(() => {});
    });
    await Promise.all(leaving);
    await expect
      .poll(
        () =>
          running.server.engine.status.running +
          running.server.queries.queues.files.running +
          running.server.queries.queues.files.waiting,
      )
      .toBe(0);
  });

  test('get a few bytes for an unchanged result', async () => {
    const ask = (headers: Record<string, string> = {}) =>
      running.send(`${running.server.address}/api/v1/dashboards/shop`, { headers });
    const first = await ask();
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^W\//);
    const again = await ask({ 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

test('get a page’s own files compressed and cacheable for ever', async () => {
  const page = await (await running.send(`${running.server.address}/`)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  expect(script).toBeDefined();
  const response = await running.send(`${running.server.address}${script}`, {
    headers: { 'accept-encoding': 'br' },
  });
  expect([response.headers.get('content-encoding'), response.headers.get('cache-control')]).toEqual([
    'br',
    'public, max-age=31536000, immutable',
  ]);
});

test('get distant pages of a sorted table in the order of the whole table', async () => {
  const big = await mkdtemp(path.join(os.tmpdir(), 'belvedere-deep-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(big, name));
  const count = 30_000;
  const lines = Array.from(
    { length: count },
    (_, i) =>
      `${i % 11 === 0 ? '' : (i * 7919) % 97},2024-01-01T${String(i % 24).padStart(2, '0')}:00:00,${i}`,
  );
  await writeFile(path.join(big, 'data', 'events.csv'), ['kind,at,number', ...lines].join('\n'));
  await writeFile(
    path.join(big, 'dashboards', 'list.yaml'),
    'version: 1\ntitle: List\nmodel: events\npages:\n  - title: One\n    tiles:\n      list: { kind: table, columns: [kind, at, number] }\n',
  );
  const deep = await runBelvedere(big);
  try {
    await allRead(deep);
    for (const [by, descending] of [
      ['kind', false],
      ['kind', true],
      ['at', true],
      ['number', false],
    ] as const) {
      const page = async (offset: number, limit: number) =>
        (
          await deep.client.getTileRows({
            params: { id: 'list', tile: 'list' },
            body: { state: state(), sort: { by, descending }, offset, limit },
          })
        ).rows;
      // Read shallowly, from the other end where that is nearer, every row once: the pages must go on where
      // the last ended.
      const around = await Promise.all([
        page(14_950, 100),
        page(15_050, 100),
        page(14_950, 200),
        page(count - 50, 100),
      ]);
      expect([...around[0], ...around[1]], `${by} ${descending}`).toEqual(around[2]);
      expect(around[3]).toHaveLength(50);
      const column = ['kind', 'at', 'number'].indexOf(by);
      const values = lines.map(line => line.split(',')[column]!);
      const key = (value: string) => (by === 'at' ? Date.parse(`${value}Z`) : Number(value));
      const sorted = values
        .filter(value => value !== '')
        .map(key)
        .sort((a, b) => (descending ? b - a : a - b));
      expect(around[2].map(row => row[column])).toEqual(
        [...sorted, ...values.filter(value => value === '').map(() => null)].slice(14_950, 15_150),
      );
    }
  } finally {
    await deep.close();
    await rm(big, { recursive: true, force: true });
  }
});
