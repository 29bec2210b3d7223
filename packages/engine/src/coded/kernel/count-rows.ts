import { emptyTotals, mostTallied, readTotals, type CompiledScan } from './compile-scan.ts';

/** One thread's share of a pass, as it is sent to it. */
export interface Share {
  readonly module: WebAssembly.Module;
  readonly words: readonly WebAssembly.Memory[];
  readonly scratch: Uint8Array<ArrayBuffer>;
  readonly totals: CompiledScan['totals'];
  readonly rows: number;
  /** Shared by all threads: the next chunk nobody has begun, and whether the pass is called off. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Small enough that threads end together, large enough that beginning one costs nothing. */
const chunkRows = 2 ** 18;

/** One memory a thread, reused: each reserves address space by the gigabyte. */
const memory = new WebAssembly.Memory({ initial: 1 });

/** Counts chunk after chunk until none is left. @returns undefined where the pass was called off. */
export function countRows({ module, words, scratch, totals, rows, progress }: Share): Float64Array<ArrayBuffer>[][][] | undefined {
  const pages = Math.ceil(scratch.length / 65_536);
  const has = memory.buffer.byteLength / 65_536;
  if (pages > has) memory.grow(pages - has);
  new Uint8Array(memory.buffer).set(scratch);
  const imports = { scratch: memory, ...Object.fromEntries(words.map((word, i) => [`w${i}`, word])) };
  const { run } = new WebAssembly.Instance(module, { m: imports }).exports as { run: (fromByte: number, belowByte: number) => void };
  const counted = emptyTotals(totals);
  let tallied = 0;
  for (;;) {
    if (Atomics.load(progress, 1) !== 0) return undefined;
    const from = Atomics.add(progress, 0, 1) * chunkRows;
    if (from >= rows) break;
    const below = Math.min(rows, from + chunkRows);
    if (tallied + below - from > mostTallied) {
      readTotals(memory.buffer, totals, counted, 'begins');
      tallied = 0;
    }
    run(from * 4, below * 4);
    tallied += below - from;
  }
  readTotals(memory.buffer, totals, counted, 'ends');
  return counted;
}
