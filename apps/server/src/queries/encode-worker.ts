// A thread that writes large frames as bytes, so that the server's own loop never waits for it.
import { encodeFrame, type Frame } from '@belvedere/api';
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', ({ id, frame }: { id: number; frame: Frame }) => {
  const pieces = encodeFrame(frame);
  // What threads share need not be handed over.
  parentPort!.postMessage(
    { id, pieces },
    [...new Set(pieces.map(({ buffer }) => buffer))].filter(buffer => buffer instanceof ArrayBuffer),
  );
});
