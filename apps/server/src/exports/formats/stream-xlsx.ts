import { WorkerRequest } from './worker-request.ts';
import type { ExportTableRows } from '../tables/export-table.ts';
import type { AboutLines } from './write-xlsx.ts';
import type { ToXlsx, XlsxJob } from './xlsx-worker.ts';

/**
 * Streams a workbook of tables of any length from a worker thread. Tables are queried one after another.
 * @throws errors of the rows' sources, and if the client disconnects
 */
export async function* streamXlsx(
  about: AboutLines,
  tables: readonly ExportTableRows[],
  locale: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const thread = new WorkerRequest<ToXlsx, Uint8Array>(
    new URL('./xlsx-worker.ts', import.meta.url),
    { locale } satisfies XlsxJob,
    signal,
  );
  try {
    for (const { id, title, columns, totals, endsInTotal = false, pieces } of tables) {
      let written = 0;
      let isBegun = false;
      for await (const { rows, isLast } of withLast(pieces)) {
        if (!isBegun)
          yield await thread.request({
            kind: 'table',
            head: { id, title, columns },
            first: rows.slice(0, 50),
          });
        isBegun = true;
        const own = new Set(
          [...(totals ?? [])].flatMap(row =>
            row >= written && row < written + rows.length ? [row - written] : [],
          ),
        );
        if (isLast && endsInTotal) own.add(rows.length - 1);
        yield await thread.request({ kind: 'rows', rows, ...(own.size > 0 && { totals: own }) });
        written += rows.length;
      }
      // A table without rows still has its columns.
      if (!isBegun) yield await thread.request({ kind: 'table', head: { id, title, columns }, first: [] });
    }
    yield await thread.request({ kind: 'end', about });
  } finally {
    thread.close();
  }
}

/** Pairs each chunk with whether another follows. */
async function* withLast<T>(
  pieces: AsyncIterable<T>,
): AsyncGenerator<{ readonly rows: T; readonly isLast: boolean }, void> {
  let before: { readonly rows: T } | undefined;
  for await (const rows of pieces) {
    if (before) yield { ...before, isLast: false };
    before = { rows };
  }
  if (before) yield { ...before, isLast: true };
}
