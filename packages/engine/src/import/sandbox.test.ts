import { DuckDBInstance } from '@duckdb/node-api';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from './discovery/discover.ts';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { Importer } from './importer.ts';
import { decodeText } from './csv/decode-text.ts';
import { UnpackedBytes } from './archives/unpacked-bytes.ts';
import { zipFile } from './archives/zip-file.fixture.ts';
import type { ImportedTable } from './report.ts';
import { rowsOf } from './sql-text.ts';

const canary = 'CANARY-7391-SECRET';
let folder: string;
let data: string;
let tablesFolder: string;
let importer: Importer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-sandbox-'));
  [data, tablesFolder] = [path.join(folder, 'workspace', 'data'), path.join(folder, 'state', 'tables')];
  await Promise.all([data, tablesFolder].map(made => mkdir(made, { recursive: true })));
  await writeFile(path.join(folder, 'secret.csv'), `word\n${canary}\n`);
  importer = importerWith();
});
afterAll(async () => {
  await importer.close();
  await rm(folder, { recursive: true, force: true });
});

const importerWith = (settings: { readonly minImportMs?: number } = {}) =>
  new Importer({
    tablesFolder,
    root: path.join(folder, 'workspace'),
    memoryBytes: 2 ** 30,
    threads: 1,
    ...settings,
  });
const notRun = 'Only tables are imported; code in the file is not run.';
const pathOf = (name: string) => path.join(data, name);

async function duckDbFile(name: string, ...statements: string[]): Promise<string> {
  const instance = await DuckDBInstance.create(pathOf(name));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  return pathOf(name);
}

function sqliteFile(name: string, script: string): string {
  const database = new DatabaseSync(pathOf(name));
  database.exec(script);
  database.close();
  return pathOf(name);
}

async function importFile(
  file: string,
  change: Partial<DiscoveredTable> = {},
  by = importer,
): Promise<readonly ImportedTable[]> {
  const {
    tables: [found],
  } = await discover(file);
  return by.import({ ...found!, ...change }, () => {});
}

async function rowsIn({ database }: ImportedTable): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const rows = await rowsOf(connection, 'from data');
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe.concurrent('a DuckDB file', () => {
  test('has its tables imported; views and macros are listed and not run, whatever they read', async () => {
    const secret = path.join(folder, 'secret.csv');
    const file = await duckDbFile(
      'shop.duckdb',
      'create table orders as select 1 as id',
      `create view stolen as select * from read_text('${secret}')`,
      `create view listed as select * from glob('${folder}/*')`,
      `create macro peek() as table select * from read_csv('${secret}')`,
      'create schema "a.b"; create table "a.b"."c.d" as select 2 as "x""y"',
    );
    const imported = await importFile(file);
    expect(imported.map(({ name }) => name)).toEqual(['shop_a_b_c_d', 'shop_orders']);
    expect(await Promise.all(imported.map(rowsIn))).toEqual([[[2]], [[1]]]);
    for (const { report } of imported) {
      expect(report.notes).toContain(`Not imported: view “listed”, view “stolen”, macro “peek”. ${notRun}`);
    }
    expect(JSON.stringify(imported)).not.toContain(canary);
  });

  test('with nothing but views lists their names', async () => {
    const file = await duckDbFile(
      'views.duckdb',
      "create view stolen as select * from read_text('/etc/hostname')",
    );
    await expect(importFile(file)).rejects.toThrow(
      'This database has no tables. Not imported: view “stolen”.',
    );
  });

  test('has no generated column imported, and no column with just a default left out', async () => {
    const computed = "concat('spills to ', current_setting('temp_directory'), a)";
    const file = await duckDbFile(
      'computed.duckdb',
      'create sequence s',
      `create table t (a int default 5, b text generated always as (${computed}), c int default nextval('s'))`,
      'insert into t (a) values (7)',
    );
    const [table] = await importFile(file);
    expect(await rowsIn(table!)).toEqual([[7, 1]]);
    expect(table!.report.notes).toContain('Not imported: column “b”, which are computed by the file.');
  });

  test('is read with its write-ahead log, unless that is a link', async () => {
    const original = await DuckDBInstance.create(pathOf('logged.duckdb'));
    const connection = await original.connect();
    await connection.run('pragma disable_checkpoint_on_shutdown; create table t as select 1 as n');
    connection.closeSync();
    original.closeSync();
    expect(existsSync(pathOf('logged.duckdb.wal'))).toBe(true);
    const [table] = await importFile(pathOf('logged.duckdb'));
    expect(await rowsIn(table!)).toEqual([[1]]);
    await rm(pathOf('logged.duckdb.wal'));
    await symlink(path.join(folder, 'secret.csv'), pathOf('logged.duckdb.wal'));
    const reason = '`logged.duckdb.wal` belongs to this database. It is a symbolic link';
    await expect(importFile(pathOf('logged.duckdb'))).rejects.toThrow(reason);
    await rm(pathOf('logged.duckdb.wal'));
  });
});

