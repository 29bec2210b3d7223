import { groupsOf, slotsOf, type Axis } from '@belvedere/query';
import type { SlotRuns } from '../brush-axis.ts';
import { alongItself, type AlongItself, type IndexPair } from './can-index.ts';

/**
 * A passive tile's totals for every step of an active tile's axes, kept as running totals, so that any brush costs a few look-ups per group.
 * @see Moritz, Howe and Heer, “Falcon”, CHI 2019; Crow, “Summed-area tables”, SIGGRAPH 1984, for two axes.
 */
export interface BrushIndex {
  readonly brush: readonly Axis[];
  readonly groups: number;
  readonly parts: readonly IndexPart[];
  readonly alongItself?: AlongItself;
  readonly bytes: number;
}

interface IndexPart {
  readonly merge: 'sum' | 'min' | 'max' | 'ask';
  /**
   * Along itself: what each group has. Else, `sum`: row-major, (n₀ + 1) × [(n₁ + 1) ×] groups, each the total of every step before it on each axis.
   * `min`, `max`: n₀ × groups, NaN for nothing.
   */
  readonly values: Float64Array;
}

/** Builds an index from the answer to its question: groups number the brush steps first, unless it runs along itself, then the passive tile's own groups. */
export function buildIndex({ brush, axes, merges }: IndexPair, cells: { readonly groups: Int32Array; readonly parts: readonly Float64Array[] }): BrushIndex {
  const groups = groupsOf(axes);
  const own = alongItself({ brush, axes });
  if (own) {
    const parts = merges.map((merge, i): IndexPart => {
      const values = new Float64Array(groups).fill(merge === 'sum' ? 0 : Number.NaN);
      cells.groups.forEach((group, k) => (values[group] = merge === 'sum' ? cells.parts[i]![k]! || 0 : cells.parts[i]![k]!));
      return { merge, values };
    });
    return { brush, groups, parts, alongItself: own, bytes: parts.length * groups * 8 };
  }
  const steps = brush.map(slotsOf);
  const parts = merges.map((merge, i): IndexPart => {
    if (merge === 'ask') throw new RangeError('A part that must be asked for cannot be indexed.');
    const values = cells.parts[i]!;
    if (merge === 'sum') return { merge, values: steps.length === 1 ? runningTotals(cells.groups, values, steps[0]!, groups) : summedArea(cells.groups, values, steps[0]!, steps[1]!, groups) };
    const dense = new Float64Array(steps[0]! * groups).fill(Number.NaN);
    cells.groups.forEach((group, k) => (dense[group] = values[k]!));
    return { merge, values: dense };
  });
  return { brush, groups, parts, bytes: parts.reduce((sum, part) => sum + part.values.byteLength, 0) };
}

/**
 * What the passive tile shows under a brush.
 * @param runs for each brush axis the selected slots, as from `runsOnAxes`
 * @param out one array of `groups` numbers for each part; it is overwritten, so that a frame allocates nothing
 */
export function sliceIndex(index: BrushIndex, runs: readonly SlotRuns[], out: readonly Float64Array[]): void {
  const [first, second] = runs;
  const width = index.brush.length > 1 ? slotsOf(index.brush[1]!) + 1 : 1;
  index.parts.forEach((part, i) => {
    const target = out[i]!;
    if (index.alongItself) return keep(part, index.alongItself, first!, target);
    if (part.merge !== 'sum') return scan(part, index.groups, first!, target);
    target.fill(0);
    for (const [from, below] of first!) {
      if (!second) addDifference(part.values, below * index.groups, from * index.groups, target);
      else {
        for (const [left, right] of second) {
          addDifference(part.values, (below * width + right) * index.groups, (from * width + right) * index.groups, target);
          addDifference(part.values, (from * width + left) * index.groups, (below * width + left) * index.groups, target);
        }
      }
    }
  });
}

/** The groups within the brush, as they are. */
function keep({ merge, values }: IndexPart, { slots, stride }: AlongItself, runs: SlotRuns, out: Float64Array): void {
  out.fill(merge === 'sum' ? 0 : Number.NaN);
  for (let begin = 0; begin < out.length; begin += slots * stride) {
    for (const [from, below] of runs) {
      for (let group = begin + from * stride; group < begin + below * stride; group++) out[group] = values[group]!;
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

function runningTotals(cellGroups: Int32Array, values: Float64Array, steps: number, groups: number): Float64Array {
  const totals = new Float64Array((steps + 1) * groups);
  // NaN is a sum over nulls alone: it adds nothing, and its count of values says so.
  cellGroups.forEach((cell, k) => (totals[cell + groups] = values[k]! || 0));
  for (let i = groups; i < totals.length; i++) totals[i] = totals[i]! + totals[i - groups]!;
  return totals;
}

function summedArea(cellGroups: Int32Array, values: Float64Array, rows: number, columns: number, groups: number): Float64Array {
  const width = columns + 1;
  const totals = new Float64Array((rows + 1) * width * groups);
  cellGroups.forEach((cell, k) => {
    const step = Math.floor(cell / groups);
    totals[((Math.floor(step / columns) + 1) * width + (step % columns) + 1) * groups + (cell % groups)] = values[k]! || 0;
  });
  for (let row = 1; row <= rows; row++) {
    for (let i = (row * width + 1) * groups; i < (row + 1) * width * groups; i++) totals[i] = totals[i]! + totals[i - groups]!;
  }
  for (let i = 2 * width * groups; i < totals.length; i++) totals[i] = totals[i]! + totals[i - width * groups]!;
  return totals;
}
