import {
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../http/problems.ts';

/** Marks a folder as made by `belvedere build`, whose contents may be replaced. */
const marker = '.belvedere-site';
const markerText = 'Made by `belvedere build`, which replaces everything in this folder.\n';

/** The bytes of a site, by their paths in its folder, with `/`. */
export type SiteFiles = ReadonlyMap<string, Uint8Array | string>;

/**
 * Returns the folder to write to, links resolved.
 * @param kept folders that a site must not be written into, since Belvedere reads them
 * @throws ProblemError if the folder has files that are not a site's
 */
export async function siteFolder(out: string, kept: readonly string[]): Promise<string> {
  const folder = await realpath(path.resolve(out)).catch(async () =>
    path.join(
      await realpath(path.dirname(path.resolve(out))).catch(() => missingParent(out)),
      path.basename(out),
    ),
  );
  for (const one of kept)
    if (isWithin(folder, one) || isWithin(one, folder))
      throw new ProblemError(
        'request-invalid',
        `\`${out}\` lies in the workspace, or contains it. Choose a folder outside, since Belvedere reads the files in a workspace.`,
      );
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return folder;
  const names = found.isDirectory() ? await readdir(folder) : undefined;
  if (!names)
    throw new ProblemError('request-invalid', `\`${out}\` is a file. Choose a new folder for the site.`);
  if (names.length > 0 && !names.includes(marker))
    throw new ProblemError(
      'request-invalid',
      `\`${out}\` has files that \`belvedere build\` did not write. Choose a new or empty folder for the site.`,
    );
  return folder;
}

function missingParent(out: string): never {
  throw new ProblemError('not-found', `Folder \`${path.dirname(path.resolve(out))}\` not found.`);
}

function isWithin(folder: string, other: string): boolean {
  const relative = path.relative(other, folder);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

/**
 * Writes a site beside its folder and puts it in the folder's place. Files with the same bytes are kept.
 * @returns the paths of the files that were kept
 */
export async function writeSiteFolder(folder: string, files: SiteFiles): Promise<Set<string>> {
  const parent = path.dirname(folder);
  const work = await mkdtemp(path.join(parent, `.${path.basename(folder)}-`));
  const [next, before] = [path.join(work, 'next'), path.join(work, 'before')];
  const kept = new Set<string>();
  try {
    for (const [file, content] of [...files, [marker, markerText] as const]) {
      const target = path.join(next, ...file.split('/'));
      await mkdir(path.dirname(target), { recursive: true });
      const bytes = Buffer.from(content);
      const old = path.join(folder, ...file.split('/'));
      if (await isSame(old, bytes)) {
        await take(old, target);
        kept.add(file);
      } else await writeFile(target, bytes);
    }
    const isThere = await rename(folder, before).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return false;
      },
    );
    try {
      await rename(next, folder);
    } catch (error) {
      if (isThere) await rename(before, folder);
      throw error;
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return kept;
}

async function isSame(file: string, bytes: Buffer): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true && found.size === bytes.length && (await readFile(file)).equals(bytes);
}

/** Takes over a file with its time, so that servers and copying programs see that it is unchanged. */
async function take(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  }
}
