import path from 'node:path';

/** Returns a file's path for display: relative to a folder of the user's, or its name if it lies outside. */
export function shownFile(file: string, from: string): string {
  const relative = path.relative(from, file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative)
    ? path.basename(file)
    : relative;
}
