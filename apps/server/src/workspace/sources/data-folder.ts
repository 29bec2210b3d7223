import { mkdir, stat, statfs } from 'node:fs/promises';
import { ProblemError } from '../../http/problem-error.ts';
import { problemOfStorage } from '../../operations/storage-problem.ts';

/** Creates the data folder if it is missing. @throws ProblemError if Belvedere was opened on a single file */
export async function ensureDataFolder(data: string): Promise<void> {
  const found = await stat(data).catch(() => undefined);
  if (found && !found.isDirectory())
    throw new ProblemError(
      'request-invalid',
      'Belvedere was opened on a single file. Open its folder to add others to it.',
    );
  if (!found) await mkdir(data, { recursive: true });
}

/** Reports missing disk space before the first byte rather than after the last. */
export async function refuseWithoutSpace(folder: string, name: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [bytes, bavail * bsize].map(count =>
    Math.ceil(count / 2 ** 20).toLocaleString('en'),
  );
  if (bavail * bsize < bytes)
    throw problemOfStorage('disk-full', `\`${name}\` needs ${needed} MiB, and ${free} MiB are free`);
}
