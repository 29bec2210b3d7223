// A worker thread that encodes large frames, so that the server's event loop is not blocked.
import { encodeFrame, type Frame } from '@belvedere/api';
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', ({ id, frame }: { id: number; frame: Frame }) => {
  const pieces = encodeFrame(frame);
  // Shared memory need not be transferred.
  parentPort!.postMessage(
    { id, pieces },
    [...new Set(pieces.map(({ buffer }) => buffer))].filter(buffer => buffer instanceof ArrayBuffer),
  );
});
