import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { streamRegularFile } from '../../regular-file.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';

/** Transforms a file's bytes chunk by chunk; `end` returns the remaining bytes. */
export interface Rewriting {
  push(bytes: Buffer): Buffer;
  end(): Buffer;
}

/** Writes a transformed copy of a file. @throws ImportError if it becomes larger than `produced` allows */
export async function rewriteFile(
  file: string,
  copy: string,
  produced: UnpackedBytes,
  rewriting: Rewriting,
): Promise<void> {
  const transform = new Transform({
    transform(bytes: Buffer, _, done) {
      try {
        produced.add(bytes.length);
        done(null, rewriting.push(bytes));
      } catch (error) {
        done(error as Error);
      }
    },
    flush: done => done(null, rewriting.end()),
  });
  await pipeline(await piecesOfFile(file), transform, createWriteStream(copy));
}

/** A file's bytes, in chunks large enough to be scanned quickly. */
function piecesOfFile(file: string): Promise<AsyncIterable<Buffer> & NodeJS.ReadableStream> {
  return streamRegularFile(file, { highWaterMark: 1 << 20 }) as Promise<
    AsyncIterable<Buffer> & NodeJS.ReadableStream
  >;
}
