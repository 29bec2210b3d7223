import path from 'node:path';
import type { FoundTable } from './discover.ts';

/** Where the process that reads a file puts what is not whole yet. */
export function workFolder(tablesFolder: string, found: FoundTable, pid: number): string {
  return path.join(tablesFolder, `work-${found.name}-${pid}`);
}
