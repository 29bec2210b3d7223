import path from 'node:path';
import { chunksOf } from '../../regular-file.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rewriteFile, type Rewriting } from './rewrite-file.ts';

const [tab, lf, cr, space, quote, comma, semicolon, bar] = [9, 10, 13, 32, 34, 44, 59, 124];

/**
 * Returns a text file with uniform line ends, and notes: the file itself if they are uniform, else a copy in
 * `folder` with LF line ends. Line ends inside quotes are data and are kept.
 */
export async function withOneLineEnd(
  file: string,
  folder: string,
  produced: UnpackedBytes,
): Promise<{ readonly file: string; readonly notes: readonly string[] }> {
  if (await isUniform(file)) return { file, notes: [] };
  const found = new LineEnds();
  for await (const chunk of chunksOf(file)) found.push(chunk);
  found.end();
  const kinds = Object.entries(found.counts).filter(([, count]) => count > 0);
  if (kinds.length < 2) return { file, notes: [] };
  const copy = path.join(folder, `${path.basename(file)}.lines`);
  await rewriteFile(file, copy, produced, new LineEnds());
  const list = kinds.map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`).join(', ');
  return { file: copy, notes: [`Line endings are mixed (${list}). Each of them ends a line.`] };
}

/**
 * Whether there is no CR, or a CR exactly before each LF. The check works on bytes and does not parse quotes.
 */
async function isUniform(file: string): Promise<boolean> {
  let [crs, lfs, pairs] = [0, 0, 0];
  let isAfterCr = false;
  for await (const chunk of chunksOf(file)) {
    if (isAfterCr && chunk[0] === lf) pairs++;
    for (let at = chunk.indexOf(cr); at >= 0; at = chunk.indexOf(cr, at + 1)) {
      crs++;
      if (chunk[at + 1] === lf) pairs++;
    }
    // Most files contain no CR. For them, it suffices to know that there is an LF without a CR.
    if (crs === 0) lfs += chunk.includes(lf) ? 1 : 0;
    else for (let at = chunk.indexOf(lf); at >= 0; at = chunk.indexOf(lf, at + 1)) lfs++;
    isAfterCr = chunk.at(-1) === cr;
  }
  return crs === 0 || (crs === pairs && lfs === pairs);
}

/** Counts the line ends outside of quotes, and replaces them by LF. */
class LineEnds implements Rewriting {
  readonly counts = { 'CR LF': 0, LF: 0, CR: 0 };
  #isQuoted = false;
  #isFieldStart = true;
  /** Whether the last byte was an unquoted CR; the next byte decides whether it is a line end by itself. */
  #isAfterCr = false;

  push(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length + 1);
    let length = 0;
    for (const byte of bytes) {
      if (this.#isAfterCr) {
        this.#isAfterCr = false;
        out[length++] = lf;
        this.counts[byte === lf ? 'CR LF' : 'CR']++;
        if (byte === lf) continue;
      }
      if (byte === cr && !this.#isQuoted) {
        this.#isAfterCr = true;
        this.#isFieldStart = true;
        continue;
      }
      if (byte === lf && !this.#isQuoted) this.counts.LF++;
      // As in `countRecords`: a quote opens only at the start of a field, and a quote directly after another
      // closes and reopens.
      if (byte === quote && (this.#isQuoted || this.#isFieldStart)) this.#isQuoted = !this.#isQuoted;
      this.#isFieldStart =
        byte === comma ||
        byte === semicolon ||
        byte === tab ||
        byte === bar ||
        byte === space ||
        byte === lf ||
        (byte === quote && !this.#isQuoted);
      out[length++] = byte;
    }
    return out.subarray(0, length);
  }

  end(): Buffer {
    if (!this.#isAfterCr) return Buffer.alloc(0);
    this.counts.CR++;
    return Buffer.of(lf);
  }
}
