import { closestName, didYouMean } from '@belvedere/document';
import { isProgramFolder, kindOfFile } from '@belvedere/engine';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { documentFiles, documentFolders as folders } from '../workspace/documents/read-documents.ts';

const documentFolders: readonly string[] = folders;

/** A file of a workspace that is never read, though its name or path suggests that it should be. */
export interface MisplacedFile {
  readonly file: string;
  readonly message: string;
}

/**
 * Finds YAML files outside their documents' folders, other files in these folders, and empty or other folders
 * with nearly the same names. Ignores hidden files and the data.
 * @param data the folder or file of data
 */
export async function misplacedFiles(root: string, data: string): Promise<readonly MisplacedFile[]> {
  const read = new Set(await documentFiles(root));
  const own = await readdir(root, { withFileTypes: true }).catch(() => []);
  const isNear = (folder: string) =>
    !documentFolders.includes(folder) &&
    folder !== 'data' &&
    closestName(folder.toLowerCase(), documentFolders) !== undefined;
  const found = await Promise.all(
    own.map(async (entry): Promise<MisplacedFile[]> => {
      const full = path.join(root, entry.name);
      if (entry.name.startsWith('.') || isProgramFolder(entry.name) || (full === data && data !== root))
        return [];
      if (!entry.isDirectory())
        return read.has(entry.name) || !/\.ya?ml$/i.test(entry.name)
          ? []
          : [
              {
                file: entry.name,
                message: `This file is not used: documents belong in ${folderList}, the workspace settings in \`belvedere.yaml\`, and grants in \`access.yaml\`${didYouMean(entry.name, ['belvedere.yaml', 'access.yaml'])}`,
              },
            ];
      const files = await filesBelow(root, full);
      if (documentFolders.includes(entry.name))
        return files
          .filter(file => !read.has(file) && (data !== root || kindOfFile(file) === undefined))
          .map(file => ({
            file,
            message: `This file is not used: documents in \`${entry.name}/\` must be regular files that end with \`.yaml\` or \`.yml\`.`,
          }));
      const unread = isNear(entry.name) ? files : files.filter(file => /\.ya?ml$/i.test(file));
      return unread.map(file => ({
        file,
        message: `This file is not used: documents belong in ${folderList}${didYouMean(entry.name.toLowerCase(), documentFolders) || '.'}`,
      }));
    }),
  );
  return found.flat().toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

const folderList = documentFolders.map(folder => `\`${folder}/\``).join(', ');

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter(
      entry =>
        !entry.isDirectory() &&
        !entry.name.startsWith('.') &&
        !entry.parentPath.includes(`${path.sep}node_modules`),
    )
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
