import iconv from 'iconv-lite';
import { gunzipSync, zstdDecompressSync, constants } from 'node:zlib';
import { readFileStart } from '../../regular-file.ts';
import { cellsOf, mayBeNumbersAsNames } from './header-lines.ts';
import { encodingOf } from './decode-text.ts';
import { preambleIn } from './preamble.ts';

/** The first line of a text file, which may be a header. */
export interface FirstLine {
  readonly text: string;
  readonly cells: readonly string[];
  /** Whether the cells may be column names: most begin with a letter and none is a number, except for years. */
  readonly isOfNames: boolean;
  /** Whether the cells have runs of blanks between them, as columns of fixed width do. */
  readonly isSpaced?: boolean;
}

const startBytes = 16 * 1024;
const maxKept = 50_000;

/**
 * A cache of the first lines of files, valid while a file is unchanged, because a folder is searched again
 * after every change in it.
 */
export class FirstLines {
  readonly #known = new Map<
    string,
    { readonly version: string; readonly line: Promise<FirstLine | undefined> }
  >();

  /**
   * @param version changes with the file
   * @returns undefined if the file is unreadable or has no line
   */
  of(file: string, version: string): Promise<FirstLine | undefined> {
    const known = this.#known.get(file);
    if (known?.version === version) return known.line;
    if (this.#known.size >= maxKept) this.#known.clear();
    const line = readFirstLine(file).catch(() => undefined);
    this.#known.set(file, { version, line });
    return line;
  }
}

/** Column names that differ only in case, blanks and punctuation have the same key. */
export function sameName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name;
}

async function readFirstLine(file: string): Promise<FirstLine | undefined> {
  const start = unpackedStart(file, await readFileStart(file, startBytes));
  const text = iconv
    .decode(start, encodingOf(start))
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
  const line = text
    .split('\n')
    .slice(preambleIn(text))
    .find(one => one.trim() !== '');
  return line === undefined ? undefined : firstLine(line);
}

/** Parses a first line. */
export function firstLine(text: string): FirstLine {
  const [delimiter] = [',', ';', '\t', '|'].toSorted(
    (one, other) => text.split(other).length - text.split(one).length,
  );
  const delimited = (cellsOf(text, delimiter!, '"') ?? text.split(delimiter!)).map(cell => cell.trim());
  const spaced = delimited.length === 1 ? text.trim().split(/ {2,}/) : [];
  const isSpaced = spaced.length > 2;
  const cells = isSpaced ? spaced : delimited;
  const isOfNames =
    (cells.filter(cell => /^[\p{L}_]/u.test(cell)).length * 2 > cells.length &&
      cells.every(cell => !/^[-+]?[\d.]/.test(cell))) ||
    mayBeNumbersAsNames(cells);
  return { text, cells, isOfNames, ...(isSpaced && { isSpaced }) };
}

/** Decompresses as much as the first bytes of a file contain. */
function unpackedStart(file: string, start: Buffer): Buffer {
  if (/\.gz$/i.test(file)) return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  if (/\.zst$/i.test(file)) return zstdDecompressSync(start, { finishFlush: constants.ZSTD_e_flush });
  return start;
}
