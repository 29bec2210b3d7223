import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileText } from '../sql-text.ts';
import { numbersAsWritten } from './numbers-as-written.ts';

test('numbers in thousands of columns need a part of the memory that one statement would take', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-numbers-'));
  const file = path.join(folder, 'wide.csv');
  const columns = Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, type: 'BIGINT' }));
  const values = columns.map((_, i) => (i % 1000 === 7 ? '07' : '7'));
  await writeFile(file, `${columns.map(({ name }) => name).join()}\n${values.join()}\n`);
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '400MiB', threads: '1' });
  const connection = await instance.connect();
  const texts = `read_csv(${fileText(file)}, delim = ',', header = true, all_varchar = true)`;
  const { codes } = await numbersAsWritten(connection, texts, columns);
  expect(codes).toEqual(['c7', 'c1007', 'c2007', 'c3007', 'c4007']);
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});
