import { closeSync, openSync, readSync } from 'node:fs';

/** Words of a file of codes, and where in shared memory they are read to; its pages are new, so that touching them takes longer than the reading. */
export interface Reading {
  readonly file: string;
  /** One after another, all of the same length. */
  readonly words: readonly Uint8Array[];
  /** Shared by all threads that read: the next piece nobody has begun. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Small enough that threads end together, and below what one call reads. */
const pieceBytes = 2 ** 24;

/** Reads piece after piece until none is left. @throws RangeError where the file ends early */
export function readEncoded({ file, words, progress }: Reading): void {
  const bytes = words[0]?.length ?? 0;
  const pieces = Math.ceil(bytes / pieceBytes);
  const input = openSync(file, 'r');
  try {
    for (;;) {
      const piece = Atomics.add(progress, 0, 1);
      const word = words[Math.floor(piece / pieces)];
      if (!word) return;
      const from = (piece % pieces) * pieceBytes;
      const into = word.subarray(from, from + pieceBytes);
      const read = readSync(input, into, 0, into.length, Math.floor(piece / pieces) * bytes + from);
      if (read < into.length) throw new RangeError('The file of codes is shorter than it should be.');
    }
  } finally {
    closeSync(input);
  }
}
