import type { TableFile } from '@belvedere/document';

export type FileKind =
  | 'csv'
  | 'json'
  | 'ndjson'
  | 'parquet'
  | 'arrow'
  | 'excel'
  | 'sqlite'
  | 'duckdb'
  | 'archive';
/** Files that hold several tables. */
export const multiTableKinds: ReadonlySet<FileKind> = new Set(['excel', 'sqlite', 'duckdb', 'archive']);

/** One table to be: a file, a folder of like files, or a sheet of a workbook (found when the workbook is read). */
export interface DiscoveredTable {
  readonly name: string;
  readonly kind: FileKind;
  /** In order of name; several where like files are one table. */
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
