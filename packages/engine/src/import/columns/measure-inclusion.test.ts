import { DuckDBInstance } from '@duckdb/node-api';
import type { Candidate, TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import { isSampledRow } from './draw-sample.ts';
import { inclusionIn, inclusionStatement, repeatedKeysStatement } from './measure-inclusion.ts';
import { profileTable } from './profile-table.ts';
import { rowsOf } from '../sql-text.ts';

/* What is measured of a candidate, against the tables as they are written here. */

async function measured(source: string, target: string, from: readonly string[], to: readonly string[]) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const profiles: TableProfile[] = [];
  for (const [name, query] of Object.entries({ source, target })) {
    await connection.run(`create table data as ${query}`);
    profiles.push(await profileTable(connection, name));
    await connection.run(`drop table if exists data_values; alter table data rename to ${name}`);
  }
  const candidate: Candidate = {
    from: { table: 'source', columns: from },
    to: { table: 'target', columns: to },
    match: 'exact',
    likeness: 1,
    isKeyKnown: false,
  };
  const result = async (text: string) => {
    const [row] = await rowsOf(connection, text);
    return {
      rowCount: 1,
      columns: row!.map((value, i) => ({ name: `f${i}`, type: 'number' as const, values: [Number(value)] })),
    };
  };
  const [one, other] = [profiles[0]!, profiles[1]!];
  const { text } = inclusionStatement(candidate, name => name, one, other);
  const repeated = await result(repeatedKeysStatement(candidate.to, name => name).text);
  const inclusion = inclusionIn(await result(text), candidate, one, other);
  instance.closeSync();
  return { ...inclusion, repeated: repeated.columns[0]!.values[0] };
}

test('values are counted, and those that find a key; empty texts are not values', async () => {
  expect(
    await measured(
      `select unnest(['a', 'a', 'b', 'x', '', null]) as code`,
      `select unnest(['a', 'b', 'c']) as code`,
      ['code'],
      ['code'],
    ),
  ).toEqual({ rows: 4, matched: 3, repeated: 0 });
});

test('numeric keys have their density and their duplicates counted', async () => {
  expect(
    await measured(
      'select range + 1 as n from range(10)',
      'select unnest([1, 2, 2, 4, 20]) as id',
      ['n'],
      ['id'],
    ),
  ).toEqual({ rows: 10, matched: 3, density: 0.4, repeated: 1 });
});

test('several columns are compared as a composite key', async () => {
  expect(
    await measured(
      'select 1 as a, 2 as b union all select 2, 1 union all select 2, null',
      'select 1 as a, 2 as b union all select 1, 3',
      ['a', 'b'],
      ['a', 'b'],
    ),
  ).toEqual({ rows: 2, matched: 1, repeated: 0 });
});

test('two large tables are compared by a sample of references, with keys counted in full', async () => {
  const { rows, matched, isSampled, repeated } = await measured(
    'select range % 300000 as id from range(400000)',
    'select range as id from range(300000) union all select 7',
    ['id'],
    ['id'],
  );
  expect({ isSampled, repeated, isAll: rows === matched }).toEqual({
    isSampled: true,
    repeated: 1,
    isAll: true,
  });
  expect(rows).toBeGreaterThan(30_000);
  expect(rows).toBeLessThan(80_000);
});

test('a sample of rows has all values of data that was made by hashes of the row’s number', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run('create table data as select hash(range) % 5 as bucket from range(20000)');
  const buckets = await rowsOf(
    connection,
    `select count(*) from data where ${isSampledRow(50)} group by bucket order by bucket`,
  );
  instance.closeSync();
  expect(buckets).toHaveLength(5);
  for (const [rows] of buckets) expect(Number(rows)).toBeGreaterThan(40);
});
