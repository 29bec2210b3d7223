import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { longestName, shortenNames } from './shorten-names.ts';
import { quoted, rowsOf } from '../sql-text.ts';

test('names of more than 300 characters are cut, stay apart, and keep their values', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const whole = 'w'.repeat(longestName);
  const long = 'A'.repeat(100_000);
  const names = [
    'id',
    whole,
    `${long}x`,
    `${long}y`,
    `${'a'.repeat(100_000)}z`,
    `${'x'.repeat(289)}😀${long}`,
  ];
  const columns = names.map((name, i) => `${i} as ${quoted(name)}`);
  await connection.run(`create table data as select ${columns.join(', ')}`);
  const shortened = await shortenNames(connection);
  const after = (await rowsOf(connection, 'describe data')).map(([name]) => String(name));
  expect(after.slice(0, 2)).toEqual(['id', whole]);
  expect(after.slice(2, 4)).toEqual([`${'A'.repeat(290)}…`, `${'A'.repeat(290)}… 2`]);
  expect(after[4]).toBe(`${'a'.repeat(290)}… 3`);
  expect(after[5]).toBe(`${'x'.repeat(289)}…`);
  expect(names.map(name => shortened.get(name) ?? name)).toEqual(after);
  expect(await rowsOf(connection, 'from data')).toEqual([[0, 1, 2, 3, 4, 5]]);
  expect((await shortenNames(connection)).size).toBe(0);
});
