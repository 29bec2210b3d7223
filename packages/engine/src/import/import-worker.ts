// A process that reads files into database files, one at a time. It may be killed, or die of a crafted file, without harm.
import { DuckDBInstance } from '@duckdb/node-api';
import { freeName, type TableFile } from '@belvedere/document';
import type { TableProfile } from '@belvedere/model';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushCompileCache } from 'node:module';
import { duckdbSettings, volunteerForOutOfMemory } from '../duckdb/open-duckdb.ts';
import type { DuckDBConnection } from '@duckdb/node-api';
import { applyDecided } from './decided-types.ts';
import type { FileKind, FoundTable } from './discover.ts';
import { importCsv } from './import-csv.ts';
import { importJson } from './import-json.ts';
import { profileTable } from './profile-table.ts';
import { importDuckDbTable, importSqliteTable, tablesOfDuckDb, tablesOfSqlite } from './read-database.ts';
import { sheetsAsCsv } from './read-excel.ts';
import { refineTypes } from './refine-types.ts';
import { ImportError, type ImportedTable, type ImportReport } from './report.ts';
import { rowsOf, text } from './sql-text.ts';
import { Stages, within, type Stage } from './stages.ts';
import { workFolder } from './work-folder.ts';
import { convertWrittenNumbers, type WrittenNumbers } from './written-numbers.ts';

/** What the worker is told, and what it says. */
export type ToImporter = { readonly kind: 'import'; readonly found: FoundTable; readonly tablesFolder: string };
export type FromImporter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly percent: number }
  | { readonly kind: 'imported'; readonly tables: readonly ImportedTable[] }
  | { readonly kind: 'failed'; readonly file: string; readonly line?: number; readonly message: string };

volunteerForOutOfMemory();
process.on('message', (message: ToImporter) => void receive(message));
process.on('disconnect', () => process.exit(0));
say({ kind: 'ready' });
// Its end may be sudden: what was compiled is kept before, for the next.
setTimeout(flushCompileCache, 3000).unref();

