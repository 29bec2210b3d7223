// Loaded before each worker of ours. The server is gone, so nobody is left to answer: a plain exit would wait for a running query's threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
