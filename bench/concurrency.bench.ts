// A thousand viewers of one dashboard on one server process: cold, warm, overloaded, leaving. The load comes
// from a separate process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { flightsAtSize, scopes, queriesOfTwelveTiles } from './harness/flights-at-size.ts';
import { report, type Figure } from './harness/figures.ts';
import { generateLoad, loadOfBareServer } from './harness/generate-load.ts';
import { startOn } from './harness/running-server.ts';

const readers = 1000;
/** Sizes of the dashboard that all viewers open, and of the table whose queries take about two seconds. */
const rows = 1_000_000;
const rowsOfSlow = 10_000_000;

const { server, cookie } = await startOn(await flightsAtSize(rows));
const state = { page: 0, filters: {}, selections: {} };
const open = { method: 'POST', path: '/api/v1/dashboards/bench/query', body: { state } };
const figures: Figure[] = [];
const resolutionMs = 5;
const allLag = monitorEventLoopDelay({ resolution: resolutionMs });
const lag = monitorEventLoopDelay({ resolution: resolutionMs });
const lags: { readonly phase: string; readonly max: number }[] = [];
const phase = (name: string) => {
  lags.push({ phase: name, max: lag.max / 1e6 - resolutionMs });
  lag.reset();
};
const load = (
  of: readonly object[],
  times: number,
  at: number,
  options: { address?: string; cookie?: string; leaveAfterMs?: number } = {},
) =>
  generateLoad({
    address: options.address ?? server.address,
    cookie: options.cookie ?? cookie,
    requests: { of, times },
    readers: at,
    ...(options.leaveAfterMs && { leaveAfterMs: options.leaveAfterMs }),
  });

// The engine has opened its table; nothing on this dashboard has been queried yet.
await server.engine.run({ text: 'select 1', parameters: [] }, { as: 'values', timeoutMs: 1000, maxRows: 1 });
lag.enable();
allLag.enable();
const executions = server.queries.executions;
const cold = await load([open], readers, readers);
phase('cold');
figures.push(
  {
    name: `${readers} readers open a dashboard of 12 tiles at once, cold: p99`,
    value: cold.p99,
    unit: 'ms',
    target: '≤ 3000',
  },
  { name: 'errors among them', value: readers - (cold.statuses['200'] ?? 0), unit: '', target: '= 0' },
  {
    name: 'questions the engine was asked for all of them',
    value: server.queries.executions - executions,
    unit: '',
    target: `= ${queriesOfTwelveTiles}`,
  },
);

const bareLoad = await loadOfBareServer(readers * 4, readers);
lag.reset();
const warm = await load([open], readers * 4, readers);
phase('warm');
figures.push(
  {
    name: 'the same, warm: tile answers a second',
    value: (warm.queries * 12_000) / warm.wallMs,
    unit: '/s',
    target: '≥ 2000',
  },
  {
    name: 'the same, warm: requests a second',
    value: (warm.queries * 1000) / warm.wallMs,
    unit: '/s',
    peer: { name: 'bare HTTP server', value: (bareLoad.queries * 1000) / bareLoad.wallMs },
  },
  {
    name: 'the same, warm: p99',
    value: warm.p99,
    unit: 'ms',
    target: '≤ 1000',
    peer: { name: 'bare HTTP server', value: bareLoad.p99 },
  },
);

const executedForAll = server.queries.executions;
const { executions: answered, passes } = server.engine.encoded;
const scoped = await load(
  Array.from({ length: scopes }, (_, i) => ({ ...open, path: `/api/v1/dashboards/guarded/query?as=p${i}` })),
  readers / scopes,
  readers,
);
phase('scopes');
figures.push(
  {
    name: `the same of ${scopes} different rights to the rows, cold: p99`,
    value: scoped.p99,
    unit: 'ms',
    target: '≤ 30000',
  },
  { name: '… errors', value: readers - (scoped.statuses['200'] ?? 0), unit: '', target: '= 0' },
  { name: '… questions asked for all of them', value: server.queries.executions - executedForAll, unit: '' },
  {
    name: '… runs of the engine and passes over codes that answered them',
    value:
      server.queries.executions -
      executedForAll -
      (server.engine.encoded.executions - answered) +
      server.engine.encoded.passes -
      passes,
    unit: '',
    target: `≤ ${scopes * 12}`,
  },
);

