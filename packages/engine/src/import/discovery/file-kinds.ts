import path from 'node:path';
import type { FileKind } from './discovered-table.ts';

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

/** A file name without a final `.gz` or `.zst`. */
export function withoutPacking(file: string): string {
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

/** Whether a file of this name describes the data beside it, or configures a program. */
export function isAboutData(name: string): boolean {
  return /^(readme|license|licence|changelog|notice)\b/i.test(name) || settingsOfPrograms.test(name);
}
