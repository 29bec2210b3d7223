import { freeName, nameFrom, type TableFile } from '@belvedere/document';
import { createHash } from 'node:crypto';
import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { matcherOf } from './file-pattern.ts';
import { FirstLines, type FirstLine } from '../csv/first-lines.ts';
import { groupSimilarFiles, mayBeAlike, type SimilarFiles, type LineOfFile } from './group-files.ts';
import { multiTableKinds, type FileKind, type DiscoveredTable } from './discovered-table.ts';
import { numberedName, stemOf } from './file-name-columns.ts';
import type { SkippedFile } from '../report.ts';
import { irregularityOf, IrregularFileError, type FileFacts } from '../../regular-file.ts';

const kinds: Readonly<Record<string, FileKind>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  psv: 'csv',
  dat: 'csv',
  txt: 'csv',
  json: 'json',
  geojson: 'json',
  topojson: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  geojsonl: 'ndjson',
  geojsons: 'ndjson',
  parquet: 'parquet',
  pq: 'parquet',
  arrow: 'arrow',
  arrows: 'arrow',
  feather: 'arrow',
  avro: 'avro',
  xlsx: 'excel',
  xlsm: 'excel',
  xlsb: 'excel',
  xls: 'excel',
  ods: 'excel',
  sqlite: 'sqlite',
  sqlite3: 'sqlite',
  db: 'sqlite',
  duckdb: 'duckdb',
  zip: 'archive',
  tar: 'archive',
  tgz: 'archive',
};
/** Increment when the same file would be imported differently than before. */
const importVersion = 13;
/** Since 12, times beyond any calendar are left out, and months and moments in digits are read. */
const databaseImportVersion = 12;
const maxFiles = 20_000;
/** The longest that patterns are compared at once, ms: the server answers between. */
const maxTurnMs = 10;

/** Files of these names beside data are settings of programs. */
const settingsOfPrograms =
  /^(package(-lock)?|composer|tsconfig(\.\w+)?|jsconfig|deno)\.json$|^requirements\.txt$/i;

/** Folders that package managers and archivers write: thousands of small files that are nobody's data. */
const programFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'site-packages',
  'venv',
  'renv',
  '__pycache__',
  '__MACOSX',
]);

/** The kind of a file by its extension, ignoring a final `.gz` or `.zst`. */
export function kindOfFile(file: string): FileKind | undefined {
  return kinds[path.extname(withoutPacking(file)).slice(1).toLowerCase()];
}

function withoutPacking(file: string): string {
  return file.replace(/\.(gz|zst)$/i, '');
}

/** Whether folders of this name hold installed programs instead of data. */
export function isProgramFolder(name: string): boolean {
  return programFolders.has(name);
}

/** The supported kinds of files, as a sentence. */
export const supportedFiles =
  'Supported: CSV, TSV, JSON, NDJSON, Parquet, Arrow, Avro, Excel (XLSX, XLSB, XLS), ODS, SQLite and DuckDB files, plain or gzipped text, and ZIP and tar archives of them.';

/** Why a file of this name is not imported. Empty for files that accompany data and need no message. */
export function reasonNotRead(base: string): string | undefined {
  const isBeside = isAboutData(base);
  if (kindOfFile(base) && !isBeside) return undefined;
  if (settingsOfPrograms.test(base)) return '';
  if (/\.(md|ya?ml|png|jpe?g|svg|pdf|html?|js|ts|css|lock)$|^(readme|license|licence|notice)/i.test(base))
    return '';
  return `“${path.extname(base) || base}” is not a supported file type. ${supportedFiles}`;
}

/** Settings of a workspace for the search. */
export interface Wanted {
  /** Import options of tables, by table name. */
  readonly readings?: ReadonlyMap<string, TableFile>;
  /** Tables that models and dashboards refer to. A file with such a name stays a separate table. */
  readonly named?: ReadonlySet<string>;
  /** A cache that is kept between searches. */
  readonly firstLines?: FirstLines;
}

/**
 * Finds the tables in a folder, or in one file. Each file directly inside is a table, except similar CSV
 * files (`groupSimilarFiles`). A folder of numbered files of one kind, or with Hive partitions, is one table.
 * Other folders are searched.
 */
