import { createHash } from 'node:crypto';
import { constants, existsSync, lstatSync } from 'node:fs';
import { didYouMean, readDocument } from '@belvedere/document';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageReason } from '@belvedere/api';
import { ProblemError } from '../http/problems.ts';
import { storageReason } from '../operations/storage-problem.ts';
import { cacheFolder } from './cache-folder.ts';
import { adoptState } from './adopt-state.ts';
import { dataEntries } from './tables/data-entries.ts';
import { readSettings } from './documents/read-documents.ts';

/** The paths of an opened workspace: documents, data and Belvedere's own records. */
export interface ResolvedWorkspace {
  readonly root: string;
  readonly data: string;
  /**
   * Caches, imported tables and the lock: inside a workspace, but in the user's cache for a plain folder,
   * where nothing is written beside the data.
   */
  readonly state: string;
  /**
   * The `postgres:` address of the state database: what is kept about users and documents. Without it, that
   * is
   * a file in `state`.
   */
  readonly stateUrl?: string | undefined;
  /**
   * A reusable state folder for while the folder is open elsewhere. Without it, a new one is created each
   * time.
   */
  readonly beside?: string;
  readonly title: string;
  readonly isSample: boolean;
  /** Treats every source as confirmed, for this run only. */
  readonly isTrusted?: boolean;
  /** A message for the user: nothing can be saved there. */
  readonly notice?: string;
}

/**
 * Resolves a PATH: a workspace (it has `belvedere.yaml`, `models/`, `sources/` or `dashboards/`), a folder of
 * data, or a single file.
 * A plain folder stays unchanged until something is saved. It is a workspace from its next opening, with its records.
 * @param options.words alternatives for the error message
 * @throws ProblemError `not-found`
 */
export async function resolveWorkspace(
  given: string,
  { isSample = false, words = [] }: { readonly isSample?: boolean; readonly words?: readonly string[] } = {},
): Promise<ResolvedWorkspace> {
  const full = await realpath(path.resolve(given)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    const beside = await readdir(path.dirname(path.resolve(given))).catch((): string[] => []);
    throw new ProblemError(
      'not-found',
      `No such file or folder: \`${given}\`${
        didYouMean(
          path.basename(given),
          [...words, ...beside].filter(word => word !== given),
        ) || '.'
      }`,
    );
  });
  const isFile = (await stat(full)).isFile();
  const root = isFile ? path.dirname(full) : full;
  const isWorkspace =
    !isFile &&
    ['belvedere.yaml', 'models', 'sources', 'dashboards'].some(name => existsSync(path.join(full, name)));
  const data = isFile || !(await isDataInOwnFolder(full, isWorkspace)) ? full : path.join(full, 'data');
  const key = createHash('sha256').update(full).digest('hex').slice(0, 12);
  const beside = path.join(cacheFolder(), `${path.basename(full)}-${key}`);
  const trouble = await writeTrouble(root);
  const isKeptInside = isWorkspace && trouble === undefined;
  const notice = trouble && readOnlyNotice(root, trouble, isWorkspace ? beside : undefined);
  const inside = path.join(full, '.belvedere');
  // It could lead a folder from elsewhere to the records of another workspace.
  if (isWorkspace && lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new ProblemError(
      'request-invalid',
      `\`${inside}\` is a link, which Belvedere does not follow. Put the folder itself in its place, or remove the link.`,
    );
  const state = isKeptInside && (await adoptState(beside, inside)) ? inside : beside;
  return { root, data, state, title: path.basename(full), isSample, ...(notice !== undefined && { notice }) };
}

/** Returns why a folder is not writable, by its permissions and mount; undefined if it is. */
async function writeTrouble(folder: string): Promise<StorageReason | undefined> {
  try {
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return storageReason(error);
  }
}

function readOnlyNotice(folder: string, reason: StorageReason, records: string | undefined): string {
  const why = reason === 'read-only' ? 'is read-only' : 'is not writable by this account';
  const message = `${folder} ${why}. You can view everything but cannot save.`;
  if (records === undefined) return message;
  return `${message} Its history, drafts, favourites and views are not loaded; new ones are saved in ${records}.`;
}

/**
 * Whether only the files of `data` are data. `data` in `belvedere.yaml` decides. Without it a workspace has its
 * data in `data`, if there is such a folder; a plain folder shows all of its data, wherever it is.
 */
async function isDataInOwnFolder(folder: string, isWorkspace: boolean): Promise<boolean> {
  const { settings } = await readSettings(folder, (text, file) => readDocument('workspace', text, file));
  if (settings.data !== undefined) return settings.data === 'data';
  const hasOwn = existsSync(path.join(folder, 'data'));
  if (isWorkspace && hasOwn) return true;
  if (!isWorkspace && !hasOwn) return false;
  const without = isWorkspace ? ['data', 'maps'] : ['data'];
  return (await dataEntries(folder, { without, limit: 1 })).length === 0;
}
