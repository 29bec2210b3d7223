import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkerProcess } from './worker-process.ts';

let folder: string;
let worker: WorkerProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-worker-'));
  const spillFolder = path.join(folder, 'spill', 'background');
  worker = new WorkerProcess({ tablesFolder: folder, spillFolder, memoryBytes: 2 ** 26, threads: 1 });
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (text: string) =>
  worker.run({ text, parameters: [], isGenerated: true }, { as: 'values', timeoutMs: 60_000, maxRows: 10 });
const rowsOf = (table: string) => run(`select x from "${table}".data`);

test('a query that needs more than its memory writes to a folder that was not there', async () => {
  const many = `select distinct hash(i)::varchar || repeat('x', 30) as x from range(1_000_000) t(i)`;
  const { columns } = await run(`select count(*) as n from (${many})`);
  expect(columns[0]!.values).toEqual([1_000_000]);
});

test('a table whose file is gone when the process restarts fails alone', async () => {
  for (const name of ['gone', 'here']) {
    const file = path.join(folder, `${name}.duckdb`);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('create table data as select 1 as x');
    connection.closeSync();
    instance.closeSync();
    await worker.attach(name, file);
  }
  await rm(path.join(folder, 'gone.duckdb'));
  process.kill((await worker.pid)!, 'SIGKILL');
  await expect.poll(() => worker.restarts, { timeout: 60_000 }).toBe(1);
  expect((await rowsOf('here')).rowCount).toBe(1);
  await expect(rowsOf('gone')).rejects.toMatchObject({ code: 'query-failed' });
});
