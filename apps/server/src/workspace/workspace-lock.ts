import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemOfStorage, storageProblem } from '../operations/storage-problem.ts';

/** The process that has a folder open, and its address. A command that reads the folder has no address. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly address?: string;
  /** Whether it runs on this machine, in the same container. */
  readonly isHere: boolean;
}

/** Another instance has the folder open. */
export class WorkspaceLockedError extends Error {
  override readonly name = 'WorkspaceLockedError';
  readonly holder: LockHolder;

  constructor(holder: LockHolder, message: string) {
    super(message);
    this.holder = holder;
  }
}

export interface WorkspaceLock {
  /** Publishes this server's address. */
  say(address: string): Promise<void>;
  /**
   * @throws ProblemError `state-unavailable` once another server has taken over the folder, which may happen
   * while this process is suspended
   */
  check(): void;
  /** Resolves once the folder was taken over or its lock file removed, with the new holder if known. */
  readonly lost: Promise<string | undefined>;
  release(): Promise<void>;
}

export interface LockTimes {
  /** How often the holder updates its lock file. */
  readonly beatMs: number;
  /** A holder that has not updated its lock file for this long loses the folder, wherever it runs. */
  readonly staleMs: number;
}

const times: LockTimes = { beatMs: 1000, staleMs: 10_000 };

/** The content of the lock file. */
interface Holder {
  readonly pid: number;
  /** The scope of the process ID: this boot of this machine, in this container. */
  readonly machine: string;
  /** When the process started, by the system's own count, since process IDs are reused. */
  readonly started?: string;
  readonly host: string;
  readonly address?: string;
  readonly beat: number;
  readonly isReleased?: true;
}

const nameOf = (generation: number) => `lock-${generation}`;
/** Records are overwritten in place, so all have the same length. */
const recordBytes = 1024;

/**
 * Locks a folder for one server. The holder has the highest `lock-N`. Taking over means creating
 * `lock-(N+1)`, which the file system allows only once, on network shares too.
 * The holder's record changes every second. A released lock, or one whose process is known to be gone, is
 * taken over at once; otherwise any process that sees no change for ten seconds may take over. A server
 * killed in another container or on another machine holds the folder no longer than that.
 * A suspended server finds its successor's file before it writes anything.
 * @throws WorkspaceLockedError if another server has the folder; ProblemError `state-unavailable` if the
 * folder is not writable
 */
export async function lockWorkspace(
  state: string,
  { beatMs, staleMs }: LockTimes = times,
): Promise<WorkspaceLock> {
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
    for (;;) {
      const generation = await highest(state);
      if (generation > 0) await waitFor(path.join(state, nameOf(generation)), staleMs);
      const file = await create(path.join(state, nameOf(generation + 1)));
      if (file && (await highest(state)) === generation + 1)
        return await begin(state, generation + 1, file, beatMs);
      // Other servers have taken over meanwhile and deleted the earlier lock files.
      await file?.close();
    }
  } catch (error) {
    throw storageProblem(error, `Could not use \`${state}\``) ?? error;
  }
}

async function begin(
  state: string,
  generation: number,
  file: FileHandle,
  beatMs: number,
): Promise<WorkspaceLock> {
  const [own, successor] = [path.join(state, nameOf(generation)), path.join(state, nameOf(generation + 1))];
  const lost = Promise.withResolvers<string | undefined>();
  let holder: Holder = { ...thisProcess(), beat: 0 };
  let writing = write(file, holder);
  await writing;
  for (const older of await generations(state))
    if (older < generation) await rm(path.join(state, nameOf(older)), { force: true });

  const change = (next: Partial<Holder>) => {
    holder = { ...holder, ...next };
    const now = holder;
    writing = writing.catch(() => {}).then(() => write(file, now));
    return writing;
  };
  // If the whole folder was deleted, the state database is gone too, and further writes would end up in no
  // folder.
  const isLost = () => existsSync(successor) || !existsSync(own);
  const beats = setInterval(() => {
    if (!isLost()) return void change({ beat: holder.beat + 1 }).catch(() => {});
    clearInterval(beats);
    void readHolder(successor).then(next => lost.resolve(next && describeHolder(next)));
  }, beatMs);
  beats.unref();
  return {
    lost: lost.promise,
    say: address => change({ address }),
    check: () => {
      if (isLost()) throw problemOfStorage('taken-over');
    },
    release: async () => {
      clearInterval(beats);
      await change({ isReleased: true }).catch(() => {});
      await file.close();
    },
  };
}

