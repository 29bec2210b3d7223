import os from 'node:os';
import path from 'node:path';

/** The folder for what Belvedere keeps of folders in which it writes nothing. */
export function cacheFolder(): string {
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'belvedere');
}
