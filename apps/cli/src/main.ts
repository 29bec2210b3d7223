// Where the program begins: what was compiled by an earlier start is taken from there, which halves the time to the first answer.
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';

// In the program's own folder, where only its owner writes; where that cannot be written, it starts as it would without.
const compiled = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'compiled');
enableCompileCache(compiled);
// Threads and processes that it starts find theirs there, too.
process.env['NODE_COMPILE_CACHE'] = compiled;
// Not only at the end, which may be sudden.
setTimeout(flushCompileCache, 3000).unref();

// Whoever started this process with a line to it, as `npm start` does, is gone when the line breaks: it ends as it would when told to.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // A command that is done does not wait for that.
  process.channel.unref();
}

await import('./belvedere.ts');
