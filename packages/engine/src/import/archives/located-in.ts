import path from 'node:path';
import type { SkippedFile } from '../report.ts';

/**
 * Shows an entry as a file below its archive. A name such as `../a.csv` would look like a file elsewhere, so
 * it is quoted in the reason instead.
 */
export function locatedIn(archive: string, { file: entry, reason }: SkippedFile): SkippedFile {
  const isBelow = !entry.startsWith('/') && !entry.split('/').includes('..');
  return isBelow
    ? { file: path.join(archive, entry), reason }
    : { file: archive, reason: `“${entry.slice(0, 100)}”: ${reason}` };
}
