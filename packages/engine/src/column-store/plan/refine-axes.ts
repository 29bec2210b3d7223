import type { BitField, CubeAxis } from '../kernel/scan.ts';

/**
 * Keyed by the slots of the finer axis, then of the coarser axis. The same axes are queried repeatedly, and
 * their lookup tables are the same objects.
 */
const known = new WeakMap<Int32Array, WeakMap<Int32Array, Int32Array | 'none'>>();

/**
 * For each slot of an axis, the slot of a coarser axis that contains it: for the hours of a day, its halves.
 * Undefined if a slot overlaps several slots, or if the axes belong to different fields.
 */
export function coarserSlots(fine: CubeAxis, coarse: CubeAxis): Int32Array | undefined {
  if (!isSamePlace(fine.bitField, coarse.bitField)) return undefined;
  const knownOf = known.get(fine.slots) ?? new WeakMap<Int32Array, Int32Array | 'none'>();
  known.set(fine.slots, knownOf);
  const slots = knownOf.get(coarse.slots) ?? findCoarserSlots(fine, coarse) ?? 'none';
  knownOf.set(coarse.slots, slots);
  return slots === 'none' ? undefined : slots;
}

/** Lookup tables are cached per field and axis, so equal ones are the same object. */
export function isSameAxis(a: CubeAxis, b: CubeAxis): boolean {
  return a.slots === b.slots && isSamePlace(a.bitField, b.bitField);
}

function isSamePlace(a: BitField, b: BitField): boolean {
  return a.word === b.word && a.shift === b.shift && a.mask === b.mask;
}

function findCoarserSlots(fine: CubeAxis, coarse: CubeAxis): Int32Array | undefined {
  const found = new Int32Array(fine.count).fill(-1);
  for (const [code, slot] of fine.slots.entries()) {
    const over = coarse.slots[code];
    if (over === undefined || (found[slot] !== -1 && found[slot] !== over)) return undefined;
    found[slot] = over;
  }
  // Slots without codes have no rows, so any slot will do.
  return found.map(slot => Math.max(0, slot));
}

/**
 * The axes without those that are coarser than another of them: a row's slot on the finer axis determines its
 * slot on the coarser axis.
 */
export function finestOf(axes: readonly CubeAxis[]): readonly CubeAxis[] {
  return axes.filter(
    (axis, a) =>
      !axes.some((other, o) => o !== a && coarserSlots(other, axis) && !(a < o && coarserSlots(axis, other))),
  );
}