test('a file of more tables than an import can take in its time is refused at once', async () => {
  const empty = Array.from({ length: 1001 }, (_, i) => `create table t${i}(a);`).join('');
  const begun = performance.now();
  await expect(importFile(sqliteFile('many.sqlite', `begin; ${empty} commit`))).rejects.toThrow(
    'This file has 1,001 tables; the maximum is 1,000.',
  );
  const entries = Array.from({ length: 1001 }, (_, i) => ({ name: `${i}/x.csv`, content: `k${i}\n1\n` }));
  await writeFile(pathOf('many.zip'), zipFile(entries));
  await expect(importFile(pathOf('many.zip'))).rejects.toThrow('the maximum is 1,000.');
  expect(performance.now() - begun).toBeLessThan(30_000);
});

describe.concurrent('an SQLite file', () => {
  test('has its tables imported; endless views, triggers and virtual tables are listed and not run', async () => {
    const file = sqliteFile(
      'notes.sqlite',
      `create table notes (id integer, twice as (id * 2), kept as (id * 3) stored); insert into notes (id) values (1), (2);
       create view endless as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n;
       create trigger copied after insert on notes begin select 1; end;
       create virtual table searched using fts5 (word)`,
    );
    const imported = await importFile(file);
    const notes = imported.find(({ name }) => name === 'notes_notes')!;
    expect(await rowsIn(notes)).toEqual([[1n], [2n]]);
    const listed = 'trigger “copied”, view “endless”, virtual table “searched”';
    expect(notes.report.notes).toContain(`Not imported: ${listed}. ${notRun}`);
    expect(notes.report.notes).toContain(
      'Not imported: column “twice”, column “kept”, which are computed by the file.',
    );
    expect(imported.map(({ name }) => name)).not.toContain('notes_searched');
  });

  test('cannot hide a virtual table behind another spelling', async () => {
    const file = sqliteFile(
      'hidden.sqlite',
      `create table t (a); insert into t values (1); create virtual table f using fts5 (word)`,
    );
    const database = new DatabaseSync(file);
    database.enableDefensive(false);
    database.exec('pragma writable_schema = on');
    const spelling = 'create/* table */Virtual\ntable f using fts5 (word)';
    database.prepare("update sqlite_schema set sql = ? where name = 'f'").run(spelling);
    database.close();
    const imported = await importFile(file);
    expect(imported.map(({ name }) => name)).not.toContain('hidden_f');
    expect(imported[0]!.report.notes.join()).toContain('virtual table “f”');
  });

  test('cannot hold the import up with a row of comments', async () => {
    const file = sqliteFile('comments.sqlite', 'create table t (a); insert into t values (1)');
    const database = new DatabaseSync(file);
    database.enableDefensive(false);
    database.exec('pragma writable_schema = on');
    const spelling = `create ${'/**/'.repeat(500)} table t (a)`;
    database.prepare("update sqlite_schema set sql = ? where name = 't'").run(spelling);
    database.close();
    const [table] = await importFile(file);
    expect(await rowsIn(table!)).toEqual([[1n]]);
  });
});

