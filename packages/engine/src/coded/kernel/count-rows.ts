import { askForLargePages } from '../large-pages.ts';
import { begin, mostTallied, readTotals, type ScanLayout } from './totals.ts';

/** One thread's share of a pass, as it is sent to it. */
export interface Share {
  readonly module: WebAssembly.Module;
  readonly words: readonly WebAssembly.Memory[];
  readonly layout: ScanLayout;
  readonly rows: number;
  /** Shared by all threads: the next chunk nobody has begun. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Small enough that threads end together, large enough that beginning one costs nothing. */
const chunkRows = 2 ** 18;

/** A thread's own memory, for one scan after another: new pages would cost more than counting into them. Others may read its totals. */
export function ownMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 0, maximum: 65_536, shared: true });
}

/** Counts chunk after chunk until none is left; what this thread has counted is then among the totals of its memory. */
export function countRows({ module, words, layout, rows, progress }: Share, own: WebAssembly.Memory): void {
  growTo(own, layout.bytes);
  begin(own.buffer, layout);
  const imports = { own, ...Object.fromEntries(words.map((word, i) => [`w${i}`, word])) };
  const { run } = new WebAssembly.Instance(module, { m: imports }).exports as { run: (fromByte: number, belowByte: number) => void };
  let tallied = 0;
  for (;;) {
    const from = Atomics.add(progress, 0, 1) * chunkRows;
    if (from >= rows) break;
    const below = Math.min(rows, from + chunkRows);
    if (tallied + below - from > mostTallied) {
      readTotals(own.buffer, layout, 'begins');
      tallied = 0;
    }
    run(from * 4, below * 4);
    tallied += below - from;
  }
  readTotals(own.buffer, layout, 'ends');
}

/** By whole large pages, so that they can be. */
function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(missing / largePage) * (largePage / 65_536));
  askForLargePages(memory);
}

const largePage = 2 ** 21;
