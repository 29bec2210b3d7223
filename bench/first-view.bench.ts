// From a warm start to a first complete dashboard; the brush index; frames while dragging. Three million flights, twelve linked tiles.
// Every figure is a ratio to raw DuckDB asked the same in the same run, or to the display's rate.
import { DuckDBInstance } from '@duckdb/node-api';
import { createClient, type CellsHeader, type Frame, type IndexHeader } from '@belvedere/api';
import { findPlace, startServer } from '@belvedere/server';
import { planQuery, type CellsQuestion } from '@belvedere/query';
import { duckdb, writeSql } from '@belvedere/sql';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { prepareSample } from '../apps/cli/src/prepare-sample.ts';
import { launchBrowser, project } from '../e2e/browser.ts';

const rounds = 5;
const tiles = `
      hours: { kind: bar, x: { field: hour }, y: { measure: flights }, at: [0, 0, 6, 8] }
      delays: { kind: bar, x: { field: delay, bin: { step: 5 }, scale: { domain: [-45, 135] } }, y: { measure: flights }, at: [6, 0, 6, 8] }
      distances: { kind: bar, x: { field: distance, bin: { step: 100 }, scale: { domain: [0, 2800] } }, y: { measure: flights }, at: [12, 0, 6, 8] }
      days: { kind: area, x: { field: date, timeUnit: day }, y: { measure: flights }, at: [18, 0, 6, 8] }
      mean: { kind: line, x: { field: date, timeUnit: day }, y: { measure: avg_delay }, at: [0, 8, 6, 8] }
      heat: { kind: heatmap, x: { field: hour }, y: { field: weekday }, color: { measure: avg_delay }, at: [6, 8, 6, 8] }
      cloud: { kind: scatter, x: { field: distance, scale: { domain: [0, 2800] } }, y: { field: delay, scale: { domain: [-50, 150] } }, at: [12, 8, 6, 8] }
      from: { kind: bar, x: { measure: flights }, y: { field: origin, limit: 12 }, at: [18, 8, 6, 8] }
      to: { kind: bar, x: { measure: flights }, y: { field: destination, limit: 12 }, at: [0, 16, 6, 8] }
      state: { kind: bar, x: { measure: avg_delay }, y: { field: origin_state, limit: 12 }, at: [6, 16, 6, 8] }
      count: { kind: kpi, value: { measure: flights }, at: [12, 16, 6, 4] }
      late: { kind: kpi, value: { measure: on_time }, at: [18, 16, 6, 4] }
`;

const workspace = await mkdtemp(path.join(os.tmpdir(), 'belvedere-bench-'));
await cp(await prepareSample(project), workspace, { recursive: true, filter: source => !source.includes('.belvedere') });
await writeFile(path.join(workspace, 'dashboards', 'bench.yaml'), `version: 1\ntitle: Bench\nmodel: flights\npages:\n  - title: One\n    tiles:${tiles}`);
const start = async () => startServer({ place: await findPlace(workspace), host: '127.0.0.1', port: 0, movesOn: false, version: 'bench', pagesFolder: path.join(project, 'apps', 'web', 'dist') });
const state = { page: 0, filters: {}, selections: {} };

// Read everything once, so that the start measured is a warm one.
let server = await start();
while (server.store.current.tables.get('flights')?.state !== 'ready') await new Promise(resolve => setTimeout(resolve, 50));
await server.close();

const startMs: number[] = [];
const answersMs: number[] = [];
const indexMs: number[] = [];
let frames: Frame[] = [];
let indexes: Frame[] = [];
for (let round = 0; round < rounds; round++) {
  const began = performance.now();
  server = await start();
  startMs.push(performance.now() - began);
  const client = createClient(server.address, await signedIn());
  await client.postQuery({ params: { name: 'flights' }, body: { measures: ['flights'] } });
  const asked = performance.now();
  frames = await collect(await client.postAnswers({ params: { id: 'bench' }, body: { state } }));
  answersMs.push(performance.now() - asked);
  const indexed = performance.now();
  indexes = await collect(await client.postIndex({ params: { id: 'bench' }, body: { state, active: 'days' } }));
  indexMs.push(performance.now() - indexed);
  if (round < rounds - 1) await server.close();
}

const raw = await DuckDBInstance.create(':memory:', { threads: String(os.availableParallelism()), preserve_insertion_order: 'false' });
const connection = await raw.connect();
for (const { alias, imported } of server.store.current.tables.values()) await connection.run(`attach '${imported!.database}' as "${alias}" (read_only)`);
const rawAnswers = await rawTimes(frames.flatMap(frame => (frame.header.kind === 'cells' ? [questionOf(frame.header)] : [])));
const rawIndex = await rawTimes(indexes.flatMap(frame => (frame.header.kind === 'index' ? [questionOf(frame.header)] : [])));

