// The same twelve linked tiles over one, ten and a hundred million flights: time to the first charts, time to
// the exact ones, indexes, dragging, memory.
// `npm run bench -- size 1e6 1e7` for other sizes; 2e8 takes about ten minutes the first time.
import { DuckDBInstance } from '@duckdb/node-api';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { launchBrowser } from '../e2e/browser.ts';
import type { CodingTimes, TableToTime } from './harness/code-six-fields.ts';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { dragOver } from './harness/drag.ts';
import { report, type Figure } from './harness/figures.ts';
import { openDashboard } from './harness/open-dashboard.ts';
import { collect, median, startOn, timed, type BenchServer } from './harness/running-server.ts';

const sizes = process.argv
  .slice(2)
  .filter(word => /^[\d.e]+$/.test(word))
  .map(Number);
const rounds = 3;
const state = { page: 0, filters: {}, selections: {} };
const actives = ['days', 'delays', 'distances', 'heat', 'from'];
const costs: { rows: number; index: number; answers: number }[] = [];

for (const rows of sizes.length > 0 ? sizes : [1e6, 1e7, 1e8]) {
  const figures: Figure[] = [];
  const folder = await flightsAtSize(rows);
  const label = `${rows / 1e6} M`;
  let bench = await startOn(folder);
  // The first use of a table: charts from a sample while its column index is built.
  const encoded = readdirSync(path.join(folder, '.belvedere', 'tables')).some(name =>
    name.endsWith('.codes'),
  );
  const first = await open(bench);
  const [buildMs] = await timed(() => bench.server.engine.encoded.settled());
  if (!encoded)
    figures.push(
      { name: 'the very first opening: near · exact', value: first.near, unit: 'ms' },
      {
        name: 'the very first opening: exact, columns being coded meanwhile',
        value: first.exact + buildMs,
        unit: 'ms',
      },
    );
  for (const active of actives)
    await collect(await bench.client.getBrushIndex({ params: { id: 'bench' }, body: { state, active } }));
  await bench.server.engine.encoded.settled();
  await bench.server.close();

  // A restart with the files in the system's cache: the index is read, not rebuilt.
  bench = await startOn(folder);
  const fresh = await open(bench);
  const openings = [];
  for (let round = 0; round < rounds; round++) {
    forget(bench);
    openings.push(await open(bench));
  }
  const raw = await rawDuckDb(bench);
  const coding = await codeSixFields(bench);
  figures.push(
    ...[
      {
        name: 'coding six fields',
        peer: {
          name: 'DuckDB, started like it, reading those fields of its own table',
          value: coding.startedMs,
        },
      },
      {
        name: '… once it has all of the table in memory',
        peer: { name: 'DuckDB reading those fields a second time', value: coding.tableMs },
      },
      {
        name: '… of the Parquet files the table was read from',
        peer: { name: 'DuckDB reading those fields of the files', value: coding.filesMs },
      },
    ].map(figure => ({
      ...figure,
      value: coding.codingMs,
      unit: 'ms',
      ...(rows >= 1e8 && { target: '≤ 3 ×' }),
    })),
    { name: 'after a start: first picture of all tiles', value: fresh.near, unit: 'ms' },
    {
      name: 'first picture of all tiles',
      value: median(openings.map(opening => opening.near)),
      unit: 'ms',
      target: '≤ 300',
    },
    {
      name: 'exact picture of all tiles',
      value: median(openings.map(opening => opening.exact)),
      unit: 'ms',
      target: '≤ 3000',
      peer: { name: 'raw DuckDB', value: raw.resultsMs },
    },
  );
  let slowest = 0;
  for (const active of actives) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      forget(bench);
      // The query that lays out the axes is cached from the chart on the screen.
      await open(bench);
      bench.server.streams.clear();
      times.push(
        (
          await timed(async () =>
            collect(await bench.client.getBrushIndex({ params: { id: 'bench' }, body: { state, active } })),
          )
        )[0],
      );
    }
    slowest = Math.max(slowest, median(times));
    figures.push({
      name: `index, ${active} against the others`,
      value: median(times),
      unit: 'ms',
      target: '≤ 500',
    });
  }
  const index = figures.filter(figure => figure.name.startsWith('index')).map(figure => figure.value);
  costs.push({ rows, index: median(index), answers: median(openings.map(opening => opening.exact)) });

  const { encoded: columns } = bench.server.engine;
  const fields = fieldsCoded(folder);
  figures.push(
    {
      name: `display-resolution columns, ${fields} fields: bytes a row and field`,
      value: columns.bytes / rows / fields,
      unit: 'B',
      target: '≤ 1',
    },
    { name: 'server: memory', value: process.memoryUsage.rss() / 2 ** 20, unit: 'MB' },
  );

  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 1100 } })).newPage();
  await bench.server.close();
  bench = await startOn(folder, { signIn: false });
  await page.goto(bench.server.openAddress);
  await openDashboard(page, `${bench.server.address}/d/bench`, 12);
  for (const tile of ['days', 'delays', 'heat']) {
    const drag = await dragOver(page, tile, { settleMs: 1000 + rows / 4e4 });
    figures.push(
      {
        name: `dragging on ${tile}: frames a second`,
        value: drag.fps,
        unit: 'fps',
        target: '≥ 55',
        peer: { name: 'the display', value: 60 },
      },
      {
        name: `dragging on ${tile}: all script a frame, p95`,
        value: drag.workP95,
        unit: 'ms',
        target: '≤ 4',
      },
      {
        name: `dragging on ${tile}: the longest task, from press to after release`,
        value: drag.longestTask,
        unit: 'ms',
      },
      { name: `dragging on ${tile}: questions sent`, value: drag.requests, unit: '', target: '= 0' },
    );
  }
  await page.setViewportSize({ width: 1440, height: 2000 });
  await openDashboard(page, `${bench.server.address}/d/twenty`, 20);
  const twenty = await dragOver(page, 'delays', { settleMs: 2000 + rows / 4e4 });
  figures.push(
    {
      name: 'dragging among 20 tiles: frames a second',
      value: twenty.fps,
      unit: 'fps',
      target: '≥ 55',
      peer: { name: 'the display', value: 60 },
    },
    { name: 'dragging among 20 tiles: all script a frame, p95', value: twenty.workP95, unit: 'ms' },
  );
  figures.push({
    name: 'browser: script memory',
    value:
      (await page.evaluate(
        () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      )) /
      2 ** 20,
    unit: 'MB',
    target: '≤ 300',
  });
  await browser.close();
  await bench.server.close();
  await report(`size ${label}`, figures);
}

