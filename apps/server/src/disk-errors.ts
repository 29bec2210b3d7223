import { accessSync, closeSync, constants, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { StorageReason } from '@belvedere/api';
import { storageReason } from './storage-problem.ts';

/** About what a save needs at least: a document and its revision. */
const neededBytes = 128 * 1024;
const probe = Buffer.alloc(neededBytes, 1);

/**
 * Why nothing could be written to a folder of our own at this moment, found out by writing; undefined where all
 * is well.
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

/** The same of a folder that is the user's, as far as can be told without writing into it. */
export function folderError(folder: string): StorageReason | undefined {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize, type } = statfsSync(folder);
    // Some network file systems do not know how much is free, and say nothing at all.
    return type !== 0 && bsize > 0 && bavail * bsize < neededBytes ? 'disk-full' : undefined;
  } catch (error) {
    return storageReason(error) ?? 'disk-failed';
  }
}
