import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isWithin } from './sources/source-access.ts';

/**
 * Belvedere's folder in the user's state directory (XDG Base Directory Specification), for what a workspace must not bring with it; undefined
 * where that lies in the workspace itself.
 */
export async function userStateFolder(root: string): Promise<string | undefined> {
  const named = process.env['XDG_STATE_HOME'] ?? '';
  // The specification has relative paths ignored: such a one would begin wherever Belvedere was started.
  const state = path.isAbsolute(named) ? named : path.join(os.homedir(), '.local', 'state');
  const real = await realpath(state).catch(() => path.resolve(state));
  return isWithin(root, real) ? undefined : path.join(real, 'belvedere');
}
