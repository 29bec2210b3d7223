import { irregularityOf, IrregularFileError, readRegularFile } from '@belvedere/engine';
import { nameFrom } from '@belvedere/document';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ProblemError } from '../../http/problem-error.ts';
import { storageProblem } from '../../operations/storage-problem.ts';
import { mayWrite, replaceFile, synced, syncedFolder } from '../documents/create-file.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import type { TableState } from '../workspace.ts';
import { ensureDataFolder, refuseWithoutSpace } from './data-folder.ts';
import { ndjsonRows } from './ndjson-rows.ts';

/** Idempotency keys remembered per table. */
const keptKeys = 1000;

/**
 * What was appended to a file last, written before the file itself, so that an append that was interrupted can
 * be undone and a repeated one recognised.
 */
const Journal = z.object({
  file: z.string(),
  /** The text, and the file's size before it. */
  last: z.object({
    offset: z.int().nonnegative(),
    text: z.string(),
    rows: z.int().nonnegative(),
    key: z.string().optional(),
  }),
  /** Idempotency keys of earlier appends with their rows, the oldest first. */
  keys: z.array(z.tuple([z.string(), z.number()])),
});
type Journal = z.infer<typeof Journal>;

export interface AppendedRows {
  readonly added: number;
  /** Size of the table's file. */
  readonly bytes: number;
}

/**
 * Appends rows to tables that are one NDJSON file each, for data that arrives bit by bit. All rows of a request
 * are added, or none; rows that were reported as added are on the disk.
 */
export class RowAppender {
  readonly #folders: WorkspaceFolders;
  readonly #tables: () => ReadonlyMap<string, TableState>;
  readonly #maxBytes: () => number;
  readonly #onAppended: () => void;
  readonly #journals = new Map<string, Journal>();
  /** By file: requests for one file are served one after another. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param maxBytes the current limit for one file */
  constructor(
    folders: WorkspaceFolders,
    tables: () => ReadonlyMap<string, TableState>,
    maxBytes: () => number,
    onAppended: () => void,
  ) {
    this.#folders = folders;
    this.#tables = tables;
    this.#maxBytes = maxBytes;
    this.#onAppended = onAppended;
  }

