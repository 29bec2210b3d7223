import { constants } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ProblemError } from '../../problem-error.ts';
import { storageProblem } from '../../storage-problem.ts';

/**
 * Writes a new file below `root`, whole or not at all, and never over one that is there: draft, fsync, link, fsync of the folder.
 * @throws ProblemError `revision-conflict` where a file of that name exists.
 */
export function createFile(root: string, below: readonly string[], text: string): Promise<void> {
  // A link fails where the name is taken, in one step that nothing can come between.
  return putFile(root, below, text, link);
}

/** Writes a file below `root`, whole or not at all, in place of the one that is there. */
export function replaceFile(root: string, below: readonly string[], text: string): Promise<void> {
  return putFile(root, below, text, rename);
}

/** Folders whose disk could not say that a file is on it. What it holds is not known any more: nothing is written there until a restart. */
const doubted = new Map<string, string>();

const guards = new Map<string, () => void>();

/** From now on nothing is written below `root` where `check` throws. @returns what ends that */
export function guardWrites(root: string, check: () => void): () => void {
  guards.set(root, check);
  return () => void guards.delete(root);
}

/**
 * @throws ProblemError `state-unavailable` where this process may not write below `root`: the disk failed, or
 * another server has the folder
 */
export function mayWrite(root: string): void {
  const trouble = doubted.get(root);
  if (trouble !== undefined) throw new ProblemError('state-unavailable', trouble, { reason: 'disk-failed' });
  guards.get(root)?.();
}

/** Until the disk has it. A second try would say nothing about the first: the system has forgotten by then what it could not write (SAFETY 40). */
export async function synced(root: string, file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    // Some file systems sync no folders; a file that they have is there all the same.
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
 * What a file is called beside its place until it is whole: another name for each writer, so that none writes
 * into another's.
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
    // Once more: the process may have been paused since, and another have taken the folder over.
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

/** A folder of the workspace may be a link to somewhere else: nothing is written there. */
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
 * Removes what a server that was killed while writing has left half-written: nobody else writes files of that
 * name here.
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
