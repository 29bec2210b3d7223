import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import {
  bool,
  columnFromArray,
  CompressionType,
  dateDay,
  decimal128,
  dictionary,
  duration,
  fixedSizeList,
  float64,
  int16,
  int32,
  int64,
  list,
  map,
  setCompressionCodec,
  struct,
  tableFromColumns,
  tableToIPC,
  timeMicrosecond,
  timestamp,
  TimeUnit,
  uint64,
  utf8,
  type DataType,
} from '@uwdata/flechette';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { importTyped } from '../columns/import-typed.ts';
import { NestedTables } from '../nested/nested-tables.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rowsOf } from '../sql-text.ts';

let folder: string;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-arrow-'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

async function read(bytes: Uint8Array, name = 'some.arrow') {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  await connection.run('drop table if exists data');
  const {
    tables: [found],
  } = await discover(file);
  const produced = new UnpackedBytes({ files: [file], bytes: bytes.length, isUploaded: true });
  const nested = new NestedTables({
    folder,
    produced,
    storageVersion: 'v1.4.0',
    choice: 'columns',
    names: new Set(),
  });
  const report = await importTyped(connection, found!, { folder, produced, nested });
  expect(report.rowsKept).toBe(report.rowsRead);
  const described = await rowsOf(connection, 'describe data');
  return {
    columns: described.map(([column, type]) => `${String(column)} ${String(type)}`),
    rows: await rowsOf(connection, 'select columns(*)::varchar from data'),
    nested,
    report,
  };
}

/** A column with two values and one that is missing. */
const columns: Readonly<Record<string, readonly [DataType, unknown, unknown, string, string, string]>> = {
  small: [int16(), -5, 7, 'SMALLINT', '-5', '7'],
  whole: [int64(), -9007199254740993n, 1n, 'BIGINT', '-9007199254740993', '1'],
  large: [uint64(), 18446744073709551615n, 0n, 'UBIGINT', '18446744073709551615', '0'],
  real: [float64(), 0.1, Number.NaN, 'DOUBLE', '0.1', 'nan'],
  money: [decimal128(20, 2), 12345678901234567890n, -5n, 'DECIMAL(20,2)', '123456789012345678.90', '-0.05'],
  yes: [bool(), true, false, 'BOOLEAN', 'true', 'false'],
  word: [utf8(), 'Zoë "x"\n', '', 'VARCHAR', 'Zoë "x"\n', ''],
  kind: [dictionary(utf8(), int32()), 'a', 'b', 'VARCHAR', 'a', 'b'],
  day: [dateDay(), Date.UTC(2024, 1, 29), Date.UTC(1969, 11, 31), 'DATE', '2024-02-29', '1969-12-31'],
  at: [
    timestamp(TimeUnit.MICROSECOND),
    1_709_208_000_123.25,
    -1.5,
    'TIMESTAMP',
    '2024-02-29 12:00:00.12325',
    '1969-12-31 23:59:59.9985',
  ],
  moment: [
    timestamp(TimeUnit.SECOND, 'Europe/Berlin'),
    1_709_208_000_000,
    0,
    'TIMESTAMP WITH TIME ZONE',
    '2024-02-29 12:00:00+00',
    '1970-01-01 00:00:00+00',
  ],
  clock: [timeMicrosecond(), 45_296_000_001n, 0n, 'VARCHAR', '12:34:56.000001', '00:00:00'],
  took: [duration(TimeUnit.MILLISECOND), 1500n, -1n, 'DOUBLE', '1.5', '-0.001'],
};

function everything(format: 'file' | 'stream', codec?: 0 | 1): Uint8Array {
  const made = Object.entries(columns).map(
    ([name, [type, one, two]]) =>
      [name, columnFromArray([one, null, two], type)] as [string, ReturnType<typeof columnFromArray>],
  );
  return tableToIPC(tableFromColumns(made), {
    format,
    ...(codec !== undefined && { codec }),
  } as never) as Uint8Array;
}

