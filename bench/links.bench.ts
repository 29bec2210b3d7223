// A thousand readers of one public link on one server process: each opens the link, loads the dashboard of
// twelve tiles, and queries them. Cold, warm, and until a revoked link shows nothing more.
import { createClient } from '@belvedere/api';
import { resolveWorkspace, startServer } from '@belvedere/server';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import { project } from '../e2e/browser.ts';
import { enter, password } from '../e2e/team/running-team.ts';
import { report } from './harness/figures.ts';
import { flightsAtSize, queriesOfTwelveTiles } from './harness/flights-at-size.ts';
import { generateLoad, loadOfBareServer } from './harness/generate-load.ts';

const readers = 1000;
const rows = 1_000_000;
const source = await flightsAtSize(rows);
const folder = path.join(project, '.cache', 'bench', 'link');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const part of ['data', 'models/flights.yaml', 'dashboards/bench.yaml'])
  await cp(path.join(source, part), path.join(folder, part), { recursive: true });
await writeFile(
  path.join(folder, 'belvedere.yaml'),
  // All readers of this bench have one address.
  'version: 1\ntitle: Bench\ntimezone: UTC\nlimits: { readsPerMinute: 1000000 }\n',
);
const server = await startServer({
  location: await resolveWorkspace(folder),
  mode: 'team',
  host: '127.0.0.1',
  port: 0,
  movesOn: false,
  version: 'bench',
  pagesFolder: path.join(project, 'apps', 'web', 'dist'),
});
while ([...server.store.current.tables.values()].some(({ state }) => state !== 'ready'))
  await new Promise(resolve => setTimeout(resolve, 50));
const { client } = await enter(server, 'olga@example.org', one =>
  one.setUp({ body: { code: server.setupCode!, name: 'Olga', email: 'olga@example.org', password } }),
);
await client.switchLinks({ body: { isOn: true } });
const { link, secret } = await client.createLink({ params: { id: 'bench' }, body: { name: 'Bench' } });
const state = { page: 0, filters: {}, selections: {} };
const visit = [
  { method: 'GET', path: '/api/v1/dashboards/shared?language=en' },
  { method: 'POST', path: '/api/v1/dashboards/shared/query', body: { state } },
];
const visits = (times: number) =>
  generateLoad({ address: server.address, secret, requests: { of: visit, times }, readers });
const errors = ({ statuses }: Awaited<ReturnType<typeof visits>>, times: number) =>
  times * (visit.length + 1) - (statuses['200'] ?? 0);

const resolutionMs = 5;
/** Runs some work and measures how late the loop's timers are meanwhile. */
async function withLag<T>(work: () => Promise<T>): Promise<readonly [T, { p99: number; longest: number }]> {
  // A monitor that is enabled again counts the time in which it was disabled as one delay.
  const lag = monitorEventLoopDelay({ resolution: resolutionMs });
  lag.enable();
  const result = await work();
  lag.disable();
  const ms = (nanoseconds: number) => nanoseconds / 1e6 - resolutionMs;
  return [result, { p99: ms(lag.percentile(99)), longest: ms(lag.max) }];
}
const before = server.queries.executions;
const [cold, coldLag] = await withLag(() => visits(readers));
const executions = server.queries.executions - before;
const bare = await loadOfBareServer(readers * 4, readers);
const [warm, warmLag] = await withLag(() => visits(readers * 4));
const { links } = await client.listLinks({ params: { id: 'bench' } });
const { token } = await createClient(server.address).openLink({ body: { secret } });
const began = performance.now();
await client.revokeLink({ params: { id: 'bench', link: link.id } });
const { status } = await fetch(`${server.address}/api/v1/dashboards/shared`, {
  headers: { authorization: `Guest ${token}` },
});
const endedMs = performance.now() - began;
if (status !== 410) throw new Error(`A revoked link answered ${status}.`);
await server.close();
await report('links', [
  {
    name: `${readers} readers open a link to 12 tiles at once, cold: p99`,
    value: cold.p99,
    unit: 'ms',
    target: '≤ 3000',
  },
  { name: 'errors among them', value: errors(cold, readers), unit: '', target: '= 0' },
  {
    name: 'questions the engine was asked for all of them',
    value: executions,
    unit: '',
    target: `= ${queriesOfTwelveTiles}`,
  },
  { name: 'the same, warm: p99', value: warm.p99, unit: 'ms', target: '≤ 1000' },
  { name: 'the same, warm: visits a second', value: (warm.queries * 1000) / warm.wallMs, unit: '/s' },
  {
    name: 'the same, warm: requests a second, three a visit',
    value: (warm.queries * 3000) / warm.wallMs,
    unit: '/s',
    peer: { name: 'bare HTTP server', value: (bare.queries * 1000) / bare.wallMs },
  },
  { name: 'errors among them', value: errors(warm, readers * 4), unit: '', target: '= 0' },
  {
    name: 'openings that were not counted',
    value: readers * 5 - links.find(({ id }) => id === link.id)!.opens,
    unit: '',
    target: '= 0',
  },
  ...Object.entries({ cold: coldLag, warm: warmLag }).flatMap(([name, { p99, longest }]) => [
    { name: `event loop, ${name}: lag p99`, value: p99, unit: 'ms', target: '≤ 50' },
    { name: `event loop, ${name}: longest lag`, value: longest, unit: 'ms', target: '≤ 200' },
  ]),
  { name: 'a revoked link is refused after', value: endedMs, unit: 'ms' },
]);
process.exit(0);
