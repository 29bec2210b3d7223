import type { BitField } from '../kernel/scan.ts';

/**
 * A field's least and greatest code in each block of `zoneRows`; the last block may be shorter.
 * @see Moerkotte, “Small Materialized Aggregates: A Light Weight Index Structure for Data Warehousing”, VLDB
 * 1998.
 */
export interface ZoneMap {
  readonly min: Uint32Array;
  readonly max: Uint32Array;
}

/**
 * Small compared with a day's rows in the tables that benefit, and large enough for a small map: 100 million
 * rows take 400 kB.
 */
export const zoneRows = 2048;

/** One field's map under construction, shared by the threads that build it. */
export interface Zoning {
  readonly bitField: BitField;
  /** The word column that contains the field. */
  readonly words: Uint32Array;
  readonly map: ZoneMap;
  /** The index of the next unclaimed block. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/**
 * Whether at least half of the sampled blocks span no more than a sixteenth of the code range, as the times
 * of append-only tables do. Otherwise a zone map excludes too few blocks.
 */
export function isClustered(words: Uint32Array, bitField: BitField): boolean {
  const blocks = Math.floor(words.length / zoneRows);
  if (blocks < tried) return false;
  let near = 0;
  for (let i = 0; i < tried; i++) {
    const { min, max } = zoneOf(words, bitField, Math.floor((i * blocks) / tried));
    if (max - min <= bitField.mask / 16) near++;
  }
  return near >= tried / 2;
}

const tried = 64;

export function beginZoning(words: Uint32Array, bitField: BitField): Zoning {
  const zones = () => new Uint32Array(new SharedArrayBuffer(Math.ceil(words.length / zoneRows) * 4));
  return {
    bitField,
    words,
    map: { min: zones(), max: zones() },
    progress: new Int32Array(new SharedArrayBuffer(4)),
  };
}

/** Processes blocks until none is left. */
export function readZones({ bitField, words, map, progress }: Zoning): void {
  for (;;) {
    const first = Atomics.add(progress, 0, blocksAtOnce);
    if (first >= map.min.length) return;
    for (let block = first; block < Math.min(first + blocksAtOnce, map.min.length); block++) {
      const { min, max } = zoneOf(words, bitField, block);
      map.min[block] = min;
      map.max[block] = max;
    }
  }
}

const blocksAtOnce = 64;

function zoneOf(
  words: Uint32Array,
  { shift, mask }: BitField,
  block: number,
): { readonly min: number; readonly max: number } {
  const below = Math.min(words.length, (block + 1) * zoneRows);
  let [min, max] = [mask, 0];
  for (let row = block * zoneRows; row < below; row++) {
    const code = (words[row]! >>> shift) & mask;
    if (code < min) min = code;
    if (code > max) max = code;
  }
  return { min, max };
}