describe.concurrent('an import', () => {
  const endings = ['csv', 'json', 'parquet', 'xlsx', 'sqlite', 'duckdb'];
  test.each(endings)('contains no path of the machine in its errors about a broken .%s', async ending => {
    await writeFile(
      pathOf(`broken.${ending}`),
      Buffer.from(`PK\u0003\u0004{"a": [PAR1 ${'\0"'.repeat(400)}`),
    );
    const imported = importFile(pathOf(`broken.${ending}`));
    const said = await imported.then(
      tables => JSON.stringify(tables.map(({ report }) => report)),
      (error: Error) => error.message,
    );
    expect(said).not.toBe('');
    expect(said).not.toContain(folder);
    expect(said).not.toContain(os.tmpdir());
  });

  test('names the file by its workspace path in an engine’s message', async () => {
    await writeFile(pathOf('torn.parquet'), 'PAR1 and no more than that PAR1');
    await expect(importFile(pathOf('torn.parquet'))).rejects.toThrow('data/torn.parquet');
  });

  test('opens no link, no file with a second name, no pipe', async () => {
    const outside = path.join(folder, 'secret.csv');
    await symlink(outside, pathOf('linked.csv'));
    await link(outside, pathOf('hard.csv'));
    const pipe = spawn('mkfifo', [pathOf('pipe.csv')]);
    await once(pipe, 'exit');
    const { tables, skippedFiles } = await discover(data);
    expect(tables.map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/linked|hard|pipe/)]),
    );
    const reasons = new Map(skippedFiles.map(({ file, reason }) => [path.basename(file), reason]));
    expect(reasons.get('linked.csv')).toContain('symbolic link');
    expect(reasons.get('hard.csv')).toContain('Replace it with a copy');
    expect(reasons.get('pipe.csv')).toContain('not a regular file');
    // What was an ordinary file when it was found may be another by now.
    const swapped = { name: 'swapped', kind: 'csv', isHive: false, bytes: 1 } as const;
    for (const name of ['linked.csv', 'hard.csv', 'pipe.csv']) {
      const found: DiscoveredTable = { ...swapped, files: [pathOf(name)], fingerprint: name };
      await expect(importer.import(found, () => {})).rejects.toThrow('Could not open this file.');
      await rm(pathOf(name));
    }
  });

  test('stops two kilobytes that would become a thousand million rows, with a message', async () => {
    const ones = 'select 1::tinyint as a from range(120000)';
    await duckDbFile('maker.duckdb', `copy (${ones}) to '${pathOf('many.parquet')}' (row_group_size 120000)`);
    const bytes = await readFile(pathOf('many.parquet'));
    expect(bytes.length).toBeLessThan(2048);
    // 9,000 files of it, as one table: 1,080 million rows.
    const {
      tables: [found],
    } = await discover(pathOf('many.parquet'));
    const many = { ...found!, files: Array.from({ length: 9000 }, () => pathOf('many.parquet')) };
    const words = /Unpacked, this file of 1 KiB has more than 4 GiB.*split it into several files/;
    await expect(importer.import(many, () => {})).rejects.toThrow(words);
  });

  test('limits the size of an unpacked file: an uploaded one may become 20 times its size, or one gibibyte', async () => {
    const file = pathOf('packed.csv.gz');
    await writeFile(file, gzipSync('a,b\n1,2\n'));
    const uploaded = (bytes: number) => new UnpackedBytes({ files: [file], bytes, isUploaded: true });
    expect([uploaded(1000).maxBytes, uploaded(2 ** 30).maxBytes]).toEqual([2 ** 30, 20 * 2 ** 30]);
    const produced = uploaded(1000);
    produced.add(2 ** 30 - 8);
    await expect(decodeText(file, folder, produced)).resolves.toMatchObject({ encoding: 'UTF-8' });
    await expect(decodeText(file, folder, produced)).rejects.toThrow(
      'the maximum for an uploaded file of its size',
    );
  });

  test('ends at its time limit, with a message', async () => {
    await writeFile(pathOf('slow.csv'), 'n\n1\n');
    const impatient = importerWith({ minImportMs: 1 });
    await expect(importFile(pathOf('slow.csv'), {}, impatient)).rejects.toThrow('was stopped after 1 min');
    await impatient.close();
  });
});

test('that was killed has its temporary files removed at the next start; a running one keeps them', async () => {
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  // Another program may have the number that an import of an earlier start had.
  const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const living = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)', 'import-worker.ts'], {
    stdio: 'ignore',
  });
  const left = (pid: number) => path.join(tablesFolder, `work-some-table-${pid}`);
  for (const { pid } of [ended, other, living])
    await mkdir(path.join(left(pid!), 'spill'), { recursive: true });
  await importerWith().readBefore();
  const kept = (await readdir(tablesFolder)).filter(name => name.startsWith('work-'));
  expect(kept).toEqual([`work-some-table-${living.pid}`]);
  other.kill('SIGKILL');
  living.kill('SIGKILL');
  await rm(left(living.pid!), { recursive: true });
});