export async function discover(
  root: string,
  {
    readings = new Map<string, TableFile>(),
    named = new Set<string>(),
    firstLines = new FirstLines(),
  }: Wanted = {},
): Promise<{ tables: DiscoveredTable[]; skippedFiles: SkippedFile[] }> {
  const tables: DiscoveredTable[] = [];
  const skippedFiles: SkippedFile[] = [];
  const names = new Set<string>();
  /** Files that import options assign to a table. */
  const claimed = new Set<string>();
  let seen = 0;
  const stats = await lstat(root);
  if (stats.isDirectory()) {
    const decided = await filesAsDecided();
    await visitFolder(root, '', path.basename(path.resolve(root)));
    for (const { name, kind, files } of decided) await addNamed(name, kind, files, false);
    if (seen > maxFiles)
      skippedFiles.push({
        file: root,
        reason: `This folder has more than ${maxFiles.toLocaleString('en')} files; the rest are skipped. Open a subfolder, or combine files.`,
      });
  } else if (isKept(root, stats)) await addFile(root, '');
  return { tables: withTakenNames(tables), skippedFiles };

  /** Irregular files are reported and not imported. */
  function isKept(file: string, stats: FileFacts): boolean {
    const irregularity = irregularityOf(stats);
    if (irregularity) skippedFiles.push({ file, reason: new IrregularFileError(irregularity).message });
    return irregularity === undefined;
  }

  /** An unreadable folder is reported, and the search continues. */
  async function entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return (await readdir(folder, { withFileTypes: true }))
        .filter(entry => !entry.name.startsWith('.') && !isOfPrograms(folder, entry))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (!skippedFiles.some(({ file }) => file === folder))
        skippedFiles.push({
          file: folder,
          reason: `Could not read this folder, so nothing in it is imported: ${skipReason(error)}`,
        });
      return [];
    }
  }

  function isOfPrograms(folder: string, entry: Dirent): boolean {
    if (!entry.isDirectory() || !isProgramFolder(entry.name)) return false;
    const file = path.join(folder, entry.name);
    if (!skippedFiles.some(one => one.file === file))
      skippedFiles.push({
        file,
        reason:
          'Folders of this name hold installed programs, so nothing in it is imported. Rename it if it holds data.',
      });
    return true;
  }

  /** Tables whose files are given by import options. They keep their names, whatever else is found. */
  async function filesAsDecided(): Promise<{ name: string; kind: FileKind; files: string[] }[]> {
    const decided = [...readings].flatMap(([name, { files }]) =>
      files === undefined || files === 'separate' ? [] : [{ name, pattern: files }],
    );
    if (decided.length === 0) return [];
    const all = await dataFilesBelow(root);
    const relative = all.map(file => ({ file, name: path.relative(root, file).split(path.sep).join('/') }));
    const tables: { name: string; kind: FileKind; files: string[] }[] = [];
    let turnBegan = performance.now();
    for (const { name, pattern } of decided) {
      const matches = matcherOf(pattern);
      const files: string[] = [];
      for (const { file, name: given } of relative) {
        if (!claimed.has(file) && matches(given)) files.push(file);
        // A folder from elsewhere can have thousands of files and hundreds of patterns.
        if (performance.now() - turnBegan < maxTurnMs) continue;
        await turn();
        turnBegan = performance.now();
      }
      const [kind, ...otherKinds] = new Set(files.map(file => kindOfFile(file)!));
      const isOne =
        kind !== undefined && otherKinds.length === 0 && (files.length === 1 || !multiTableKinds.has(kind));
      if (!isOne) {
        skippedFiles.push({
          file: path.join(root, pattern),
          reason: `\`tables/${name}.yaml\` combines these files into one table. ${files.length === 0 ? 'No file matches: correct `files`.' : 'The files of one table must have the same type, and cannot be workbooks or databases: narrow `files`.'}`,
        });
        continue;
      }
      for (const file of files) claimed.add(file);
      names.add(name);
      tables.push({ name, kind, files });
    }
    return tables;
  }

  /**
   * @param prefix precedes every table name
   * @param own the folder's own table name
   */
  async function visitFolder(folder: string, prefix: string, own: string): Promise<void> {
    const entries = (await entriesOf(folder)).filter(entry => !claimed.has(path.join(folder, entry.name)));
    const together = await likeFilesIn(folder, entries, prefix, own);
    const isTogether = new Set(together.flatMap(({ files }) => files));
    for (const entry of entries) {
      if (++seen > maxFiles) return;
      const full = path.join(folder, entry.name);
      if (isTogether.has(full)) continue;
      if (entry.isDirectory()) await visitArchive(full, prefix + entry.name);
      else if (entry.isFile()) await addFile(full, prefix);
      else
        await lstat(full).then(
          stats => isKept(full, stats),
          () => false,
        );
    }
    // Added last, so that the names of single files take precedence.
    for (const { name, files } of together) await add(name, 'csv', files, false);
  }

  async function likeFilesIn(
    folder: string,
    entries: readonly Dirent[],
    prefix: string,
    own: string,
  ): Promise<SimilarFiles[]> {
    const data = entries
      .filter(entry => entry.isFile() && kindOfFile(entry.name) !== undefined && !isAboutData(entry.name))
      .map(entry => path.join(folder, entry.name));
    const csv = data.filter(file => kindOfFile(file) === 'csv');
    const files: LineOfFile[] = [];
    for (const some of inGroupsOf(64, mayBeAlike(csv)))
      files.push(...(await Promise.all(some.map(async file => ({ file, line: await lineOf(file) })))));
    return groupSimilarFiles(files, files.length === data.length).flatMap(({ name, files: alike }) => {
      const whole = name === '' ? own : prefix + name;
      const isApart =
        readings.get(nameFrom(whole))?.files === 'separate' ||
        alike.some(file => isNamed(prefix + stemOf(file)));
      return isApart ? [] : [{ name: whole, files: alike }];
    });
  }

  function isNamed(name: string): boolean {
    return named.has(nameFrom(name)) || readings.has(nameFrom(name));
  }

  async function lineOf(file: string): Promise<FirstLine | undefined> {
    const stats = await lstat(file, { bigint: true }).catch(() => undefined);
    return stats && irregularityOf(stats) === undefined
      ? firstLines.of(file, `${stats.size} ${stats.mtimeNs}`)
      : undefined;
  }

  async function visitArchive(folder: string, name: string): Promise<void> {
    const files = (await dataFilesBelow(folder)).filter(file => !claimed.has(file));
    const isHive =
      files.length > 0 &&
      files.every(file =>
        path
          .relative(folder, path.dirname(file))
          .split(path.sep)
          .every(part => /^[^=]+=.*$/.test(part)),
      );
    const fileKinds = new Set(files.map(kindOfFile));
    const flat = files.every(file => path.dirname(file) === folder);
    const alike =
      files.length > 1 &&
      flat &&
      fileKinds.size === 1 &&
      ![...fileKinds].some(kind => kind && multiTableKinds.has(kind)) &&
      new Set(files.map(numberedName)).size === 1;
    const isApart = readings.get(nameFrom(name))?.files === 'separate';
    if ((isHive && fileKinds.size === 1) || (alike && !isApart)) {
      seen += files.length;
      await add(name, [...fileKinds][0]!, files, isHive);
    } else await visitFolder(folder, `${name}_`, name);
  }

  async function dataFilesBelow(folder: string): Promise<string[]> {
    const files: string[] = [];
    for (const entry of await entriesOf(folder)) {
      if (files.length > maxFiles) break;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(await dataFilesBelow(full)));
      else if (kindOfFile(entry.name) !== undefined) files.push(full);
    }
    return files;
  }

  async function addFile(file: string, prefix: string): Promise<void> {
    const kind = kindOfFile(file);
    const base = withoutPacking(path.basename(file));
    const reason = reasonNotRead(base);
    if (reason !== undefined) {
      if (reason !== '') skippedFiles.push({ file, reason });
      return;
    }
    await add(prefix + stemOf(file), kind!, [file], false);
  }

  function add(name: string, kind: FileKind, files: readonly string[], isHive: boolean): Promise<void> {
    return addNamed(freeName(name, names), kind, files, isHive);
  }

  async function addNamed(
    name: string,
    kind: FileKind,
    files: readonly string[],
    isHive: boolean,
  ): Promise<void> {
    const all: { file: string; stats: BigIntStats }[] = [];
    for (const some of inGroupsOf(64, files)) {
      const found = await Promise.all(
        some.map(async file => ({
          file,
          stats: await lstat(file, { bigint: true }).catch(
            (error: unknown) =>
              void skippedFiles.push({ file, reason: `Could not read this file: ${skipReason(error)}` }),
          ),
        })),
      );
      for (const { file, stats } of found) if (stats) all.push({ file, stats });
    }
    const regular = all.filter(({ file, stats }) => isKept(file, stats));
    if (regular.length === 0) return;
    const version = kind === 'sqlite' || kind === 'duckdb' ? databaseImportVersion : importVersion;
    const hash = createHash('sha256').update(`${version} ${kind} ${isHive}`);
    for (const {
      file,
      stats: { size, mtimeNs },
    } of regular)
      hash.update(`\0${file}\0${size}\0${mtimeNs}`);
    const bytes = regular.reduce((sum, one) => sum + Number(one.stats.size), 0);
    const reading = readings.get(name);
    if (reading) hash.update(JSON.stringify(reading));
    tables.push({
      name,
      ...(reading && { reading }),
      kind,
      files: regular.map(({ file }) => file),
      isHive,
      bytes,
      fingerprint: hash.digest('hex').slice(0, 16),
    });
  }
}

