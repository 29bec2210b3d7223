import { DuckDBInstance } from '@duckdb/node-api';
import { utils, write } from '@e965/xlsx';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { zipFile } from './archives/zip-file.fixture.ts';
import { discover } from './discovery/discover.ts';
import { Importer } from './importer.ts';
import { rowsOf, text } from './sql-text.ts';

/** Names of folders that an engine, a pattern, an address, a shell or SQL would take for something else. */
const names = [`what? *all* [x] {a,b} it's 100% 東京 ü`, '**', ' x=1 a\\b "q"; -- $HOME `id` #%41 [!a]\n\t'];
const csv = 'k,v\na,1\nb,2\nc,3\n';

test.each(names)('a workspace in %j imports its files of each kind, and no others', async name => {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'belvedere-odd-'));
  const root = path.join(parent, name);
  // The name as a pattern would find these, too.
  for (const other of [root, path.join(parent, 'what_ all x a it_s'), path.join(parent, 'b1')])
    await writeAllKinds(path.join(other, 'data'), other === root ? csv : csv.replace('a,1', 'other,100'));
  const tablesFolder = path.join(name.includes('?') ? parent : root, '.tables');
  await mkdir(tablesFolder);
  const importer = new Importer({ tablesFolder, root, memoryBytes: 2 ** 29, threads: 1 });
  const { tables } = await discover(path.join(root, 'data'));
  const rows: Record<string, unknown> = {};
  for (const found of tables)
    for (const { name: table, database } of await importer.import(found, () => {}))
      rows[table] = await keysIn(database);
  await importer.close();
  await rm(parent, { recursive: true, force: true });
  const three = 'a,b,c';
  expect(rows).toEqual({
    plain: 'a,b,c,d',
    lines: three,
    sheet: three,
    lite_t: three,
    duck_t: three,
    packed: three,
    monthly: 'a,b,c,d',
    parts: three,
  });
});

async function keysIn(database: string): Promise<string> {
  const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const keys = await rowsOf(connection, 'select distinct k from data order by k');
  connection.closeSync();
  instance.closeSync();
  return keys.join(',');
}

async function writeAllKinds(folder: string, content: string): Promise<void> {
  const at = (file: string) => path.join(folder, file);
  const rows = content
    .trim()
    .split('\n')
    .map(line => line.split(','));
  const [, ...values] = rows;
  await mkdir(at('parts/year=2024'), { recursive: true });
  const many = `${content}d,4,5\n`;
  await writeFile(at('plain.csv'), many);
  for (const month of ['01', '02', '03']) await writeFile(at(`monthly-2024-${month}.csv`), many);
  await writeFile(at('lines.ndjson'), values.map(([k, v]) => JSON.stringify({ k, v })).join('\n'));
  const book = { SheetNames: ['s'], Sheets: { s: utils.aoa_to_sheet(rows) } };
  await writeFile(at('sheet.xlsx'), write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  await writeFile(at('packed.zip'), zipFile([{ name: 'a?b*c[d].csv', content }]));
  const inserts = `create table t (k text, v integer); insert into t values ${values.map(([k, v]) => `('${k}', ${v})`).join(', ')}`;
  const sqlite = new DatabaseSync(at('lite.sqlite'));
  sqlite.exec(inserts);
  sqlite.close();
  // The engine writes to a plain name only.
  const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'belvedere-made-'));
  const instance = await DuckDBInstance.create(path.join(elsewhere, 'duck.duckdb'));
  const connection = await instance.connect();
  await connection.run(inserts);
  await connection.run(`copy t to ${text(path.join(elsewhere, 'p.parquet'))}`);
  connection.closeSync();
  instance.closeSync();
  await rename(path.join(elsewhere, 'duck.duckdb'), at('duck.duckdb'));
  await rename(path.join(elsewhere, 'p.parquet'), at('parts/year=2024/p.parquet'));
  await rm(elsewhere, { recursive: true });
}
