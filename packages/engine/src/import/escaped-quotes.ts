import path from 'node:path';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { rewriteFile, type Rewriting } from './rewrite-file.ts';

const backslash = 92;

/**
 * A copy of a file whose quotes within quotes are written `\"`, in `folder`, with `""` in their place: so it is read as any other, and `\N`
 * in it stands for no value, which the engine does not read beside such quotes.
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
        // One backslash of two stands for itself, as does one before anything but a quote.
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
