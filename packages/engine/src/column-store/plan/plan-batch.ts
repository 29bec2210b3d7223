import type { QueryResult } from '../../result.ts';
import type { ClusteredRows } from '../scan/clustered-rows.ts';
import { batchScans } from './batch-scans.ts';
import { compileScan, type CompiledScan } from '../kernel/compile-scan.ts';
import type { Kernel, Share } from '../kernel/count-rows.ts';
import { rowsIn, wholeChunks } from '../kernel/row-ranges.ts';
import type { ScanLayout } from '../kernel/totals.ts';
import { planRuns, sourcesOf } from './plan-runs.ts';
import type { EncodedTable } from '../encoded-table.ts';
import type { PlannedScan } from './plan-scan.ts';
import { chunksThatMayHold } from '../scan/skip-rows.ts';

/** A table whose encoded columns are in memory. */
export interface LoadedTable extends EncodedTable {
  readonly words: readonly WebAssembly.Memory[];
  readonly clustered: ClusteredRows;
}

/** A scan of this many rows takes less time than waiting for other queries or sharing the work is worth. */
export const fewRows = 1_000_000;

/** One scan over a table's rows, for many queries. */
export interface Pass {
  /** The same for every thread. */
  readonly share: Share;
  /** The layout of the totals after all threads have counted. */
  readonly layout: ScanLayout;
  /** Whether one thread alone is fastest. */
  readonly isShort: boolean;
  readonly byRuns: boolean;
  /** For each query: its result, from the totals of the pass. */
  readonly results: readonly ((totals: readonly (readonly (readonly Float64Array[])[])[]) => QueryResult)[];
}

/** Plans a pass: the cubes to count, the rows to read, and the runs to use. */
export function planBatch(planned: readonly PlannedScan[], table: LoadedTable, minRunRows: number): Pass {
  const tests = [...new Map(planned.map(({ testKey, test }) => [testKey, test])).values()];
  const wanted = (chunks: Int32Array) => chunksThatMayHold(chunks, tests, table.clustered);
  const chunks = wanted(wholeChunks(table.rows));
  const rows = rowsIn(chunks);
  const { scan, totalsFor } = batchScans(planned, rows);
  const isShort = rows <= fewRows;
  const byRuns = rows < minRunRows ? undefined : planRuns(scan, table.rows, table.clustered);
  const whole = compileScan(byRuns?.whole ?? scan);
  const within = byRuns && compileScan(byRuns.within, whole.layout.bytes);
  const kernel = ({ module, words, layout }: CompiledScan): Kernel => ({
    module: new WebAssembly.Module(module),
    words: words.map(word => table.words[word]!),
    layout,
  });
  return {
    share: {
      whole: kernel(whole),
      ...(within && {
        within: {
          kernel: kernel(within),
          sources: sourcesOf(byRuns, whole, within),
          slots: byRuns.runs.slots,
          axes: byRuns.still.length,
        },
      }),
      chunks: byRuns ? wanted(byRuns.runs.chunks) : chunks,
      progress: new Int32Array(new SharedArrayBuffer(4)),
    },
    layout: whole.layout,
    isShort,
    byRuns: byRuns !== undefined,
    results: planned.map((query, i) => totals => query.result(totalsFor(i, byRuns?.whole ?? scan, totals))),
  };
}
