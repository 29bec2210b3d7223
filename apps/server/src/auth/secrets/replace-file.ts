import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file that only this account may read, wholly or not at all: also if the machine stops. A draft that
 * an earlier process left is overwritten.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
