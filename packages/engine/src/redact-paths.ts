import path from 'node:path';
import { withoutPatterns } from './import/sql-text.ts';

/**
 * Redacts absolute paths in a message for the page. Paths inside one of the folders become relative to it,
 * and a folder itself becomes its last segment. Error texts of the system and of the engine contain such
 * paths, and only the machine's owner may see them (SAFETY 51).
 */
export function redactPaths(message: string, folders: readonly string[]): string {
  // For nested folders, replace the inner folder first, because it gives the shorter name.
  return folders
    .filter(folder => folder !== path.parse(folder).root)
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (text, folder) =>
        [folder, withoutPatterns(folder)].reduce(
          (rest, form) => rest.replaceAll(form + path.sep, '').replaceAll(form, path.basename(folder)),
          text,
        ),
      message,
    );
}
