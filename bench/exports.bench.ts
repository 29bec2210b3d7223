// An export of ten million rows as CSV, in the order of their page: its duration beside DuckDB writing the
// same file, the server's memory use, and the delay of other requests.
import { DuckDBInstance } from '@duckdb/node-api';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { report } from './harness/figures.ts';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { startOn, timed } from './harness/running-server.ts';

const rows = 1e7;
const { server, cookie } = await startOn(await flightsAtSize(rows));
const file = path.join(os.tmpdir(), 'belvedere-bench.csv');
const address = `${server.address}/api/v1/dashboards/bench/export?format=csv&tile=rows`;
const ask = () => fetch(address, { headers: { cookie } });

const [firstMs] = await timed(async () => {
  const leaving = new AbortController();
  const response = await fetch(address, { headers: { cookie }, signal: leaving.signal });
  await response.body!.getReader().read();
  leaving.abort();
});
while (server.engine.status.running > 0) await new Promise(resolve => setTimeout(resolve, 50));

globalThis.gc?.();
const before = process.memoryUsage().rss;
let most = before;
const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 200);
const lag = monitorEventLoopDelay({ resolution: 10 });
lag.enable();
const [ownMs] = await timed(async () => pipeline((await ask()).body!, createWriteStream(file)));
lag.disable();
clearInterval(watching);
const { size } = await stat(file);

const { tables } = server.store.current;
const { database } = tables.get('flights')!.imported!;
await server.close();
const connection = await (
  await DuckDBInstance.create(':memory:', { threads: String(os.availableParallelism()) })
).connect();
await connection.run(`attach '${database}' as taken (read_only)`);
const [peerMs] = await timed(() =>
  connection.run(
    `copy (select date, origin, destination, carrier, delay, distance from taken.data order by date desc, origin, destination, carrier, delay, distance) to '${file}' (header)`,
  ),
);
await rm(file);

await report('taking away', [
  {
    name: '10 M rows as CSV, in order',
    value: ownMs / 1000,
    unit: 's',
    peer: { name: 'DuckDB writing the same file', value: peerMs / 1000 },
  },
  { name: 'the same, in a second', value: size / 2 ** 20 / (ownMs / 1000), unit: 'MiB' },
  { name: 'until its first rows are there', value: firstMs / 1000, unit: 's' },
  {
    name: 'memory of the server meanwhile, more than before',
    value: (most - before) / 2 ** 20,
    unit: 'MiB',
    target: '≤ 300',
  },
  { name: 'its event loop is held up, 99 %', value: lag.percentile(99) / 1e6, unit: 'ms', target: '≤ 50' },
  { name: 'its event loop is held up, most', value: lag.max / 1e6, unit: 'ms', target: '≤ 200' },
]);
process.exit(0);
