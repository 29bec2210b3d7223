import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { WorkerRequest } from './worker-request.ts';
import type { FromParquet, ParquetJob, ToParquet } from './parquet-worker.ts';
import type { ExportTableRows } from '../tables/export-table.ts';

/**
 * Writes a table of any length as Parquet: a worker thread writes chunks of rows as they arrive, and the
 * finished file is streamed from disk. A Parquet file's index is at its end, so nothing can be sent before
 * the last row.
 * @throws errors of the rows' source, and if the client disconnects
 */
export async function streamParquet(
  { columns, pieces }: ExportTableRows,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-parquet-'));
  const thread = new WorkerRequest<ToParquet, FromParquet>(
    new URL('./parquet-worker.ts', import.meta.url),
    { columns, folder } satisfies ParquetJob,
    signal,
  );
  try {
    for await (const rows of pieces) await thread.request({ kind: 'rows', rows });
    const written = await thread.request({ kind: 'end' });
    if (written.kind !== 'written') throw new Error('The thread that writes Parquet lost its place.');
    const file = await open(written.file);
    // An open file stays readable after its deletion, so a client that disconnects leaves no files behind.
    return createReadStream('', { fd: file, autoClose: true });
  } finally {
    thread.close();
    await rm(folder, { recursive: true, force: true });
  }
}
