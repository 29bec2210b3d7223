import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project, startCli } from '../browser.ts';

/**
 * No process of Belvedere outlives the process that started it, however that one ends. Real processes; only
 * on Linux, where /proc lists them.
 */

let folder: string;
let cache: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-processes-'));
  cache = path.join(folder, 'cache');
  await mkdir(path.join(folder, 'own', 'data'), { recursive: true });
  await writeFile(
    path.join(folder, 'own', 'data', 'trips.csv'),
    `city,minutes\n${Array.from({ length: 500 }, (_, i) => `${'ABC'[i % 3]},${i}`).join('\n')}\n`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const node = process.execPath;
const script = (name: string) => path.join(project, 'scripts', `${name}.mjs`);
const npm = (...args: string[]) => ['npm', '--silent', '--prefix', project, ...args] as const;
const options = () => [path.join(folder, 'own'), '--no-open', '--port', '0'];

/** All processes below one, by their numbers. */
function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter(one => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended meanwhile.
    }
  }
  const below = (parent: number): number[] =>
    Array.from(parents).flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid);
}

/** Without processes that have ended and were not yet collected. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}

async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  longestMs = 60_000,
): Promise<void> {
  const end = Date.now() + longestMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come about within ${longestMs / 1000} s`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function allGone(pids: readonly number[]): Promise<void> {
  await until(() => !pids.some(isRunning), `the end of ${pids.length} processes`, 20_000).catch(error => {
    const left = pids
      .filter(isRunning)
      .map(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200));
    // Nothing is left behind by a test that fails.
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    throw new Error(`${(error as Error).message}; left: ${left.join(' | ')}`);
  });
}

/** Resolves once the server prints its address. @returns the started process and all of its descendants */
async function started(
  [command, ...args]: readonly string[],
  says: RegExp,
  { detached = false } = {},
): Promise<{ child: ChildProcess; pids: number[]; address: string }> {
  const child = spawn(command!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  let output = '';
  child.stdout.on('data', data => (output += String(data)));
  child.stderr.on('data', data => (output += String(data)));
  await until(() => says.test(output) || child.exitCode !== null, `the start of ${args[0]}`, 120_000);
  expect(output).toMatch(says);
  return { child, pids: descendantsOf(child.pid!), address: says.exec(output)![1]! };
}

const open = /open at (\S+)/;

describe.runIf(process.platform === 'linux')('no process is left behind', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by scripts/start.mjs when it is ended by %s',
    async signal => {
      const { child, pids } = await started([node, script('start'), ...options()], open);
      expect(pids.length).toBeGreaterThanOrEqual(1);
      child.kill(signal);
      await allGone([child.pid!, ...pids]);
    },
    180_000,
  );

  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by npm start when it is ended by %s',
    async signal => {
      const { child, pids } = await started([...npm('start', '--'), ...options()], open);
      expect(pids.length).toBeGreaterThanOrEqual(2);
      child.kill(signal);
      await allGone([child.pid!, ...pids]);
    },
    180_000,
  );

  // npm and its shell wait for their child. A terminal signals all of them, as one process group.
  test('by npm start when it is ended by Ctrl-C', async () => {
    const { child, pids } = await started([...npm('start', '--'), ...options()], open, { detached: true });
    expect(pids.length).toBeGreaterThanOrEqual(2);
    process.kill(-child.pid!, 'SIGINT');
    await allGone([child.pid!, ...pids]);
  }, 180_000);

  test.each([
    ['SIGTERM', [node, script('dev')]],
    ['SIGKILL', [node, script('dev')]],
    ['SIGKILL', npm('run', 'dev', '--')],
  ] as const)(
    'by npm run dev when it is ended by %s',
    async (signal, command) => {
      const { child, pids } = await started([...command, ...options()], open);
      await until(() => descendantsOf(child.pid!).length >= 3, 'the server, what watches it, and the pages');
      child.kill(signal);
      await allGone([child.pid!, ...pids, ...descendantsOf(child.pid!)]);
    },
    180_000,
  );

  test('by a server that is killed during an import and a long statement', async () => {
    const rows = Array.from(
      { length: 400_000 },
      (_, i) => `${i},${i % 97},${'abcdefgh'[i % 8]}${i},2024-01-01 00:00:${String(i % 60).padStart(2, '0')}`,
    );
    const cli = await startCli([path.join(folder, 'own')], { XDG_CACHE_HOME: cache });
    const { origin } = new URL(cli.url);
    const first = await fetch(cli.url, { redirect: 'manual' });
    const headers = {
      cookie: first.headers.get('set-cookie')!.split(';')[0]!,
      'content-type': 'application/json',
      'x-belvedere': '1',
    };
    const server = cli.process.pid!;
    const system = () =>
      fetch(`${origin}/api/v1/system`, { headers }).then(
        response => response.json() as Promise<{ running: number }>,
      );
    void fetch(`${origin}/api/v1/sources/files/sql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        sql: 'select count(*) from range(1000000) a, range(1000000) b where a.range + b.range = 7',
      }),
    }).catch(() => {});
    await until(async () => (await system()).running > 0, 'a long statement');
    for (let i = 0; i < 6; i++)
      await writeFile(path.join(folder, 'own', 'data', `big${i}.csv`), `a,b,c,d\n${rows.join('\n')}\n`);
    await until(() => descendantsOf(server).length >= 2, 'a process that reads files');
    const pids = descendantsOf(server);
    cli.process.kill('SIGKILL');
    await allGone(pids);
  }, 180_000);

  test.each(['check', 'ask'] as const)(
    'by the command %s when its parent is killed',
    async command => {
      const args = command === 'ask' ? ['ask', 'trips', '--measures', 'rows'] : ['check'];
      const child = spawn(node, [script('start'), ...args, path.join(folder, 'own'), '--quiet'], {
        stdio: 'ignore',
        env: { ...process.env, XDG_CACHE_HOME: path.join(folder, `cache-${command}`) },
      });
      const pids = new Set<number>();
      await until(() => {
        for (const pid of descendantsOf(child.pid!)) pids.add(pid);
        return pids.size >= 2 || child.exitCode !== null;
      }, 'the command and a process of its own');
      child.kill('SIGKILL');
      await allGone([...pids]);
    },
    180_000,
  );
});

test('a server whose output pipe is closed keeps running, and is idle', async () => {
  const own = path.join(folder, 'unread');
  await mkdir(path.join(own, 'data'), { recursive: true });
  await writeFile(path.join(own, 'belvedere.yaml'), 'version: 1\n');
  // Starts the server, prints its process ID and address, and is killed: the server's pipes then have no
  // reader.
  const starter = spawn(
    node,
    [
      '-e',
      `
    const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.stdout.on('data', data => console.log(child.pid + ' ' + data));
  `,
      path.join(project, 'apps', 'cli', 'src', 'main.ts'),
      '--no-open',
      '--port',
      '0',
      own,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [pid, address] = await new Promise<[number, string]>(resolve => {
    starter.stdout.on('data', data => {
      const match = /^(\d+) .*open at (\S+)/.exec(String(data));
      if (match) resolve([Number(match[1]), match[2]!]);
    });
  });
  try {
    starter.kill('SIGKILL');
    // Errors are printed to the console, which no longer exists.
    for (const name of ['a', 'b', 'c', 'd']) {
      await writeFile(path.join(own, 'data', `${name}.parquet`), 'no Parquet');
      await writeFile(path.join(own, 'data', `${name}s.json`), '{"no JSON');
      await new Promise(resolve => setTimeout(resolve, 2500));
    }
    const before = cpuSeconds(pid);
    await new Promise(resolve => setTimeout(resolve, 3000));
    expect(cpuSeconds(pid) - before).toBeLessThan(0.5);
    expect((await fetch(`${new URL(address).origin}/healthz`)).status).toBe(200);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

/** The processor time that a process has had, in seconds (proc(5): `utime` and `stime`, in hundredths). */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
