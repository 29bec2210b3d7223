import { constants } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ProblemError } from '../../http/problem-error.ts';
import { storageProblem } from '../../operations/storage-problem.ts';

/**
 * Creates a file below `root` atomically and never replaces one: draft, fsync, link, fsync of the folder.
 * @throws ProblemError `revision-conflict` if a file of that name exists
 */
export function createFile(root: string, below: readonly string[], text: string): Promise<void> {
  // `link` is atomic and fails if the name is taken.
  return putFile(root, below, text, link);
}

/** Replaces a file below `root` atomically. */
export function replaceFile(root: string, below: readonly string[], text: string): Promise<void> {
  return putFile(root, below, text, rename);
}

/**
 * Folders on whose disk an fsync failed. Their content is uncertain, so nothing is written there until a
 * restart.
 */
const doubted = new Map<string, string>();

const guards = new Map<string, () => void>();

/** Prevents writes below `root` whenever `check` throws. @returns a function that removes the guard */
export function guardWrites(root: string, check: () => void): () => void {
  guards.set(root, check);
  return () => void guards.delete(root);
}

/**
 * @throws ProblemError `state-unavailable` if this process may not write below `root`: the disk failed, or
 * another server has the folder
 */
export function mayWrite(root: string): void {
  const trouble = doubted.get(root);
  if (trouble !== undefined) throw new ProblemError('state-unavailable', trouble, { reason: 'disk-failed' });
  guards.get(root)?.();
}

/**
 * Syncs a file to disk. A retry after an error would prove nothing, since the system has by then discarded
 * the unwritten data (SAFETY 40).
 */
export async function synced(root: string, file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    // Some file systems cannot sync folders. Their files exist all the same.
    if (['EINVAL', 'ENOTSUP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    doubted.set(
      root,
      `The disk failed while a file was being saved (${(error as Error).message}). Belvedere stopped saving to this folder to prevent data loss. Check the disk, then restart Belvedere.`,
    );
    throw error;
  }
}

export async function syncedFolder(root: string, folder: string): Promise<void> {
  const directory = await open(folder, constants.O_RDONLY);
  try {
    await synced(root, directory);
  } finally {
    await directory.close();
  }
}

/**
 * Returns the temporary name of a file until it is complete. It is unique, so that concurrent writers do not
 * share a file.
 */
export function partialFileName(name: string): string {
  return `.${name}.${randomBytes(6).toString('hex')}.part`;
}

async function putFile(
  root: string,
  below: readonly string[],
  text: string,
  put: (draft: string, target: string) => Promise<void>,
): Promise<void> {
  mayWrite(root);
  const target = path.join(root, ...below);
  const folder = path.dirname(target);
  const draft = path.join(folder, partialFileName(path.basename(target)));
  try {
    await within(root, folder);
    await mkdir(folder, { recursive: true });
    const file = await open(
      draft,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      0o644,
    );
    try {
      await file.writeFile(text);
      await synced(root, file);
    } finally {
      await file.close();
    }
    // Checked again: the process may have been suspended meanwhile, and another server may have taken over
    // the folder.
    mayWrite(root);
    await put(draft, target);
    await syncedFolder(root, folder);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ProblemError(
        'revision-conflict',
        `\`${below.join('/')}\` already exists. Save under another name.`,
        { cause: error },
      );
    const what = `Could not write \`${below.join('/')}\``;
    throw (
      storageProblem(error, what) ??
      new ProblemError('state-unavailable', `${what}: ${(error as Error).message}`, { cause: error })
    );
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/** Refuses folders that are links to somewhere else, so that nothing is written there. */
async function within(root: string, folder: string): Promise<void> {
  const top = await realpath(root);
  let nearest = folder;
  let real: string | undefined;
  while (
    (real = await realpath(nearest).catch(() => undefined)) === undefined &&
    nearest !== path.dirname(nearest)
  )
    nearest = path.dirname(nearest);
  if (real !== top && !real?.startsWith(top + path.sep))
    throw new ProblemError(
      'not-allowed',
      `\`${path.relative(root, folder)}\` is a link that points outside the workspace, so nothing is written through it.`,
    );
}

/**
 * Deletes partial files left by a server that was killed while writing. No other program writes files of
 * these names.
 */
export async function removePartialFiles(
  folder: string,
  { recursive }: { readonly recursive: boolean },
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => []);
  for (const entry of entries) {
    const isHalfWritten = entry.isFile() && /^\..+\.[\da-f]{12}\.part$/.test(entry.name);
    if (isHalfWritten) await unlink(path.join(entry.parentPath, entry.name)).catch(() => {});
  }
}
