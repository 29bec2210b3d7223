import path from 'node:path';

/**
 * A message as the page may show it. What lies in one of the folders is named from there, and the folders themselves by their last part:
 * where on the machine they are is nobody's business but its owner's (SAFETY 51). Error texts of the system and of the engine have it.
 */
export function redactPaths(message: string, folders: readonly string[]): string {
  // Of two folders, one in the other, the inner one gives the shorter name.
  return folders
    .filter(folder => folder !== path.parse(folder).root)
    .toSorted((a, b) => b.length - a.length)
    .reduce(
      (text, folder) => text.replaceAll(folder + path.sep, '').replaceAll(folder, path.basename(folder)),
      message,
    );
}
