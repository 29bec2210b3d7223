import { parquetReadObjects, parquetMetadata } from 'hyparquet';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ParquetFile } from './write-parquet.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-parquet-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('columns have types; numbers keep every digit, even beyond a double; null, empty and false differ', async () => {
  const parquet = new ParquetFile(
    [
      { label: 'N', type: 'number' },
      { label: 'N', type: 'number' },
      { label: 'Word', type: 'text' },
      { label: 'Day', type: 'date' },
      { label: 'Is', type: 'boolean' },
    ],
    folder,
  );
  parquet.add([
    [1.5, 7, 'a', Date.UTC(2024, 1, 29), true],
    [null, null, null, null, null],
  ]);
  parquet.add([]);
  parquet.add([[-2, '9007199254740993', '', Date.UTC(1583, 0, 1), false]]);
  const bytes = await readFile(parquet.write());
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  expect(
    parquetMetadata(file)
      .schema.slice(1)
      .map(({ name, type, converted_type }) => [name, type, converted_type]),
  ).toEqual([
    ['N', 'DOUBLE', undefined],
    ['N 2', 'BYTE_ARRAY', 'UTF8'],
    ['Word', 'BYTE_ARRAY', 'UTF8'],
    ['Day', 'INT32', 'DATE'],
    ['Is', 'BOOLEAN', undefined],
  ]);
  expect(await parquetReadObjects({ file })).toEqual([
    { N: 1.5, 'N 2': '7', Word: 'a', Day: new Date(Date.UTC(2024, 1, 29)), Is: true },
    { N: null, 'N 2': null, Word: null, Day: null, Is: null },
    { N: -2, 'N 2': '9007199254740993', Word: '', Day: new Date(Date.UTC(1583, 0, 1)), Is: false },
  ]);
});

test('moments are instants in UTC', async () => {
  const parquet = new ParquetFile(
    [
      { label: 'No', type: 'number' },
      { label: 'At', type: 'time', zone: 'Europe/Berlin' },
    ],
    await mkdtemp(path.join(folder, 'moments-')),
  );
  const moments = ['2024-10-27T00:30:00.250Z', '1890-01-01T00:00:00.000Z'].map(time => new Date(time));
  parquet.add([
    [1, moments[0]!.getTime()],
    [2, null],
    [3, moments[1]!.getTime()],
  ]);
  const bytes = await readFile(parquet.write());
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  expect(parquetMetadata(file).schema[2]!.logical_type).toMatchObject({
    type: 'TIMESTAMP',
    isAdjustedToUTC: true,
  });
  expect((await parquetReadObjects({ file })).map(row => row['At'])).toEqual([moments[0], null, moments[1]]);
});
