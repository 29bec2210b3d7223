// First imports of many files, as one table and as separate tables, beside DuckDB reading the same files into
// one table. DuckDB infers types from the first files and does not report the rows that it omits.
import { discover, Importer } from '@belvedere/engine';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { report, type Figure } from './harness/figures.ts';
import { median, timed } from './harness/running-server.ts';

const threads = os.availableParallelism();
const line = (i: number) =>
  `${2000 + (i % 20)}-0${1 + (i % 9)}-1${i % 10},player ${(i * 7919) % 5003},${i % 120},${(i % 977) / 8},${i % 3 === 0 ? '' : i % 40},"club ${i % 300}"\n`;
const folders = [
  { name: '3,000 files of two lines', count: 3000, rows: 2, rounds: 3 },
  { name: '500 files of 17,000 rows', count: 500, rows: 17_000, rounds: 1 },
];
const figures: Figure[] = [];
for (const { name, count, rows, rounds } of folders) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-folders-'));
  const data = path.join(folder, 'data');
  await mkdir(data);
  for (let i = 0; i < count; i++)
    await writeFile(
      path.join(data, `matches_${i}.csv`),
      `day,player,minutes,rating,aces,club\n${Array.from({ length: rows }, (_, row) => line(i * rows + row)).join('')}`,
    );
  const [own, peer]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const tablesFolder = path.join(folder, `tables-${round}`);
    const importer = new Importer({ tablesFolder, root: data, memoryBytes: 2 ** 31, threads });
    own.push(
      (
        await timed(async () => {
          const {
            tables: [found],
          } = await discover(data);
          const [table] = await importer.import(found!, () => {});
          if (table!.profile.rows !== count * rows)
            throw new Error(`${table!.profile.rows} rows were read, not ${count * rows}.`);
        })
      )[0],
    );
    await importer.close();
    const connection = await (
      await DuckDBInstance.create(path.join(folder, `peer-${round}.duckdb`), { threads: String(threads) })
    ).connect();
    peer.push(
      (
        await timed(async () => {
          await connection.run(
            `create table data as select * from read_csv('${data}/*.csv', union_by_name = true, filename = true)`,
          );
          await connection.run('checkpoint');
        })
      )[0],
    );
    connection.closeSync();
  }
  figures.push({
    name,
    value: median(own) / 1000,
    unit: 's',
    target: '≤ 3 ×',
    peer: { name: 'DuckDB reading the same files', value: median(peer) / 1000 },
  });
  await rm(folder, { recursive: true, force: true });
}
await report('folders', figures);
process.exit(0);
