import { kindOfFile } from '@belvedere/engine';
import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../problems.ts';
import type { WorkspaceFolders } from './workspace-store.ts';

/** A file that is on its way, or has arrived. */
export interface Upload {
  readonly received: number;
  readonly isWhole: boolean;
}

/**
 * Files that are put among the data, piece by piece. A piece goes where the last one ended, so that a broken connection goes on where it
 * was; the file appears among the data once all of it is there and on the disk, never over another unless that is what was asked.
 */
export class UploadStore {
  readonly #folders: WorkspaceFolders;
  readonly #mostBytes: () => number;
  readonly #onArrived: () => void;

  /** @param mostBytes of one file, as it holds now */
  constructor(folders: WorkspaceFolders, mostBytes: () => number, onArrived: () => void) {
    this.#mostBytes = mostBytes;
    this.#folders = folders;
    this.#onArrived = onArrived;
  }

  /** @throws ProblemError for a name that no table can have */
  async state(name: string, size: number): Promise<Upload> {
    this.#check(name, size);
    return { received: await sizeOf(this.#partOf(name, size)), isWhole: false };
  }

  /** @throws ProblemError `revision-conflict` where the piece does not begin where the last one ended, or such a file is there already */
  async put(name: string, size: number, offset: number, bytes: Uint8Array, replaces: boolean): Promise<Upload> {
    this.#check(name, size);
    const target = path.join(this.#folders.data, name);
    if (!(await stat(this.#folders.data).catch(() => undefined))?.isDirectory()) {
      if (await stat(this.#folders.data).catch(() => undefined)) throw new ProblemError('request-invalid', 'Belvedere was opened on a single file. Open its folder to add others to it.');
      await mkdir(this.#folders.data, { recursive: true });
    }
    if (!replaces && (await stat(target).catch(() => undefined))) throw new ProblemError('revision-conflict', `There is a file \`${name}\` already.`);
    const part = this.#partOf(name, size);
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    const received = await sizeOf(part);
    if (offset !== received) throw new ProblemError('revision-conflict', `\`${name}\` has ${received} bytes so far; go on from there.`);
    if (received + bytes.length > size) throw new ProblemError('request-invalid', `\`${name}\` was to have ${size} bytes, and this is more.`);
    try {
      const file = await open(part, 'a', 0o600);
      try {
        await file.writeFile(bytes);
        if (received + bytes.length === size) await file.sync();
      } finally {
        await file.close();
      }
      if (received + bytes.length < size) return { received: received + bytes.length, isWhole: false };
      await this.#arrive(part, target, replaces);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('state-unavailable', `\`${name}\` could not be written: ${(error as Error).message}`, { cause: error });
    }
    this.#onArrived();
    return { received: size, isWhole: true };
  }

  /** Our own folder may lie on another disk than the data: then the file is copied beside its place first. */
  async #arrive(part: string, target: string, replaces: boolean): Promise<void> {
    const beside = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.part`);
    await rename(part, beside).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await copyFile(part, beside);
      await unlink(part);
    });
    try {
      if (replaces) await rename(beside, target);
      else await link(beside, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ProblemError('revision-conflict', `There is a file \`${path.basename(target)}\` already.`, { cause: error });
      throw error;
    } finally {
      await unlink(beside).catch(() => {});
    }
    const folder = await open(path.dirname(target), 'r');
    await folder.sync();
    await folder.close();
  }

  #check(name: string, size: number): void {
    if (name !== path.basename(name) || !/^[\p{L}\p{N}][\p{L}\p{N} ._()+,&@-]{0,150}$/u.test(name)) throw new ProblemError('request-invalid', `A file cannot be called \`${name.slice(0, 80)}\` here: letters, digits, blanks and . _ - ( ) are taken.`);
    if (kindOfFile(name) === undefined) throw new ProblemError('file-unreadable', `\`${name}\` is no kind of file that is read: CSV, TSV, JSON, NDJSON, Parquet, Excel, SQLite or DuckDB, plain or gzipped.`);
    const most = this.#mostBytes();
    if (size > most) throw new ProblemError('upload-refused', `\`${name}\` has ${Math.ceil(size / 2 ** 20).toLocaleString('en')} MiB; uploads may have ${(most / 2 ** 20).toLocaleString('en')} MiB. Put it into the workspace’s folder yourself, or raise \`limits.uploadSize\`.`);
  }

  #partOf(name: string, size: number): string {
    return path.join(this.#folders.state, 'uploads', `${createHash('sha256').update(`${name}\n${size}`).digest('hex').slice(0, 24)}.part`);
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
