import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Words of an encoded file, and the shared memory to read them into. Its pages are new, so touching them
 * takes longer than reading.
 */
export interface Reading {
  readonly file: string;
  /** Consecutive in the file, all of the same length. */
  readonly words: readonly Uint8Array[];
  /** Shared by all reading threads: the index of the next unclaimed piece. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Small enough that threads finish together, and below the limit of one read call. */
const pieceBytes = 2 ** 24;

/** Reads pieces until none is left. @throws RangeError if the file is too short */
export function readEncoded({ file, words, progress }: Reading): void {
  const bytes = words[0]?.length ?? 0;
  const chunks = Math.ceil(bytes / pieceBytes);
  const input = openSync(file, 'r');
  try {
    for (;;) {
      const chunk = Atomics.add(progress, 0, 1);
      const word = words[Math.floor(chunk / chunks)];
      if (!word) return;
      const from = (chunk % chunks) * pieceBytes;
      const into = word.subarray(from, from + pieceBytes);
      const read = readSync(input, into, 0, into.length, Math.floor(chunk / chunks) * bytes + from);
      if (read < into.length) throw new RangeError('The file of codes is shorter than it should be.');
    }
  } finally {
    closeSync(input);
  }
}
