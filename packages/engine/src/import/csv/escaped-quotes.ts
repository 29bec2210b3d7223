import path from 'node:path';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { rewriteFile, type Rewriting } from './rewrite-file.ts';

const backslash = 92;

/**
 * Copies a file with `\"` inside quotes to `folder`, with `""` instead. The copy is read like any other file.
 * In it, `\N` counts as null, which the engine does not support together with backslash escapes.
 */
export async function withDoubledQuotes(
  file: string,
  folder: string,
  produced: UnpackedBytes,
  quote: string,
): Promise<string> {
  const copy = path.join(folder, `${path.basename(file)}.quotes`);
  await rewriteFile(file, copy, produced, new DoubledQuotes(quote.charCodeAt(0)));
  return copy;
}

class DoubledQuotes implements Rewriting {
  readonly #quote: number;
  #isQuoted = false;
  #isAfterBackslash = false;

  constructor(quote: number) {
    this.#quote = quote;
  }

  push(bytes: Buffer): Buffer {
    const out = Buffer.allocUnsafe(bytes.length * 2 + 1);
    let length = 0;
    for (const byte of bytes) {
      if (this.#isAfterBackslash) {
        this.#isAfterBackslash = false;
        // A backslash escapes another backslash. Before any character but a quote, it is literal.
        out[length++] = byte === this.#quote ? this.#quote : backslash;
        if (byte !== backslash) out[length++] = byte;
      } else if (byte === backslash && this.#isQuoted) this.#isAfterBackslash = true;
      else {
        if (byte === this.#quote) this.#isQuoted = !this.#isQuoted;
        out[length++] = byte;
      }
    }
    return out.subarray(0, length);
  }

  end(): Buffer {
    return this.#isAfterBackslash ? Buffer.of(backslash) : Buffer.alloc(0);
  }
}
