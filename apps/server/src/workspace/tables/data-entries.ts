import { isDatabaseFile } from '@belvedere/document';
import { isProgramFolder, kindOfFile, reasonNotRead, type SkippedFile } from '@belvedere/engine';
import { existsSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Documents } from '../documents/read-documents.ts';

/**
 * Returns the entries of a folder that are data, or that have some however deep. Sorted by name; a folder that
 * cannot be read may have some.
 * @param without folders to leave out
 * @param except full paths of files that are not meant, however deep
 * @param limit stop after this many
 */
export async function dataEntries(
  folder: string,
  {
    without,
    except = [],
    limit = Infinity,
  }: { readonly without: readonly string[]; readonly except?: readonly string[]; readonly limit?: number },
): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(
    entry => !entry.isDirectory() || !without.includes(entry.name),
  );
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= limit) break;
    if (await holdsData(folder, entry, except)) found.push(entry.name);
  }
  return found;
}

async function holdsData(folder: string, entry: Dirent, except: readonly string[]): Promise<boolean> {
  if (entry.name.startsWith('.') || isProgramFolder(entry.name)) return false;
  const below = path.join(folder, entry.name);
  if (!entry.isDirectory()) return isData(entry.name) && !except.includes(below);
  const inside = await readdir(below, { withFileTypes: true }).catch(() => undefined);
  if (inside === undefined) return true;
  for (const one of inside) if (await holdsData(below, one, except)) return true;
  return false;
}

/** Texts about the data, and settings of programs, are no data. */
const isData = (name: string) => kindOfFile(name) !== undefined && reasonNotRead(name) === undefined;

/**
 * Reports the data of a workspace that lies outside of its folder `data` and is not imported, if
 * `belvedere.yaml` does not say whether it should be. Files of sources are not meant.
 */
export async function dataOutside(
  { root, data }: { readonly root: string; readonly data: string },
  { settings, sources }: Pick<Documents, 'settings' | 'sources'>,
): Promise<SkippedFile[]> {
  if (settings.data !== undefined || data !== path.join(root, 'data') || !existsSync(data)) return [];
  const ofSources = [...sources.values()].flatMap(({ read }) =>
    read.ok && isDatabaseFile(read.value) ? [path.resolve(root, read.value.connection.path)] : [],
  );
  const wanted = { without: ['data', 'maps'], except: ofSources };
  const [first, ...others] = await dataEntries(root, wanted).catch((): string[] => []);
  if (first === undefined) return [];
  const more =
    others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'entry' : 'entries'}`;
  const isNot = others.length === 0 ? 'is' : 'are';
  return [
    {
      file: path.join(root, first),
      reason:
        `\`${first}\`${more} outside of \`data\` ${isNot} not imported. To import all files of this folder, ` +
        'write `data: .` into `belvedere.yaml` and restart Belvedere. `data: data` hides this message.',
    },
  ];
}

const keptMs = 60_000;

/**
 * Reports data outside of `data` again and again. The whole folder is walked through, which may be a large one, so
 * this is done once a minute, or when the documents have changed.
 */
export class DataOutside {
  #before:
    | { readonly documents: object; readonly at: number; readonly found: Promise<SkippedFile[]> }
    | undefined;

  find(...[location, documents]: Parameters<typeof dataOutside>): Promise<SkippedFile[]> {
    const at = performance.now();
    const before = this.#before;
    if (before?.documents === documents && at - before.at < keptMs) return before.found;
    const found = dataOutside(location, documents);
    this.#before = { documents, at, found };
    return found;
  }
}
