import type { TableFile } from '@belvedere/document';
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { DiscoveredTable, FileKind } from './discovered-table.ts';

/** Increment when the same file would be imported differently than before. */
const importVersion = 14;
/** Since 12, times beyond any calendar are left out, and months and moments in digits are read. */
const databaseImportVersion = 12;

/** A file of a table, with its size and its time of change. */
export interface FileVersion {
  readonly file: string;
  readonly stats: Pick<BigIntStats, 'size' | 'mtimeNs'>;
}

/** Returns a text that changes with the files of a table, and with how they are imported. */
export function tableFingerprint(
  kind: FileKind,
  isHive: boolean,
  files: readonly FileVersion[],
  options: TableFile | undefined,
): string {
  const version = kind === 'sqlite' || kind === 'duckdb' ? databaseImportVersion : importVersion;
  const hash = createHash('sha256').update(`${version} ${kind} ${isHive}`);
  for (const { file, stats } of files) hash.update(`\0${file}\0${stats.size}\0${stats.mtimeNs}`);
  if (options) hash.update(JSON.stringify(options));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Adds to each file with several tables the names of other tables that begin with its name. Its fingerprint
 * depends on them, so it is imported again when they change.
 */
export function withTakenNames(tables: readonly DiscoveredTable[]): DiscoveredTable[] {
  const sorted = tables.map(({ name }) => name).toSorted();
  const positions = new Map(sorted.map((name, i) => [name, i]));
  return tables.map(table => {
    if (table.kind === 'csv') return table;
    const start = `${table.name}_`;
    const taken: string[] = [];
    for (let i = positions.get(table.name)! + 1; sorted[i]?.startsWith(table.name); i++)
      if (sorted[i]!.startsWith(start)) taken.push(sorted[i]!);
    if (taken.length === 0) return table;
    const fingerprint = createHash('sha256')
      .update(`${table.fingerprint} ${taken.join()}`)
      .digest('hex')
      .slice(0, 16);
    return { ...table, taken, fingerprint };
  });
}
