import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { streamRegularFile } from '../regular-file.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';

/** What becomes of a file's bytes, piece by piece; the last of it when there are no more. */
export interface Rewriting {
  push(bytes: Buffer): Buffer;
  end(): Buffer;
}

/** Writes a file anew. @throws ImportError where it becomes more than `produced` allows */
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

/** A file's bytes, in pieces large enough to be looked at quickly. */
function piecesOfFile(file: string): Promise<AsyncIterable<Buffer> & NodeJS.ReadableStream> {
  return streamRegularFile(file, { highWaterMark: 1 << 20 }) as Promise<
    AsyncIterable<Buffer> & NodeJS.ReadableStream
  >;
}
