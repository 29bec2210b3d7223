// Loaded before each program that `npm run dev` starts: ends it once dev.mjs is gone, however that ended.
import { endAfter } from './end-together.mjs';

endAfter(Number(process.env.BELVEDERE_DEV_PID), () => {
  // `node --watch` would wait for changes, with nothing left to run.
  if (process.env.WATCH_REPORT_DEPENDENCIES) process.kill(process.ppid, 'SIGTERM');
  process.kill(process.pid, 'SIGTERM');
});
