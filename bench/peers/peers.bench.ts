// Belvedere and its peers on the same five linked charts of the same flights, one after another, in the same
// browser, on the same machine. `node bench/peers/peers.bench.ts 1e6 1e7`. The peers are installed here on
// demand; their pages are in `pages/`.
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { launchBrowser } from '../../e2e/browser.ts';
import { dragAcross, dragOver } from '../harness/drag.ts';
import { report, type Figure } from '../harness/figures.ts';
import { flightsAtSize } from '../harness/flights-at-size.ts';
import { openDashboard, painted } from '../harness/open-dashboard.ts';
import { quantile, startOn, timed } from '../harness/running-server.ts';
import { traceScript } from '../harness/script-time.ts';

const here = import.meta.dirname;
const sizes = process.argv
  .slice(2)
  .filter(word => /^[\d.e]+$/.test(word))
  .map(Number);
const viewport = { width: 1400, height: 900 };
/** The peers' pages in `pages`. */
const pages = ['mosaic', 'falcon', 'crossfilter2', 'perspective'] as const;

/**
 * The same charts by each peer. The lightest peer also draws bare bars, as a lower bound for any page that
 * uses it.
 */
const peers: readonly Peer[] = [
  { name: 'mosaic', page: 'mosaic' },
  { name: 'falcon', page: 'falcon' },
  { name: 'falcon, bars alone', page: 'falcon', isBare: true },
  { name: 'crossfilter2', page: 'crossfilter2' },
  { name: 'perspective', page: 'perspective' },
];

