import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Another Belvedere has the folder open. */
export class HeldFolderError extends Error {
  override readonly name = 'HeldFolderError';
}

export interface Hold {
  /** Lets others know where we are found. */
  say(address: string): Promise<void>;
  release(): Promise<void>;
}

/** One server per folder: a lock file with our process id. One left behind by a process that is gone is taken over. */
export async function holdFolder(state: string): Promise<Hold> {
  await mkdir(state, { recursive: true, mode: 0o700 });
  const file = path.join(state, 'lock');
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(`${process.pid}\n`);
      await handle.close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
      const [pid, address] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
      if (pid && isAlive(Number(pid))) throw new HeldFolderError(`Another Belvedere has this folder open: process ${pid}${address ? `, at ${address}` : ''}. Use that one, or end it first.`);
      await rm(file, { force: true });
    }
  }
  return {
    say: address => writeFile(file, `${process.pid}\n${address}\n`),
    release: () => rm(file, { force: true }),
  };
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
