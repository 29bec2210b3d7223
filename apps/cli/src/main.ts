// The program's entry. Compiled code from an earlier start is cached, which halves the time until the first
// response.
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';

// The cache is in the program's own folder, which only its owner can write. Without write access, the start
// is uncached.
const compiled = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'compiled');
enableCompileCache(compiled);
// Threads and child processes use the same cache.
process.env['NODE_COMPILE_CACHE'] = compiled;
// Flush early as well, because the process may end suddenly.
setTimeout(flushCompileCache, 3000).unref();

// A parent process with an IPC channel, such as `npm start`, has ended when the channel closes. Exit as for
// SIGTERM.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep a finished command running.
  process.channel.unref();
}

await import('./belvedere.ts');
