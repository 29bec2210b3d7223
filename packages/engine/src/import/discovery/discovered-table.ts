import type { TableFile } from '@belvedere/document';

export type FileKind =
  | 'csv'
  | 'json'
  | 'ndjson'
  | 'parquet'
  | 'arrow'
  | 'avro'
  | 'excel'
  | 'sqlite'
  | 'duckdb'
  | 'archive';
/** Kinds of files that contain several tables. */
export const multiTableKinds: ReadonlySet<FileKind> = new Set(['excel', 'sqlite', 'duckdb', 'archive']);

/**
 * A table to import: a file, a folder of similar files, or a sheet of a workbook (found when the workbook is
 * read).
 */
export interface DiscoveredTable {
  readonly name: string;
  readonly kind: FileKind;
  /** Sorted by name; several if similar files form one table. */
  readonly files: readonly string[];
  /** Whether there are `key=value` folders between the root and the files. */
  readonly isHive: boolean;
  readonly bytes: number;
  /** Changes with the files and with the import options. */
  readonly fingerprint: string;
  /** Names of other tables that could collide with the names of its sheets, lists and entries. */
  readonly taken?: readonly string[];
  /** If given, pieces of about this many bytes in all are read, from everywhere in its files. */
  readonly sampledBytes?: number;
  /** Import options that override the inferred ones. */
  readonly reading?: TableFile;
  /** Whether the file was uploaded to the server. Tighter limits apply to it. */
  readonly isUploaded?: boolean;
}
