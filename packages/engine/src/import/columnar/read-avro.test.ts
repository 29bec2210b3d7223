import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { importTyped } from '../columns/import-typed.ts';
import { NestedTables } from '../nested/nested-tables.ts';
import { block, double, header, record, sized, whole } from './avro-file.fixture.ts';
import { avroAsLines } from './read-avro.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rowsOf } from '../sql-text.ts';

let folder: string;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-avro-'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

async function read(bytes: Uint8Array) {
  const file = path.join(folder, 'some.avro');
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
  };
}

const packings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  null: bytes => bytes,
  deflate: bytes => deflateRawSync(bytes),
  zstandard: bytes => zstdCompressSync(bytes),
  snappy: bytes =>
    Buffer.concat([
      // A literal with its length in two bytes.
      Buffer.from([(bytes.length & 127) | 128, bytes.length >> 7, 61 << 2]),
      Buffer.from([(bytes.length - 1) & 255, (bytes.length - 1) >> 8]),
      bytes,
      Buffer.alloc(4),
    ]),
};

const float = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const logical = (type: string, logicalType: string, more = {}) => ({ type, logicalType, ...more });

/** Types with a value as bytes, and the column and text that they become. */
const types: Readonly<Record<string, readonly [unknown, Buffer, string, string]>> = {
  yes: ['boolean', Buffer.from([1]), 'BOOLEAN', 'true'],
  small: ['int', whole(-2147483648), 'INTEGER', '-2147483648'],
  least: ['long', whole(-(2n ** 63n)), 'BIGINT', '-9223372036854775808'],
  most: ['long', whole(2n ** 63n - 1n), 'BIGINT', '9223372036854775807'],
  odd: ['long', whole(9007199254740993n), 'BIGINT', '9007199254740993'],
  real: ['double', double(0.1), 'DOUBLE', '0.1'],
  endless: ['double', double(-Infinity), 'DOUBLE', '-inf'],
  single: ['float', float(0.1), 'FLOAT', '0.1'],
  word: ['string', sized('Zoë "x"\n\u2028'), 'VARCHAR', 'Zoë "x"\n\u2028'],
  raw: ['bytes', sized(Buffer.from([0, 255])), 'VARCHAR', '00FF'],
  money: [
    logical('bytes', 'decimal', { precision: 20, scale: 2 }),
    sized(Buffer.from([0xff, 0x85])),
    'DECIMAL(20,2)',
    '-1.23',
  ],
  fixed: [
    { type: 'fixed', name: 'Price', size: 4, logicalType: 'decimal', precision: 9, scale: 3 },
    Buffer.from([0, 0, 48, 57]),
    'DECIMAL(9,3)',
    '12.345',
  ],
  // A scale above the precision is no decimal.
  odd_decimal: [
    logical('bytes', 'decimal', { precision: 2, scale: 9 }),
    sized(Buffer.from([1])),
    'VARCHAR',
    '01',
  ],
  day: [logical('int', 'date'), whole(-1), 'DATE', '1969-12-31'],
  at: [
    logical('long', 'timestamp-millis'),
    whole(1_709_208_000_123),
    'TIMESTAMP WITH TIME ZONE',
    '2024-02-29 12:00:00.123+00',
  ],
  here: [logical('long', 'local-timestamp-micros'), whole(-1), 'TIMESTAMP', '1969-12-31 23:59:59.999999'],
  clock: [logical('int', 'time-millis'), whole(45_296_001), 'VARCHAR', '12:34:56.001000'],
  kind: [{ type: 'enum', name: 'Kind', symbols: ['A', 'B'] }, whole(1), 'VARCHAR', 'B'],
  same: ['Kind', whole(0), 'VARCHAR', 'A'],
  maybe: [['null', 'int'], Buffer.concat([whole(1), whole(7)]), 'INTEGER', '7'],
  none: [['null', 'int'], whole(0), 'INTEGER', null as never],
  either: [['null', 'long', 'string'], Buffer.concat([whole(2), sized('x')]), 'VARCHAR', 'x'],
};

