import { neutral } from './scan.ts';

/** The layout of a thread's own memory. */
export interface ScanLayout {
  readonly lookups: { readonly at: number; readonly bytes: Uint8Array<ArrayBuffer> };
  /** By section, cube and part. */
  readonly totals: readonly (readonly (readonly Totals[])[])[];
  readonly bytes: number;
}

export interface Totals {
  /** The offset of the loop's counters. */
  readonly offset: number;
  /** The offset of the totals as doubles, filled by `readTotals`. A tally's counts precede its sums. */
  readonly read: number;
  readonly cells: number;
  /**
   * A tally keeps its count in the upper bits. The lower bits keep the sum, from which `min` is subtracted
   * for each counted row.
   */
  readonly kind: 'i32' | 'f64' | 'tally';
  readonly min?: number;
  readonly merge: 'add' | 'min' | 'max';
}

/**
 * Beyond this many rows, a tally's sum could overflow into its count. It must be read out and reset before.
 */
export const maxTallied = 2 ** 24;
/** A tally's count lies above its sum. */
const countBit = 40;
export const oneCounted = 1n << BigInt(countBit);

/**
 * Writes the lookup tables and initial totals to a thread's memory.
 * @param memory at least as long as the layout
 */
export function begin(memory: ArrayBufferLike, { lookups, totals }: ScanLayout): void {
  new Uint8Array(memory, lookups.at, lookups.bytes.length).set(lookups.bytes);
  forEachPart(totals, ({ offset, read, cells, kind, merge }) => {
    if (kind === 'f64') new Float64Array(memory, offset, cells).fill(neutral(merge));
    else new Uint32Array(memory, offset, kind === 'tally' ? cells * 2 : cells).fill(0);
    new Float64Array(memory, read, kind === 'tally' ? cells * 2 : cells).fill(neutral(merge));
  });
}

/**
 * Adds a thread's counters to its totals; only then are the totals complete. With `begins`, only tallies are
 * read and reset, so that counting can continue.
 */
export function readTotals(memory: ArrayBufferLike, { totals }: ScanLayout, end: 'begins' | 'ends'): void {
  forEachPart(totals, part => {
    const { offset, cells, kind, min, merge } = part;
    const target = readPart(memory, part);
    if (kind === 'tally') {
      // Reads 32-bit halves, because 64-bit integers are objects in JavaScript and there are many cells.
      const halves = new Uint32Array(memory, offset, cells * 2);
      for (let cell = 0; cell < cells; cell++) {
        if (halves[cell * 2 + 1] === 0) continue;
        const { count, sum } = tallyIn(halves[cell * 2 + 1]!, halves[cell * 2]!);
        target[cell] = target[cell]! + count;
        target[cells + cell] = target[cells + cell]! + sum + min! * count;
      }
      if (end === 'begins') halves.fill(0);
    } else if (end === 'ends') {
      mergeInto(
        target,
        kind === 'i32' ? new Uint32Array(memory, offset, cells) : new Float64Array(memory, offset, cells),
        merge,
      );
    }
  });
}

/** The share of the cells that one of several threads adds up. */
export interface Portion {
  readonly bitField: number;
  readonly of: number;
}

/**
 * Adds the totals of other memories to those of one, cell by cell, in the memories' order. A portion
 * restricts the cells, so that threads can share the work.
 */
export function addTotals(
  into: ArrayBufferLike,
  from: readonly ArrayBufferLike[],
  { totals }: ScanLayout,
  { bitField, of }: Portion = { bitField: 0, of: 1 },
): void {
  forEachPart(totals, part => {
    const own = (memory: ArrayBufferLike) => {
      const cells = readPart(memory, part);
      return cells.subarray(
        Math.floor((cells.length * bitField) / of),
        Math.floor((cells.length * (bitField + 1)) / of),
      );
    };
    const target = own(into);
    for (const memory of from) mergeInto(target, own(memory), part.merge);
  });
}

/** A memory's totals by section, cube and part. They are views, valid until the next scan. */
export function totalsIn(memory: ArrayBufferLike, { totals }: ScanLayout): Float64Array[][][] {
  return totals.map(cubes => cubes.map(parts => parts.map(part => readPart(memory, part))));
}

function readPart(memory: ArrayBufferLike, { read, cells, kind }: Totals): Float64Array {
  return new Float64Array(memory, read, kind === 'tally' ? cells * 2 : cells);
}

function forEachPart(totals: ScanLayout['totals'], work: (part: Totals) => void): void {
  for (const cubes of totals) for (const parts of cubes) parts.forEach(work);
}

/**
 * Splits the halves of a tally's bits into its count and its sum above `min` per row. The halves may also
 * be totals of several tallies, each half summed separately.
 */
export function tallyIn(upper: number, lower: number): { readonly count: number; readonly sum: number } {
  const carried = Math.floor(lower / 2 ** 32);
  const above = upper + carried;
  const count = Math.floor(above / 2 ** (countBit - 32));
  return { count, sum: (above - count * 2 ** (countBit - 32)) * 2 ** 32 + (lower - carried * 2 ** 32) };
}

function mergeInto(target: Float64Array, values: Float64Array | Uint32Array, merge: Totals['merge']): void {
  if (merge === 'add')
    for (let cell = 0; cell < target.length; cell++) target[cell] = target[cell]! + values[cell]!;
  else
    for (let cell = 0; cell < target.length; cell++) target[cell] = Math[merge](target[cell]!, values[cell]!);
}
