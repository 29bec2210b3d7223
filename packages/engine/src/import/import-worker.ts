// A process that imports files into database files, one at a time. Killing it is safe, as is a crash caused
// by a crafted file.
import { freeName, type TableFile } from '@belvedere/document';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushCompileCache } from 'node:module';
import { openSandbox, volunteerForOutOfMemory, type Sandbox } from '../duckdb/open-duckdb.ts';
import type { DuckDBConnection } from '@duckdb/node-api';
import { applyDeclaredTypes } from './columns/declared-types.ts';
import { discover } from './discovery/discover.ts';
import { drawSample } from './columns/draw-sample.ts';
import { convertDurations } from './columns/durations.ts';
import type { FileKind, DiscoveredTable } from './discovery/discovered-table.ts';
import { withoutExtremeTimes } from './columns/extreme-times.ts';
import { importCsv } from './csv/import-csv.ts';
import { importCsvFiles } from './import-files.ts';
import { importJson } from './nested/import-json.ts';
import { importParquet } from './columnar/import-parquet.ts';
import { importTyped } from './columns/import-typed.ts';
import { NestedTables } from './nested/nested-tables.ts';
import { UnpackedBytes } from './archives/unpacked-bytes.ts';
import { mostlyTyped, type Locate } from './columns/mostly-typed.ts';
import { importErrorText } from './import-error-text.ts';
import { longestName, shortenNames } from './columns/shorten-names.ts';
import { notFinite, profileTable } from './columns/profile-table.ts';
import {
  companionFiles,
  importDuckDbTable,
  importSqliteTable,
  tablesOfDuckDb,
  tablesOfSqlite,
  titled,
  type DatabaseTables,
} from './columnar/read-database.ts';
import type { DeclaredKeys } from '../database/declared-keys.ts';
import { cellsIn, forSheets, sheetsAsCsv } from './excel/read-excel.ts';
import { refineTypes } from './columns/refine-types.ts';
import {
  ImportError,
  together,
  type ImportedKeys,
  type ImportedTable,
  type ImportReport,
  type ParentTable,
  type TableRead,
} from './report.ts';
import { rowsOf } from './sql-text.ts';
import { partOf, Stages, within, type Stage } from './progress.ts';
import { openRegularFile } from '../regular-file.ts';
import { withSampledLines } from './sample-lines.ts';
import { redactPaths } from '../redact-paths.ts';
import { locatedIn } from './archives/located-in.ts';
import { nothingIn, unpackInto } from './archives/unpack-archive.ts';
import { refuseTooMany } from './max-tables.ts';
import { workFolder } from './work-folder.ts';
import { convertNumbers, declaredDurations, shownAsWritten } from './columns/number-formats.ts';

/** Messages to the worker and its replies. */
export interface ToImporter {
  readonly kind: 'import';
  readonly found: DiscoveredTable;
  readonly tablesFolder: string;
  /** The workspace's folder. Messages name files relative to it. */
  readonly root: string;
}
export type FromImporter =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'progress';
      readonly percent: number;
      readonly file?: { readonly number: number; readonly of: number };
    }
  | { readonly kind: 'imported'; readonly tables: readonly ImportedTable[] }
  | { readonly kind: 'failed'; readonly file: string; readonly line?: number; readonly message: string };

volunteerForOutOfMemory();
process.on('message', (message: ToImporter) => void receive(message));
process.on('disconnect', () => process.exit(0));
post({ kind: 'ready' });
// The process may be killed at any time, so the compile cache is flushed early for the next one.
setTimeout(flushCompileCache, 3000).unref();

/** An import and its context. */
interface Job {
  readonly found: DiscoveredTable;
  /** The file in the data folder; for a file from an archive: the archive. */
  readonly origin: DiscoveredTable;
  readonly tablesFolder: string;
  /** The folder for incomplete output. */
  readonly work: string;
  readonly stages: Stages;
  /** The number of the current file, if there are several. */
  readonly at: { file?: number };
  /** Maps the progress of this job to the progress of the whole import. */
  readonly stage: Stage;
  /** The names of all tables of the import. */
  readonly names: Set<string>;
  /** Notes to add to each of the job's tables. */
  readonly notes: readonly string[];
  readonly produced: UnpackedBytes;
  /** Redacts absolute paths in an error or report text. */
  readonly named: (text: string) => string;
  /** The original of a file that was derived from it in the work folder. */
  readonly original: (file: string) => string;
}

