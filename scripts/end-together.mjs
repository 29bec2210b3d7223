// Keeps the processes that `npm start` and `npm run dev` start from outliving them. Uses only what an older Node has, as setup.mjs does.
import { spawnSync } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const lookEveryMs = 500;

/** Passes signals on to the children, which end in their own way, and ends them once npm, which started this process, is gone. */
export function endTogether(children) {
  for (const signal of signals) process.on(signal, () => children.forEach(child => child.kill(signal)));
  // Without npm this process may well be meant to outlive the shell that started it.
  if (process.env.npm_lifecycle_event === undefined) return;
  endAfter(npmAbove(), () => children.forEach(child => child.kill('SIGTERM')));
}

/** The number of the npm that started this process: its parent, or, where npm's shell did not give way to it, the shell's. */
function npmAbove() {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, above, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout ?? '') ?? [];
  return command !== undefined && /(^|\/)-?\w*sh$/.test(command) ? Number(above) : process.ppid;
}

/** Calls `end` once the process of this number is gone: who is killed says nothing, and breaks no line to those further down. */
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
