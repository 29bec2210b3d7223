import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEncodeProcess } from './encode-process.ts';

let folder: string;
let database: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-encode-'));
  database = path.join(folder, 'few.duckdb');
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  await connection.run('create table data as select (i % 7)::int as part from range(1000) t(i)');
  connection.closeSync();
  instance.closeSync();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a table of few rows is encoded by one of many threads, and the idle ones do no harm', async () => {
  for (let round = 0; round < 6; round++) {
    const encodeProcess = startEncodeProcess({ memoryBytes: 2 ** 28, threads: 12 });
    const manifest = await encodeProcess.code({
      plan: {
        table: 'few',
        zone: 'UTC',
        joins: {},
        columns: [
          {
            name: 'c0',
            expression: { kind: 'model', expression: { kind: 'column', name: 'part', type: 'integer' } },
            type: 'other',
          },
        ],
        where: [],
        order: [],
      },
      wanted: [{ key: 'part', column: 'c0' }],
      tables: [{ name: 'few', alias: 'few-1', database }],
      file: path.join(folder, `${round}.codes`),
      spillFolder: folder,
    });
    expect(manifest).toMatchObject({ rows: 1000, words: 1, refused: [] });
    encodeProcess.end();
    await encodeProcess.ended;
  }
}, 180_000);