async function receive({ found, tablesFolder, root }: ToImporter): Promise<void> {
  const work = workFolder(tablesFolder, found, process.pid);
  const outside = found.files
    .map(file => path.dirname(file))
    .filter(folder => path.relative(root, folder).startsWith('..'));
  const folders = [work, tablesFolder, root, ...new Set(outside)];
  const named = (text: string) => redactPaths(text, folders);
  const original = (file: string) => (file.startsWith(work + path.sep) ? found.files[0]! : file);
  const stages = new Stages();
  const job: Job = {
    found,
    origin: found,
    tablesFolder,
    work,
    stages,
    stage: stages.begin,
    names: new Set(found.taken),
    notes: [],
    at: {},
    produced: new UnpackedBytes(found),
    named,
    original,
  };
  const outcome = await importInto(job).catch((error: Error): FromImporter => {
    const { file, line } = error instanceof ImportError ? error : { file: found.files[0]!, line: undefined };
    const message = named(importErrorText(error));
    return { kind: 'failed', file: original(file), ...(line !== undefined && { line }), message };
  });
  // Must precede the reply, because without further work the parent ends this process at once.
  await rm(work, { recursive: true, force: true });
  post(outcome);
}

async function importInto(job: Job): Promise<FromImporter> {
  // An earlier process with the same id may have left a folder.
  await rm(job.work, { recursive: true, force: true });
  await mkdir(job.work, { recursive: true });
  for (const file of job.found.files) await refuseIrregular(file);
  const found = await withSampledLines(job.found, job.work);
  return { kind: 'imported', tables: await importAll({ ...job, found }) };
}

/** The engines open files by path and follow links, so links are refused first. @throws ImportError */
async function refuseIrregular(file: string): Promise<void> {
  try {
    await (await openRegularFile(file)).close();
  } catch (error) {
    throw new ImportError(file, undefined, `Could not open this file. ${(error as Error).message}`);
  }
}

async function importAll(job: Job): Promise<ImportedTable[]> {
  const { found, work, produced, names } = job;
  if (found.kind === 'archive') return importArchive(job);
  if (found.kind === 'sqlite' || found.kind === 'duckdb') return importDatabase(job, found.kind);
  if (found.kind !== 'excel') {
    names.add(found.name);
    return importWithLists(job, { name: found.name, stage: job.stage }, (connection, nested, stage) =>
      readInto(connection, job, nested, stage),
    );
  }
  const sheets = await sheetsAsCsv(found.files[0]!, work, produced);
  if (sheets.length === 0)
    throw new ImportError(found.files[0]!, undefined, 'Every sheet of this workbook is empty.');
  refuseTooMany(found.files[0]!, sheets.length, 'sheets with values');
  const tables: ImportedTable[] = [];
  for (const [i, { sheet, file, notes, sheetRow, cellAt }] of sheets.entries()) {
    const name = freeName(sheets.length === 1 ? found.name : `${found.name}_${sheet}`, names);
    const read = async (connection: DuckDBConnection, stage: Stage) => {
      const options = forSheets(found.reading);
      const csv = await importCsv(connection, file, work, produced, options, { stage, sheetRow });
      const locate = cellsIn(job.original(file), { sheet, cellAt }, csv.locate);
      return { report: { ...csv.report, notes: [...notes, ...csv.report.notes] }, locate };
    };
    tables.push(await importOne(job, { name, stage: partOf(job.stage, i, sheets.length) }, read));
  }
  return tables;
}

/** Imports the tables of an archive like those of a folder of its name. Unreadable tables are omitted. */
async function importArchive(job: Job): Promise<ImportedTable[]> {
  const { found, work, produced, names, reading } = { ...job, reading: job.found.reading };
  const file = found.files[0]!;
  const { folder, inArchive, skippedFiles } = await unpackInto(file, work, found.name, produced);
  const { tables: inside } = await discover(path.dirname(folder));
  refuseTooMany(file, inside.length, 'tables');
  if (inside.length === 1) inside[0] = { ...inside[0]!, name: found.name };
  for (const { name } of inside) names.add(name);
  const imported: ImportedTable[] = [];
  for (const [i, table] of inside.entries()) {
    const own = path.join(work, `table-${i}`);
    const [first] = table.files as [string];
    const what = table.files.length > 1 ? `${table.files.length} files` : `“${inArchive(first)}”`;
    const part: Job = {
      ...job,
      found: { ...table, ...(reading && { reading }) },
      work: own,
      stage: partOf(job.stage, i, inside.length),
      notes: [`${what} of the archive.`],
      named: text => job.named(redactPaths(text, [own, folder])),
      original: name =>
        name.startsWith(folder) || path.dirname(name) === own
          ? path.join(file, inArchive(name.startsWith(folder) ? name : first))
          : name,
    };
    try {
      await mkdir(own);
      imported.push(...(await importAll(part)));
    } catch (error) {
      if (produced.isPast) throw error;
      skippedFiles.push({ file: inArchive(first), reason: part.named(importErrorText(error as Error)) });
    }
    await rm(own, { recursive: true, force: true });
  }
  if (imported.length === 0) throw new ImportError(file, undefined, nothingIn(skippedFiles));
  if (skippedFiles.length > 0) {
    const more = skippedFiles.length - maxLeftOut;
    const listed = skippedFiles.slice(0, maxLeftOut).map(one => locatedIn(file, one));
    if (more > 0)
      listed.push({ file, reason: `${more.toLocaleString('en')} more entries of this archive are skipped.` });
    imported[0] = { ...imported[0]!, skippedFiles: listed };
    await describe(imported[0]);
  }
  return imported;
}

