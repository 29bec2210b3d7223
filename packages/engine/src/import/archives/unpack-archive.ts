import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { kindOfFile, reasonNotRead } from '../discovery/file-kinds.ts';
import { ImportError, type SkippedFile } from '../report.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { entriesOfTar } from './read-tar.ts';
import { entriesOfZip } from './read-zip.ts';

/** Archives of data sets have fewer entries, and each entry costs time. */
const maxEntries = 20_000;
const maxParts = 20;
const longestPart = 200;
/** Names of omitted entries can have any length. */
const longestShownName = 1000;

/** The unpacked data files of an archive. */
export interface Unpacked {
  /** Their folder. A single outer folder of the archive is skipped. */
  readonly folder: string;
  /** The name of a file inside the archive. */
  readonly inArchive: (file: string) => string;
  readonly skippedFiles: SkippedFile[];
}

/**
 * Unpacks an archive into a folder of its name in a work folder.
 * @throws ImportError as `unpackArchive` does
 */
export async function unpackInto(
  file: string,
  work: string,
  name: string,
  produced: UnpackedBytes,
): Promise<Unpacked> {
  const all = path.join(work, 'unpacked');
  await mkdir(all);
  const { skippedFiles, renamed } = await unpackArchive(file, all, produced);
  const wrappers: string[] = [];
  for (
    let inner = await onlyFolderIn(all);
    inner !== undefined;
    inner = await onlyFolderIn(path.join(all, ...wrappers))
  )
    wrappers.push(inner);
  const folder = path.join(work, 'found', name);
  await mkdir(path.dirname(folder));
  await rename(path.join(all, ...wrappers), folder);
  return {
    folder,
    inArchive: one => {
      const parts = [...wrappers, ...path.relative(folder, one).split(path.sep)];
      return renamed.get(path.join(...parts)) ?? parts.join('/');
    },
    skippedFiles,
  };
}

async function onlyFolderIn(folder: string): Promise<string | undefined> {
  const [first, ...others] = await readdir(folder, { withFileTypes: true });
  // Names of Hive folders are data, so they are kept.
  return first?.isDirectory() && others.length === 0 && !first.name.includes('=') ? first.name : undefined;
}

/**
 * Unpacks the data files of an archive into a new folder. Links are never created, so no path leads outside
 * of it.
 * @returns the omitted entries, except entries that need no message, such as folders and licences; and the names
 * in the archive of files that have another one in the folder
 * @throws ImportError if it is not an archive of this kind, or has more content or entries than allowed
 */
async function unpackArchive(
  file: string,
  folder: string,
  produced: UnpackedBytes,
): Promise<Pick<Unpacked, 'skippedFiles'> & { readonly renamed: ReadonlyMap<string, string> }> {
  const skippedFiles: SkippedFile[] = [];
  const skip = (name: string, reason: string) =>
    skippedFiles.push({ file: name.slice(0, longestShownName), reason });
  const renamed = new Map<string, string>();
  let count = 0;
  const entries = /\.zip$/i.test(file) ? entriesOfZip(file) : entriesOfTar(file, produced);
  for await (const { name, reason, open } of entries) {
    if (++count > maxEntries)
      throw new ImportError(
        file,
        undefined,
        `This archive has more than ${maxEntries.toLocaleString('en')} entries, the maximum. Unpack it and put the files here.`,
      );
    const parts = name.split('/').filter(part => part !== '' && part !== '.');
    if (isSilent(name, parts)) continue;
    const why = reason ?? reasonOfName(name, parts) ?? reasonOfKind(parts.at(-1)!);
    if (why === undefined) {
      const target = path.join(...parts.map(withoutPattern));
      if (target !== path.join(...parts)) renamed.set(target, parts.join('/'));
      const failed = await unpackEntry(open, path.join(folder, target), produced);
      if (failed !== undefined) skip(name, failed);
    } else if (why !== '') skip(name, why);
  }
  return { skippedFiles, renamed };
}

const lookAlikes: Readonly<Record<string, string>> = { '*': '＊', '?': '？', '[': '［' };

/** The engine takes a name with these characters for a pattern, and would read other files for it. */
function withoutPattern(part: string): string {
  return part.replace(/[*?[]/g, character => lookAlikes[character]!);
}

/** Folders, and files that programs add beside data. */
function isSilent(name: string, parts: readonly string[]): boolean {
  return (
    name.endsWith('/') ||
    parts.length === 0 ||
    parts[0] === '__MACOSX' ||
    parts.some(part => part.startsWith('.') && part !== '..')
  );
}

function reasonOfName(name: string, parts: readonly string[]): string | undefined {
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\\'))
    return 'Its name is an absolute or network path.';
  if (parts.includes('..')) return 'Its path points outside the archive.';
  const isUsable =
    parts.length <= maxParts &&
    parts.every(part => Buffer.byteLength(part) <= longestPart && !/\p{Cc}/u.test(part));
  return isUsable ? undefined : 'Its name is too long, or has characters that are not allowed in file names.';
}

/** Empty if no message is needed. */
function reasonOfKind(base: string): string | undefined {
  if (kindOfFile(base) === 'archive' || /\.(7z|rar|tar\.\w+|tgz|tbz2?|txz)$/i.test(base))
    return 'Archives inside archives are not supported. Unpack it and put its files here.';
  return reasonNotRead(base);
}

/**
 * @returns why the entry was omitted, if it was
 * @throws ImportError beyond the allowed size
 */
async function unpackEntry(
  open: () => Promise<Readable>,
  target: string,
  produced: UnpackedBytes,
): Promise<string | undefined> {
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const counted = async function* (bytes: AsyncIterable<Buffer>) {
      for await (const chunk of bytes) {
        produced.add(chunk.length);
        yield chunk;
      }
    };
    await pipeline(await open(), counted, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR')
      return 'Another entry of the archive has the same name.';
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
    return `Could not unpack it. ${message.split('\n')[0]!.slice(0, 200)}`;
  }
}

/**
 * The message for an archive without tables. Entries are named by the last part of their path, because the whole
 * name may be a path on another machine.
 */
export function nothingIn(skippedFiles: readonly SkippedFile[]): string {
  const why = skippedFiles
    .slice(0, 5)
    .map(({ file, reason }) => ` “${path.posix.basename(file).slice(0, 100)}”: ${reason}`);
  return `No table could be imported from this archive.${why.join('')}`;
}
