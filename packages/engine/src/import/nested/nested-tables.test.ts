import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../discovery/discover.ts';
import { Importer } from '../importer.ts';
import type { ImportedTable } from '../report.ts';
import { rowsOf, text } from '../sql-text.ts';

let folder: string;
let importer: Importer;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-nested-'));
  await mkdir(path.join(folder, 'tables'));
  importer = new Importer({
    tablesFolder: path.join(folder, 'tables'),
    root: folder,
    memoryBytes: 2 ** 30,
    threads: 1,
  });
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(async () => {
  await importer.close();
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

type Kind = 'ndjson' | 'parquet' | 'duckdb';
const kinds: readonly Kind[] = ['ndjson', 'parquet', 'duckdb'];

/**
 * Writes rows as a file of a kind and imports it: its tables by name, each as objects of what is not null.
 */
async function tablesOf(
  name: string,
  kind: Kind,
  rows: readonly object[],
): Promise<{ imported: readonly ImportedTable[]; rows: Record<string, Record<string, unknown>[]> }> {
  const lines = path.join(folder, `${name}.ndjson`);
  await writeFile(lines, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  const file = path.join(folder, `${name}.${kind}`);
  const read = `select * from read_json(${text(lines)}, format = 'newline_delimited', maximum_depth = 8, field_appearance_threshold = 0)`;
  if (kind === 'parquet') await connection.run(`copy (${read}) to ${text(file)}`);
  else if (kind === 'duckdb') {
    await connection.run(`attach ${text(file)} as made`);
    await connection.run(`create table made.rows as ${read}`);
    await connection.run('detach made');
  }
  const {
    tables: [found],
  } = await discover(file);
  const imported = await importer.import(found!, () => {});
  const read1 = async ({ database }: ImportedTable) => {
    await connection.run(`attach ${text(database)} as it (read_only)`);
    const texts = await rowsOf(connection, 'select to_json(data)::varchar from it.data');
    await connection.run('detach it');
    return texts.map(([one]) =>
      Object.fromEntries(
        Object.entries(JSON.parse(String(one)) as object).filter(([, value]) => value !== null),
      ),
    );
  };
  const known: Record<string, Record<string, unknown>[]> = {};
  for (const one of imported) known[one.name] = await read1(one);
  return { imported, rows: known };
}

const nameIn = (kind: Kind, name: string) => (kind === 'duckdb' ? `${name}_rows` : name);

describe('a table with nested values', () => {
  const orders = [
    {
      id: 1,
      to: { city: 'Ulm', at: { lat: 1.5 } },
      items: [
        { sku: 'a', n: 2, tags: ['x', 'y'] },
        { sku: 'b', n: 1 },
      ],
      notes: ['late'],
      span: [1, 2],
    },
    { id: 2, to: { city: 'Bonn', at: { lat: 2.5 } }, items: [], span: [3, 4] },
    { id: 3, items: [{ sku: 'a', n: 5, tags: ['z'] }], notes: ['', 'twice'], span: [5, 6] },
  ];
  test.each(kinds)('in a .%s file has its objects as columns and its lists as tables', async kind => {
    const main = nameIn(kind, `orders_${kind}`);
    const { imported, rows } = await tablesOf(`orders_${kind}`, kind, orders);
    expect(imported.map(({ name, parent }) => [name, parent])).toEqual([
      [main, undefined],
      [`${main}_items`, { table: main, column: `${main}_id`, equals: 'id' }],
      [`${main}_notes`, { table: main, column: `${main}_id`, equals: 'id' }],
      [`${main}_items_tags`, { table: `${main}_items`, column: `${main}_items_row_id`, equals: 'row_id' }],
    ]);
    const [first] = rows[main]!;
    expect(first).toEqual({
      id: 1,
      to_city: 'Ulm',
      to_at_lat: 1.5,
      items: expect.any(String) as string,
      notes: '["late"]',
      span: '[1,2]',
    });
    expect(JSON.parse(first!['items'] as string)).toMatchObject([
      { sku: 'a', n: 2 },
      { sku: 'b', n: 1 },
    ]);
    expect(rows[`${main}_items`]).toEqual([
      { row_id: 1, [`${main}_id`]: 1, position: 1, sku: 'a', n: 2, tags: '["x","y"]' },
      { row_id: 2, [`${main}_id`]: 1, position: 2, sku: 'b', n: 1 },
      { row_id: 3, [`${main}_id`]: 3, position: 1, sku: 'a', n: 5, tags: '["z"]' },
    ]);
    expect(
      rows[`${main}_items_tags`]!.map(row => [row[`${main}_items_row_id`], row['position'], row['value']]),
    ).toEqual([
      [1, 1, 'x'],
      [1, 2, 'y'],
      [3, 1, 'z'],
    ]);
    expect(rows[`${main}_notes`]!.map(row => [row[`${main}_id`], row['position'], row['value']])).toEqual([
      [1, 1, 'late'],
      [3, 1, ''],
      [3, 2, 'twice'],
    ]);
    const notes = imported.flatMap(({ report }) => report.notes).join('\n');
    expect(notes).toContain(
      `Lists are also imported as separate tables: “${main}_items” (of “items”), “${main}_notes” (of “notes”). Their rows refer to their parent row by its \`id\`.`,
    );
    for (const { report } of imported) expect(report.rowsRead).toBe(report.rowsKept);
  });

  test('keeps its lists as text by decision, and makes no table of vectors, lists of lists or empty lists', async () => {
    const rows = Array.from({ length: 4 }, (_, i) => ({
      id: i,
      vector: [i + 0.5, i, i],
      grid: [[1], [2]],
      none: [],
      mixed: [1, 'a', {}],
    }));
    const { imported } = await tablesOf('vectors', 'ndjson', rows);
    expect(imported.map(({ name }) => name)).toEqual(['vectors']);
    const {
      tables: [found],
    } = await discover(path.join(folder, 'orders_parquet.parquet'), {
      importOptions: new Map([['orders_parquet', { version: 1, nested: 'text' }]]),
    });
    const [table, ...others] = await importer.import(found!, () => {});
    expect([table!.columns.map(({ name }) => name).toSorted(), others]).toEqual([
      ['id', 'items', 'notes', 'span', 'to'],
      [],
    ]);
  });

  test('has a table of the keys and values of a map', async () => {
    const file = path.join(folder, 'maps.parquet');
    await connection.run(
      `copy (select i as id, map {'a': i, 'b': i * 2} as counts from range(2) t(i)) to ${text(file)}`,
    );
    const {
      tables: [found],
    } = await discover(file);
    const imported = await importer.import(found!, () => {});
    expect(imported.map(({ name, columns }) => [name, columns.map(column => column.name)])).toEqual([
      ['maps', ['id', 'counts']],
      ['maps_counts', ['maps_id', 'position', 'key', 'value']],
    ]);
  });

  test('never takes the name of another file’s table, and is imported again when such a file appears', async () => {
    const own = path.join(folder, 'beside');
    await mkdir(own);
    await writeFile(
      path.join(own, 'shop.json'),
      JSON.stringify([
        { id: 1, items: ['a'] },
        { id: 2, items: ['b', 'c'] },
      ]),
    );
    const found = async () => (await discover(own)).tables.find(({ name }) => name === 'shop')!;
    const alone = await found();
    expect((await importer.import(alone, () => {})).map(({ name }) => name)).toEqual(['shop', 'shop_items']);
    await writeFile(path.join(own, 'shop_items.csv'), 'a\n1\n');
    await writeFile(path.join(own, 'shopping.csv'), 'a\n1\n');
    const beside = await found();
    expect([beside.taken, beside.fingerprint === alone.fingerprint]).toEqual([['shop_items'], false]);
    expect((await importer.import(beside, () => {})).map(({ name }) => name)).toEqual([
      'shop',
      'shop_items_2',
    ]);
  });

  test('with too many lists reports which of them are kept as text', async () => {
    const row = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`l${i}`, [`${i}`, 'x']]));
    const { imported } = await tablesOf('many', 'ndjson', [{ id: 1, ...row }, { id: 2 }]);
    expect(imported).toHaveLength(21);
    expect(imported[0]!.report.notes).toContain(
      '“l24” is imported as JSON text only: 20 lists of this file are tables already.',
    );
  });
});

