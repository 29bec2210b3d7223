import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Folders that a backup leaves out: what can be made again, and what others keep. */
const leftOut = new Set(['.belvedere', '.git', 'node_modules']);

/** The regular files of a workspace's folder. */
export interface FilesToKeep {
  /** By their paths within the folder, with `/`, sorted. */
  readonly files: readonly string[];
  /** Links, pipes and devices, which are not followed. */
  readonly skipped: readonly string[];
}

/** @param isKept whether to keep a file, by its full path */
export async function filesToKeep(root: string, isKept: (file: string) => boolean): Promise<FilesToKeep> {
  const files: string[] = [];
  const skipped: string[] = [];
  const walk = async (folder: string) => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      const within = path.relative(root, full).split(path.sep).join('/');
      if (leftOut.has(entry.name) && !entry.isFile()) continue;
      if (entry.isDirectory()) await walk(full);
      else if (!(await lstat(full).catch(() => undefined))?.isFile()) skipped.push(within);
      else if (isKept(full) && !entry.name.endsWith('.part')) files.push(within);
    }
  };
  await walk(root);
  return { files: files.toSorted(), skipped: skipped.toSorted() };
}