/**
 * Adds to each file with several tables the names of other tables that begin with its name. Its fingerprint
 * depends on them, so it is imported again when they change.
 */
function withTakenNames(tables: readonly DiscoveredTable[]): DiscoveredTable[] {
  const sorted = tables.map(({ name }) => name).toSorted();
  const places = new Map(sorted.map((name, i) => [name, i]));
  return tables.map(table => {
    if (table.kind === 'csv') return table;
    const start = `${table.name}_`;
    const taken: string[] = [];
    for (let i = places.get(table.name)! + 1; sorted[i]?.startsWith(table.name); i++)
      if (sorted[i]!.startsWith(start)) taken.push(sorted[i]!);
    if (taken.length === 0) return table;
    const fingerprint = createHash('sha256')
      .update(`${table.fingerprint} ${taken.join()}`)
      .digest('hex')
      .slice(0, 16);
    return { ...table, taken, fingerprint };
  });
}

function isAboutData(name: string): boolean {
  return /^(readme|license|licence|changelog|notice)\b/i.test(name) || settingsOfPrograms.test(name);
}

function skipReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM')
    return 'permission denied. Grant read permission, then change anything in the data folder or restart.';
  if (code === 'ENAMETOOLONG') return 'its path is too long. Move it to a higher folder, or shorten names.';
  return `the system reported ${code ?? 'an error'}.`;
}

function inGroupsOf<T>(size: number, values: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) =>
    values.slice(i * size, (i + 1) * size),
  );
}