async function receive({ found, tablesFolder }: ToImporter): Promise<void> {
  const work = workFolder(tablesFolder, found, process.pid);
  try {
    await mkdir(work, { recursive: true });
    say({ kind: 'imported', tables: await importAll(found, tablesFolder, work) });
  } catch (error) {
    const file = error instanceof ImportError ? error.file : found.files[0]!;
    const line = error instanceof ImportError ? error.line : undefined;
    say({ kind: 'failed', file, ...(line !== undefined && { line }), message: (error as Error).message.split('\n').slice(0, 3).join(' ').slice(0, 600) });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function importAll(found: FoundTable, tablesFolder: string, work: string): Promise<ImportedTable[]> {
  const stages = new Stages();
  if (found.kind === 'sqlite' || found.kind === 'duckdb') return importDatabase(found, tablesFolder, work, stages);
  if (found.kind !== 'excel') return [await importOne(found, found.name, tablesFolder, work, stages, stages.begin, (connection, stage) => readInto(connection, found, work, stage))];
  const sheets = await sheetsAsCsv(found.files[0]!, work);
  if (sheets.length === 0) throw new ImportError(found.files[0]!, undefined, 'Every sheet of this workbook is empty.');
  const names = new Set<string>();
  const tables: ImportedTable[] = [];
  for (const [i, { sheet, file }] of sheets.entries()) {
    const name = freeName(sheets.length === 1 ? found.name : `${found.name}_${sheet}`, names);
    tables.push(await importOne(found, name, tablesFolder, work, stages, partOf(stages, i, sheets.length), (connection, stage) => importCsv(connection, [file], false, work, found.reading, stage).then(report => ({ ...report, notes: [`Sheet “${sheet}”.`, ...report.notes] }))));
  }
  return tables;
}

/** Every table of a database file, each a table of its own. */
async function importDatabase(found: FoundTable, tablesFolder: string, work: string, stages: Stages): Promise<ImportedTable[]> {
  const file = found.files[0]!;
  const names = found.kind === 'sqlite' ? tablesOfSqlite(file) : await tablesOfDuckDb(file);
  if (names.length === 0) throw new ImportError(file, undefined, 'This database has no tables.');
  const taken = new Set<string>();
  const tables: ImportedTable[] = [];
  for (const [i, table] of names.entries()) {
    const name = freeName(`${found.name}_${table}`, taken);
    tables.push(await importOne(found, name, tablesFolder, work, stages, partOf(stages, i, names.length), connection => (found.kind === 'sqlite' ? importSqliteTable(connection, file, table, work) : importDuckDbTable(connection, file, table))));
  }
  return tables;
}

/** Texts of few values keep one list of them a row group, which the engine reads, hashes and groups value by value in place of row by row. Older readers, which are not asked, need the default. */
const storageVersion = 'v1.4.0';

/** @param whole how far all of `found` is, of which this is the part between `stage`'s ends */
async function importOne(found: FoundTable, name: string, tablesFolder: string, work: string, whole: Stages, stage: Stage, read: (connection: DuckDBConnection, stage: Stage) => Promise<ImportReport>): Promise<ImportedTable> {
  const draft = path.join(work, `${name}.duckdb`);
  const memoryBytes = Number(process.env['BELVEDERE_MEMORY']);
  const instance = await DuckDBInstance.create(draft, { ...duckdbSettings({ memoryBytes, threads: Number(process.env['BELVEDERE_THREADS']), spillFolder: path.join(work, 'spill') }), preserve_insertion_order: 'true', storage_compatibility_version: storageVersion });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  const tell = () => say({ kind: 'progress', percent: whole.percent(connection.progress.percentage) });
  const reporting = setInterval(tell, 250);
  try {
    stage(0, 90);
    tell();
    const report = await read(connection, within(stage, 0, 90));
    stage(90, 99);
    const isText = found.kind === 'csv' || found.kind === 'excel';
    const written = asPeopleWrite.has(found.kind) ? await convertWrittenNumbers(connection, await undecidedTexts(connection, found.reading), report.delimiter, found.reading) : undefined;
    const notes = [...(written?.notes ?? []), ...(await refineTypes(connection)), ...(found.reading && !isText ? await applyDecided(connection, found.reading) : [])];
    const profile = shownAsWritten(await profileTable(connection, name), written?.columns ?? []);
    const columns = profile.columns.map(column => ({ name: column.name, type: column.type }));
    const sampleRows = await drawSample(connection, profile.rows);
    await connection.run('checkpoint');
    connection.closeSync();
    instance.closeSync();
    const database = path.join(tablesFolder, `${name}-${found.fingerprint}.duckdb`);
    await rename(draft, database);
    const imported: ImportedTable = { name, fingerprint: found.fingerprint, files: found.files, database, columns, profile, report: { ...report, notes: [...report.notes, ...notes] }, ...(sampleRows !== undefined && { sampleRows }), readAt: new Date().toISOString() };
    await writeFile(`${database}.json.part`, JSON.stringify(imported));
    await rename(`${database}.json.part`, `${database}.json`);
    return imported;
  } finally {
    clearInterval(reporting);
  }
}

/** Whose numbers may be written for people to read; in others numbers are numbers. */
const asPeopleWrite: ReadonlySet<FileKind> = new Set(['csv', 'excel', 'json', 'ndjson']);

async function undecidedTexts(connection: DuckDBConnection, reading: TableFile | undefined): Promise<string[]> {
  const texts = (await rowsOf(connection, 'describe data')).filter(([, type]) => type === 'VARCHAR').map(([name]) => String(name));
  return texts.filter(name => !Object.hasOwn(reading?.columns ?? {}, name));
}

function shownAsWritten(profile: TableProfile, written: readonly WrittenNumbers[]): TableProfile {
  const formats = new Map(written.map(({ name, format }) => [name, format]));
  return { ...profile, columns: profile.columns.map(column => ({ ...column, ...(formats.get(column.name) !== undefined && { format: formats.get(column.name)! }) })) };
}

function partOf(stages: Stages, i: number, count: number): Stage {
  return within(stages.begin, (i / count) * 100, ((i + 1) / count) * 100);
}

/** Tables up to so many rows are counted whole before a reader would notice. */
const unsampledRows = 4_000_000;
const sampledRows = 200_000;

/** Keeps some rows beside the table, each as likely as any other and spread over all of it: the first picture of a large table is drawn from them. */
async function drawSample(connection: DuckDBConnection, rows: number): Promise<number | undefined> {
  if (rows <= unsampledRows) return undefined;
  await connection.run(`create table sample as select * from data where hash(rowid) % ${Math.round(rows / sampledRows)} = 0`);
  const [count] = await rowsOf(connection, 'select count(*) from sample');
  return Number(count![0]);
}

async function readInto(connection: DuckDBConnection, found: FoundTable, work: string, stage: Stage): Promise<ImportReport> {
  switch (found.kind) {
    case 'csv':
      return importCsv(connection, found.files, found.isHive, work, found.reading, stage);
    case 'json':
    case 'ndjson':
      return importJson(connection, found.files, found.kind, work, found.reading);
    default:
      return importParquet(connection, found);
  }
}

async function importParquet(connection: DuckDBConnection, { files, isHive }: FoundTable): Promise<ImportReport> {
  const list = `[${files.map(text).join(', ')}]`;
  await connection.run(`create table data as select * from read_parquet(${list}, union_by_name = true, hive_partitioning = ${isHive}, hive_types_autocast = false)`);
  const [[kept], [counted]] = (await Promise.all([rowsOf(connection, 'select count(*) from data'), rowsOf(connection, `select sum(num_rows) from parquet_file_metadata(${list})`)])) as [[unknown[]], [unknown[]]];
  return { rowsRead: Number(counted![0]), rowsKept: Number(kept![0]), rowsRejected: 0, rejected: [], notes: files.length > 1 ? [`${files.length} files, one table.`] : [] };
}

function say(message: FromImporter): void {
  if (process.connected) process.send!(message);
}
