import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reachHolder } from '../auth/sign-in/sign-in-address.ts';
import { writeBackupFile } from '../backup/backup-job.ts';
import { ProblemError } from '../http/problems.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { lockWorkspace, WorkspaceLockedError, type LockHolder } from '../workspace/workspace-lock.ts';

/** A large workspace takes a while to copy. */
const longestMs = 6 * 3_600_000;

/**
 * Backs up a workspace to a file, by way of the server that has it open if there is one.
 *
 * @returns the size of the file, bytes
 * @throws ProblemError `request-invalid` if the file exists, or as `writeBackup`
 */
export async function backupWorkspace(
  location: ResolvedWorkspace,
  file: string,
  { hasData, program }: { readonly hasData: boolean; readonly program: string },
): Promise<number> {
  if (await stat(file).catch(() => undefined))
    throw new ProblemError('request-invalid', `\`${file}\` exists already. Name another file.`);
  const hold = await lockWorkspace(location.state).catch((error: unknown) => {
    if (error instanceof WorkspaceLockedError) return error;
    throw error;
  });
  if (hold instanceof WorkspaceLockedError) await receive(location, hold.holder, file, hasData);
  else
    try {
      const options = { location, program, hasData, betweenSaves: <T>(work: () => Promise<T>) => work() };
      await writeBackupFile(options, file);
    } finally {
      await hold.release();
    }
  return (await stat(file)).size;
}

async function receive(
  location: ResolvedWorkspace,
  holder: LockHolder,
  file: string,
  hasData: boolean,
): Promise<void> {
  const { ask } = await reachHolder(location, holder, '`backup` works');
  const draft = `${file}.part`;
  try {
    const response = await ask(`backup?data=${hasData ? 1 : 0}`, AbortSignal.timeout(longestMs));
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new ProblemError(
      'state-unavailable',
      `The Belvedere that has the folder open, process ${holder.pid}, did not send a whole backup. Try again.`,
      { cause: error },
    );
  }
}