const browser = await launchBrowser();
const page = await (await browser.newContext({ viewport: { width: 1440, height: 1100 } })).newPage();
await page.goto(await anotherAddress());
await page.evaluate(() => localStorage.setItem('belvedere-measure', '1'));
const opened = performance.now();
await page.goto(`${server.address}/d/bench`);
await page.waitForFunction(() => {
  const shown = [...document.querySelectorAll('[data-tile]')];
  return shown.length === 12 && shown.every(tile => tile.getAttribute('data-status') === 'fresh');
});
const pageMs = performance.now() - opened;
const drags: Record<string, Awaited<ReturnType<typeof dragOver>>> = {};
for (const tile of ['days', 'delays', 'heat']) drags[tile] = await dragOver(tile);
await browser.close();
await server.close();
await rm(workspace, { recursive: true, force: true });

const line = (name: string, value: string) => console.log(`${name.padEnd(66)} ${value}`);
line('warm start to the printed line', `${median(startMs).toFixed(0)} ms`);
line('12 tiles answered, of raw DuckDB asking the same statements', `${(median(answersMs) / median(rawAnswers)).toFixed(2)} × (${median(answersMs).toFixed(0)} ms)`);
line('from a fresh start to 12 tiles complete in the browser', `${pageMs.toFixed(0)} ms`);
line('brush index for 1 tile against 11, of raw DuckDB likewise', `${(median(indexMs) / median(rawIndex)).toFixed(2)} × (${median(indexMs).toFixed(0)} ms, ${indexes.length} indexes)`);
for (const [tile, { fps, p95, workP50, workP95 }] of Object.entries(drags)) {
  line(`dragging on ${tile}: frames a second, of the display's`, `${(fps / 60).toFixed(2)} × (${fps.toFixed(1)}; p95 ${p95.toFixed(1)} ms)`);
  line(`dragging on ${tile}: our own work a frame, p50 · p95`, `${workP50.toFixed(2)} · ${workP95.toFixed(2)} ms`);
}

/** The statements one after another on all cores, each round summed. */
async function rawTimes(questions: readonly CellsQuestion[]): Promise<number[]> {
  const { current } = server.store;
  const statements = questions.map(question => writeSql(planQuery(question, current.models.get('flights')!.model, current.timezone), duckdb, table => `"${current.tables.get(table)!.alias}"."main"."data"`));
  const sums: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    for (const { text, parameters } of statements) await connection.runAndReadAll(text, [...parameters]);
    sums.push(performance.now() - began);
  }
  return sums;
}

function questionOf(header: CellsHeader | IndexHeader): CellsQuestion {
  const tile = server.store.current.dashboards.get('bench')!.document!.pages[0]!.tiles[header.tile]!;
  const encodings = [tile.kind === 'kpi' ? tile.value : undefined, 'x' in tile ? tile.x : undefined, 'y' in tile ? tile.y : undefined, tile.kind === 'heatmap' ? tile.color : undefined];
  const measure = encodings.find(encoding => encoding && 'measure' in encoding);
  const axes = header.kind === 'index' ? [...header.brush, ...header.axes] : header.axes;
  return { kind: 'cells', model: 'flights', axes, measures: [measure && 'measure' in measure ? measure.measure : 'rows'], where: { kind: 'everything' } };
}

async function signedIn(): Promise<typeof fetch> {
  const response = await fetch(server.openAddress, { redirect: 'manual' });
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
  return (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
}

async function anotherAddress(): Promise<string> {
  await server.close();
  server = await start();
  return server.openAddress;
}

async function collect(answers: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of answers) all.push(frame);
  return all;
}

/** Drags back and forth over a tile for some three seconds, as fast as a hand with a 60 Hz pointer. */
async function dragOver(tile: string) {
  const surface = page.locator(`[data-tile=${tile}] [role=application]`);
  await surface.hover();
  await page.waitForTimeout(3500);
  const box = (await surface.boundingBox())!;
  const [left, right] = [box.x + box.width * 0.25, box.x + box.width * 0.9];
  await page.mouse.move(left, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.evaluate(() => {
    performance.clearMeasures();
    const times: number[] = [];
    (window as unknown as { frameTimes: number[] }).frameTimes = times;
    const tick = (time: number) => {
      times.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const began = performance.now();
  while (performance.now() - began < 3000) {
    const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
    await page.mouse.move(left + 30 + (right - left - 30) * share, box.y + box.height * (0.3 + 0.3 * share));
    await page.waitForTimeout(10);
  }
  const measured = await page.evaluate(() => {
    const { frameTimes } = window as unknown as { frameTimes: number[] };
    const durations = (name: string) => performance.getEntriesByName(name).map(entry => [entry.startTime, entry.duration] as const);
    return { times: frameTimes, draws: durations('belvedere:frame'), brushes: durations('belvedere:brush') };
  });
  await page.mouse.up();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  const gaps = measured.times.slice(1).map((time, i) => time - measured.times[i]!);
  const work = measured.draws.map(([at, draw]) => draw + measured.brushes.filter(([when]) => when <= at && when > at - 17).reduce((sum, [, brush]) => sum + brush, 0));
  return { fps: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), p95: quantile(gaps, 0.95), workP50: quantile(work, 0.5), workP95: quantile(work, 0.95) };
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
