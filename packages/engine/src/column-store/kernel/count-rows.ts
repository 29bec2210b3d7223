import { useHugePages } from '../encoding/huge-pages.ts';
import { Mover, type Source } from './flush-runs.ts';
import { noRun } from './row-ranges.ts';
import { begin, maxTallied, readTotals, type ScanLayout } from './totals.ts';

/** A compiled loop, in a form that can be posted to threads. */
export interface Kernel {
  readonly module: WebAssembly.Module;
  readonly words: readonly WebAssembly.Memory[];
  readonly layout: ScanLayout;
}

/** The kernel that counts rows within runs. */
interface Within {
  readonly kernel: Kernel;
  readonly sources: readonly Source[];
  /** Row-major, runs × axes: the slot of each run on each common axis. */
  readonly slots: Int32Array;
  readonly axes: number;
}

/** One thread's share of a pass, as posted to the thread. */
export interface Share {
  readonly whole: Kernel;
  /** Its memory layout follows the layout of `whole`. */
  readonly within?: Within;
  readonly chunks: Int32Array;
  /** Shared by all threads: the index of the next unclaimed piece. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/**
 * A thread's own memory, reused for all scans, because touching new pages costs more than counting into them.
 * Other threads may read its totals.
 */
export function ownMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 0, maximum: 65_536, shared: true });
}

/** Counts pieces until none is left, and adds the counts to the totals in this thread's memory. */
export function countRows({ whole, within, chunks, progress }: Share, own: WebAssembly.Memory): void {
  growTo(own, (within?.kernel ?? whole).layout.bytes);
  const count = counting(whole, own, () => readTotals(own.buffer, whole.layout, 'begins'));
  const inRuns = within && countingRuns(within, own);
  for (;;) {
    const chunk = Atomics.add(progress, 0, 1) * 3;
    if (chunk >= chunks.length) break;
    const [from, below, run] = [chunks[chunk]!, chunks[chunk + 1]!, chunks[chunk + 2]!];
    if (run === noRun) count(from, below);
    else inRuns!.count(from, below, run);
  }
  inRuns?.end();
  readTotals(own.buffer, whole.layout, 'ends');
}

function countingRuns(
  { kernel, sources, slots, axes }: Within,
  own: WebAssembly.Memory,
): { readonly count: (from: number, below: number, run: number) => void; readonly end: () => void } {
  const mover = new Mover(own.buffer, sources);
  let last = noRun;
  const endLast = () => {
    if (last !== noRun) mover.endRun(slots.subarray(last * axes, (last + 1) * axes));
  };
  const end = () => {
    endLast();
    mover.end();
  };
  const count = counting(kernel, own, end);
  return {
    count: (from, below, run) => {
      if (run !== last) endLast();
      last = run;
      count(from, below);
    },
    end,
  };
}

/** Counts rows, and reads tallies out before they can overflow. */
function counting(
  { module, words, layout }: Kernel,
  own: WebAssembly.Memory,
  read: () => void,
): (from: number, below: number) => void {
  begin(own.buffer, layout);
  const imports = { own, ...Object.fromEntries(words.map((word, i) => [`w${i}`, word])) };
  const { run } = new WebAssembly.Instance(module, { m: imports }).exports as {
    run: (fromByte: number, belowByte: number) => void;
  };
  let tallied = 0;
  return (from, below) => {
    if (tallied + below - from > maxTallied) {
      read();
      tallied = 0;
    }
    run(from * 4, below * 4);
    tallied += below - from;
  };
}

/** Grows the memory by whole 2 MiB pages, so that the system can use huge pages. */
function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(missing / largePage) * (largePage / 65_536));
  useHugePages(memory);
}

const largePage = 2 ** 21;
