import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { SystemReport } from '@belvedere/api';

type Storage = SystemReport['storage'];
type FolderKind = Storage['folders'][number]['kind'];

/** Sizes are counted again only after this time, ms. */
const freshMs = 30_000;

/** The sizes of an instance's own folders, and the free space of their disk. */
export class StorageSizes {
  readonly #folder: string;
  #counted: { readonly at: number; readonly sizes: Promise<Storage> } | undefined;

  /** @param folder the folder of the instance's own records */
  constructor(folder: string) {
    this.#folder = folder;
  }

  get(): Promise<Storage> {
    const now = performance.now();
    if (!this.#counted || now - this.#counted.at > freshMs)
      this.#counted = { at: now, sizes: countStorage(this.#folder) };
    return this.#counted.sizes;
  }
}

async function countStorage(folder: string): Promise<Storage> {
  const sizes: Record<FolderKind, number> = { imports: 0, caches: 0, extracts: 0, uploads: 0, backups: 0 };
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    const at = path.join(file.parentPath, file.name);
    const kind = file.isFile() ? kindOf(path.relative(folder, at)) : undefined;
    if (kind)
      sizes[kind] += await stat(at).then(
        ({ size }) => size,
        () => 0,
      );
  }
  const disk = await statfs(folder).catch(() => undefined);
  return {
    folders: (Object.keys(sizes) as FolderKind[]).map(kind => ({ kind, bytes: sizes[kind] })),
    ...(disk && { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize }),
  };
}

/** @param file relative to the instance's own folder */
function kindOf(file: string): FolderKind | undefined {
  const [top] = file.split(path.sep);
  if (top === 'tables') return /\.codes(?:\.json)?$/.test(file) ? 'caches' : 'imports';
  if (top === 'spill') return 'caches';
  if (top === 'extracts' || top === 'uploads' || top === 'backups') return top;
  return file.startsWith('state-before-') ? 'backups' : undefined;
}