describe('an Avro file', () => {
  test.each(Object.keys(packings))(
    'in blocks packed with %s is a table with its values and types',
    async codec => {
      const pack = packings[codec]!;
      const row = Buffer.concat(Object.values(types).map(([, bytes]) => bytes));
      const schema = record(Object.fromEntries(Object.entries(types).map(([name, [type]]) => [name, type])));
      const { columns, rows } = await read(
        Buffer.concat([
          header(schema, codec),
          block(2, pack(Buffer.concat([row, row]))),
          block(1, pack(row)),
        ]),
      );
      expect(columns).toEqual(Object.entries(types).map(([name, [, , type]]) => `${name} ${type}`));
      expect(rows).toEqual([1, 2, 3].map(() => Object.values(types).map(([, , , value]) => value)));
    },
  );

  test('with records, lists and maps has columns and tables for them', async () => {
    const schema = record({
      id: 'long',
      to: record({ city: 'string', at: record({ lat: 'double' }, 'At') }, 'To'),
      items: { type: 'array', items: record({ sku: 'string' }, 'Item') },
      tags: { type: 'map', values: 'int' },
    });
    // A piece with its size, as writers of long lists write it, and one without.
    const items = [whole(-1), whole(2), sized('a'), whole(1), sized('b'), whole(0)];
    const one = [whole(1), sized('Ulm'), double(48.4), ...items, whole(1), sized('x'), whole(5), whole(0)];
    const two = [whole(2), sized('Aalen'), double(48.8), whole(0), whole(0)];
    const { columns, rows, nested } = await read(
      Buffer.concat([header(schema), block(2, Buffer.concat([...one, ...two]))]),
    );
    expect(columns.slice(0, 3)).toEqual(['id BIGINT', 'to_city VARCHAR', 'to_at_lat DOUBLE']);
    expect(rows.map(row => row.slice(0, 3))).toEqual([
      ['1', 'Ulm', '48.4'],
      ['2', 'Aalen', '48.8'],
    ]);
    expect(nested.tables.map(({ name, rows: count }) => `${name}: ${count}`)).toEqual([
      'some_items: 2',
      'some_tags: 1',
    ]);
  });

  test('of a type that contains itself keeps the inner values as JSON text', async () => {
    const node = {
      type: 'record',
      name: 'n.Node',
      fields: [
        { name: 'id', type: 'int' },
        { name: 'next', type: ['null', 'Node'] },
      ],
    };
    const { rows } = await read(
      Buffer.concat([header(node), block(1, Buffer.concat([1, 1, 2, 0].map(whole)))]),
    );
    expect(rows).toEqual([['1', '{"id":2,"next":null}']]);
    const long = Array.from({ length: 40 }, (_, i) => [whole(i), whole(i < 39 ? 1 : 0)]).flat();
    const { rows: listed } = await read(Buffer.concat([header(node), block(1, Buffer.concat(long))]));
    let [, inner] = listed[0]!.map(String) as [string, string];
    expect(inner).not.toContain('\\');
    for (let i = 1; i < 39; i++) inner = JSON.stringify((JSON.parse(inner) as { next: unknown }).next);
    expect(inner).toBe('{"id":39,"next":null}');
    const deep = Buffer.concat(Array.from({ length: 1000 }, () => [whole(1), whole(1)]).flat());
    await expect(read(Buffer.concat([header(node), block(1, deep)]))).rejects.toThrow('damaged');
  });

  test('of values of several types within one another keeps them as one JSON text', async () => {
    const within = (depth: number): unknown =>
      depth === 0 ? 'int' : ['string', record({ a: within(depth - 1) }, `R${depth}`)];
    const depth = 24;
    const value = Buffer.concat([...Array.from({ length: depth }, () => whole(1)), whole(7)]);
    const { rows } = await read(Buffer.concat([header(record({ a: within(depth) })), block(1, value)]));
    expect(rows).toEqual([[`${'{"a":'.repeat(depth)}7${'}'.repeat(depth)}`]]);
  });

  test('of times before the year 1 keeps them', async () => {
    const schema = record({
      a: logical('long', 'timestamp-millis'),
      b: logical('long', 'local-timestamp-micros'),
      c: logical('int', 'date'),
    });
    const years = -62_135_596_800_000;
    const row = Buffer.concat([
      whole(years - 1),
      whole(BigInt(years - 1) * 1000n),
      whole(years / 86_400_000 - 1),
    ]);
    const { rows } = await read(Buffer.concat([header(schema), block(1, row)]));
    expect(rows).toEqual([
      ['0001-12-31 (BC) 23:59:59.999+00', '0001-12-31 (BC) 23:59:59.999', '0001-12-31 (BC)'],
    ]);
  });

  test('of a block for each row is read like any other', async () => {
    const blocks = Array.from({ length: 30_000 }, (_, i) => block(1, sized(String(i).repeat(10))));
    const { rows } = await read(Buffer.concat([header(record({ a: 'string' })), ...blocks]));
    expect(rows.map(([text]) => text)).toEqual(
      Array.from({ length: 30_000 }, (_, i) => String(i).repeat(10)),
    );
  });

  test('of plain values has one column, and one without rows has its columns', async () => {
    expect(
      await read(Buffer.concat([header('long'), block(2, Buffer.concat([whole(1), whole(2)]))])),
    ).toMatchObject({
      columns: ['value BIGINT'],
      rows: [['1'], ['2']],
    });
    expect(await read(header(record({ a: 'int' })))).toMatchObject({ columns: ['a INTEGER'], rows: [] });
  });

  const good = Buffer.concat([header(record({ a: 'string' })), block(1, sized('abc'))]);
  const longEnum = { type: 'enum', name: 'Long', symbols: ['a'.repeat(2 ** 20)] };
  test.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['is cut off', good.subarray(0, -5)],
    ['has a block that ends elsewhere', Buffer.concat([good, block(1, sized('abc')).fill(0, 6)])],
    [
      'has more values than its count',
      Buffer.concat([good, block(1, Buffer.concat([sized('a'), sized('b')]))]),
    ],
    ['has a text that is longer than its block', Buffer.concat([good, block(1, whole(2 ** 40))])],
    [
      'has an endless list of nulls',
      Buffer.concat([header(record({ a: { type: 'array', items: 'null' } })), block(1, whole(2 ** 40))]),
    ],
    [
      'has many lists of nulls',
      Buffer.concat([
        header(record({ a: { type: 'array', items: 'null' } })),
        block(1, Buffer.concat([...Array.from({ length: 4000 }, () => whole(65_536)), whole(0)])),
      ]),
    ],
    [
      'has a decimal of a million digits',
      Buffer.concat([
        header(record({ a: logical('bytes', 'decimal', { precision: 9, scale: 2 }) })),
        block(1, sized(Buffer.alloc(1_000_000, 0x77))),
      ]),
    ],
    [
      'refers to a long type very often',
      header(
        record({
          a: { type: 'enum', name: 'E', symbols: Array.from({ length: 20_000 }, (_, i) => `S${i}`) },
          ...Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`b${i}`, 'E'])),
        }),
      ),
    ],
    [
      'has an integer beyond its type',
      Buffer.concat([header(record({ a: 'int' })), block(1, whole(2 ** 31))]),
    ],
    [
      'has a decimal beyond its precision',
      Buffer.concat([
        header(record({ a: logical('bytes', 'decimal', { precision: 2, scale: 1 }) })),
        block(1, sized(Buffer.from([0, 100]))),
      ]),
    ],
    ['has a column without a name', header(record({ '': 'int' }))],
    ['has a type of the language', Buffer.concat([header(record({ a: 'constructor' })), block(1, whole(1))])],
    [
      'has endless rows without bytes',
      Buffer.concat([header(record({ a: 'null' })), block(2 ** 40, Buffer.alloc(0))]),
    ],
    [
      'has some rows without bytes in each of many blocks',
      Buffer.concat([
        header(record({ a: 'null' })),
        ...Array.from({ length: 20 }, () => block(60_000, Buffer.alloc(0))),
      ]),
    ],
    [
      'names gigabytes of text in a list of bytes',
      Buffer.concat([
        header(record({ a: { type: 'array', items: record({ b: longEnum, c: 'null' }, 'Item') } })),
        block(1, Buffer.concat([whole(60_000), Buffer.alloc(60_001)])),
      ]),
    ],
    ['has a block of a terabyte', Buffer.concat([good, whole(1), whole(2 ** 40)])],
    ['has an unknown branch', Buffer.concat([header(record({ a: ['null', 'int'] })), block(1, whole(9))])],
    ['has a type that is not there', header(record({ a: 'Nothing' }))],
    ['has no schema', header(17)],
  ])('that %s is refused as damaged', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow('This Avro file is damaged or incomplete.');
  });

  test('that unpacks to more than it may is refused, and one with another compression says which', async () => {
    const bomb = Buffer.concat([
      header(record({ a: 'string' }), 'deflate'),
      block(1, deflateRawSync(Buffer.alloc(2 ** 27 + 1), { level: 1 })),
    ]);
    await expect(read(bomb)).rejects.toThrow('damaged');
    const columns = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`c${i}`, 'null']));
    const wide = Buffer.concat([header(record(columns)), block(60_000, Buffer.alloc(0))]);
    await expect(read(wide)).rejects.toThrow('the maximum for an uploaded file of its size');
    await expect(read(header(record({ a: 'int' }), 'bzip2'))).rejects.toThrow('compressed with “bzip2”');
    await expect(read(header(record({ a: 'int' }), 'constructor'))).rejects.toThrow('compressed with “cons');
  });

  test('with any byte changed is read, or refused as damaged', async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`damaged Avro files: seed ${seed}`);
    let state = seed;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((state / 2 ** 31) * count);
    };
    const row = Buffer.concat(Object.values(types).map(([, bytes]) => bytes));
    const schema = record(Object.fromEntries(Object.entries(types).map(([name, [type]]) => [name, type])));
    const whole = Buffer.concat([header(schema), block(2, Buffer.concat([row, row]))]);
    const [file, target] = [path.join(folder, 'changed.avro'), path.join(folder, 'changed.ndjson')];
    const produced = new UnpackedBytes({ files: [file], bytes: whole.length, isUploaded: true });
    let refused = 0;
    for (let round = 0; round < 400; round++) {
      const changed = Buffer.from(whole);
      for (let i = 0; i <= below(3); i++) changed[below(changed.length)] = below(256);
      await writeFile(file, changed);
      await avroAsLines(file, target, produced).catch((error: Error) => {
        refused++;
        expect(error.message).toMatch(/^This Avro file is damaged or incomplete|compressed with/);
      });
    }
    expect(refused).toBeGreaterThan(100);
  });
});
