import { cellsIn, neutral, totalsOf, type Cube, type CubeAxis, type CubePart } from '../kernel/scan.ts';
import { coarserSlots, isSameAxis } from './refine-axes.ts';

/**
 * Aggregates a host's totals to a guest's axes, each of which is an axis of the host or coarser than one.
 * @param part the aggregation of the totals, as the guest defines it
 */
export function rollUpTotals(
  totals: Float64Array,
  host: Cube,
  axes: readonly CubeAxis[],
  part: CubePart,
): Float64Array {
  const isWhole =
    axes.length === host.axes.length && axes.every((axis, i) => isSameAxis(axis, host.axes[i]!));
  if (isWhole) return totals;
  const steps = stepsAlong(host.axes, axes);
  const guest = cellsIn({ axes, parts: [] });
  const hosted = cellsIn(host);
  const folded = new Float64Array(guest * totalsOf(part)).fill(neutral(part.kind));
  const [first = oneStep, ...others] = steps;
  const digits = others.map(() => 0);
  for (let cell = 0; cell < hosted; cell += first.length) {
    const into = others.reduce((sum, along, d) => sum + along[digits[d]!]!, 0);
    for (let half = 0; half < totalsOf(part); half++)
      foldRun(part.kind, totals, half * hosted + cell, folded, half * guest + into, first);
    for (let d = 0; d < digits.length; d++) {
      digits[d] = digits[d]! + 1;
      if (digits[d]! < others[d]!.length) break;
      digits[d] = 0;
    }
  }
  return folded;
}

const oneStep = Int32Array.of(0);

/**
 * For each axis of the host, the offset in the guest's cells of each slot; all 0 if the guest has no such
 * axis. The guest may have the same axis twice, as a heatmap of hours by hours does.
 */
export function stepsAlong(hosted: readonly CubeAxis[], axes: readonly CubeAxis[]): readonly Int32Array[] {
  const steps = hosted.map(({ count }) => new Int32Array(count));
  let stride = 1;
  for (const axis of axes) {
    const bitField = hosted.findIndex(other => coarserSlots(other, axis));
    const slots = coarserSlots(hosted[bitField]!, axis)!;
    for (const [slot, over] of slots.entries()) steps[bitField]![slot]! += over * stride;
    stride *= axis.count;
  }
  return steps;
}

/** Aggregates the cells along the host's first axis, which are adjacent. */
function foldRun(
  kind: CubePart['kind'],
  totals: Float64Array,
  cell: number,
  folded: Float64Array,
  into: number,
  steps: Int32Array,
): void {
  const run = steps.length;
  if (kind === 'min')
    for (let i = 0; i < run; i++)
      folded[into + steps[i]!] = Math.min(folded[into + steps[i]!]!, totals[cell + i]!);
  else if (kind === 'max')
    for (let i = 0; i < run; i++)
      folded[into + steps[i]!] = Math.max(folded[into + steps[i]!]!, totals[cell + i]!);
  else for (let i = 0; i < run; i++) folded[into + steps[i]!] = folded[into + steps[i]!]! + totals[cell + i]!;
}
