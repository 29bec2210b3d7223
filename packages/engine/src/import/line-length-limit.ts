import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../regular-file.ts';

const stepBytes = 64 * 1024;

/**
 * The first line of a text file that has more bytes than `most`, counted from 1; none where all are shorter. Lines within quotes count as lines.
 * Of other files it reads little: from one line's beginning the last end of a line within reach is looked for, backwards.
 */
export async function findOverlongLine(file: string, most: number): Promise<number | undefined> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    let from = 0;
    while (size - from > most) {
      const end = await lastLineEnd(handle, from, from + most + 1);
      if (end === undefined) return 1 + (await countLineEnds(handle, from));
      from = end + 1;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Where the last line that ends in a stretch of a file ends. */
async function lastLineEnd(handle: FileHandle, from: number, below: number): Promise<number | undefined> {
  const bytes = Buffer.alloc(stepBytes);
  for (let end = below; end > from; end -= stepBytes) {
    const start = Math.max(from, end - stepBytes);
    const { bytesRead } = await handle.read(bytes, 0, end - start, start);
    const found = bytes.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (found >= 0) return start + found;
  }
  return undefined;
}

async function countLineEnds(handle: FileHandle, below: number): Promise<number> {
  const bytes = Buffer.alloc(stepBytes);
  let count = 0;
  for (let from = 0; from < below; from += stepBytes) {
    const { bytesRead } = await handle.read(bytes, 0, Math.min(stepBytes, below - from), from);
    for (let at = bytes.indexOf(0x0a); at >= 0 && at < bytesRead; at = bytes.indexOf(0x0a, at + 1)) count++;
  }
  return count;
}
