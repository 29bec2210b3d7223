import path from 'node:path';
import { chunksOf } from '../../regular-file.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rewriteFile, type Rewriting } from './rewrite-file.ts';

const [lf, cr] = [10, 13];

/**
 * Copies a text file to `folder` without repeated header lines, which concatenated files contain, and returns
 * the numbers of these lines; undefined if there are none. They become empty lines, so that line numbers do
 * not change.
 * @param header the line as written in the file
 */
export async function withoutRepeatedHeader(
  file: string,
  header: string,
  folder: string,
  produced: UnpackedBytes,
): Promise<{ readonly file: string; readonly lines: readonly number[] } | undefined> {
  const wanted = Buffer.from(header);
  if (!(await standsTwice(file, wanted))) return undefined;
  const copy = path.join(folder, `${path.basename(file)}.once`);
  const once = new HeaderOnce(wanted);
  await rewriteFile(file, copy, produced, once);
  return once.repeated.length === 0 ? undefined : { file: copy, lines: once.repeated };
}

class HeaderOnce implements Rewriting {
  readonly repeated: number[] = [];
  readonly #header: Buffer;
  #rest: Buffer = Buffer.alloc(0);
  #line = 0;
  #isFound = false;

  constructor(header: Buffer) {
    this.#header = header;
  }

  push(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.#rest, bytes]);
    const parts: Buffer[] = [];
    let start = 0;
    for (let at = all.indexOf(lf); at >= 0; at = all.indexOf(lf, start)) {
      parts.push(this.#kept(all.subarray(start, at)), Buffer.of(lf));
      start = at + 1;
    }
    this.#rest = Buffer.from(all.subarray(start));
    return Buffer.concat(parts);
  }

  end(): Buffer {
    return this.#kept(this.#rest);
  }

  #kept(line: Buffer): Buffer {
    this.#line++;
    const end = line.at(-1) === cr ? line.length - 1 : line.length;
    if (!line.subarray(0, end).equals(this.#header)) return line;
    if (this.#isFound) this.repeated.push(this.#line);
    const kept = this.#isFound ? line.subarray(end) : line;
    this.#isFound = true;
    return kept;
  }
}

/** Whether more than one line begins with these bytes. The check works on bytes and does not parse lines. */
async function standsTwice(file: string, wanted: Buffer): Promise<boolean> {
  const needle = Buffer.concat([Buffer.of(lf), wanted]);
  let rest: Buffer = Buffer.of(lf);
  let found = 0;
  for await (const chunk of chunksOf(file)) {
    const all = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = all.indexOf(needle); at >= 0; at = all.indexOf(needle, from)) {
      if (++found > 1) return true;
      from = at + needle.length;
    }
    rest = Buffer.from(all.subarray(Math.max(from, all.length - needle.length + 1)));
  }
  return false;
}