const maxLeftOut = 200;

/** Imports every table of a database file as a separate table. */
async function importDatabase(job: Job, kind: 'sqlite' | 'duckdb'): Promise<ImportedTable[]> {
  const { found, work, produced, names } = job;
  const file = found.files[0]!;
  const alongside = await companionFiles(file, kind);
  const look = (connection: DuckDBConnection) => tablesOfDuckDb(connection, file);
  const { tables, notRun } = kind === 'sqlite' ? tablesOfSqlite(file) : await inSandbox(job, alongside, look);
  if (tables.length === 0)
    throw new ImportError(file, undefined, ['This database has no tables.', ...notesOf(notRun)].join(' '));
  refuseTooMany(file, tables.length, 'tables');
  const called = tables.map(table => freeName(`${found.name}_${titled(table.schema, table.name)}`, names));
  const imported: ImportedTable[] = [];
  for (const [i, table] of tables.entries()) {
    const name = called[i]!;
    const read = async (connection: DuckDBConnection, nested: NestedTables): Promise<ReadInto> => {
      const report =
        kind === 'sqlite'
          ? await importSqliteTable(connection, file, table, work, produced)
          : await importDuckDbTable(connection, file, table, produced, nested, name);
      return { report: { ...report, notes: [...report.notes, ...notesOf(notRun, table.computed)] } };
    };
    const stage = partOf(job.stage, i, tables.length);
    const declaredKeys = table.keys && keysAs(table.keys, tables, called);
    imported.push(
      ...(await importWithLists(
        job,
        { name, stage, alongside, ...(declaredKeys && { declaredKeys }) },
        read,
      )),
    );
  }
  return imported;
}

/**
 * A table's declared keys, with the names under which the file's tables are imported. Keys of columns whose names
 * are cut are left out.
 */
function keysAs(
  { uniqueTogether, foreignKeys }: DeclaredKeys,
  tables: DatabaseTables['tables'],
  called: readonly string[],
): ImportedKeys {
  const areWhole = (names: readonly string[]) => names.every(({ length }) => length <= longestName);
  return {
    uniqueTogether: uniqueTogether.filter(areWhole),
    foreignKeys: foreignKeys
      .filter(({ columns, keys }) => areWhole([...columns, ...keys]))
      .map(({ columns, schema, table, keys }) => ({
        columns,
        table: called[tables.findIndex(other => other.schema === schema && other.name === table)] ?? table,
        keys,
      })),
  };
}

interface TableToImport {
  readonly name: string;
  readonly declaredKeys?: ImportedKeys;
  /** Maps the progress of this table to the progress of the job. */
  readonly stage: Stage;
  /** Companion files of the job's files. */
  readonly alongside?: readonly string[];
  readonly parent?: ParentTable;
}

/** Imports a table and the tables derived from its lists. */
async function importWithLists(
  job: Job,
  table: TableToImport,
  read: (connection: DuckDBConnection, nested: NestedTables, stage: Stage) => Promise<ReadInto>,
): Promise<ImportedTable[]> {
  const { work: folder, produced, found, names } = job;
  const nested = new NestedTables({
    folder,
    produced,
    storageVersion,
    choice: found.reading?.nested ?? 'columns',
    names,
  });
  const imported = [await importOne(job, table, (connection, stage) => read(connection, nested, stage))];
  for (const { name, rows, parent, notes, keys } of nested.tables) {
    const report = { rowsRead: rows, rowsKept: rows, rowsRejected: 0, rejected: [], notes, keys };
    imported.push(
      await importOne(
        job,
        { name, parent, stage: within(table.stage, 99, 100), alongside: table.alongside ?? [] },
        () => Promise.resolve({ report }),
      ),
    );
  }
  return imported;
}

