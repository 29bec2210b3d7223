import { groupsOf, slotsOf, type Axis } from '@belvedere/query';
import type { BrushedArea, SlotRuns } from '../brush-axis.ts';
import { selfAligned, type SelfAligned, type IndexPair } from './can-index.ts';

/**
 * A passive tile's totals for every step of an active tile's axes, as running totals. Any brush then costs a
 * few look-ups per group.
 * @see Moritz, Howe and Heer, “Falcon”, CHI 2019; Crow, “Summed-area tables”, SIGGRAPH 1984, for two axes and
 *   more.
 */
export interface BrushIndex {
  readonly brush: readonly Axis[];
  readonly unbound: readonly string[];
  readonly isCoarse: boolean;
  readonly groups: number;
  readonly parts: readonly IndexPart[];
  readonly selfAligned?: SelfAligned;
  readonly bytes: number;
}

interface IndexPart {
  readonly merge: 'sum' | 'min' | 'max' | 'none';
  /**
   * If self-aligned: the value of each group. Otherwise, for `sum`: row-major, (n₀ + 1) × … × groups, each
   * the total of every step before it on each axis. For `min`, `max`: n₀ × groups, NaN for null.
   */
  readonly values: Float64Array;
}

/**
 * Builds an index from the result of its query. Groups number the brush steps first, unless the index is
 * self-aligned, then the passive tile's own groups.
 */
export function buildIndex(
  { brush, unbound = [], isCoarse = false, axes, merges }: IndexPair,
  cells: { readonly groups: Int32Array; readonly parts: readonly (Float64Array | Int32Array)[] },
): BrushIndex {
  const groups = groupsOf(axes);
  const own = selfAligned({ brush, axes });
  if (own) {
    const parts = merges.map((merge, i): IndexPart => {
      const values = new Float64Array(groups).fill(merge === 'sum' ? 0 : Number.NaN);
      cells.groups.forEach(
        (group, k) => (values[group] = merge === 'sum' ? cells.parts[i]![k]! || 0 : cells.parts[i]![k]!),
      );
      return { merge, values };
    });
    return { brush, unbound, isCoarse, groups, parts, selfAligned: own, bytes: parts.length * groups * 8 };
  }
  const steps = brush.map(slotsOf);
  const parts = merges.map((merge, i): IndexPart => {
    if (merge === 'none') throw new RangeError('A part that cannot be merged cannot be indexed.');
    const values = cells.parts[i]!;
    if (merge === 'sum') return { merge, values: runningTotals(cells.groups, values, steps, groups) };
    const dense = new Float64Array(steps[0]! * groups).fill(Number.NaN);
    cells.groups.forEach((group, k) => (dense[group] = values[k]!));
    return { merge, values: dense };
  });
  return {
    brush,
    unbound,
    isCoarse,
    groups,
    parts,
    bytes: parts.reduce((sum, part) => sum + part.values.byteLength, 0),
  };
}

/**
 * Computes the passive tile's values under a brush.
 * @param areas the brushed areas, as from `areasOnAxes`
 * @param out one array of `groups` numbers per part; overwritten, so that a frame allocates nothing
 */
export function sliceIndex(
  index: BrushIndex,
  areas: readonly BrushedArea[],
  out: readonly Float64Array[],
): void {
  const strides = stridesOf(index.brush.map(slotsOf), index.groups);
  index.parts.forEach((part, i) => {
    const target = out[i]!;
    // On one axis, the whole brush is a single area.
    if (index.selfAligned) return keep(part, index.selfAligned, areas[0]![0]!, target);
    if (part.merge !== 'sum') return scan(part, index.groups, areas[0]![0]!, target);
    target.fill(0);
    for (const area of areas) addArea(part.values, strides, area, 0, 0, 1, target);
  });
}

/**
 * Adds the differences between an area's corners, axis by axis.
 * @param sign 1 adds the totals before `at`, -1 subtracts them
 */
function addArea(
  totals: Float64Array,
  strides: readonly number[],
  area: BrushedArea,
  axis: number,
  at: number,
  sign: 1 | -1,
  out: Float64Array,
): void {
  const stride = strides[axis]!;
  for (const [from, below] of area[axis]!) {
    const [first, last] = [at + from * stride, at + below * stride];
    if (axis === area.length - 1)
      addDifference(totals, sign > 0 ? last : first, sign > 0 ? first : last, out);
    else {
      addArea(totals, strides, area, axis + 1, last, sign, out);
      addArea(totals, strides, area, axis + 1, first, sign > 0 ? -1 : 1, out);
    }
  }
}

/** The distance between running totals of neighbouring steps, per axis. */
function stridesOf(steps: readonly number[], groups: number): number[] {
  return steps.map((_, axis) =>
    steps.slice(axis + 1).reduce((product, count) => product * (count + 1), groups),
  );
}

/** Copies the groups within the brush unchanged. */
function keep(
  { merge, values }: IndexPart,
  { slots, stride }: SelfAligned,
  runs: SlotRuns,
  out: Float64Array,
): void {
  out.fill(merge === 'sum' ? 0 : Number.NaN);
  for (let begin = 0; begin < out.length; begin += slots * stride) {
    for (const [from, below] of runs) {
      for (let group = begin + from * stride; group < begin + below * stride; group++)
        out[group] = values[group]!;
    }
  }
}

function addDifference(totals: Float64Array, plus: number, minus: number, out: Float64Array): void {
  for (let g = 0; g < out.length; g++) out[g] = out[g]! + totals[plus + g]! - totals[minus + g]!;
}

function scan(part: IndexPart, groups: number, runs: SlotRuns, out: Float64Array): void {
  out.fill(Number.NaN);
  const better = part.merge === 'min' ? (a: number, b: number) => a < b : (a: number, b: number) => a > b;
  for (const [from, below] of runs) {
    for (let step = from; step < below; step++) {
      for (let g = 0; g < groups; g++) {
        const value = part.values[step * groups + g]!;
        if (!Number.isNaN(value) && (Number.isNaN(out[g]!) || better(value, out[g]!))) out[g] = value;
      }
    }
  }
}

function runningTotals(
  cellGroups: Int32Array,
  values: Float64Array | Int32Array,
  steps: readonly number[],
  groups: number,
): Float64Array {
  const strides = stridesOf(steps, groups);
  const totals = new Float64Array((steps[0]! + 1) * strides[0]!);
  // NaN is a sum over nulls only. It adds 0, and the count of values marks it as null.
  cellGroups.forEach((cell, k) => (totals[positionIn(cell, steps, strides, groups)] = values[k]! || 0));
  steps.forEach((count, axis) => {
    const stride = strides[axis]!;
    for (let begin = 0; begin < totals.length; begin += (count + 1) * stride) {
      for (let i = begin + stride; i < begin + (count + 1) * stride; i++)
        totals[i] = totals[i]! + totals[i - stride]!;
    }
  });
  return totals;
}

/** The position of the running total that includes a cell. */
function positionIn(
  cell: number,
  steps: readonly number[],
  strides: readonly number[],
  groups: number,
): number {
  let position = cell % groups;
  let rest = Math.floor(cell / groups);
  for (let axis = steps.length - 1; axis >= 0; axis--) {
    position += ((rest % steps[axis]!) + 1) * strides[axis]!;
    rest = Math.floor(rest / steps[axis]!);
  }
  return position;
}
