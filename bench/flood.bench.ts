// One user of a team's server floods it with 200 queries at a time while another works. Both query what no
// cache answers. Phases without and with the flood alternate, so that other work on the machine delays both
// alike.
import type { Client } from '@belvedere/api';
import { resolveWorkspace, startServer } from '@belvedere/server';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { project } from '../e2e/browser.ts';
import { enter, password } from '../e2e/team/running-team.ts';
import { report, type Figure } from './harness/figures.ts';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { generateLoad, type Load } from './harness/generate-load.ts';
import { median } from './harness/running-server.ts';

const floodSize = 200;
const rounds = 3;
const queriesPerPhase = 25;
const folder = path.join(project, '.cache', 'bench', 'flood');
const source = await flightsAtSize(1_000_000);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const part of ['data', 'models/flights.yaml', 'dashboards/bench.yaml'])
  await cp(path.join(source, part), path.join(folder, part), { recursive: true });
await writeFile(
  path.join(folder, 'belvedere.yaml'),
  // The limit of requests per minute would end the flood early.
  'version: 1\ntitle: Bench\ntimezone: UTC\nlimits: { readsPerMinute: 1000000 }\n',
);
await writeFile(
  path.join(folder, 'access.yaml'),
  'version: 1\ngrants:\n  - { folder: "", everyone: true, level: explore }\n  - { model: flights, everyone: true, level: explore }\n',
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
const owner = await enter(server, 'olga@example.org', client =>
  client.setUp({ body: { code: server.setupCode!, name: 'Olga', email: 'olga@example.org', password } }),
);
const abuser = await join(owner.client, 'Abel');
const reader = await join(owner.client, 'Rita');

/** Filters that no earlier query of this run has had. */
let next = 0;
const different = () => {
  const from = (next++ % 500) + next / 1e6;
  return { from, below: from + 200 };
};
/** Several hundred thousand groups: too many for the column index. */
const slow = () => ({
  method: 'POST',
  path: '/api/v1/models/flights/query',
  body: {
    dimensions: [{ field: 'origin' }, { field: 'destination' }, { field: 'date', timeUnit: 'minute' }],
    measures: ['flights', 'avg_delay'],
    where: { distance: different() },
    order: [{ by: 'flights', descending: true }],
    limit: 10,
  },
});
/** The column index answers its tiles. */
const dashboard = () => ({
  method: 'POST',
  path: '/api/v1/dashboards/bench/query',
  body: { state: { page: 0, filters: { distance: different() }, selections: {} } },
});
const load = (
  cookie: string,
  kind: () => object,
  times: number,
  readers: number,
  signal?: AbortSignal,
): Promise<Load> =>
  generateLoad(
    {
      address: server.address,
      cookie,
      requests: { of: Array.from({ length: times }, kind), times: 1 },
      readers,
    },
    signal,
    // The flood comes from another machine; only what it costs the server counts.
    cookie === abuser.cookie,
  );

async function floodUntil(ended: AbortSignal, kind: () => object): Promise<void> {
  while (!ended.aborted) await load(abuser.cookie, kind, floodSize, floodSize, ended).catch(() => {});
}

const figures: Figure[] = [];
for (const { name, kind } of [
  { name: 'slow queries', kind: slow },
  { name: 'dashboards of 12 tiles', kind: dashboard },
]) {
  await load(reader.cookie, kind, 20, 1);
  const alone: Load[] = [];
  const flooded: Load[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await load(reader.cookie, kind, queriesPerPhase, 1));
    const end = new AbortController();
    const flood = floodUntil(end.signal, kind);
    flooded.push(await load(reader.cookie, kind, queriesPerPhase, 1));
    end.abort();
    await flood;
    while (server.queries.queues.running > 0) await new Promise(resolve => setTimeout(resolve, 20));
  }
  const refused = flooded.reduce((sum, { queries, statuses }) => sum + queries - (statuses['200'] ?? 0), 0);
  for (const quantile of ['p50', 'p99'] as const)
    figures.push({
      name: `${name}, while another user floods: ${quantile}`,
      value: median(flooded.map(one => one[quantile])),
      unit: 'ms',
      ...(quantile === 'p99' && { target: '≤ 1.5 ×' }),
      peer: { name: 'alone', value: median(alone.map(one => one[quantile])) },
    });
  figures.push({ name: `${name}: refused meanwhile`, value: refused, unit: '', target: '= 0' });
}
await server.close();
await report('flood', figures);
process.exit(0);

async function join(client: Client, name: string) {
  const email = `${name.toLowerCase()}@example.org`;
  const { link } = await client.inviteUser({ body: { email, role: 'explorer', groups: [] } });
  return enter(server, email, one =>
    one.acceptInvitation({ params: { token: link!.split('/').at(-1)! }, body: { name, password } }),
  );
}
