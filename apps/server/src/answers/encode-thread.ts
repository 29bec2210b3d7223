// A thread that writes large frames as bytes, so that the server's own loop never waits for it.
import { encodeFrame, type Frame } from '@belvedere/api';
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', ({ id, frame }: { id: number; frame: Frame }) => {
  const pieces = encodeFrame(frame);
  parentPort!.postMessage({ id, pieces }, [...new Set(pieces.map(({ buffer }) => buffer as ArrayBuffer))]);
});
