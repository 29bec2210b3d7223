import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { WorkerRequest } from './worker-request.ts';
import type { FromParquet, ParquetJob, ToParquet } from './parquet-worker.ts';
import type { ExportTableRows } from './export-table.ts';

/**
 * A table as Parquet, whatever its length: written by a thread that nobody else waits for, piece by piece as the rows come, and read from
 * the disk as it is sent. Its end says where everything is, so nothing can be sent before the last row has come.
 * @throws what its rows' source throws, and where the asker has gone
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
    for await (const rows of pieces) await thread.ask({ kind: 'rows', rows });
    const written = await thread.ask({ kind: 'end' });
    if (written.kind !== 'written') throw new Error('The thread that writes Parquet lost its place.');
    const file = await open(written.file);
    // What is open can be read though it has no name any more: whoever leaves in the middle leaves nothing behind.
    return createReadStream('', { fd: file, autoClose: true });
  } finally {
    thread.close();
    await rm(folder, { recursive: true, force: true });
  }
}
