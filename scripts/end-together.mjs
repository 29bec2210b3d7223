// Keeps the processes that `npm start` and `npm run dev` start from outliving them. Uses only what an older Node has, as setup.mjs does.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const lookEveryMs = 500;

/** Passes signals on to the children, which end in their own way, and ends them once npm, which started this process, is gone. */
export function endTogether(children) {
  for (const signal of signals) process.on(signal, () => children.forEach(child => child.kill(signal)));
  // Without npm this process may well be meant to outlive the shell that started it.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  // A parent that was killed says nothing; whoever inherits its children has another number.
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    children.forEach(child => child.kill('SIGTERM'));
  }, lookEveryMs);
  timer.unref();
}

/** For a process whose parent is not ours, as under `node --watch`: calls `end` once the process of this number is gone. */
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
