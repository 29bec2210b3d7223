import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { JobKind } from '../jobs/job-kind.ts';
import { writeBackup, type BackupOptions } from './write-backup.ts';

/** Backups that a server makes by itself. */
export interface BackupPlan {
  readonly folder: string;
  /** The time of day, as `03:00`, in the workspace's zone. */
  readonly at: string;
  /** How many are kept; older ones are deleted. */
  readonly kept: number;
}

/** The kind of the jobs that make backups. */
export const backupKind = 'backup';

const minute = 60_000;

/**
 * How the backups of a workspace are named. Its own name and a hash of its folder keep them apart from those of
 * other workspaces that have the same folder for backups, so that none deletes those of another.
 */
export function backupNames(root: string) {
  const own = path.basename(root).replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 6);
  const begin = `belvedere-${own.slice(0, 60)}-${hash}-`;
  return {
    at: (time: Date) => `${begin}${time.toISOString().slice(0, 19).replaceAll(':', '')}.tar.gz`,
    includes: (name: string) =>
      name.startsWith(begin) && /^\d{4}-\d{2}-\d{2}T\d{6}\.tar\.gz$/.test(name.slice(begin.length)),
  };
}
type BackupNames = ReturnType<typeof backupNames>;

/** Makes a backup, with the data, and deletes the oldest ones beyond those that are kept. */
export function backupJob(
  options: Omit<BackupOptions, 'hasData'>,
  planNow: () => Promise<BackupPlan>,
): JobKind {
  const names = backupNames(options.location.root);
  return {
    kind: backupKind,
    atOnce: 1,
    timeoutMs: 120 * minute,
    backOffMs: [10 * minute, 30 * minute, 120 * minute],
    run: async ({ dueAt }) => {
      const plan = await planNow();
      const file = path.join(plan.folder, names.at(new Date(dueAt)));
      await mkdir(plan.folder, { recursive: true, mode: 0o700 });
      await deleteUnfinished(plan.folder, names);
      const { files } = await writeBackupFile({ ...options, hasData: true }, file);
      await deleteOldest(plan, names);
      return { kind: 'done', detail: `${file}: ${files} files` };
    },
  };
}

/** Writes a backup to a file that only this account can read: the whole of it, or none. */
export async function writeBackupFile(options: BackupOptions, file: string) {
  const draft = `${file}.part`;
  try {
    const written = await writeBackup(options, createWriteStream(draft, { mode: 0o600 }));
    const handle = await open(draft, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Deletes what a server wrote that was stopped meanwhile. */
async function deleteUnfinished(folder: string, names: BackupNames): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith('.part') && names.includes(name.slice(0, -'.part'.length)))
      await rm(path.join(folder, name), { force: true });
}

async function deleteOldest({ folder, kept }: BackupPlan, names: BackupNames): Promise<void> {
  const own = (await readdir(folder)).filter(names.includes).toSorted();
  for (const name of own.slice(0, Math.max(0, own.length - kept)))
    await rm(path.join(folder, name), { force: true });
}
