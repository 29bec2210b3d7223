import { EngineError } from '../../result.ts';
import { spawnWorker } from '../../pool/spawn-worker.ts';
import type { EncodingManifest } from './encoding-manifest.ts';
import type { CodesOrder, FromEncodeProcess } from './encode-worker.ts';

/** A process that encodes the fields of one table. */
export interface EncodeProcess {
  /** May be called once. @throws EngineError with the error of the process */
  readonly code: (order: CodesOrder) => Promise<EncodingManifest>;
  /** Ends the process at any time. */
  readonly end: () => void;
  readonly ended: Promise<void>;
}

const headroomBytes = 3 * 2 ** 30;

export function startEncodeProcess({
  memoryBytes,
  threads,
}: {
  readonly memoryBytes: number;
  readonly threads: number;
}): EncodeProcess {
  const child = spawnWorker(new URL('./encode-worker.ts', import.meta.url), memoryBytes + headroomBytes, {
    BELVEDERE_MEMORY: String(memoryBytes),
    BELVEDERE_THREADS: String(threads),
  });
  const [ready, done, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<EncodingManifest>(),
    Promise.withResolvers<void>(),
  ];
  const fail = (error: Error) => {
    ready.reject(error);
    done.reject(error);
    ended.resolve();
  };
  // The process may end before it receives an order. Without a handler, the rejection would be unhandled.
  for (const { promise } of [ready, done]) promise.catch(() => {});
  child.on('message', (message: FromEncodeProcess) => {
    if (message.kind === 'ready') ready.resolve();
    else if (message.kind === 'done') done.resolve(message.manifest);
    else done.reject(new EngineError('query-failed', message.message));
  });
  child.on('error', fail);
  child.on('exit', () =>
    fail(new EngineError('source-unreachable', 'The process that codes columns ended early.')),
  );
  return {
    code: async order => {
      await ready.promise;
      child.send(order);
      return done.promise;
    },
    end: () => void child.kill('SIGKILL'),
    ended: ended.promise,
  };
}