/** A longer list of names is not helpful. */
const maxNamed = 20;

/** Notes on the objects of a database file that are not imported. */
function notesOf(notRun: DatabaseTables['notRun'], computed: readonly string[] = []): string[] {
  const more = (count: number) => (count > 0 ? ` and ${count} more` : '');
  const list = (names: readonly string[]) =>
    `${names.slice(0, maxNamed).join(', ')}${more(names.length - maxNamed)}`;
  return [
    ...(notRun.length > 0
      ? [`Not imported: ${list(notRun)}. Only tables are imported; code in the file is not run.`]
      : []),
    ...(computed.length > 0
      ? [`Not imported: ${list(computed.map(name => `column “${name}”`))}, which are computed by the file.`]
      : []),
  ];
}

/**
 * In this format, a text column with few distinct values has one dictionary per row group. The engine reads,
 * hashes and groups the dictionary instead of every row. The default format serves older readers, which are
 * not used here.
 */
const storageVersion = 'v1.4.0';

/** A sandbox with access to a job's files, their companions and the work folder. */
function sandboxFor({ found, work }: Job, alongside: readonly string[]): Sandbox {
  const { BELVEDERE_MEMORY, BELVEDERE_THREADS } = process.env;
  return {
    memoryBytes: Number(BELVEDERE_MEMORY),
    threads: Number(BELVEDERE_THREADS),
    spillFolder: path.join(work, 'spill'),
    folders: [work],
    files: [...found.files, ...alongside],
  };
}

