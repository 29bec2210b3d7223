// A worker thread that writes one workbook from tables with chunks of rows.
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportColumn, ExportValue } from '../tables/export-table.ts';
import { XlsxFile, type AboutLines } from './write-xlsx.ts';

type Rows = readonly (readonly ExportValue[])[];

export interface XlsxJob {
  readonly locale: string;
}

/** The response to each message contains the bytes written so far. */
export type ToXlsx =
  | {
      readonly kind: 'table';
      readonly head: {
        readonly id: string;
        readonly title: string;
        readonly columns: readonly ExportColumn[];
      };
      readonly first: Rows;
    }
  | { readonly kind: 'rows'; readonly rows: Rows; readonly totals?: ReadonlySet<number> }
  | { readonly kind: 'end'; readonly about: AboutLines };

const workbook = new XlsxFile((workerData as XlsxJob).locale);

// An error here ends the thread, which fails its pending requests.
parentPort!.on('message', async (message: ToXlsx) => {
  if (message.kind === 'table') await workbook.begin(message.head, message.first);
  else if (message.kind === 'rows') workbook.add(message.rows, message.totals);
  else await workbook.end(message.about);
  const bytes = Uint8Array.from(workbook.take());
  parentPort!.postMessage(bytes, [bytes.buffer]);
  if (message.kind === 'end') parentPort!.close();
});
