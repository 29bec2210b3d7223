// Keeps the processes that `npm start` and `npm run dev` start from outliving them.
// Uses only features of old Node versions, as setup.mjs does.
import { spawnSync } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const lookEveryMs = 500;

/**
 * Forwards signals to the children, which end in their own way, and stops them once npm, which started this
 * process, has ended.
 */
export function endTogether(children) {
  for (const signal of signals) process.on(signal, () => children.forEach(child => child.kill(signal)));
  // Without npm, this process may be meant to outlive the shell that started it.
  if (process.env.npm_lifecycle_event === undefined) return;
  endAfter(npmAbove(), () => children.forEach(child => child.kill('SIGTERM')));
}

/**
 * Returns the process ID of the npm that started this process: its parent, or the shell's parent if npm's
 * shell still runs.
 */
function npmAbove() {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, above, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout ?? '') ?? [];
  return command !== undefined && /(^|\/)-?\w*sh$/.test(command) ? Number(above) : process.ppid;
}

/**
 * Calls `end` once the process with this ID has ended. A killed process sends no signal, and closes no pipe
 * of its grandchildren.
 */
export function endAfter(pid, end) {
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    end();
  }, lookEveryMs);
  timer.unref();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
