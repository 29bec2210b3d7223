import { isUtf8 } from 'node:buffer';

/** The maximum number of line numbers in a message. */
const maxNamed = 10;

/** Finds the lines of a file that contain invalid UTF-8, from its bytes chunk by chunk. */
export class UnreadableLines {
  readonly #lines: number[] = [];
  #line = 1;
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = wholeCharacters(all);
    this.#look(all.subarray(0, end));
    this.#rest = Buffer.from(all.subarray(end));
  }

  /** Call after the last chunk. Returns notes on the lines found. */
  notes(): string[] {
    this.#look(this.#rest);
    this.#rest = Buffer.alloc(0);
    const lines = this.#lines;
    return lines.length === 0
      ? []
      : [
          `${linesNamed(lines, lines.length)} ${lines.length === 1 ? 'has' : 'have'} bytes that are not valid UTF-8, each replaced by “\ufffd”.`,
        ];
  }

  #look(bytes: Buffer): void {
    const isWhole = isUtf8(bytes);
    for (let start = 0; start < bytes.length;) {
      const at = bytes.indexOf(0x0a, start);
      const end = at < 0 ? bytes.length : at;
      if (!isWhole && this.#lines.at(-1) !== this.#line && !isUtf8(bytes.subarray(start, end)))
        this.#lines.push(this.#line);
      if (at >= 0) this.#line++;
      start = end + 1;
    }
  }
}

/** Whether a file is entirely UTF-8, from its bytes chunk by chunk. */
export async function areUtf8(chunks: AsyncIterable<Buffer>): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = wholeCharacters(all);
    if (!isUtf8(all.subarray(0, end))) return false;
    rest = Buffer.from(all.subarray(end));
  }
  return isUtf8(rest);
}

/**
 * Whether bytes are UTF-8 with a few damaged characters: at least three in four of the non-ASCII characters
 * are valid. In other encodings, hardly any is valid by chance.
 * @param isCut whether they may end in the middle of a character
 */
export function isMostlyUtf8(bytes: Buffer, isCut: boolean): boolean {
  const end = isCut ? wholeCharacters(bytes) : bytes.length;
  if (isUtf8(bytes.subarray(0, end))) return true;
  let whole = 0;
  let broken = 0;
  for (let i = 0; i < end;) {
    if (bytes[i]! < 0x80) {
      i++;
      continue;
    }
    const length = lengthFrom(bytes[i]!);
    if (length > 1 && isUtf8(bytes.subarray(i, i + length))) {
      whole++;
      i += length;
    } else {
      broken++;
      i++;
    }
  }
  return whole >= 3 * broken;
}

/** The length of the bytes without an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The length of a character by its first byte; 1 if it cannot be a first byte. */
function lengthFrom(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 1;
}

/**
 * `Line 4`, `Lines 4, 7`, or the first of many and the number of the others. Only the count if no line is
 * known.
 */
export function linesNamed(lines: readonly number[], total: number, unit: 'Line' | 'Row' = 'Line'): string {
  if (lines.length === 0)
    return `${total.toLocaleString('en')} ${unit.toLowerCase()}${total === 1 ? '' : 's'}`;
  const some = lines.slice(0, maxNamed).map(line => line.toLocaleString('en'));
  const more = total - some.length;
  return `${unit}${total === 1 ? '' : 's'} ${some.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}
