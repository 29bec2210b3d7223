import { kindOfFile, supportedFiles } from '@belvedere/engine';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ProblemError } from '../../http/problem-error.ts';
import { storageProblem, storageReason } from '../../operations/storage-problem.ts';
import { partialFileName, mayWrite, synced, syncedFolder } from '../documents/create-file.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import { ensureDataFolder, refuseWithoutSpace } from './data-folder.ts';

/** The progress of an upload. */
export interface Upload {
  readonly received: number;
  readonly isWhole: boolean;
}

/** A file uploaded in chunks, identified by its name and content. */
export interface UploadedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Uploads without new chunks for this long are abandoned. */
const abandonedMs = 86_400_000;

/**
 * Uploads data files in chunks. Each chunk starts at the end of the previous one, so that a broken connection
 * can resume.
 * The file appears among the data once it is completely on disk and its hash matches. It never replaces
 * another file unless the request says so.
 */
export class UploadStore {
  readonly #folders: WorkspaceFolders;
  readonly #maxBytes: () => number;
  readonly #onArrived: () => void;
  /** By partial file: chunks of one file are written one after another, from any client. */
  readonly #scheduler = new Map<string, Promise<unknown>>();

  /** @param maxBytes the current limit for one file */
  constructor(folders: WorkspaceFolders, maxBytes: () => number, onArrived: () => void) {
    this.#maxBytes = maxBytes;
    this.#folders = folders;
    this.#onArrived = onArrived;
  }

  /** @throws ProblemError for a name that no table can have */
  async state(file: UploadedFile): Promise<Upload> {
    this.#check(file);
    return { received: (await sizeOf(this.#partOf(file))) ?? 0, isWhole: false };
  }

  /**
   * Adds a chunk.
   * @throws ProblemError `revision-conflict` if the chunk does not start at the end of the previous one, or
   * the file exists already; `upload-damaged` if the complete file does not match its hash, after which the
   * upload starts over
   */
  async put(file: UploadedFile, offset: number, bytes: Uint8Array, replaces: boolean): Promise<Upload> {
    this.#check(file);
    const part = this.#partOf(file);
    const before = this.#scheduler.get(part) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#putInTurn(file, part, offset, bytes, replaces));
    this.#scheduler.set(part, turn);
    try {
      return await turn;
    } catch (error) {
      throw storageProblem(error, `Could not write \`${file.name}\``) ?? error;
    } finally {
      if (this.#scheduler.get(part) === turn) this.#scheduler.delete(part);
    }
  }

  /** Deletes incomplete uploads that were abandoned. @param now wall-clock time, ms */
  async removeAbandoned(now: number): Promise<void> {
    const folder = path.join(this.#folders.state, 'uploads');
    for (const name of await readdir(folder).catch(() => [])) {
      const part = path.join(folder, name);
      const modified = (await stat(part).catch(() => undefined))?.mtimeMs ?? now;
      if (now - modified > abandonedMs && !this.#scheduler.has(part)) await unlink(part).catch(() => {});
    }
  }

  async #putInTurn(
    { name, size, sha256 }: UploadedFile,
    part: string,
    offset: number,
    bytes: Uint8Array,
    replaces: boolean,
  ): Promise<Upload> {
    mayWrite(this.#folders.root);
    await ensureDataFolder(this.#folders.data);
    const target = path.join(this.#folders.data, name);
    if (!replaces && (await sizeOf(target)) !== undefined) throw nameTaken(name);
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    const before = (await sizeOf(part)) ?? 0;
    if (offset !== before)
      throw new ProblemError(
        'revision-conflict',
        `\`${name}\` has ${before} bytes so far. Resume from there.`,
      );
    const received = before + bytes.length;
    if (received > size)
      throw new ProblemError(
        'request-invalid',
        `\`${name}\` was announced with ${size} bytes, but more were sent.`,
      );
    await refuseWithoutSpace(path.dirname(part), name, size - before);
    await this.#append(part, bytes, before, received === size);
    if (received < size) return { received, isWhole: false };
    if ((await sha256Of(part)) !== sha256) {
      await unlink(part);
      const what = `\`${name}\` was damaged on the way: its SHA-256 does not match`;
      throw new ProblemError('upload-damaged', `${what}. Nothing was imported. Upload it again.`);
    }
    mayWrite(this.#folders.root);
    await this.#arrive(part, target, replaces);
    this.#onArrived();
    return { received, isWhole: true };
  }

  async #append(part: string, bytes: Uint8Array, offset: number, isLast: boolean): Promise<void> {
    const file = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    try {
      for (let done = 0; done < bytes.length;)
        done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
      if (isLast) await synced(this.#folders.root, file);
    } catch (error) {
      // Otherwise an upload that cannot finish would block all saves for a day.
      if (storageReason(error) === 'disk-full') await unlink(part).catch(() => {});
      throw error;
    } finally {
      await file.close();
    }
  }

  async #arrive(part: string, target: string, replaces: boolean): Promise<void> {
    const position = async (from: string) => {
      if (replaces) return rename(from, target);
      await link(from, target);
      await unlink(from);
    };
    try {
      await position(part).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error;
        await this.#copyBeside(part, target, position);
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw nameTaken(path.basename(target), error);
      throw error;
    }
    await syncedFolder(this.#folders.root, path.dirname(target));
  }

  /**
   * The state folder may lie on another disk than the data. Then the file is first copied beside its target.
   */
  async #copyBeside(part: string, target: string, position: (from: string) => Promise<void>): Promise<void> {
    const beside = path.join(path.dirname(target), partialFileName(path.basename(target)));
    try {
      await copyFile(part, beside, constants.COPYFILE_EXCL);
      const copy = await open(beside, 'r+');
      try {
        await synced(this.#folders.root, copy);
      } finally {
        await copy.close();
      }
      await position(beside);
      await unlink(part);
    } finally {
      await unlink(beside).catch(() => {});
    }
  }

  #check({ name, size }: UploadedFile): void {
    if (name !== path.basename(name) || !/^[\p{L}\p{N}][\p{L}\p{N} ._()+,&@-]{0,150}$/u.test(name))
      throw new ProblemError(
        'request-invalid',
        `Invalid file name \`${name.slice(0, 80)}\`: use letters, digits, spaces and . _ - ( ).`,
      );
    if (kindOfFile(name) === undefined)
      throw new ProblemError(
        'file-unreadable',
        `\`${name}\` is not a supported file type. ${supportedFiles}`,
      );
    const maxBytes = this.#maxBytes();
    if (size > maxBytes)
      throw new ProblemError(
        'upload-refused',
        `\`${name}\` has ${Math.ceil(size / 2 ** 20).toLocaleString('en')} MiB; the upload limit is ${(maxBytes / 2 ** 20).toLocaleString('en')} MiB. Copy it into the workspace folder, or raise \`limits.uploadSize\`.`,
      );
  }

  #partOf({ name, size, sha256 }: UploadedFile): string {
    const key = createHash('sha256').update(`${name}\n${size}\n${sha256}`).digest('hex').slice(0, 24);
    return path.join(this.#folders.state, 'uploads', `${key}.part`);
  }
}

function nameTaken(name: string, cause?: unknown): ProblemError {
  return new ProblemError('revision-conflict', `A file \`${name}\` already exists.`, { cause });
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash);
  return hash.digest('hex');
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size;
}
