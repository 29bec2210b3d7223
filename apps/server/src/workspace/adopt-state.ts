import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { storageProblem, storageReason } from '../operations/storage-problem.ts';
import { lockWorkspace, WorkspaceLockedError } from './workspace-lock.ts';

const database = 'state.db';
/** Is there from the begin of a move to its end. */
const unfinished = `${database}.part`;
/** They can be made again; `tables` are moved where that costs nothing. */
const remade = new Set(['tables', 'spill']);

/**
 * Moves the records of a plain folder into it once it has become a workspace, as the first saved dashboard makes
 * it: history, drafts, favourites and views, and the keys that belong to them. If the process ends meanwhile, the
 * next one starts again, since the database comes last. A workspace that has keys keeps them: its records are in
 * PostgreSQL, and nothing else opens what they encrypt.
 *
 * @throws ProblemError if the disk is full or fails; the records are then where they were
 * @param from the state folder that the plain folder had
 * @param to the workspace's own
 * @returns whether the records are in `to`; false while a server still uses them in `from`
 */
export async function adoptState(from: string, to: string): Promise<boolean> {
  const has = (name: string) => existsSync(path.join(to, name));
  const isWaiting = () =>
    existsSync(path.join(from, database)) && !has(database) && (has(unfinished) || !has('secrets'));
  if (!isWaiting()) return true;
  const hold = await lockWorkspace(from).catch((error: unknown) => {
    if (error instanceof WorkspaceLockedError) return 'in use';
    // Nobody writes to a read-only folder, so its records can be copied without a lock.
    if (isWriteProtection(error)) return undefined;
    throw storageProblem(error) ?? error;
  });
  if (hold === 'in use') return false;
  try {
    // Another process may have moved them before this one had the lock.
    if (isWaiting()) await moveRecords(from, to);
    return true;
  } catch (error) {
    throw storageProblem(error) ?? error;
  } finally {
    await hold?.release();
  }
}

function isWriteProtection(error: unknown): boolean {
  const reason = storageReason(error);
  return reason === 'read-only' || reason === 'no-permission';
}

async function moveRecords(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const names = (await readdir(from)).filter(name => !/^lock-\d+$/.test(name) && !remade.has(name));
  const others = names.filter(name => name !== database);
  const whole = path.join(to, unfinished);
  await writeFile(whole, '', { mode: 0o600 });
  for (const name of others) {
    await cp(path.join(from, name), path.join(to, name), { recursive: true, force: true });
    await sync(path.join(to, name));
  }
  await copyFile(path.join(from, database), whole);
  await sync(whole);
  await rename(whole, path.join(to, database));
  await sync(to);
  for (const name of [database, ...others])
    await rm(path.join(from, name), { recursive: true, force: true }).catch((error: unknown) => {
      // The copies count from here on.
      if (!isWriteProtection(error)) throw error;
    });
  // On another file system they are imported again.
  await rename(path.join(from, 'tables'), path.join(to, 'tables')).catch(() => {});
}

/** Waits until a file or folder is on disk, with all that is in it: the originals are deleted next. */
async function sync(place: string): Promise<void> {
  const inside = await readdir(place, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return [];
    throw error;
  });
  for (const one of [place, ...inside.map(name => path.join(place, name))]) {
    const handle = await open(one, 'r');
    await handle.sync().finally(() => handle.close());
  }
}
