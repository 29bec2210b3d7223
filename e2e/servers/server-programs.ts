import { spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** The folder of the unpacked server programs (scripts/ensure-servers.mjs). */
export const programs =
  process.env['BELVEDERE_TEST_SERVERS'] ?? path.resolve(import.meta.dirname, '..', '..', '.cache', 'servers');

/** A server for one test file, or the one named in the environment. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Stops the server and deletes its files. A server that already existed is left alone. */
  stop(): Promise<void>;
}

/** Servers refuse to run as root, so root starts them as `nobody`. */
export const anonymously = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export const libraries = {
  LD_LIBRARY_PATH: [
    'usr/lib/x86_64-linux-gnu',
    'lib/x86_64-linux-gnu',
    'usr/lib/aarch64-linux-gnu',
    'lib/aarch64-linux-gnu',
  ]
    .map(folder => path.join(programs, folder))
    .join(':'),
};

/** Creates an empty folder that the server may write to. */
export async function emptyFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `belvedere-${name}-`));
  if (anonymously.uid !== undefined) await chown(folder, anonymously.uid, anonymously.gid);
  return folder;
}

export async function newestIn(folder: string): Promise<string> {
  return (await readdir(folder)).toSorted((a, b) => Number(b) - Number(a))[0]!;
}

/** Ports already returned, since a server may be about to listen on them. */
const given = new Set<number>();

/**
 * Returns unused ports below the ephemeral range (usually 32768 and up), since a connection could take one of
 * those before the server listens.
 */
export async function freePorts(count: number): Promise<number[]> {
  // A range of its own for each parallel test process, so that two processes do not find the same port.
  const own = Number(process.env['VITEST_POOL_ID'] ?? 0) % 4;
  const free: number[] = [];
  while (free.length < count) {
    const port = 20_000 + own * 3_000 + Math.floor(Math.random() * 3_000);
    const server = createServer();
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise(resolve => server.close(resolve));
    if (given.has(port)) continue;
    given.add(port);
    free.push(port);
  }
  return free;
}

/** Starts a program and waits until `isReady` returns true. @throws with its last output if it ends before */
export async function startProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly isReady: (said: string) => boolean | Promise<boolean>;
    readonly asRoot?: boolean;
  },
): Promise<ChildProcess> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    ...(options.asRoot ? {} : anonymously),
    env: { ...process.env, ...libraries },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => (said = (said + String(data)).slice(-8000)));
  let isOver = false;
  child.on('exit', () => (isOver = true));
  child.on('error', error => {
    said += error.message;
    isOver = true;
  });
  const end = Date.now() + 60_000;
  while (!(await options.isReady(said))) {
    if (isOver || Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`${path.basename(program)} did not start: ${said.slice(-1500)}`);
    }
    await new Promise(resolve => setTimeout(resolve, 30));
  }
  return child;
}

export async function stopProgram(
  child: ChildProcess,
  signal: NodeJS.Signals,
  folder?: string,
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const over = new Promise(resolve => child.once('exit', resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await over;
    clearTimeout(timer);
  }
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** Parses `kind://user:password@host:port/database`, the form in which the environment names a server. */
export function serverAt(address: string): TestServer {
  const url = new URL(address);
  return {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    stop: async () => {},
  };
}