/** An LZ4 frame of one block that is not packed. */
function storedFrame(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0, 0, 0, 0, 0]);
  head.writeUInt32LE((bytes.length | 0x80000000) >>> 0, 7);
  return Buffer.concat([head, bytes, Buffer.alloc(4)]);
}

test.each(['file', 'stream', 'zstd', 'lz4'] as const)(
  'an Arrow %s is a table with its values and types',
  async how => {
    const never = {
      decode: (): never => {
        throw new TypeError('not here');
      },
    };
    setCompressionCodec(CompressionType.ZSTD, { ...never, encode: bytes => zstdCompressSync(bytes) });
    setCompressionCodec(CompressionType.LZ4_FRAME, { ...never, encode: storedFrame });
    const bytes =
      how === 'file' || how === 'stream'
        ? everything(how)
        : everything('file', how === 'zstd' ? CompressionType.ZSTD : CompressionType.LZ4_FRAME);
    const {
      columns: names,
      rows,
      report,
    } = await read(bytes, how === 'stream' ? 'some.arrows' : 'some.feather');
    const all = Object.entries(columns);
    expect(names).toEqual(all.map(([name, [, , , type]]) => `${name} ${type}`));
    expect(rows).toEqual([
      all.map(([, column]) => column[4]),
      all.map(() => null),
      all.map(([, column]) => column[5]),
    ]);
    expect(report.notes).toEqual(['“took” is a duration, in seconds.']);
  },
);

test('nested columns of an Arrow file become columns and tables', async () => {
  const point = struct({ x: int32(), tags: list(utf8()) });
  const bytes = tableToIPC(
    tableFromColumns([
      ['id', columnFromArray([1, 2], int32())],
      ['at', columnFromArray([{ x: 5, tags: ['a', null] }, null], point)],
      [
        'span',
        columnFromArray(
          [
            [1, 2],
            [3, 4],
          ],
          fixedSizeList(int32(), 2),
        ),
      ],
      [
        'counts',
        columnFromArray(
          [
            [
              ['k', 1],
              ['l', 2],
            ],
            [],
          ],
          map(utf8(), int32()),
        ),
      ],
    ]),
    { format: 'file' },
  ) as Uint8Array;
  const { columns: names, rows, nested } = await read(bytes);
  expect(names).toEqual(['id INTEGER', 'at_x INTEGER', 'at_tags VARCHAR', 'span VARCHAR', 'counts VARCHAR']);
  expect(rows).toEqual([
    ['1', '5', '["a",null]', '[1,2]', '[{"key":"k","value":1},{"key":"l","value":2}]'],
    ['2', null, null, '[3,4]', '[]'],
  ]);
  expect(nested.tables.map(({ name, rows: count }) => [name, count])).toEqual([
    ['some_at_tags', 2],
    ['some_counts', 2],
  ]);
});

test('a file without rows is a table without rows', async () => {
  const { columns: names, rows } = await read(
    tableToIPC(tableFromColumns([['n', columnFromArray([], int32())]]), { format: 'file' }) as Uint8Array,
  );
  expect([names, rows]).toEqual([['n INTEGER'], []]);
});

test('an unreadable file reports the reason, and a damaged one ends with a message', async () => {
  await expect(read(Buffer.from('FEA1 and so on'))).rejects.toThrow('Feather version 1');
  await expect(read(Buffer.from('ARROW1\0\0 and no more'))).rejects.toThrow(
    'This Arrow file is damaged or incomplete. Write it again, or save it as Parquet.',
  );
  const seed = Number(process.env['BELVEDERE_SEED']);
  console.info(`damaged Arrow files: seed ${seed}`);
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 2 ** 31) * count);
  };
  const whole = everything('file');
  for (let round = 0; round < 30; round++) {
    const bytes = Uint8Array.from(whole);
    for (let i = 0; i <= below(4); i++) bytes[below(bytes.length)] = below(256);
    const said = await read(bytes).then(
      () => '',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(said).not.toMatch(/TypeError|Cannot read|undefined/);
  }
});