async function inSandbox<T>(
  job: Job,
  alongside: readonly string[],
  run: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await openSandbox(sandboxFor(job, alongside));
  const connection = await instance.connect();
  try {
    return await run(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** @param read creates `data` in the table's own database, unless it exists already */
async function importOne(
  job: Job,
  { name, stage, alongside = [], parent, declaredKeys }: TableToImport,
  read: (connection: DuckDBConnection, stage: Stage) => Promise<ReadInto>,
): Promise<ImportedTable> {
  const { found, origin, tablesFolder, work, stages, produced, named, original } = job;
  const draft = path.join(work, `${name}.duckdb`);
  const settings = { preserve_insertion_order: 'true', storage_compatibility_version: storageVersion };
  const instance = await openSandbox(sandboxFor(job, alongside), draft, settings);
  const connection = await instance.connect();
  await connection.run('set enable_progress_bar = true');
  await connection.run('set enable_progress_bar_print = false');
  const reportProgress = () =>
    post({
      kind: 'progress',
      percent: stages.percent(connection.progress.percentage),
      ...(job.at.file !== undefined && { file: { number: job.at.file, of: found.files.length } }),
    });
  let isTooLarge = false;
  const lookAtSize = async () => {
    const { size } = await stat(draft).catch(() => ({ size: 0 }));
    if (size <= produced.maxBytes) return;
    // Repeated, because an interrupt between two statements has no effect.
    isTooLarge = true;
    connection.interrupt();
  };
  const reporting = setInterval(() => {
    reportProgress();
    void lookAtSize();
  }, 250);
  try {
    stage(0, 90);
    reportProgress();
    const {
      report: { keys: keysOfFile = [], ...report },
      locate = nowhere,
    } = await read(connection, within(stage, 0, 90));
    stage(90, 99);
    const shortened = await shortenNames(connection);
    const inTable = (column: string) => shortened.get(column) ?? column;
    const keys = keysOfFile.map(inTable);
    const isText = found.kind === 'csv' || found.kind === 'excel';
    const written = asPeopleWrite.has(found.kind)
      ? await convertNumbers(
          connection,
          await undecidedTexts(connection, keys, found.reading),
          report.delimiter,
          found.reading,
        )
      : undefined;
    const durations = asPeopleWrite.has(found.kind)
      ? await convertDurations(
          connection,
          await undecidedTexts(connection, keys, found.reading),
          found.reading,
        )
      : undefined;
    const openQuestions = [
      ...(report.questions ?? []).map(question => ({
        ...question,
        columns: question.columns.map(inTable),
      })),
      ...(written?.questions ?? []),
    ];
    const settled = new Set([
      ...Object.keys(found.reading?.columns ?? {}),
      ...openQuestions.flatMap(({ columns: names }) => names),
      ...keys,
    ]);
    const refined = await refineTypes(connection, settled, found.reading);
    const decided = found.reading && !isText ? await applyDeclaredTypes(connection, found.reading) : [];
    const nearly = asPeopleWrite.has(found.kind)
      ? await mostlyTyped(
          connection,
          (await undecidedTexts(connection, keys, found.reading)).filter(column => !settled.has(column)),
          locate,
          found.reading,
        )
      : [];
    const extreme = await withoutExtremeTimes(connection);
    const profile = shownAsWritten(await profileTable(connection, name), [
      ...(written?.columns ?? []),
      ...(durations?.columns ?? []),
      ...declaredDurations(found.reading),
    ]);
    const notes = [
      ...(shortened.size > 0 ? [`Names of columns were cut after ${longestName} characters.`] : []),
      ...(written?.notes ?? []),
      ...(durations?.notes ?? []),
      ...refined.notes,
      ...decided.flatMap(one => one.notes),
      ...extreme,
      ...(await notFinite(connection)),
    ];
    const nulled = [...(report.nulled ?? []), ...decided.flatMap(one => one.nulled ?? [])];
    const questions = [...openQuestions, ...[refined, ...decided].flatMap(({ question }) => question ?? [])];
    const columns = profile.columns.map(column => ({ name: column.name, type: column.type }));
    const sampleRows = await drawSample(connection, profile.rows);
    await connection.run('checkpoint');
    connection.closeSync();
    instance.closeSync();
    const database = path.join(tablesFolder, `${name}-${origin.fingerprint}.duckdb`);
    await rename(draft, database);
    const rejected = report.rejected.map(row => ({
      ...row,
      ...(row.column !== undefined && { column: inTable(row.column) }),
      file: original(row.file),
      reason: named(row.reason),
    }));
    // The text files that are made of sheets are of no interest.
    const { encoding: _, delimiter: __, skippedLines: ___, ...reportOfSheet } = report;
    const whole: ImportReport = {
      ...(found.kind === 'excel' ? reportOfSheet : report),
      rejected,
      notes: [...job.notes, ...report.notes, ...notes].map(named),
      ...together(questions),
      ...(nulled.length > 0 && { nulled }),
      ...(nearly.length > 0 && { nearly }),
    };
    const { fingerprint, files } = origin;
    const sampled = sampleRows === undefined ? {} : { sampleRows };
    const readAt = new Date().toISOString();
    const imported: ImportedTable = {
      name,
      fingerprint,
      files,
      database,
      columns,
      profile,
      report: whole,
      ...(parent && { parent }),
      ...(declaredKeys && { declaredKeys }),
      ...sampled,
      readAt,
    };
    await describe(imported);
    return imported;
  } catch (error) {
    throw isTooLarge ? produced.tooMany() : error;
  } finally {
    clearInterval(reporting);
  }
}

/** The report of an import, with a function that locates rows if possible. */
interface ReadInto {
  readonly report: TableRead;
  readonly locate?: Locate;
}

const nowhere: Locate = async () => new Map();

/** Writes the metadata of a table beside it, for the next start. */
async function describe(imported: ImportedTable): Promise<void> {
  const file = `${imported.database}.json`;
  await writeFile(`${file}.part`, JSON.stringify(imported));
  await rename(`${file}.part`, file);
}

/** Kinds of files whose numbers may be formatted for people. In other kinds, numbers are typed. */
const asPeopleWrite: ReadonlySet<FileKind> = new Set(['csv', 'excel', 'json', 'ndjson']);

async function undecidedTexts(
  connection: DuckDBConnection,
  keys: readonly string[],
  reading: TableFile | undefined,
): Promise<string[]> {
  const texts = (await rowsOf(connection, 'describe data'))
    .filter(([, type]) => type === 'VARCHAR')
    .map(([name]) => String(name));
  return texts.filter(name => !keys.includes(name) && !Object.hasOwn(reading?.columns ?? {}, name));
}

async function readInto(
  connection: DuckDBConnection,
  { found, work, produced, at }: Job,
  nested: NestedTables,
  stage: Stage,
): Promise<ReadInto> {
  switch (found.kind) {
    case 'csv':
      return found.files.length === 1 && !found.isHive
        ? importCsv(connection, found.files[0]!, work, produced, found.reading, { stage })
        : importCsvFiles(connection, found, work, produced, stage, number => (at.file = number));
    case 'json':
    case 'ndjson':
      return {
        report: await importJson(connection, found.files, found.kind, {
          name: found.name,
          folder: work,
          produced,
          nested,
          ...(found.reading && { reading: found.reading }),
        }),
      };
    case 'parquet':
      return { report: await importParquet(connection, found, produced, nested) };
    default:
      return { report: await importTyped(connection, found, { folder: work, produced, nested }) };
  }
}

function post(message: FromImporter): void {
  if (process.connected) process.send!(message);
}
