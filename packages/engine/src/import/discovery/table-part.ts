import path from 'node:path';
import { multiTableKinds, type DiscoveredTable, type FileKind } from './discovered-table.ts';

/** How much of a table is imported: of its files, or, if `bytes`, of the bytes of its files. */
export interface TablePart {
  readonly unit: 'files' | 'bytes';
  readonly count: number;
  readonly of: number;
}

/** Tables with fewer bytes and fewer files are imported in a few seconds. */
const minOfAll = { bytes: 48 * 2 ** 20, files: 400 };
/** The part is imported in about a second. */
const maxOfPart = { bytes: 4 * 2 ** 20, files: 20 };
/** The table is at least this many times as large as its part, so that both cost little more than one import. */
const minRatio = 8;

/** Files with a row on each line. */
const kindsOfLines: ReadonlySet<FileKind> = new Set(['csv', 'ndjson']);

/**
 * Returns a part of a table that takes long to import, as a table of its own that can be shown meanwhile: its
 * first files, or a sample of the lines of a few large ones. Undefined if a part would be imported hardly sooner
 * than all.
 */
export function partShownFirst(
  found: DiscoveredTable,
): { readonly table: DiscoveredTable; readonly part: TablePart } | undefined {
  const { kind, files, bytes, fingerprint } = found;
  if (multiTableKinds.has(kind) || (bytes < minOfAll.bytes && files.length < minOfAll.files))
    return undefined;
  const bytesPerFile = bytes / files.length;
  // Columns from the files' names appear where at least two names differ.
  const count = Math.max(2, Math.min(maxOfPart.files, Math.floor(maxOfPart.bytes / bytesPerFile)));
  const part = { ...found, fingerprint: `${fingerprint}-part` };
  if (count * minRatio <= files.length)
    return {
      table: { ...part, files: files.slice(0, count), bytes: Math.round(bytesPerFile * count) },
      part: { unit: 'files', count, of: files.length },
    };
  if (!hasSampledLines(found) || bytes < minRatio * maxOfPart.bytes) return undefined;
  return {
    table: { ...part, bytes: maxOfPart.bytes, sampledBytes: maxOfPart.bytes },
    part: { unit: 'bytes', count: maxOfPart.bytes, of: bytes },
  };
}

/** Whether lines can be read anywhere in the files, which then lie beside each other in a folder of copies. */
function hasSampledLines({ kind, files, isHive }: DiscoveredTable): boolean {
  return (
    kindsOfLines.has(kind) &&
    !isHive &&
    new Set(files.map(file => path.dirname(file))).size === 1 &&
    files.every(file => !/\.(?:gz|zst)$/i.test(file))
  );
}
