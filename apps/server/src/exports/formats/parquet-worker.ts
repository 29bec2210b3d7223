// A worker thread that writes one Parquet file from chunks of rows.
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportColumn, ExportValue } from '../tables/export-table.ts';
import { ParquetFile } from './write-parquet.ts';

export interface ParquetJob {
  readonly columns: readonly ExportColumn[];
  readonly folder: string;
}

export type ToParquet =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly ExportValue[])[] }
  | { readonly kind: 'end' };
export type FromParquet = { readonly kind: 'accepted' } | { readonly kind: 'written'; readonly file: string };

const { columns, folder } = workerData as ParquetJob;
const parquet = new ParquetFile(columns, folder);
const post = (message: FromParquet) => parentPort!.postMessage(message);

parentPort!.on('message', (message: ToParquet) => {
  if (message.kind === 'rows') {
    parquet.add(message.rows);
    post({ kind: 'accepted' });
  } else {
    post({ kind: 'written', file: parquet.write() });
    parentPort!.close();
  }
});