  /** Undoes appends that a crash interrupted. To be called before the files are imported. */
  async recover(): Promise<void> {
    const folder = path.join(this.#folders.state, 'appends');
    for (const name of await readdir(folder).catch(() => [])) {
      const journal = await this.#read(path.join(folder, name));
      if (!journal) continue;
      const target = path.join(this.#folders.data, journal.file);
      // A folder from elsewhere brings its journals.
      if (!(await this.#isInside(target))) continue;
      const file = await openForAppending(target, 'existing').catch(() => undefined);
      if (!file) continue;
      try {
        await undoTorn(file, journal);
      } catch {
        // Tried again before the next append.
      } finally {
        await file.close();
      }
    }
  }

  /**
   * Appends NDJSON to a table, or creates the table.
   * @param key an idempotency key: rows with a key that was used before are not added again
   * @throws ProblemError `request-invalid` for rows that are no JSON objects, and for a table of other files;
   * `upload-refused` past the limit for one file
   */
  async append(table: string, body: Uint8Array, key?: string): Promise<AppendedRows> {
    const rows = ndjsonRows(body);
    await ensureDataFolder(this.#folders.data);
    const target = await this.#fileOf(table);
    const before = this.#turns.get(target) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#appendInTurn(table, target, rows, key));
    this.#turns.set(target, turn);
    try {
      return await turn;
    } catch (error) {
      throw storageProblem(error, `Could not write \`${path.basename(target)}\``) ?? error;
    } finally {
      if (this.#turns.get(target) === turn) this.#turns.delete(target);
    }
  }

  async #appendInTurn(
    table: string,
    target: string,
    rows: readonly string[],
    key: string | undefined,
  ): Promise<AppendedRows> {
    const { root, state, data } = this.#folders;
    mayWrite(root);
    const below = ['appends', `${createHash('sha256').update(target).digest('hex').slice(0, 24)}.json`];
    const before = this.#journals.get(target) ?? (await this.#read(path.join(state, ...below)));
    const isNew = (await lstat(target).catch(() => undefined)) === undefined;
    if (!isNew && !before && !this.#tables().has(table))
      throw new ProblemError('still-reading', `The table \`${table}\` is still being imported.`);
    const file = await openForAppending(target, isNew ? 'new' : 'existing');
    try {
      if (before) await undoTorn(file, before);
      const { size } = await file.stat();
      const keys = before ? keysAfter(before, size) : [];
      const known = key === undefined ? undefined : keys.find(([used]) => used === key);
      if (known) return { added: known[1], bytes: size };
      const text = `${(await lacksLineEnd(file, size)) ? '\n' : ''}${rows.join('\n')}\n`;
      const bytes = Buffer.from(text);
      this.#refuseTooLarge(target, size + bytes.length);
      await refuseWithoutSpace(path.dirname(target), path.basename(target), 2 * bytes.length);
      const journal: Journal = {
        file: path.relative(data, target),
        last: { offset: size, text, rows: rows.length, ...(key !== undefined && { key }) },
        keys,
      };
      await replaceFile(state, below, JSON.stringify(journal));
      this.#journals.set(target, journal);
      await write(file, bytes, size);
      await synced(root, file);
      if (isNew) await syncedFolder(root, path.dirname(target));
      this.#onAppended();
      return { added: rows.length, bytes: size + bytes.length };
    } catch (error) {
      if (isNew) await unlink(target).catch(() => {});
      throw error;
    } finally {
      await file.close();
    }
  }

  #refuseTooLarge(target: string, bytes: number): void {
    const maxBytes = this.#maxBytes();
    if (bytes <= maxBytes) return;
    const what = `\`${path.basename(target)}\` would exceed ${(maxBytes / 2 ** 20).toLocaleString('en')} MiB`;
    throw new ProblemError(
      'upload-refused',
      `${what}. Add rows to another table, or raise \`limits.uploadSize\`.`,
    );
  }

  /** @throws ProblemError for a table that is not one NDJSON file of the data folder */
  async #fileOf(name: string): Promise<string> {
    const { data } = this.#folders;
    const table = this.#tables().get(name);
    if (!table) {
      if (nameFrom(name) === name) return path.join(data, `${name}.ndjson`);
      const what = `\`${name.slice(0, 80)}\` is not a valid table name`;
      throw new ProblemError(
        'request-invalid',
        `${what}. Use lower-case letters, digits and _, such as \`${nameFrom(name)}\`.`,
      );
    }
    const [file, ...others] = table.found.files;
    const isPlain = table.found.kind === 'ndjson' && !/\.(gz|zst)$/i.test(file!);
    if (others.length === 0 && isPlain && (await this.#isInside(file!))) return file!;
    const files = others.length === 0 ? `\`${path.basename(file!)}\`` : `${table.found.files.length} files`;
    throw new ProblemError(
      'request-invalid',
      `Rows can only be added to a table that is one NDJSON file. \`${name}\` is read from ${files}.`,
    );
  }

  /** Whether a file is in the data folder, also if a folder on its path is a link. */
  async #isInside(file: string): Promise<boolean> {
    const folder = await realpath(path.dirname(file)).catch(() => undefined);
    const top = await realpath(this.#folders.data).catch(() => undefined);
    if (folder === undefined || top === undefined) return false;
    return folder === top || folder.startsWith(top + path.sep);
  }

  async #read(journal: string): Promise<Journal | undefined> {
    try {
      return Journal.parse(JSON.parse(String(await readRegularFile(journal))));
    } catch {
      // Without a journal nothing is undone, and keys used before are not known.
      return undefined;
    }
  }
}

/** Opens a regular file. The opened file is checked, so that it cannot be exchanged in between. */
async function openForAppending(file: string, which: 'new' | 'existing'): Promise<FileHandle> {
  const create = which === 'new' ? constants.O_CREAT | constants.O_EXCL : 0;
  const handle = await open(
    file,
    constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | create,
    0o644,
  );
  const irregularity = irregularityOf(await handle.stat());
  if (!irregularity) return handle;
  await handle.close();
  throw new ProblemError(
    'request-invalid',
    `\`${path.basename(file)}\`: ${new IrregularFileError(irregularity).message}`,
  );
}

/** Cuts off the beginning of an append that was not finished, if it is all that follows. */
async function undoTorn(file: FileHandle, { last: { offset, text } }: Journal): Promise<void> {
  const written = Buffer.from(text);
  const { size } = await file.stat();
  if (size <= offset || size >= offset + written.length) return;
  const tail = Buffer.alloc(size - offset);
  await file.read(tail, 0, tail.length, offset);
  if (tail.equals(written.subarray(0, tail.length))) await file.truncate(offset);
}

/** The keys whose rows are in a file of this size. None if it is shorter than before: then it is another file. */
function keysAfter({ last, keys }: Journal, size: number): Journal['keys'] {
  if (size < last.offset) return [];
  const isWhole = size >= last.offset + Buffer.byteLength(last.text);
  if (!isWhole || last.key === undefined) return keys;
  return [...keys, [last.key, last.rows] as [string, number]].slice(-keptKeys);
}

/** Whether the last line of a file has no line end yet. */
async function lacksLineEnd(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** Adds bytes at the end. If that fails, the file is as before. */
async function write(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
  } catch (error) {
    await file.truncate(offset).catch(() => {});
    throw error;
  }
}
