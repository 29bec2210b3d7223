import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DiscoveredTable } from './discovery/discovered-table.ts';

/** The folder in which an import process writes incomplete output. */
export function workFolder(tablesFolder: string, found: DiscoveredTable, pid: number): string {
  return path.join(tablesFolder, `work-${found.name}-${pid}`);
}

/** A folder for the tables of a preview, which the server's process removes. */
export function previewFolder(tablesFolder: string): string {
  return path.join(tablesFolder, `work-preview-${randomUUID()}-${process.pid}`);
}

/** Removes the work folders of ended processes, because a killed process does not remove its own. */
export async function removeAbandonedWork(tablesFolder: string): Promise<void> {
  const entries = await readdir(tablesFolder, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter(entry => entry.isDirectory())) {
    const [, pid] = /^work-.+-(\d+)$/s.exec(name) ?? [];
    if (pid !== undefined && !(await isImporting(Number(pid))))
      await rm(path.join(tablesFolder, name), { recursive: true, force: true });
  }
}

async function isImporting(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // Containers assign the same process ids at each start, so another program may have this id now. Only Linux
  // reveals the command line.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.includes('import-worker');
}
