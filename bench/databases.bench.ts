// The sample's first dashboard over files, PostgreSQL, MariaDB, MySQL, one ClickHouse server and two shards:
// the same rows, the same queries.
import { rm } from 'node:fs/promises';
import {
  loadClickHouse,
  loadMariaDb,
  loadMySql,
  loadPostgres,
  type LoadedEngine,
} from '../e2e/engines/loaded-engines.ts';
import { sampleDocuments, sampleTables } from '../e2e/engines/sample-tables.ts';
import { sourceFile, workspaceOn } from '../e2e/engines/workspace-on.ts';
import { runBelvedere, sourcesReady, type Running } from '../e2e/running-belvedere.ts';
import { hasMySql } from '../e2e/servers/start-mysql.ts';
import { report, type Figure } from './harness/figures.ts';
import { collect, median, timed } from './harness/running-server.ts';

const rows = Number(process.argv.slice(2).find(word => /^[\d.e]+$/.test(word)) ?? 3e5);
const rounds = 7;
const figures: Figure[] = [];
const { folder, overFiles, tables } = await sampleTables(rows);
const folders = [folder];

async function measured({ client, server }: Running): Promise<{ dashboard: number; index: number }> {
  const state = { page: 0, filters: {}, selections: {} };
  const fresh = async (work: () => Promise<unknown>) => {
    server.queries.cache.clear();
    server.streams.clear();
    return (await timed(work))[0];
  };
  const dashboard: number[] = [];
  const index: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const times = [
      await fresh(async () =>
        collect(await client.queryTiles({ params: { id: 'flight-delays' }, body: { state } })),
      ),
      await fresh(async () =>
        collect(
          await client.getBrushIndex({ params: { id: 'flight-delays' }, body: { state, active: 'delays' } }),
        ),
      ),
    ];
    // The first round warms the server's caches.
    if (round === 0) continue;
    dashboard.push(times[0]!);
    index.push(times[1]!);
  }
  return { dashboard: median(dashboard), index: median(index) };
}

const files = await measured(overFiles);
await overFiles.close();
const name = `${rows.toLocaleString('en')} rows`;
figures.push(
  { name: `${name}, files: all tiles of the dashboard`, value: files.dashboard, unit: 'ms' },
  { name: `${name}, files: brush index`, value: files.index, unit: 'ms' },
);
const engines: readonly (readonly [string, () => Promise<LoadedEngine>])[] = [
  ['PostgreSQL', () => loadPostgres(tables)],
  ['MariaDB', () => loadMariaDb(tables)],
  ...(hasMySql ? [['MySQL', () => loadMySql(tables)] as const] : []),
  ['ClickHouse, one server', () => loadClickHouse(tables, 1)],
  ['ClickHouse, two shards', () => loadClickHouse(tables, 2)],
];
for (const [engine, load] of engines) {
  const loaded = await load();
  const workspace = await workspaceOn(sampleDocuments, sourceFile(loaded));
  folders.push(workspace);
  const running = await runBelvedere(workspace, { isTrusted: true });
  await sourcesReady(running);
  const { dashboard, index } = await measured(running);
  figures.push(
    {
      name: `${name}, ${engine}: all tiles of the dashboard`,
      value: dashboard,
      unit: 'ms',
      peer: { name: 'files', value: files.dashboard },
    },
    {
      name: `${name}, ${engine}: brush index`,
      value: index,
      unit: 'ms',
      peer: { name: 'files', value: files.index },
    },
  );
  await running.close();
  await loaded.close();
}
await report('databases', figures);
for (const one of folders) await rm(one, { recursive: true, force: true });
process.exit(0);
