import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { irregularityOf, IrregularFileError, type FileFacts } from '../../regular-file.ts';
import type { SkippedFile } from '../report.ts';
import { isProgramFolder, kindOfFile } from './file-kinds.ts';

/** Files of a search. */
export const maxFiles = 20_000;
/** Files whose facts are read at once. */
const filesAtOnce = 64;

/** Reads folders of data, and keeps the reasons why files and folders in them are not imported. */
export class DataFolders {
  readonly skippedFiles: SkippedFile[] = [];

  skip(file: string, reason: string): void {
    this.skippedFiles.push({ file, reason });
  }

  /** Irregular files are reported and not imported. */
  isKept(file: string, stats: FileFacts): boolean {
    const irregularity = irregularityOf(stats);
    if (irregularity) this.skip(file, new IrregularFileError(irregularity).message);
    return irregularity === undefined;
  }

  /** The visible entries of a folder by name. An unreadable folder is reported, and has none. */
  async entriesOf(folder: string): Promise<Dirent[]> {
    try {
      return (await readdir(folder, { withFileTypes: true }))
        .filter(entry => !entry.name.startsWith('.') && !this.#isOfPrograms(folder, entry))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.#skipOnce(
        folder,
        `Could not read this folder, so nothing in it is imported: ${skipReason(error)}`,
      );
      return [];
    }
  }

  /** The files of supported kinds in a folder and its subfolders. */
  async dataFilesBelow(folder: string): Promise<string[]> {
    const files: string[] = [];
    for (const entry of await this.entriesOf(folder)) {
      if (files.length > maxFiles) break;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(await this.dataFilesBelow(full)));
      else if (kindOfFile(entry.name) !== undefined) files.push(full);
    }
    return files;
  }

  /**
   * Files with their sizes and times, in the same order. Unreadable and irregular ones are reported and left
   * out.
   */
  async regularFiles(files: readonly string[]): Promise<{ file: string; stats: BigIntStats }[]> {
    const found = await inGroups(files, async file => ({
      file,
      stats: await lstat(file, { bigint: true }).catch((error: unknown) =>
        this.skip(file, `Could not read this file: ${skipReason(error)}`),
      ),
    }));
    return found
      .flatMap(({ file, stats }) => (stats ? [{ file, stats }] : []))
      .filter(({ file, stats }) => this.isKept(file, stats));
  }

  #isOfPrograms(folder: string, entry: Dirent): boolean {
    if (!entry.isDirectory() || !isProgramFolder(entry.name)) return false;
    this.#skipOnce(
      path.join(folder, entry.name),
      'Folders of this name hold installed programs, so nothing in it is imported. Rename it if it holds data.',
    );
    return true;
  }

  /** Reports a folder that is read several times. */
  #skipOnce(folder: string, reason: string): void {
    if (!this.skippedFiles.some(({ file }) => file === folder)) this.skip(folder, reason);
  }
}

/** Applies a function to all values, a limited number at once. Results keep their order. */
export async function inGroups<T, Result>(
  values: readonly T[],
  apply: (value: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < values.length; from += filesAtOnce)
    results.push(...(await Promise.all(values.slice(from, from + filesAtOnce).map(apply))));
  return results;
}

function skipReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM')
    return 'permission denied. Grant read permission, then change anything in the data folder or restart.';
  if (code === 'ENAMETOOLONG') return 'its path is too long. Move it to a higher folder, or shorten names.';
  return `the system reported ${code ?? 'an error'}.`;
}