interface Peer {
  readonly name: string;
  readonly page: (typeof pages)[number];
  /** Bars alone: no axes, no visible brush. */
  readonly isBare?: true;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Result {
  readonly firstMs: number;
  readonly indexMs: number;
  readonly gapP50: number;
  readonly gapP95: number;
  readonly workP95: number;
  /** Resident memory, MiB, including the browser's program. */
  readonly residentMb: number;
  /**
   * Proportional set size: memory shared by several processes is divided among them (Linux,
   * `proc_pid_smaps`).
   */
  readonly shareMb: number;
  /** Without shared memory. */
  readonly ownMb: number;
}

if (!existsSync(path.join(here, 'node_modules', '@perspective-dev', 'client'))) {
  const installed = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
    { cwd: here, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  if (installed.status !== 0) throw new Error('The peers could not be installed.');
}
for (const page of pages) {
  await build({
    root: path.join(here, 'pages'),
    logLevel: 'error',
    configFile: false,
    build: {
      outDir: path.join(here, 'dist', page),
      emptyOutDir: true,
      target: 'esnext',
      minify: true,
      rollupOptions: { input: path.join(here, 'pages', `${page}.js`), output: { entryFileNames: 'page.js' } },
    },
  });
}

for (const rows of sizes.length > 0 ? sizes : [1e6]) {
  const results = new Map<string, Result>();
  const folder = await flightsAtSize(rows);
  results.set('Belvedere', await measureOurs(folder));
  const connection = await loaded(folder);
  const days = Number((await connection.runAndReadAll('select max(day) + 1 from flights')).getRows()[0]![0]);
  const columns = await columnsOf(connection, rows);
  const server = await serve(connection, columns);
  for (const peer of peers) {
    const result = await measurePeer(
      peer,
      `http://127.0.0.1:${(server.address() as { port: number }).port}`,
      days,
    ).catch((error: unknown) =>
      console.error(`${peer.name} at ${rows / 1e6} M rows: ${(error as Error).message.split('\n')[0]}`),
    );
    if (result) results.set(peer.name, result);
  }
  server.close();
  connection.closeSync();
  const ours = results.get('Belvedere')!;
  const figure = (name: string, unit: string, read: (result: Result) => number): Figure[] =>
    [...results]
      .filter(([, result]) => Number.isFinite(read(result)))
      .map(([peer, result]) => ({
        name: `${name}, ${peer}`,
        value: read(result),
        unit,
        ...(peer !== 'Belvedere' && { peer: { name: 'Belvedere', value: Math.max(0.01, read(ours)) } }),
      }));
  await report(`peers ${rows / 1e6} M`, [
    ...figure('to the first picture', 'ms', result => result.firstMs),
    ...figure('index before the first brush', 'ms', result => result.indexMs),
    ...figure('frame while dragging, p50', 'ms', result => result.gapP50),
    ...figure('frame while dragging, p95', 'ms', result => result.gapP95),
    ...figure('script a frame, p95', 'ms', result => result.workP95),
    ...figure('memory of the page’s process', 'MB', result => result.residentMb),
    ...figure('… what is shared by its share', 'MB', result => result.shareMb),
    ...figure('… without the browser’s own program', 'MB', result => result.ownMb),
  ]);
}
process.exit(0);

async function measureOurs(folder: string): Promise<Result> {
  await writeFile(
    path.join(folder, 'dashboards', 'five.yaml'),
    `version: 1
title: Five
model: flights
pages:
  - title: One
    tiles:
      delays: { kind: bar, x: { field: delay, bin: { step: 5 }, scale: { domain: [-45, 135] } }, y: { measure: flights }, at: [0, 0, 8, 8] }
      hours: { kind: bar, x: { field: hour }, y: { measure: flights }, at: [8, 0, 8, 8] }
      distances: { kind: bar, x: { field: distance, bin: { step: 100 }, scale: { domain: [0, 2800] } }, y: { measure: flights }, at: [16, 0, 8, 8] }
      carriers: { kind: bar, x: { field: carrier, limit: 14 }, y: { measure: flights }, at: [0, 8, 8, 8] }
      weeks: { kind: bar, x: { field: date, timeUnit: week }, y: { measure: flights }, at: [8, 8, 8, 8] }
`,
  );
  // Columns are indexed at first use. Peers also load theirs before they are measured.
  const first = await startOn(folder);
  const state = { page: 0, filters: {}, selections: {} };
  for await (const _ of await first.client.queryTiles({ params: { id: 'five' }, body: { state } }));
  await first.server.engine.encoded.settled();
  await first.server.close();
  const { server } = await startOn(folder, { signIn: false });
  // Signs in with a browser that closes before the others open: those have nothing cached, and nothing else
  // runs meanwhile.
  const letIn = await launchBrowser();
  const home = await letIn.newContext();
  await (await home.newPage()).goto(server.openAddress, { waitUntil: 'networkidle' });
  const storageState = await home.storageState();
  await letIn.close();
  const open = (page: Page) => openDashboard(page, `${server.address}/d/five`, 5);
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport, storageState })).newPage();
  await page.addInitScript(() => {
    localStorage.setItem('belvedere-measure', '1');
    const onMove = ({ target }: Event) => {
      if (!(target as Element).closest?.('[data-tile=delays]')) return;
      performance.mark('entered');
      removeEventListener('pointermove', onMove, { capture: true });
    };
    addEventListener('pointermove', onMove, { capture: true });
  });
  const [firstMs] = await timed(() => open(page));
  await page.locator('[data-tile=delays] [role=application]').hover();
  // One index for each of the other four charts.
  await page.waitForFunction(() => performance.getEntriesByName('belvedere:index').length >= 4, undefined, {
    polling: 5,
  });
  const indexMs = await page.evaluate(
    () =>
      Math.max(...performance.getEntriesByName('belvedere:index').map(entry => entry.startTime)) -
      performance.getEntriesByName('entered')[0]!.startTime,
  );
  const dragged = await dragAcross(page, page.locator('[data-tile=delays] [role=application]'));
  // Before any tracing, since the browser keeps its trace in the page's process.
  const memory = rendererMemory();
  const { workP95 } = await dragOver(page, 'delays', { settleMs: 500 });
  await browser.close();
  const opened = await medianOpening(firstMs, open, storageState);
  await server.close();
  return { firstMs: opened, indexMs, gapP50: dragged.gapP50, gapP95: dragged.gapP95, workP95, ...memory };
}

