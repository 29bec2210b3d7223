// First imports of text files, from the server's start until their tables are ready: one file with many rows,
// one with many columns.
// The peer is DuckDB reading the same file into a table. It infers types from the first rows and does not
// report the rows that it omits.
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { report, type Figure } from './harness/figures.ts';
import { median, startOn, timed } from './harness/running-server.ts';

const threads = String(os.availableParallelism());
const files = [
  {
    name: '3 M rows of 6 columns',
    select:
      "range as id, 'v' || range % 7 as kind, range % 1000 as n, (range % 97) / 3.0 as x, date '2020-01-01' + (range % 900)::int as day, 'some text ' || range as note from range(3000000)",
  },
  {
    name: '2,000 rows of 1,000 columns',
    select: `${Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? `'v' || ${i} * range % 7 as c${i}` : `(${i} + range) % 1000 as c${i}`)).join(', ')} from range(2000)`,
  },
];
const rounds = 3;
const figures: Figure[] = [];
for (const { name, select } of files) {
  const own: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-reading-'));
    const workspace = path.join(folder, 'workspace');
    const file = path.join(workspace, 'data', 'table.csv');
    await mkdir(path.dirname(file), { recursive: true });
    const connection = await (
      await DuckDBInstance.create(path.join(folder, 'peer.duckdb'), { threads })
    ).connect();
    await connection.run(`copy (select ${select}) to '${file}' (header)`);
    peer.push(
      (
        await timed(async () => {
          await connection.run(`create table data as select * from read_csv('${file}')`);
          await connection.run('checkpoint');
        })
      )[0],
    );
    connection.closeSync();
    const [ms, { server }] = await timed(() => startOn(workspace, { signIn: false }));
    own.push(ms);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  figures.push({
    name,
    value: median(own) / 1000,
    unit: 's',
    peer: { name: 'DuckDB reading the same file', value: median(peer) / 1000 },
  });
}
await report('reading', figures);
process.exit(0);
