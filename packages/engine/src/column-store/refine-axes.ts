import type { BitField, CubeAxis } from './kernel/scan.ts';

/** By the slots of the finer axis, then of the coarser one: axes are asked for again and again, and their look-ups are the same objects. */
const known = new WeakMap<Int32Array, WeakMap<Int32Array, Int32Array | 'none'>>();

/** For each slot of an axis the one of another axis that lies over it: of hours of a day its halves. None where a slot lies in several, or where they are axes of different fields. */
export function coarserSlots(fine: CubeAxis, coarse: CubeAxis): Int32Array | undefined {
  if (!isSamePlace(fine.bitField, coarse.bitField)) return undefined;
  const knownOf = known.get(fine.slots) ?? new WeakMap<Int32Array, Int32Array | 'none'>();
  known.set(fine.slots, knownOf);
  const slots = knownOf.get(coarse.slots) ?? findCoarserSlots(fine, coarse) ?? 'none';
  knownOf.set(coarse.slots, slots);
  return slots === 'none' ? undefined : slots;
}

/** Look-ups are made once for each field and axis, so that the same ones are the same object. */
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
  // Where no code is, no row is.
  return found.map(slot => Math.max(0, slot));
}

/** The axes without those that lie over another of them: whoever knows a row's place along that one knows the others. */
export function finestOf(axes: readonly CubeAxis[]): readonly CubeAxis[] {
  return axes.filter(
    (axis, a) =>
      !axes.some((other, o) => o !== a && coarserSlots(other, axis) && !(a < o && coarserSlots(axis, other))),
  );
}
