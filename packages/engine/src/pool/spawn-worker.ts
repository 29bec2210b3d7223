import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';

/**
 * CPU priorities of workers, all below the server (0). A flood is far enough below queries that it delays them
 * by a twentieth at most. An import is between both: at the lowest priority it stood still for a minute while
 * other programs were busy, and users wait for it too.
 */
const priorities = { query: 5, import: 10, flood: os.constants.priority.PRIORITY_LOW };

const endWithParent = new URL('./end-with-parent.ts', import.meta.url).href;

/**
 * Starts a worker in a process of its own. A limit on its address space turns a runaway allocation into an
 * error there instead of an out-of-memory kill here. DuckDB runs its work on libuv's threads, so it gets more
 * of them than Node's four.
 */
export function spawnWorker(
  script: URL,
  dataBytes: number,
  env: Record<string, string>,
  work: keyof typeof priorities = 'query',
): ChildProcess {
  const node = [
    process.execPath,
    '--max-old-space-size=2048',
    '--disable-warning=ExperimentalWarning',
    `--import=${endWithParent}`,
    script.pathname,
  ];
  const [command, args] =
    process.platform === 'linux'
      ? ([
          'sh',
          ['-c', 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(Math.ceil(dataBytes / 1024)), ...node],
        ] as const)
      : ([node[0]!, node.slice(1)] as const);
  const { NODE_COMPILE_CACHE: compiled } = process.env;
  const child = spawn(command, [...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: {
      PATH: process.env['PATH'] ?? '',
      TZ: 'UTC',
      UV_THREADPOOL_SIZE: '16',
      ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
      ...env,
    },
  });
  if (child.pid !== undefined) giveWay(child.pid, priorities[work]);
  return child;
}

function giveWay(pid: number, priority: number): void {
  try {
    os.setPriority(pid, priority);
  } catch {
    // The process may have exited, or the system may forbid the change. All priorities then stay equal.
  }
}
