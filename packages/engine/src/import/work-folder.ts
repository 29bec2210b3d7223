import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DiscoveredTable } from './discovered-table.ts';

/** Where the process that reads a file puts what is not whole yet. */
export function workFolder(tablesFolder: string, found: DiscoveredTable, pid: number): string {
  return path.join(tablesFolder, `work-${found.name}-${pid}`);
}

/** Removes the work folders of processes that have ended: a process that is killed leaves its own behind. */
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
    // EPERM: it runs, and belongs to another account.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // In a container each start gives out the same numbers, so another program may have this one by now. Only Linux tells.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.includes('import-worker');
}
