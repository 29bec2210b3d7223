import type { StorageReason } from '@belvedere/api';
import { ProblemError } from '../http/problem-error.ts';

/**
 * The message for each reason: the cause and the remedy. `packages/api` has its translations for the
 * interface.
 */
const words: Readonly<Record<StorageReason, string>> = {
  'disk-full':
    'The disk is full, or its quota is used up. Free some space and try again; no restart is needed.',
  'read-only': 'The folder is read-only. Open a writable folder, or remove the write protection.',
  'no-permission': 'Permission denied. Give Belvedere’s account read and write access to the folder.',
  'disk-failed': 'The disk reports an error. Check it before you continue.',
  'too-many-files': 'Too many files are open at once. Try again in a moment, or raise the system’s limit.',
  'in-use': 'Another program has locked the file. Close it and try again.',
  damaged:
    'Belvedere’s state database is damaged. Restart Belvedere: it moves the damaged file aside and keeps it.',
  'taken-over':
    'Another Belvedere server has taken over this folder. Continue there; this one no longer saves.',
  unreachable:
    'The state database cannot be reached. Check that the PostgreSQL server runs and accepts the login; Belvedere needs no restart.',
};

const bySystemCode: Readonly<Record<string, StorageReason>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'disk-full',
  EROFS: 'read-only',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EIO: 'disk-failed',
  ENXIO: 'disk-failed',
  ENODEV: 'disk-failed',
  ESTALE: 'disk-failed',
  EUCLEAN: 'disk-failed',
  EMFILE: 'too-many-files',
  ENFILE: 'too-many-files',
  EBUSY: 'in-use',
  ETXTBSY: 'in-use',
  EAGAIN: 'in-use',
};

/** By SQLite's primary result codes (https://sqlite.org/rescode.html). */
const bySqliteCode: Readonly<Record<number, StorageReason>> = {
  3: 'no-permission',
  14: 'no-permission',
  23: 'no-permission',
  5: 'in-use',
  6: 'in-use',
  8: 'read-only',
  10: 'disk-failed',
  11: 'damaged',
  26: 'damaged',
  13: 'disk-full',
};

/** System calls that fail with the same codes but concern no file. */
const notAboutFiles = /^(listen|bind|connect|accept|kill|spawn|getaddrinfo|socket)/;

/** Returns why storage failed; undefined for errors that are not about storage. */
export function storageReason(error: unknown): StorageReason | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, syscall = '' } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') return bySqliteCode[(errcode ?? 0) & 0xff];
  return code === undefined || notAboutFiles.test(syscall) ? undefined : bySystemCode[code];
}

/**
 * Converts any error of the disk, the file system or the state database to a problem; undefined for other
 * errors.
 * @param what the action that failed: "`sales.yaml` could not be written"
 */
export function storageProblem(error: unknown, what?: string): ProblemError | undefined {
  const reason = storageReason(error);
  return reason && problemOfStorage(reason, what, error);
}

export function problemOfStorage(reason: StorageReason, what?: string, cause?: unknown): ProblemError {
  const said = what === undefined ? words[reason] : `${what}. ${words[reason]}`;
  return new ProblemError('state-unavailable', said, { cause, reason });
}
