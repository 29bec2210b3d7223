import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isWithin } from './sources/source-access.ts';

/**
 * Returns Belvedere's folder in the user's state directory (XDG Base Directory Specification), for data that
 * a workspace must not supply itself. Undefined if that folder lies in the workspace.
 */
export async function userStateFolder(root: string): Promise<string | undefined> {
  const named = process.env['XDG_STATE_HOME'] ?? '';
  // The specification requires relative paths to be ignored, since they depend on the current directory.
  const state = path.isAbsolute(named) ? named : path.join(os.homedir(), '.local', 'state');
  const real = await realpath(state).catch(() => path.resolve(state));
  return isWithin(root, real) ? undefined : path.join(real, 'belvedere');
}
