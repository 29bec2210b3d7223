// A thread that does its share of the work of the thread that scans.
import { parentPort } from 'node:worker_threads';
import { countRows, type Share } from './kernel/count-rows.ts';
import { readCodes, type Reading } from './read-codes.ts';

export type ToHelper = { readonly kind: 'count'; readonly share: Share } | { readonly kind: 'read'; readonly reading: Reading };
/** One for each order, in their order. */
export type FromHelper = { readonly kind: 'done'; readonly counted?: Float64Array<ArrayBuffer>[][][] | undefined } | { readonly kind: 'failed'; readonly message: string };

parentPort!.on('message', (order: ToHelper) => {
  try {
    if (order.kind === 'count') {
      const counted = countRows(order.share);
      say({ kind: 'done', counted }, counted?.flat(3).map(totals => totals.buffer));
    } else {
      readCodes(order.reading);
      say({ kind: 'done' });
    }
  } catch (error) {
    say({ kind: 'failed', message: (error as Error).message });
  }
});

function say(message: FromHelper, transferred: readonly ArrayBuffer[] = []): void {
  parentPort!.postMessage(message, transferred);
}
