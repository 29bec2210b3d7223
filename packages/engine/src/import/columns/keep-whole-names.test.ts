import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../sql-text.ts';
import { convertWholeNames } from './keep-whole-names.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create()).connect();
});
afterAll(() => connection.closeSync());

const convert = async (column: string, type: string, values: readonly (string | null)[]) => {
  await connection.run(
    `create or replace table data as select unnest([${values.map(value => (value === null ? 'null' : `'${value}'`)).join(', ')}])::${type} as "${column}"`,
  );
  await convertWholeNames(connection, [column]);
  const [described] = await rowsOf(connection, 'describe data');
  return [
    described![1],
    (await rowsOf(connection, `select "${column}"::varchar from data`)).map(([value]) => value),
  ];
};

test.each([
  ['Customer ID', 'double', ['17850.0', null, '13047.0'], ['17850', null, '13047']],
  ['PLZ', 'double', ['1067.0', '80331.0'], ['1067', '80331']],
  ['Geschäftsjahr', 'double', ['2022.0', '2023.0'], ['2022', '2023']],
  ['客户编号', 'float', ['10001.0', '10002.0'], ['10001', '10002']],
  ['account_number', 'decimal(12, 2)', ['1000000001.00', null], ['1000000001', null]],
])('“%s” of whole %ss is whole', async (column, type, values, expected) => {
  expect(await convert(column, type, values)).toEqual(['BIGINT', expected]);
});

test.each([
  ['an id that is not whole', 'id', 'double', ['1.5', '2.0']],
  ['infinity', 'id', 'double', ['inf', '2.0']],
  ['NaN', 'id', 'double', ['nan', '2.0']],
  ['more digits than a double has', 'id', 'double', ['9007199254740994', '2.0']],
  ['a measure', 'price', 'double', ['1.0', '2.0']],
  ['a column without values', 'id', 'double', [null]],
])('%s stays unchanged', async (_, column, type, values) => {
  expect((await convert(column, type, values))[0]).toBe('DOUBLE');
});
