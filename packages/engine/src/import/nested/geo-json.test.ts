import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importJson } from './import-json.ts';
import { NestedTables } from './nested-tables.ts';
import { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rowsOf } from '../sql-text.ts';

let folder: string;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-geo-'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(async () => {
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

async function read(
  kind: 'json' | 'ndjson',
  content: unknown,
): Promise<{ columns: string; rows: unknown[][]; notes: string }> {
  const file = path.join(folder, `some.${kind}`);
  await writeFile(
    file,
    kind === 'json'
      ? JSON.stringify(content)
      : (content as object[]).map(line => JSON.stringify(line)).join('\n'),
  );
  await connection.run('drop table if exists data');
  const produced = new UnpackedBytes({ files: [file], bytes: 1000 });
  const nested = new NestedTables({
    folder,
    produced,
    storageVersion: 'v1.4.0',
    choice: 'columns',
    names: new Set(),
  });
  const { notes } = await importJson(connection, [file], kind, { name: 'some', folder, produced, nested });
  const names = (await rowsOf(connection, 'describe data')).map(([name]) => String(name));
  return { columns: names.join(' '), rows: await rowsOf(connection, 'from data'), notes: notes.join('\n') };
}

const feature = (name: string, geometry: unknown) => ({ type: 'Feature', properties: { name }, geometry });
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', bbox: [0, 0, 1, 1], features });

describe('GeoJSON', () => {
  test('has its properties and points as columns, and a third coordinate if there is one', async () => {
    const flat = await read('json', collection(feature('a', point(1.5, 2.5)), feature('b', null)));
    expect([flat.columns, flat.rows]).toEqual([
      'name longitude latitude',
      [
        ['a', 1.5, 2.5],
        ['b', null, null],
      ],
    ]);
    const high = await read(
      'json',
      collection(feature('a', point(1.5, 2.5, 900)), feature('b', point(3, 4))),
    );
    expect([high.columns, high.rows]).toEqual([
      'name longitude latitude elevation',
      [
        ['a', 1.5, 2.5, 900],
        ['b', 3, 4, null],
      ],
    ]);
  });

  test('with a feature on each line has the same result', async () => {
    const { columns, rows } = await read('ndjson', [feature('a', point(1, 2)), feature('b', point(3, 4))]);
    expect([columns, rows]).toEqual([
      'name longitude latitude',
      [
        ['a', 1, 2],
        ['b', 3, 4],
      ],
    ]);
  });

  test('keeps other shapes as JSON text, and reports how they are drawn', async () => {
    const mixed = await read('json', collection(feature('a', point(1, 2)), feature('b', square)));
    expect([mixed.columns, mixed.rows.map(row => [row[0], row[1], ...row.slice(3)])]).toEqual([
      'name geometry_type geometry_coordinates longitude latitude',
      [
        ['a', 'Point', 1, 2],
        ['b', 'Polygon', null, null],
      ],
    ]);
    const areas = await read('json', collection(feature('a', square), feature('b', square)));
    expect([areas.columns, JSON.parse(String(areas.rows[0]![2]))]).toEqual([
      'name geometry_type geometry_coordinates',
      square.coordinates,
    ]);
    for (const { notes } of [mixed, areas])
      expect(notes).toContain('To draw them, put the file into the workspace’s `maps/` folder');
  });

  test('is distinguished from other JSON with a geometry', async () => {
    const { columns } = await read('json', {
      rows: [
        { geometry: 'flat', properties: { a: 1 } },
        { geometry: 'round', properties: { a: 2 } },
      ],
    });
    expect(columns).toBe('geometry a');
  });
});

describe('TopoJSON', () => {
  const places = {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [2, 4], properties: { name: 'p' } },
      { type: 'Point', coordinates: [0, 0], properties: { name: 'q' } },
    ],
  };
  const areas = {
    type: 'GeometryCollection',
    geometries: [{ type: 'Polygon', arcs: [[0]], id: '07', properties: { name: 'r', pop: 5 } }],
  };
  const arcs = [
    [
      [0, 0],
      [1, 1],
      [2, -1],
    ],
  ];

  test('has the properties of its geometries as columns, and its points at their decoded positions', async () => {
    const transform = { scale: [0.5, 0.25], translate: [10, 20] };
    const { columns, rows } = await read('json', { type: 'Topology', transform, objects: { places }, arcs });
    expect([columns, rows]).toEqual([
      'type name longitude latitude',
      [
        ['Point', 'p', 11, 21],
        ['Point', 'q', 10, 20],
      ],
    ]);
  });

  test('of several objects names the object of each row; unquantized points are used directly', async () => {
    const { columns, rows, notes } = await read('json', {
      type: 'Topology',
      objects: { places, areas },
      arcs,
    });
    expect(columns).toBe('object type name pop id longitude latitude');
    expect(rows).toEqual([
      ['places', 'Point', 'p', null, null, 2, 4],
      ['places', 'Point', 'q', null, null, 0, 0],
      ['areas', 'Polygon', 'r', 5n, '07', null, null],
    ]);
    expect(notes).toContain('Lines and areas are not imported.');
  });
});
