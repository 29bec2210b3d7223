import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../http/problems.ts';

interface Places {
  /** The workspace's folder. */
  readonly root: string;
  /** Where backups go if no folder is named. It is created. */
  readonly standard: string;
}

/**
 * Returns the full path of a folder for backups. Only a folder that exists already is accepted: a
 * page must not create folders on the server.
 *
 * @throws ProblemError `request-invalid` if it is missing, inside the workspace, or cannot be written
 */
export async function backupFolder(named: string, { root, standard }: Places): Promise<string> {
  if (named === standard) {
    await mkdir(standard, { recursive: true, mode: 0o700 });
    return standard;
  }
  if (!path.isAbsolute(named))
    throw refused(
      `\`${named}\` is not a full path. Name a folder of the server, such as \`/var/backups/shop\`.`,
    );
  const folder = await realpath(named).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    throw refused(`The server has no folder \`${named}\`. Create it on the server first.`);
  const within = path.relative(await realpath(root), folder);
  if (within === '' || !(within.startsWith('..') || path.isAbsolute(within)))
    throw refused(`\`${named}\` is in the folder of the workspace. Name a folder outside of it.`);
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw refused(`The server may not write to \`${named}\`. Allow that, or name another folder.`);
  });
  return folder;
}

const refused = (message: string) => new ProblemError('request-invalid', message);
