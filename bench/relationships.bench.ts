// Finding how thirty tables of a million rows refer to each other, beside the import of the same tables: ten
// tables with keys, and twenty that name three of them each, by columns of their names.
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { report } from './harness/figures.ts';
import { startOn, timed } from './harness/running-server.ts';

const rows = 1_000_000;
const [keyed, referring, references] = [10, 20, 3];
const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-relationships-'));
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
const data = path.join(folder, 'workspace', 'data');
await mkdir(data, { recursive: true });
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const names = [
  'customer',
  'product',
  'shop',
  'driver',
  'vehicle',
  'route',
  'depot',
  'sensor',
  'farm',
  'crop',
];
for (let n = 0; n < keyed; n++)
  await connection.run(
    `copy (select i + ${n * 10 * rows} as ${names[n]}_id, '${names[n]} ' || i as ${names[n]}_name, i % 97 as grade
      from range(${rows}) t(i)) to '${path.join(data, `${names[n]}s.parquet`)}' (format parquet)`,
  );
for (let n = 0; n < referring; n++) {
  const columns = Array.from({ length: references }, (_, i) => {
    const to = (n + i * 3) % keyed;
    return `(i * ${7919 + i * 104_729}) % ${rows} + ${to * 10 * rows} as ${names[to]}_id`;
  });
  await connection.run(
    `copy (select i + ${(1000 + n) * rows} as event_${n}_id, ${columns.join(', ')}, (i * 31) % 1009 as amount,
      date '2024-01-01' + (i % 365)::int as day from range(${rows}) t(i))
      to '${path.join(data, `events_${String.fromCodePoint(97 + n)}.parquet`)}' (format parquet)`,
  );
}
connection.closeSync();

const workspace = path.join(folder, 'workspace');
const [importMs, first] = await timed(() => startOn(workspace));
await first.server.store.relationships.settled();
await first.server.close();
// The tables are there at once, so that only the relationships are measured.
const { server } = await startOn(workspace);
const [measureMs] = await timed(() => server.store.relationships.settled());
const found = server.store.relationships.current.get('files') ?? [];
const used = found.filter(({ verdict }) => verdict === 'used');
await report('relationships', [
  {
    name: `import of ${keyed + referring} tables of ${rows.toLocaleString('en')} rows`,
    value: importMs / 1000,
    unit: 's',
  },
  {
    name: 'finding their relationships',
    value: measureMs / 1000,
    unit: 's',
    target: '≤ 2',
    peer: { name: 'their import', value: importMs / 1000 },
  },
  {
    name: 'true relationships that are used',
    value: used.length,
    unit: '',
    target: `= ${referring * references}`,
  },
]);
await server.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);
