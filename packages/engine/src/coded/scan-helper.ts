// A thread that counts its share of the rows of a pass.
import { parentPort } from 'node:worker_threads';
import { countRows, type Share } from './kernel/count-rows.ts';

parentPort!.on('message', (share: Share) => {
  const counted = countRows(share);
  parentPort!.postMessage(counted, counted?.flat(3).map(totals => totals.buffer) ?? []);
});