async function measurePeer(peer: Peer, address: string, days: number): Promise<Result> {
  const browser = await launchBrowser();
  const open = async (page: Page) => {
    page.setDefaultTimeout(240_000);
    await page.goto(`${address}/${peer.page}/?days=${days}${peer.isBare ? '&bare' : ''}`);
    await page.waitForFunction(() => 'peer' in globalThis);
    await painted(page);
  };
  try {
    const page = await (await browser.newContext({ viewport })).newPage();
    const [once] = await timed(() => open(page));
    // Reopened after all other measurements, since its server's cached results make it faster then.
    if (peer.page === 'mosaic') {
      const dragged = { ...(await dragMosaic(page)), ...rendererMemory() };
      return { firstMs: await medianOpening(once, open), ...dragged };
    }
    const indexMs = await page.evaluate(async () => {
      const start = performance.now();
      await (globalThis as unknown as { peer: { prepare: () => Promise<void> } }).peer.prepare();
      return performance.now() - start;
    });
    const surface = page.locator('canvas').first();
    await dragAcross(page, surface);
    const gaps = await page.evaluate(
      () => (globalThis as unknown as { followed: Promise<number[]> }).followed,
    );
    const memory = rendererMemory();
    const { frames: work } = await traceScript(page, async (begin, end) => {
      await dragAcross(page, surface, { begin, end });
      await page.evaluate(() => (globalThis as unknown as { followed: Promise<number[]> }).followed);
    });
    return {
      firstMs: await medianOpening(once, open),
      indexMs,
      gapP50: quantile(gaps, 0.5),
      gapP95: quantile(gaps, 0.95),
      workP95: quantile(work, 0.95),
      ...memory,
    };
  } finally {
    await browser.close();
  }
}

/**
 * Returns the median time to the first charts of five loads, each in a new browser without a cache; slow
 * pages load once.
 */
async function medianOpening(
  once: number,
  open: (page: Page) => Promise<void>,
  storageState?: StorageState,
): Promise<number> {
  const all = [once];
  while (once < 3000 && all.length < 5) {
    const browser = await launchBrowser();
    const page = await (
      await browser.newContext({ viewport, ...(storageState && { storageState }) })
    ).newPage();
    all.push((await timed(() => open(page)))[0]);
    await browser.close();
  }
  return quantile(all, 0.5);
}

/** Charts follow when the database responds: a frame is the time between two drawings of the second chart. */
async function dragMosaic(page: Page): Promise<Omit<Result, 'firstMs' | 'residentMb' | 'shareMb' | 'ownMb'>> {
  const box = (await page.locator('svg').first().boundingBox())!;
  const changes = () => page.evaluate(() => (globalThis as unknown as { changes: () => number }).changes());
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  const before = await changes();
  const began = performance.now();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
  while ((await changes()) === before && performance.now() - began < 60_000) await page.waitForTimeout(2);
  const indexMs = performance.now() - began;
  await page.mouse.up();
  await page.evaluate(() => {
    const times: number[] = [];
    (window as unknown as { pictures: number[] }).pictures = times;
    new MutationObserver(() => times.push(performance.now())).observe(document.body.children[1]!, {
      childList: true,
      subtree: true,
    });
  });
  await dragAcross(page, page.locator('svg').first());
  const times = await page.evaluate(() => (window as unknown as { pictures: number[] }).pictures);
  const gaps = times
    .slice(1)
    .map((time, i) => time - times[i]!)
    .filter(gap => gap > 2);
  return { indexMs, gapP50: quantile(gaps, 0.5), gapP95: quantile(gaps, 0.95), workP95: Number.NaN };
}

async function loaded(folder: string): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    `create table flights as select delay, hour(date)::utinyint as hour, distance, substr(carrier, 2)::utinyint as carrier, date_diff('day', timestamp '2001-01-01', date)::usmallint as day from '${path.join(folder, 'data', 'flights', '*.parquet')}'`,
  );
  return connection;
}

