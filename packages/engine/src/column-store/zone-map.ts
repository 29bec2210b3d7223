import type { BitField } from './kernel/scan.ts';

/**
 * A field's least and greatest code in each block of `zoneRows`; the last block may be shorter.
 * @see Moerkotte, “Small Materialized Aggregates: A Light Weight Index Structure for Data Warehousing”, VLDB 1998.
 */
export interface ZoneMap {
  readonly least: Uint32Array;
  readonly most: Uint32Array;
}

/** Small beside the rows that one day has in a table worth it, and few enough to be looked through in no time: a map of 100 million rows takes 400 kB. */
export const zoneRows = 2048;

/** One field's map in the making, shared by all threads that make it. */
export interface Zoning {
  readonly bitField: BitField;
  /** The rows of the field's word. */
  readonly words: Uint32Array;
  readonly map: ZoneMap;
  /** The next block nobody has begun. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Where most of some blocks' codes lie together, as those of a time do in rows that were written as it passed: only then does a map tell anything. */
export function isClustered(words: Uint32Array, bitField: BitField): boolean {
  const blocks = Math.floor(words.length / zoneRows);
  if (blocks < tried) return false;
  let near = 0;
  for (let i = 0; i < tried; i++) {
    const { least, most } = zoneOf(words, bitField, Math.floor((i * blocks) / tried));
    if (most - least <= bitField.mask / 16) near++;
  }
  return near >= tried / 2;
}

const tried = 64;

export function beginZoning(words: Uint32Array, bitField: BitField): Zoning {
  const zones = () => new Uint32Array(new SharedArrayBuffer(Math.ceil(words.length / zoneRows) * 4));
  return {
    bitField,
    words,
    map: { least: zones(), most: zones() },
    progress: new Int32Array(new SharedArrayBuffer(4)),
  };
}

/** Looks at block after block until none is left. */
export function readZones({ bitField, words, map, progress }: Zoning): void {
  for (;;) {
    const first = Atomics.add(progress, 0, blocksAtOnce);
    if (first >= map.least.length) return;
    for (let block = first; block < Math.min(first + blocksAtOnce, map.least.length); block++) {
      const { least, most } = zoneOf(words, bitField, block);
      map.least[block] = least;
      map.most[block] = most;
    }
  }
}

const blocksAtOnce = 64;

function zoneOf(
  words: Uint32Array,
  { shift, mask }: BitField,
  block: number,
): { readonly least: number; readonly most: number } {
  const below = Math.min(words.length, (block + 1) * zoneRows);
  let [least, most] = [mask, 0];
  for (let row = block * zoneRows; row < below; row++) {
    const code = (words[row]! >>> shift) & mask;
    if (code < least) least = code;
    if (code > most) most = code;
  }
  return { least, most };
}
