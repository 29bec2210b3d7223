import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../../regular-file.ts';

const stepBytes = 64 * 1024;

/**
 * The number of the first line of a text file with more than `maxBytes` bytes, counted from 1; undefined if there
 * is none. Line ends inside quotes count. The function reads little of files without such lines: from the
 * start of a line, it searches backwards for the last line end within `maxBytes` bytes.
 */
export async function findOverlongLine(file: string, maxBytes: number): Promise<number | undefined> {
  const handle = await openRegularFile(file);
  try {
    const { size } = await handle.stat();
    let from = 0;
    while (size - from > maxBytes) {
      const end = await lastLineEnd(handle, from, from + maxBytes + 1);
      if (end === undefined) return 1 + (await countLineEnds(handle, from));
      from = end + 1;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The end of the last line that ends within a range of a file. */
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