/**
 * Resolves once this lock file has no live holder. @throws WorkspaceLockedError as soon as a holder is seen
 * to be alive
 */
async function waitFor(file: string, staleMs: number): Promise<void> {
  const began = performance.now();
  const first = await readFile(file, 'utf8').catch(undefinedIfMissing);
  for (;;) {
    const text = await readFile(file, 'utf8').catch(undefinedIfMissing);
    const holder = parsed(text);
    if (text === undefined || holder?.isReleased || (holder && isGone(holder))) return;
    const modified = (await stat(file).catch(undefinedIfMissing))?.mtimeMs;
    const isFresh = modified !== undefined && Math.abs(Date.now() - modified) < staleMs / 2;
    // On this machine, file times are by our own clock. Elsewhere, or if the clock was changed, the file must
    // be seen to change.
    const isAlive = text !== first || (isFresh && holder?.machine === thisMachine());
    if (holder && isAlive) {
      const { pid, host, address } = holder;
      throw new WorkspaceLockedError(
        { pid, host, ...(address !== undefined && { address }), isHere: holder.machine === thisMachine() },
        `This folder is open in another Belvedere: ${describeHolder(holder)}. Use that one, or stop it first.`,
      );
    }
    if (performance.now() - began >= staleMs) return;
    await sleep(Math.min(200, staleMs / 10));
  }
}

/** Creates a new file; undefined if another process was faster. */
async function create(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

async function write(file: FileHandle, holder: Holder): Promise<void> {
  await file.write(`${JSON.stringify(holder).padEnd(recordBytes - 1)}\n`, 0);
}

async function generations(state: string): Promise<number[]> {
  return (await readdir(state)).flatMap(name => (/^lock-\d+$/.test(name) ? [Number(name.slice(5))] : []));
}

async function highest(state: string): Promise<number> {
  return Math.max(0, ...(await generations(state)));
}

async function readHolder(file: string): Promise<Holder | undefined> {
  return parsed(await readFile(file, 'utf8').catch(undefinedIfMissing));
}

/** Undefined for a partially written record. */
function parsed(text: string | undefined): Holder | undefined {
  try {
    return JSON.parse(text ?? '') as Holder;
  } catch {
    return undefined;
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function describeHolder({ pid, host, machine, address }: Holder): string {
  const where = machine === thisMachine() ? '' : ` on ${host}`;
  return `process ${pid}${where}${address === undefined ? '' : `, at ${address}`}`;
}

/** Whether the process has certainly ended, which is only known for process IDs of this machine. */
function isGone({ pid, machine, started }: Holder): boolean {
  if (machine !== thisMachine()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  return started !== undefined && started !== startOf(pid);
}

function thisProcess(): Omit<Holder, 'beat'> {
  const started = startOf(process.pid);
  return {
    pid: process.pid,
    machine: thisMachine(),
    ...(started !== undefined && { started }),
    host: os.hostname(),
  };
}

let machine: string | undefined;

/**
 * The scope of process IDs: a boot and, in containers, a PID namespace; a host name if the system reports
 * neither.
 */
function thisMachine(): string {
  const parts = [os.hostname(), read('/proc/sys/kernel/random/boot_id'), link('/proc/self/ns/pid')];
  return (machine ??= parts.filter(part => part !== undefined).join(' '));
}

/** Returns when a process started, in ticks since the boot; undefined if the system does not report it. */
function startOf(pid: number): string | undefined {
  // The second field is the program's name in brackets, which may contain blanks and brackets.
  return read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')[19];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function link(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
