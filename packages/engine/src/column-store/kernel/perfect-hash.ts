/**
 * A lookup table that maps each known hash to its number without a comparison. Unknown hashes map to any
 * number. Sizes are powers of two.
 */
export interface HashLookup {
  /**
   * Indexed by the lower half of a hash: the value combined with the upper half to find its slot (`slotOf`).
   * Small sets need only one displacement.
   */
  readonly displacements: Uint32Array;
  readonly shift: number;
  /** The number of each slot's hash. */
  readonly numbers: Uint16Array;
}

/**
 * Builds a perfect hash. All hashes of a bucket get one displacement that gives each of them its own slot.
 * The fullest buckets go first, while there is most room. A few hundred hashes use one bucket, in a larger
 * table.
 * @param hashes of 64 bits, 2¹⁶ of them at most; the number of a hash is its index
 * @returns undefined if two hashes are too similar
 * @see Belazzougui, Botelho and Dietzfelbinger, "Hash, displace, and compress", ESA 2009
 */
export function perfectHash(hashes: readonly bigint[]): HashLookup | undefined {
  const minBits = Math.max(1, Math.ceil(Math.log2(hashes.length)) + 1);
  for (let bits = minBits; bits <= maxBitsOfOne; bits++) {
    const lookup = inBuckets(hashes, bits, 1, fewTries);
    if (lookup) return lookup;
  }
  return inBuckets(hashes, minBits, 2 ** Math.max(0, minBits - 3), manyTries);
}

/**
 * A table of this many slots fits the processor's first-level cache. With one bucket, about three hundred
 * hashes find their slots in it.
 */
const maxBitsOfOne = 13;
const fewTries = 300;
/** Far more than distinct hashes ever need. */
const manyTries = 100_000;

function inBuckets(
  hashes: readonly bigint[],
  bits: number,
  count: number,
  tries: number,
): HashLookup | undefined {
  const shift = 32 - bits;
  const displacements = new Uint32Array(count);
  const numbers = new Uint16Array(2 ** bits);
  /** -1 for an occupied slot, otherwise the last attempt that tried the slot. */
  const visits = new Int32Array(2 ** bits);
  const buckets = Array.from(displacements, (): { readonly upper: number; readonly number: number }[] => []);
  for (const [number, hash] of hashes.entries())
    buckets[Number(hash & BigInt(count - 1))]!.push({ upper: Number(hash >> 32n), number });
  let attempts = 0;
  for (const [bucket, members] of [...buckets.entries()].toSorted(([, a], [, b]) => b.length - a.length)) {
    const displacement = displacementFor(
      members.map(({ upper }) => upper),
      shift,
      visits,
      attempts,
      tries,
    );
    if (displacement === undefined) return undefined;
    attempts += tries;
    displacements[bucket] = displacement;
    for (const { upper, number } of members) {
      const slot = slotOf(upper, displacement, shift);
      visits[slot] = -1;
      numbers[slot] = number;
    }
  }
  return { displacements, shift, numbers };
}

/** The golden ratio times 2³². Its multiples spread over the whole range, and no two numbers share one. */
export const goldenSection = 0x9e3779b1;

function slotOf(upper: number, displacement: number, shift: number): number {
  return Math.imul(upper ^ displacement, goldenSection) >>> shift;
}

function displacementFor(
  uppers: readonly number[],
  shift: number,
  visits: Int32Array,
  before: number,
  tries: number,
): number | undefined {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const displacement = Math.imul(attempt, goldenSection) >>> 0;
    const isFree = uppers.every(upper => {
      const slot = slotOf(upper, displacement, shift);
      if (visits[slot] === -1 || visits[slot] === before + attempt) return false;
      visits[slot] = before + attempt;
      return true;
    });
    if (isFree) return displacement;
  }
  return undefined;
}
