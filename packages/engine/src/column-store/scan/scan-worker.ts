// A thread that runs a share of the scan thread's work.
import { parentPort, workerData } from 'node:worker_threads';
import { countRows, type Share } from '../kernel/count-rows.ts';
import { addTotals, type Portion, type ScanLayout } from '../kernel/totals.ts';
import { readEncoded, type Reading } from '../encoding/read-encoded.ts';
import { readZones, type Zoning } from './zone-map.ts';

export type ToScanWorker =
  | { readonly kind: 'count'; readonly share: Share }
  /** Adds up the totals that all threads counted for the last share. */
  | {
      readonly kind: 'add';
      readonly into: WebAssembly.Memory;
      readonly from: readonly WebAssembly.Memory[];
      readonly portion: Portion;
    }
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'zones'; readonly zoning: Zoning }
  | { readonly kind: 'end' };
/** One reply per order, in the same order. */
export type FromScanWorker =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string };

/** This thread's memory. The scan thread reads the totals from it. */
const { own } = workerData as { readonly own: WebAssembly.Memory };
let layout: ScanLayout | undefined;

parentPort!.on('message', (order: ToScanWorker) => {
  if (order.kind === 'end') return parentPort!.close();
  try {
    if (order.kind === 'count') {
      ({ layout } = order.share.whole);
      countRows(order.share, own);
    } else if (order.kind === 'add')
      addTotals(
        order.into.buffer,
        order.from.map(({ buffer }) => buffer),
        layout!,
        order.portion,
      );
    else if (order.kind === 'read') readEncoded(order.reading);
    else readZones(order.zoning);
    post({ kind: 'done' });
  } catch (error) {
    post({ kind: 'failed', message: (error as Error).message });
  }
});

function post(message: FromScanWorker): void {
  parentPort!.postMessage(message);
}
