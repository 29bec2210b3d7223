import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf } from '../import/sql-text.ts';
import { singleValues } from './coded-field.ts';
import { rowColumn } from './choose-codes.ts';
import { writeCodes } from './write-codes.ts';

test('every row finds its values again, whether rows come in slices as they lie or each with its number, and nothing else is left behind', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-words-'));
  try {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`select setseed(0.7); create table trips as select ['Oslo', 'Bonn', '', null, 'Åbo'][1 + (random() * 5)::int % 5] as city, (random() * 20)::int || 'x' as seat, (random() * 7)::int || 'y' as class, (random() * 40)::int || 'z' as gate, (random() * 12)::int || 'k' as crew,
      case when random() < 0.9 then (random() * 60000)::int - 300 end as delay, date '2024-01-01' + (random() * 500)::int as day, random() < 0.4 as late, (random() * 65000)::int as wide, (random() * 65000)::int as broad from range(300001)`);
    const columns = ['city', 'seat', 'class', 'gate', 'crew', 'delay', 'day', 'late', 'wide', 'broad'];
    const select = `select ${columns.join(', ')}, rowid as "${rowColumn}" from trips`;
    const expected = await rowsOf(connection, `select ${columns.map(column => (column === 'day' ? 'epoch_ms(day)::double' : column === 'late' ? column : ['delay', 'wide', 'broad'].includes(column) ? `${column}::double` : column)).join(', ')} from trips order by rowid`);
    for (const isOrdered of [true, false]) {
      const file = path.join(folder, `${isOrdered}.codes`);
      const manifest = await writeCodes(connection, select, columns.map(column => ({ key: column, column })), file, { isOrdered, sliceRows: 122_880 });
      expect(manifest).toMatchObject({ rows: 300_001, refused: [] });
      const bytes = await readFile(file);
      expect(bytes.length).toBe(manifest.rows * manifest.words * 4);
      const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      const wrong = manifest.fields.flatMap((field, i) => {
        const values = singleValues(field)!;
        const { word, shift, mask } = field.place;
        return expected.flatMap((row, at) => (values[(words[word * manifest.rows + at]! >>> shift) & mask] === row[i] ? [] : [`${field.key} of row ${at}`]));
      });
      expect(wrong).toEqual([]);
    }
    expect((await readdir(folder)).toSorted()).toEqual(['false.codes', 'true.codes']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('what follows from another field has its codes, and takes nothing beside them; what does not has its own', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-words-'));
  try {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`select setseed(0.3); create table trips as select timestamp '2024-01-01' + to_seconds((random() * 4000000)::int) as moment, case when random() < 0.9 then (random() * 400)::smallint end as delay, ['Oslo', 'it''s', '', null][1 + (random() * 4)::int % 4] as city, (random() * 40)::int / 4.0 as price from range(200001)`);
    const made = { hour: ['moment', 'hour', 'extract(hour from moment)'], minute: ['moment', undefined, 'extract(minute from moment)'], late: ['delay', undefined, 'delay > 15'], wait: ['delay', undefined, 'delay // 2'], long: ['city', undefined, 'length(city)'], cheap: ['price', undefined, 'price < 3'] } as const;
    const columns = ['moment', 'delay', 'city', 'price'];
    const select = `select ${columns.join(', ')}, ${Object.entries(made).map(([name, [, , sql]]) => `${sql} as ${name}`).join(', ')}, rowid as "${rowColumn}" from trips`;
    const wanted = [...Object.entries(made).map(([name, [of, within, sql]]) => ({ key: name, column: name, derivation: { of, name: of, within, from: (table: string) => `select ${sql} as ${name}, rowid as "${rowColumn}" from ${table}` } })), ...columns.map(column => ({ key: column, column }))];
    const file = path.join(folder, 'derived.codes');
    const manifest = await writeCodes(connection, select, wanted, file, { isOrdered: true });
    const placeOf = (key: string) => manifest.fields.find(field => field.key === key)!.place;
    for (const [name, of] of [['hour', 'moment'], ['late', 'delay'], ['wait', 'delay'], ['long', 'city']] as const) expect(placeOf(name), name).toEqual(placeOf(of));
    // Minutes differ within an hour, and a fraction may not be what its double is.
    for (const [name, of] of [['minute', 'moment'], ['cheap', 'price']] as const) expect(placeOf(name), name).not.toEqual(placeOf(of));
    const bytes = await readFile(file);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    for (const [key, [, , sql]] of Object.entries(made)) {
      const field = manifest.fields.find(one => one.key === key)!;
      const values = singleValues(field)!;
      const { word, shift, mask } = field.place;
      const expected = await rowsOf(connection, `select ${key === 'late' || key === 'cheap' ? sql : `(${sql})::double`} from trips order by rowid`);
      expect(expected.filter(([value], at) => values[(words[word * manifest.rows + at]! >>> shift) & mask] !== value), key).toEqual([]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the hour of a time too long to be coded by hours is between 0 and 23, which no row need be looked at for', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-words-'));
  try {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("create table trips as select case when i % 11 > 0 then timestamp '1994-01-01 05:00:00' + to_days((i % 11000)::int) + to_hours((i % 3)::int) end as moment from range(200001) t(i)");
    const select = `select moment, extract(hour from moment) as hour, rowid as "${rowColumn}" from trips`;
    const derivation = { of: 'moment', name: 'moment', within: 'hour', between: [0, 23], from: (table: string) => `select extract(hour from moment) as hour, rowid as "${rowColumn}" from ${table}` } as const;
    const file = path.join(folder, 'hours.codes');
    const manifest = await writeCodes(connection, select, [{ key: 'moment', column: 'moment' }, { key: 'hour', column: 'hour', derivation }], file, { isOrdered: true });
    const hours = manifest.fields.find(({ key }) => key === 'hour')!;
    expect(manifest.fields.find(({ key }) => key === 'moment')).toMatchObject({ codes: { kind: 'times', unit: 'day', nulls: true } });
    expect(hours).toMatchObject({ codes: { kind: 'integers', from: 0, count: 24, nulls: true } });
    const bytes = await readFile(file);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const { word, shift, mask } = hours.place;
    const values = singleValues(hours)!;
    const expected = await rowsOf(connection, 'select extract(hour from moment)::double from trips order by rowid');
    expect(expected.filter(([value], at) => values[(words[word * manifest.rows + at]! >>> shift) & mask] !== value)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
