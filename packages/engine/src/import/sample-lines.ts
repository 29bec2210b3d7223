import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openRegularFile } from '../regular-file.ts';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { ImportError } from './report.ts';

/** Of each file. Fewer pieces would show months of a file in order of time with very unequal numbers of rows. */
const pieces = 256;
/** The first piece has lines above the header, and the header, which may be long. */
const minBytesOfStart = 64 * 1024;
/** As many lines have the header. The rows of a longer start would outweigh those of the other pieces. */
const minLinesOfStart = 40;
const [lf, cr, quote] = [0x0a, 0x0d, 0x22];
const separators: ReadonlySet<number | undefined> = new Set(Buffer.from(',;\t|'));

/**
 * Returns a sampled table, whose files are copies with only some of the lines: pieces of equal length, evenly spread
 * over each file, and its beginning, which may have a header.
 * @throws ImportError if lines cannot be found in the bytes, as in UTF-16
 */
export async function withSampledLines(found: DiscoveredTable, folder: string): Promise<DiscoveredTable> {
  const { sampledBytes } = found;
  if (sampledBytes === undefined) return found;
  const copies = path.join(folder, 'sample');
  await mkdir(copies);
  const files: string[] = [];
  for (const file of found.files) {
    const copy = path.join(copies, path.basename(file));
    const bytes = Math.ceil(sampledBytes / found.files.length / pieces);
    await writeFile(copy, await sampledLines(file, bytes, found.kind === 'csv'));
    files.push(copy);
  }
  return { ...found, files };
}

/** @param mayQuote whether a quoted value may contain line ends */
async function sampledLines(file: string, pieceBytes: number, mayQuote: boolean): Promise<Buffer> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    const read = async (at: number, length = pieceBytes) => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    const startBytes = Math.max(pieceBytes, minBytesOfStart);
    if (size <= startBytes + pieces * pieceBytes) return await handle.readFile();
    const start = await read(0, startBytes);
    if (start.includes(0))
      throw new ImportError(file, undefined, 'No sample can be taken of a file that is not UTF-8.');
    // Quotes elsewhere than around values are part of the text.
    const isQuoted = mayQuote && rowsEnd(start) !== undefined;
    const endOf = (bytes: Buffer) => (isQuoted ? (rowsEnd(bytes) ?? 0) : bytes.lastIndexOf(lf) + 1);
    const short = start.subarray(0, endOf(start.subarray(0, pieceBytes)));
    const found: Buffer[] = [linesIn(short) < minLinesOfStart ? start.subarray(0, endOf(start)) : short];
    if (found[0]!.length === 0)
      throw new ImportError(file, undefined, 'No sample can be taken of a file with lines of this length.');
    const step = (size - startBytes - pieceBytes) / (pieces - 1);
    for (let i = 0; i < pieces; i++) {
      const bytes = await read(Math.floor(startBytes + i * step));
      found.push(
        isQuoted ? wholeRows(bytes) : bytes.subarray(bytes.indexOf(lf) + 1, bytes.lastIndexOf(lf) + 1),
      );
    }
    return Buffer.concat(found);
  } finally {
    await handle.close();
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1)) lines++;
  return lines;
}

/** The rows that begin and end in a piece. A line of it may begin within a quoted value: the next ones are tried. */
function wholeRows(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf(lf) + 1; at > 0; at = bytes.indexOf(lf, at) + 1) {
    const rows = bytes.subarray(at);
    const end = rowsEnd(rows);
    if (end !== undefined) return rows.subarray(0, end);
  }
  return Buffer.alloc(0);
}

/**
 * Returns where the last whole row ends in a piece that begins with a row. Undefined if quotes open after and
 * close before anything but a separator or a line end: then the piece began within a quoted value.
 */
function rowsEnd(bytes: Buffer): number | undefined {
  let end = 0;
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === lf && !isQuoted) end = at + 1;
    if (byte !== quote) continue;
    const [before, after] = [bytes[at - 1], bytes[at + 1]];
    if (!isQuoted) {
      if (at > 0 && before !== lf && !separators.has(before)) return undefined;
    } else if (after === quote) {
      at++;
      continue;
    } else if (after !== undefined && after !== lf && after !== cr && !separators.has(after))
      return undefined;
    isQuoted = !isQuoted;
  }
  return end;
}
