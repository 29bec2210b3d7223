import { accessSync, closeSync, constants, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { StorageReason } from '@belvedere/api';
import { storageReason } from './storage-problem.ts';

/** Approximate space that a save needs: a document and its revision. */
const neededBytes = 128 * 1024;
const probe = Buffer.alloc(neededBytes, 1);

/**
 * Writes a probe file to a folder of Belvedere's own.
 * @returns why it failed; undefined if it succeeded
 */
export function diskError(folder: string): StorageReason | undefined {
  const file = path.join(folder, `probe-${process.pid}`);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'w', 0o600);
    let written = 0;
    while (written < neededBytes) written += writeSync(handle, probe, written);
    return undefined;
  } catch (error) {
    return storageReason(error) ?? 'disk-failed';
  } finally {
    if (handle !== undefined) closeSync(handle);
    rmSync(file, { force: true });
  }
}

/** Like `diskError`, for a user's folder: checks as much as possible without writing into it. */
export function folderError(folder: string): StorageReason | undefined {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize, type } = statfsSync(folder);
    // Some network file systems do not report free space.
    return type !== 0 && bsize > 0 && bavail * bsize < neededBytes ? 'disk-full' : undefined;
  } catch (error) {
    return storageReason(error) ?? 'disk-failed';
  }
}
