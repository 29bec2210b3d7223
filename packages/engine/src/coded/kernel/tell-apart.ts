/** A look-up that gives each of some hashes its number without a comparison; others get any number. Sizes are powers of two. */
export interface HashLookup {
  /** By the lower half of a hash: what its upper half is combined with (`slotOf`) to find its slot. */
  readonly displacements: Uint32Array;
  readonly shift: number;
  /** The number of each slot's hash. */
  readonly numbers: Uint16Array;
}

/**
 * Hashes that share a bucket are moved together, by a displacement of theirs, until each has a slot of its own: the fullest buckets first, while there is most room.
 * @param hashes of 64 bits, 2¹⁶ of them at most; the number of each is its place
 * @returns undefined where two are too much alike
 * @see Belazzougui, Botelho and Dietzfelbinger, "Hash, displace, and compress", ESA 2009
 */
export function tellApart(hashes: readonly bigint[]): HashLookup | undefined {
  const bits = Math.max(1, Math.ceil(Math.log2(hashes.length)) + 1);
  const shift = 32 - bits;
  const displacements = new Uint32Array(2 ** Math.max(0, bits - 3));
  const numbers = new Uint16Array(2 ** bits);
  const isTaken = new Uint8Array(2 ** bits);
  const buckets = Array.from(displacements, (): { readonly upper: number; readonly number: number }[] => []);
  for (const [number, hash] of hashes.entries()) buckets[Number(hash & BigInt(displacements.length - 1))]!.push({ upper: Number(hash >> 32n), number });
  for (const [bucket, members] of [...buckets.entries()].toSorted(([, a], [, b]) => b.length - a.length)) {
    if (members.length === 0) break;
    const displacement = displacementFor(members.map(({ upper }) => upper), shift, isTaken);
    if (displacement === undefined) return undefined;
    displacements[bucket] = displacement;
    for (const { upper, number } of members) {
      const slot = slotOf(upper, displacement, shift);
      isTaken[slot] = 1;
      numbers[slot] = number;
    }
  }
  return { displacements, shift, numbers };
}

/** Of 2³²: its multiples lie all over the range, and no two numbers have the same. */
export const goldenSection = 0x9e3779b1;

function slotOf(upper: number, displacement: number, shift: number): number {
  return Math.imul(upper ^ displacement, goldenSection) >>> shift;
}

/** Far more than are ever needed for hashes that differ. */
const mostTries = 100_000;

function displacementFor(uppers: readonly number[], shift: number, isTaken: Uint8Array): number | undefined {
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    // Odd, so that no two numbers become one; all over the range, since the golden section is.
    const displacement = (Math.imul(attempt, 0x9e3779b1) | 1) >>> 0;
    const slots = uppers.map(upper => slotOf(upper, displacement, shift));
    if (slots.every((slot, i) => !isTaken[slot] && slots.indexOf(slot) === i)) return displacement;
  }
  return undefined;
}