async function columnsOf(connection: DuckDBConnection, rows: number): Promise<ReadonlyMap<string, Buffer>> {
  const columns = new Map<string, Buffer>();
  for (const name of ['delay', 'hour', 'distance', 'carrier', 'day']) {
    const pieces: Buffer[] = [];
    for (let from = 0; from < rows; from += 1_000_000) {
      const { chunks } = (await connection.runAndReadAll(
        `select list(${name}) from (select ${name} from flights where rowid >= ${from} and rowid < ${from + 1_000_000})`,
      )) as unknown as {
        chunks: {
          getColumnVector: (i: number) => {
            getItemVector: (i: number) => { items: Uint8Array | Int16Array };
          };
        }[];
      };
      const { items } = chunks[0]!.getColumnVector(0).getItemVector(0);
      pieces.push(Buffer.from(items.buffer.slice(items.byteOffset, items.byteOffset + items.byteLength)));
    }
    columns.set(name, Buffer.concat(pieces));
  }
  return columns;
}

async function serve(
  connection: DuckDBConnection,
  columns: ReadonlyMap<string, Buffer>,
): Promise<http.Server> {
  const { tableFromArrays, tableToIPC } = (await import(
    path.join(here, 'node_modules', '@uwdata', 'flechette', 'src', 'index.js')
  )) as {
    tableFromArrays: (arrays: object) => object;
    tableToIPC: (table: object, options: object) => Uint8Array;
  };
  // One query after another on one connection, as in Mosaic's own servers.
  let last: Promise<unknown> = Promise.resolve();
  const server = http.createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const data = /^\/data\/(\w+)$/.exec(url.pathname)?.[1];
    if (data) return void response.end(columns.get(data));
    const file = /^\/(\w+)\/page\.js$/.exec(url.pathname)?.[1];
    if (file)
      return void response
        .setHeader('content-type', 'text/javascript')
        .end(readFileSync(path.join(here, 'dist', file, 'page.js')));
    const chunk = /^\/\w+\/(assets\/[\w.-]+)$/.exec(url.pathname)?.[1];
    if (chunk)
      return void response
        .setHeader('content-type', 'text/javascript')
        .end(readFileSync(path.join(here, 'dist', url.pathname.slice(1))));
    if (url.pathname !== '/sql')
      return void response
        .setHeader('content-type', 'text/html')
        .end(
          `${readFileSync(path.join(here, 'pages', 'index.html'), 'utf8')}<script type="module" src="page.js"></script>`,
        );
    let body = '';
    request.on('data', piece => (body += String(piece)));
    request.on('end', () => {
      const { type, sql } = JSON.parse(body) as { type: string; sql: string };
      last = last
        .then(async () => {
          const reader = await connection.runAndReadAll(sql);
          if (type === 'exec') return response.end();
          const columnsOut = reader.getColumnsObjectJS() as Record<string, unknown[]>;
          const plain = Object.fromEntries(
            Object.entries(columnsOut).map(([name, values]) => [
              name,
              values.every(value => typeof value === 'number' || typeof value === 'bigint') &&
              values.length > 0
                ? Float64Array.from(values, Number)
                : values.map(value => (typeof value === 'bigint' ? Number(value) : value)),
            ]),
          );
          return type === 'json'
            ? response
                .setHeader('content-type', 'application/json')
                .end(
                  JSON.stringify(reader.getRowObjectsJS(), (_, value: unknown) =>
                    typeof value === 'bigint' ? Number(value) : value,
                  ),
                )
            : response.end(tableToIPC(tableFromArrays(plain), { format: 'stream' }));
        })
        .catch((error: unknown) => response.writeHead(500).end((error as Error).message));
    });
    return undefined;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * Returns the memory of the largest renderer, which is the page rather than the empty tab. The browser's own
 * program, shared by all its processes, does not count for the page.
 */
function rendererMemory(): Pick<Result, 'residentMb' | 'shareMb' | 'ownMb'> {
  const renderers = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) return [];
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const size = (key: string, facts = status) =>
          Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(facts)![1]) / 1024;
        return [
          {
            residentMb: size('VmRSS'),
            shareMb: size('Pss', readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')),
            ownMb: size('RssAnon'),
          },
        ];
      } catch {
        return [];
      }
    });
  return (
    renderers.toSorted((a, b) => b.residentMb - a.residentMb)[0] ?? {
      residentMb: Number.NaN,
      shareMb: Number.NaN,
      ownMb: Number.NaN,
    }
  );
}