/** What the tables are by the plain way: walking through each row. */
function flattened(
  name: string,
  rows: readonly Record<string, unknown>[],
): Record<string, Record<string, unknown>[]> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  const walk = (table: string, row: Record<string, unknown>, first: Record<string, unknown>) => {
    const made: Record<string, unknown> = { ...first };
    (tables[table] ??= []).push(made);
    const place = tables[table].length;
    const visit = (value: unknown, key: string) => {
      if (value === null || value === undefined) return;
      if (Array.isArray(value))
        for (const [i, one] of value.entries())
          walk(
            `${table}_${key}`,
            typeof one === 'object' ? (one as Record<string, unknown>) : { value: one },
            { parent: place, position: i + 1 },
          );
      else if (typeof value === 'object')
        for (const [inner, one] of Object.entries(value)) visit(one, `${key}_${inner}`);
      else made[key] = value;
    };
    for (const [key, value] of Object.entries(row)) visit(value, key);
  };
  for (const row of rows) walk(name, row, {});
  return tables;
}

test(
  'random nested rows become the tables of a plain traversal, in every file format',
  { timeout: 120_000 },
  async () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`nested rows: seed ${seed}`);
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return state / 2 ** 31;
    };
    const below = (count: number) => Math.floor(random() * count);
    // Each field is of one kind in all rows. Texts are no numbers and no dates.
    type Shape = 'text' | 'number' | { fields: Record<string, Shape> } | { list: Shape };
    const shape = (depth: number): Shape => {
      const kind = below(depth > 1 ? 2 : 5);
      if (kind < 2) return kind === 0 ? 'text' : 'number';
      if (kind < 4)
        return {
          fields: Object.fromEntries(
            Array.from({ length: 1 + below(3) }, (_, i) => [`f${i}`, shape(depth + 1)]),
          ),
        };
      return {
        list: below(2)
          ? 'text'
          : {
              fields: Object.fromEntries(
                Array.from({ length: 1 + below(3) }, (_, i) => [`g${i}`, shape(depth + 1)]),
              ),
            },
      };
    };
    const valueOf = (of: Shape): unknown => {
      if (random() < 0.1) return null;
      if (of === 'text') return `w${'abc'[below(3)]}`;
      if (of === 'number') return below(1000) + 0.5;
      if ('list' in of)
        return Array.from({ length: below(4) }, () => valueOf(of.list) ?? (of.list === 'text' ? 'w' : {}));
      return Object.fromEntries(Object.entries(of.fields).map(([key, inner]) => [key, valueOf(inner)]));
    };
    for (let round = 0; round < 2; round++) {
      const fields = Object.fromEntries(Array.from({ length: 2 + below(4) }, (_, i) => [`c${i}`, shape(0)]));
      const rows = Array.from({ length: 5 + below(30) }, () => ({
        first: 1.5,
        ...(valueOf({ fields }) as object | null),
      }));
      for (const kind of kinds) {
        const name = `random${round}${kind}`;
        const { imported, rows: read } = await tablesOf(name, kind, rows);
        const expected = flattened(nameIn(kind, name), rows);
        for (const { name: table, parent } of imported) {
          const lists = new Set(
            imported.filter(one => one.parent?.table === table).map(one => one.name.slice(table.length + 1)),
          );
          const plain = read[table]!.map(row =>
            Object.fromEntries(
              Object.entries(row).flatMap(([key, value]) =>
                key === 'row_id' || lists.has(key) || (typeof value === 'string' && value.startsWith('['))
                  ? []
                  : [[key === parent?.column ? 'parent' : key, value]],
              ),
            ),
          );
          expect([kind, table, plain]).toEqual([kind, table, expected[table]]);
        }
        const filled = Object.keys(expected).filter(table => expected[table]!.length > 0);
        expect([kind, imported.map(one => one.name).toSorted()]).toEqual([kind, filled.toSorted()]);
      }
    }
  },
);
