import { freeName, type TableFile } from '@belvedere/document';
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { LeftOut } from './report.ts';
import { irregularityOf, IrregularFileError, type FileFacts } from '../regular-file.ts';

export type FileKind = 'csv' | 'json' | 'ndjson' | 'parquet' | 'arrow' | 'excel' | 'sqlite' | 'duckdb' | 'archive';
/** Files that hold several tables. */
export const manyTabled: ReadonlySet<FileKind> = new Set(['excel', 'sqlite', 'duckdb', 'archive']);

/** One table to be: a file, a folder of like files, or a sheet of a workbook (found when the workbook is read). */
export interface FoundTable {
  readonly name: string;
  readonly kind: FileKind;
  /** In order of name; several where a folder of like files is one table. */
  readonly files: readonly string[];
  /** `key=value` folders lie between the root and the files. */
  readonly isHive: boolean;
  readonly bytes: number;
  /** Changes whenever a file does, or how it is to be read. */
  readonly fingerprint: string;
  /** Names of other tables that those made of its sheets, lists and entries could be given, too. */
  readonly taken?: readonly string[];
  /** What somebody decided about reading it, in place of guesses. */
  readonly reading?: TableFile;
  /** Whether somebody sent it to the server: what comes of it has narrower bounds. */
  readonly isUploaded?: boolean;
}

const kinds: Readonly<Record<string, FileKind>> = {
  csv: 'csv', tsv: 'csv', tab: 'csv', psv: 'csv', dat: 'csv', txt: 'csv',
  json: 'json', geojson: 'json', topojson: 'json', ndjson: 'ndjson', jsonl: 'ndjson', geojsonl: 'ndjson', geojsons: 'ndjson', parquet: 'parquet', pq: 'parquet', arrow: 'arrow', arrows: 'arrow', feather: 'arrow', xlsx: 'excel', xlsm: 'excel', xlsb: 'excel', xls: 'excel', ods: 'excel', sqlite: 'sqlite', sqlite3: 'sqlite', db: 'sqlite', duckdb: 'duckdb',
  zip: 'archive', tar: 'archive', tgz: 'archive',
};
/** Bump when the same file would be read differently than before. */
const importVersion = 10;
const maxFiles = 20_000;

/** What kind of file this is by its name, `.gz` or `.zst` at the end left aside. */
export function kindOfFile(file: string): FileKind | undefined {
  return kinds[path.extname(withoutPacking(file)).slice(1).toLowerCase()];
}

function withoutPacking(file: string): string {
  return file.replace(/\.(gz|zst)$/i, '');
}

/** Why a file of this name is not read; empty for what lies beside data and needs no word. */
export function reasonNotRead(base: string): string | undefined {
  const isBeside = /^(readme|license|licence|changelog|notice)\b/i.test(base);
  if (kindOfFile(base) && !isBeside) return undefined;
  if (/\.(md|ya?ml|png|jpe?g|svg|pdf|html?|js|ts|css|lock)$|^(readme|license|licence|notice)/i.test(base)) return '';
  return `“${path.extname(base) || base}” is not a kind of file Belvedere reads. It reads CSV, TSV, JSON, NDJSON, Parquet, Arrow, Excel (XLSX, XLSB, XLS), ODS, SQLite and DuckDB files, text plain or gzipped, and ZIP and tar archives of them.`;
}

/**
 * Finds the tables in a folder, or in one file. Files directly inside are a table each; a folder whose data files are all of one
 * kind and look alike, or that is Hive-partitioned, is one table; other folders are looked into.
 * @param readings what was decided about reading tables, by their names, and @param prefix stands before every name
 */
