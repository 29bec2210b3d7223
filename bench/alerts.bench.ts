// A thousand alerts that are checked every minute on one server: the time of a page's query with and without
// them, and how many checks a minute are done.
import { rm, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { report, type Figure } from './harness/figures.ts';
import { collect, quantile, startOn, timed, type BenchServer } from './harness/running-server.ts';

const count = 1000;
const spanMs = 90_000;
const pauseMs = 250;
const folder = await flightsAtSize(1e6);
const alerts = path.join(folder, 'alerts');
await rm(alerts, { recursive: true, force: true });

/** Times of a page's queries, each under another filter, so that none is cached. */
async function pageTimes({ client }: BenchServer): Promise<number[]> {
  const times: number[] = [];
  const end = Date.now() + spanMs;
  for (let i = 0; Date.now() < end; i++) {
    const state = { page: 0, filters: { distance: { from: i, below: 3000 } }, selections: {} };
    const [ms] = await timed(async () =>
      collect(await client.queryTiles({ params: { id: 'bench' }, body: { state } })),
    );
    times.push(ms);
    await sleep(pauseMs);
  }
  return times;
}

const alone = await startOn(folder);
const without = await pageTimes(alone);
await alone.server.close();

await mkdir(alerts, { recursive: true });
for (let i = 0; i < count; i++)
  await writeFile(
    path.join(alerts, `alert-${i}.yaml`),
    `version: 1
title: Alert ${i}
watch: { model: flights, measure: flights, filters: { distance: { from: ${i}, below: ${i + 500} } } }
when: { above: 1000000000 }
check: 1 minute
`,
  );
const { server, client } = await startOn(folder);
const began = Date.now();
const listed = async () => (await client.listAlerts({})).alerts;
// Each is checked once at the start; what follows is by the minute.
while ((await listed()).some(({ checkedAt }) => checkedAt === undefined)) await sleep(500);
const firstMs = Date.now() - began;
const withAlerts = await pageTimes({ server, client } as BenchServer);
const checked = (await listed()).filter(({ checkedAt }) => Date.now() - checkedAt! < 61_000 + pauseMs).length;
await server.close();
await rm(alerts, { recursive: true, force: true });

const figures: Figure[] = [
  {
    name: `a page’s query, 95th percentile, with ${count} alerts a minute`,
    value: quantile(withAlerts, 0.95),
    unit: 'ms',
    target: '≤ 2 ×',
    peer: { name: 'without alerts', value: quantile(without, 0.95) },
  },
  { name: 'alerts checked within the last minute', value: checked, unit: '', target: `≥ ${count}` },
  { name: `the first check of all ${count}`, value: firstMs / 1000, unit: 's' },
];
await report('alerts', figures);
