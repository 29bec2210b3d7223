// Preloaded into each worker process: it ends the worker when the server exits. A plain exit would wait for
// the threads of a running query.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
