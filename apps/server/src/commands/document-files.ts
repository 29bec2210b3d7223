import { readdir } from 'node:fs/promises';
import path from 'node:path';

const documentFolders = ['dashboards', 'models', 'sources', 'tables', 'tests'];

/** The documents of a folder, whatever is wrong with them: paths within it, in their order. */
export async function documentFiles(root: string): Promise<string[]> {
  const found = await Promise.all(
    documentFolders.map(async folder => {
      const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
      return entries.filter(entry => entry.isFile() && /\.ya?ml$/.test(entry.name) && !entry.name.startsWith('.')).map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    }),
  );
  const own = await readdir(root).catch((): string[] => []);
  return [...(own.includes('belvedere.yaml') ? ['belvedere.yaml'] : []), ...found.flat()].toSorted();
}