const [smallest, largest] = [costs[0]!, costs.at(-1)!];
if (costs.length > 1) {
  await report('size', [
    {
      name: `index, ns a row: ${largest.rows / 1e6} M`,
      value: (largest.index * 1e6) / largest.rows,
      unit: 'ns',
      peer: { name: `${smallest.rows / 1e6} M rows`, value: (smallest.index * 1e6) / smallest.rows },
    },
    {
      name: `exact picture, ns a row: ${largest.rows / 1e6} M`,
      value: (largest.answers * 1e6) / largest.rows,
      unit: 'ns',
      peer: { name: `${smallest.rows / 1e6} M rows`, value: (smallest.answers * 1e6) / smallest.rows },
    },
  ]);
}
process.exit(0);

/** Returns the time until every tile has a chart, and until every tile has its exact one, ms. */
async function open({ client }: BenchServer): Promise<{ near: number; exact: number }> {
  const began = performance.now();
  const near = new Map<string, number>();
  let exact = 0;
  for await (const { header } of await client.queryTiles({ params: { id: 'bench' }, body: { state } })) {
    if (header.kind === 'problem') throw new Error(`${header.tile}: ${header.problem.detail}`);
    if (header.kind !== 'cells' && header.kind !== 'rows') continue;
    const at = performance.now() - began;
    if (!near.has(header.tile)) near.set(header.tile, at);
    if (header.kind === 'rows' || !header.sampled) exact = at;
  }
  return { near: Math.max(...near.values()), exact };
}

function forget({ server }: BenchServer): void {
  server.queries.cache.clear();
  server.streams.clear();
}

function fieldsCoded(folder: string): number {
  const tables = path.join(folder, '.belvedere', 'tables');
  return readdirSync(tables)
    .filter(name => name.endsWith('.codes.json'))
    .reduce(
      (sum, name) =>
        sum +
        (JSON.parse(readFileSync(path.join(tables, name), 'utf8')) as { fields: unknown[] }).fields.length,
      0,
    );
}

/** Builds the column index like the product, in a process of its own. */
async function codeSixFields({ server }: BenchServer): Promise<CodingTimes> {
  const { alias, imported } = server.store.current.tables.get('flights')!;
  const table = {
    alias: alias!,
    database: imported!.database,
    files: imported!.files,
    rounds,
  } satisfies TableToTime;
  const { stdout } = await promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, 'harness', 'code-six-fields.ts'),
    JSON.stringify(table),
  ]);
  return JSON.parse(stdout) as CodingTimes;
}

/** The queries of the twelve tiles as plain SQL, one after another on all cores. */
async function rawDuckDb({ server }: BenchServer): Promise<{ resultsMs: number }> {
  const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  const connection = await instance.connect();
  const { alias, imported } = server.store.current.tables.get('flights')!;
  await connection.run(`attach '${imported!.database}' as "${alias}" (read_only)`);
  const from = `from "${alias}".data`;
  const queries = [
    `select hour(date), count(*) ${from} group by 1`,
    `select floor(delay / 5), count(*) ${from} group by 1`,
    `select floor(distance / 100), count(*) ${from} group by 1`,
    `select date_trunc('day', date), count(*) ${from} group by 1`,
    `select date_trunc('week', date), avg(delay) ${from} group by 1`,
    `select hour(date), floor(delay / 10), count(*) ${from} group by 1, 2`,
    `select carrier, count(*) ${from} group by 1`,
    `select origin, count(*) ${from} group by 1`,
    `select destination, avg(delay) ${from} group by 1`,
    `select count(*) ${from}`,
    `select avg((delay < 15)::int) ${from}`,
    `select * ${from} order by date desc limit 100`,
  ];
  const times: number[] = [];
  for (let round = 0; round < 2; round++) {
    times.push(
      (
        await timed(async () => {
          for (const question of queries) await connection.runAndReadAll(question);
        })
      )[0],
    );
  }
  connection.closeSync();
  instance.closeSync();
  return { resultsMs: Math.min(...times) };
}