export async function discover(root: string, readings: ReadonlyMap<string, TableFile> = new Map(), prefix = ''): Promise<{ tables: FoundTable[]; leftOut: LeftOut[] }> {
  const tables: FoundTable[] = [];
  const leftOut: LeftOut[] = [];
  const names = new Set<string>();
  let seen = 0;
  const stats = await lstat(root);
  if (stats.isDirectory()) await look(root, prefix);
  else if (isKept(root, stats)) await addFile(root, path.dirname(root), prefix);
  return { tables: withTakenNames(tables), leftOut };

  /** What is no regular file is told, and not read. */
  function isKept(file: string, stats: FileFacts): boolean {
    const irregularity = irregularityOf(stats);
    if (irregularity) leftOut.push({ file, reason: new IrregularFileError(irregularity).message });
    return irregularity === undefined;
  }

  async function look(folder: string, prefix: string): Promise<void> {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(entry => !entry.name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (++seen > maxFiles) return;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) await lookInto(full, prefix + entry.name);
      else if (entry.isFile()) await addFile(full, folder, prefix);
      else isKept(full, await lstat(full));
    }
  }

  async function lookInto(folder: string, name: string): Promise<void> {
    const files = await dataFilesBelow(folder);
    const isHive = files.length > 0 && files.every(file => path.relative(folder, path.dirname(file)).split(path.sep).every(part => /^[^=]+=.*$/.test(part)));
    const fileKinds = new Set(files.map(kindOfFile));
    const flat = files.every(file => path.dirname(file) === folder);
    const alike = files.length > 1 && flat && fileKinds.size === 1 && ![...fileKinds].some(kind => kind && manyTabled.has(kind)) && areNumbered(files.map(file => path.basename(file)));
    if ((isHive && fileKinds.size === 1) || alike) await add(name, [...fileKinds][0]!, files, isHive);
    else await look(folder, `${name}_`);
  }

  async function addFile(file: string, _folder: string, prefix = ''): Promise<void> {
    const kind = kindOfFile(file);
    const base = withoutPacking(path.basename(file));
    const reason = reasonNotRead(base);
    if (reason !== undefined) {
      if (reason !== '') leftOut.push({ file, reason });
      return;
    }
    await add(prefix + base.slice(0, base.length - path.extname(base).length), kind!, [file], false);
  }

  async function add(name: string, kind: FileKind, files: readonly string[], isHive: boolean): Promise<void> {
    const all = await Promise.all(files.map(async file => ({ file, stats: await lstat(file, { bigint: true }) })));
    const regular = all.filter(({ file, stats }) => isKept(file, stats));
    if (regular.length === 0) return;
    const hash = createHash('sha256').update(`${importVersion} ${kind} ${isHive}`);
    for (const { file, stats: { size, mtimeNs } } of regular) hash.update(`\0${file}\0${size}\0${mtimeNs}`);
    const bytes = regular.reduce((sum, one) => sum + Number(one.stats.size), 0);
    const free = freeName(name, names);
    const reading = readings.get(free);
    if (reading) hash.update(JSON.stringify(reading));
    tables.push({ name: free, ...(reading && { reading }), kind, files: regular.map(({ file }) => file), isHive, bytes, fingerprint: hash.digest('hex').slice(0, 16) });
  }
}

/** Tells each file of several tables which names that begin with its own other files have: it is read anew when those change. */
function withTakenNames(tables: readonly FoundTable[]): FoundTable[] {
  const sorted = tables.map(({ name }) => name).toSorted();
  const places = new Map(sorted.map((name, i) => [name, i]));
  return tables.map(table => {
    if (table.kind === 'csv') return table;
    const start = `${table.name}_`;
    const taken: string[] = [];
    for (let i = places.get(table.name)! + 1; sorted[i]?.startsWith(table.name); i++) if (sorted[i]!.startsWith(start)) taken.push(sorted[i]!);
    if (taken.length === 0) return table;
    const fingerprint = createHash('sha256').update(`${table.fingerprint} ${taken.join()}`).digest('hex').slice(0, 16);
    return { ...table, taken, fingerprint };
  });
}

/** Names that differ by numbers or dates only: `part-0.csv`, `part-1.csv`; `2024-01.csv`, `2024-02.csv`. */
function areNumbered(names: readonly string[]): boolean {
  return new Set(names.map(name => name.replace(/\d+/g, '#'))).size === 1;
}

async function dataFilesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(entry => !entry.isDirectory() && !entry.name.startsWith('.') && kindOfFile(entry.name) !== undefined)
    .map(entry => path.join(entry.parentPath, entry.name))
    .toSorted();
}
