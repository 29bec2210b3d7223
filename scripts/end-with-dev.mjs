// Preloaded into each program that `npm run dev` starts: stops it once dev.mjs has ended for any reason.
import { endAfter } from './end-together.mjs';

endAfter(Number(process.env.BELVEDERE_DEV_PID), () => {
  // `node --watch` would keep waiting for changes without a program to run.
  if (process.env.WATCH_REPORT_DEPENDENCIES) process.kill(process.ppid, 'SIGTERM');
  process.kill(process.pid, 'SIGTERM');
});