await server.close();
const busy = await startOn(await flightsAtSize(rowsOfSlow));
await load([open], 1, 1, { address: busy.server.address, cookie: busy.cookie });
lag.reset();
// Two hundred different queries of about two seconds each, which neither the cache nor the column index can
// answer.
const busyAt = { address: busy.server.address, cookie: busy.cookie };
const slow = Array.from({ length: 200 }, (_, i) => ({
  method: 'POST',
  path: '/api/v1/models/flights/query',
  body: {
    dimensions: [{ field: 'origin' }, { field: 'destination' }, { field: 'date', timeUnit: 'minute' }],
    measures: ['flights', 'avg_delay'],
    where: { distance: { from: i } },
    order: [{ by: 'flights', descending: true }],
    limit: 10,
  },
}));
const [overload, meanwhile, health] = await Promise.all([
  load(slow, 1, 200, busyAt),
  pause(500).then(() => load([open], 400, 20, busyAt)),
  pause(500).then(() => load([{ method: 'GET', path: '/healthz' }], 400, 20, busyAt)),
]);
const ended = performance.now();
const back = await load([open], 20, 1, busyAt);
while (busy.server.queries.queues.files.running > 0) await pause(20);
phase('overload');
figures.push(
  { name: '200 slow questions at once: answered', value: overload.statuses['200'] ?? 0, unit: '' },
  {
    name: '… turned away with 503 and Retry-After',
    value: Math.min(overload.statuses['503'] ?? 0, overload.retryAfters),
    unit: '',
  },
  {
    name: '… neither',
    value:
      200 - (overload.statuses['200'] ?? 0) - Math.min(overload.statuses['503'] ?? 0, overload.retryAfters),
    unit: '',
    target: '= 0',
  },
  { name: '… cached dashboards meanwhile: p99', value: meanwhile.p99, unit: 'ms', target: '≤ 500' },
  { name: '… /healthz meanwhile: p99', value: health.p99, unit: 'ms', target: '≤ 500' },
  { name: '… back to normal after', value: performance.now() - ended, unit: 'ms', target: '≤ 10000' },
  { name: '… a cached dashboard then: p99', value: back.p99, unit: 'ms' },
);

const executedBefore = busy.server.queries.executions;
await load(
  slow.map((question, i) => ({
    ...question,
    body: { ...question.body, where: { distance: { from: 1000 + i } } },
  })),
  1,
  200,
  { ...busyAt, leaveAfterMs: 200 },
);
const left = performance.now();
while (
  (busy.server.engine.status.running > 0 || busy.server.queries.queues.files.waiting > 0) &&
  performance.now() - left < 30_000
)
  await pause(5);
phase('leaving');
lag.disable();
allLag.disable();
figures.push(
  {
    name: '200 readers leave after 200 ms: until no question runs',
    value: performance.now() - left,
    unit: 'ms',
    target: '≤ 2000',
  },
  {
    name: '… of them the engine had begun',
    value: busy.server.queries.executions - executedBefore,
    unit: '',
  },
  {
    name: 'event loop, through all of it: lag p99',
    value: allLag.percentile(99) / 1e6 - resolutionMs,
    unit: 'ms',
    target: '≤ 50',
  },
  ...lags.map(({ phase: name, max }): Figure => ({
    name: `event loop, ${name}: longest lag`,
    value: max,
    unit: 'ms',
    target: '≤ 200',
  })),
);
await busy.server.close();
await report('readers', figures);
process.exit(0);

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
