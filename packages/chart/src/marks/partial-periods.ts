import { wholePositions, type Axis } from '@belvedere/query';
import type { PositionRuns } from '../chart.ts';
import type { Mark } from '../scene.ts';
import type { LineLayout } from './line-path.ts';

/** The positions of an axis that are drawn as they are, and those at its ends that are dashed. */
export interface PartialPeriods {
  readonly whole: readonly [from: number, below: number];
  /** Periods that the data covers in part, each with its neighbour, to which its dashes lead. */
  readonly runs: PositionRuns;
}

export function partialPeriods(axis: Axis, positions: number, layout: LineLayout): PartialPeriods {
  // With more points than pixels, single ends are not drawn.
  const whole = layout.columns ? ([0, positions] as const) : wholePositions(axis, positions);
  return {
    whole,
    runs: [
      ...(whole[0] > 0 ? [[0, 2] as const] : []),
      ...(whole[1] < positions ? [[positions - 2, positions] as const] : []),
    ],
  };
}

/** A dashed line through heights: a plain one would look as though the numbers crashed. */
export function dashedLine(
  xs: Float64Array,
  heights: Float64Array,
  { stroke, width }: { readonly stroke: string; readonly width: number },
): Mark {
  return {
    kind: 'line',
    xy: Array.from(heights).flatMap((y, i) => [xs[i]!, y]),
    stroke,
    width,
    dash: [3, 3],
  };
}

/** The heights within the runs, and NaN outside. */
export function within(runs: PositionRuns, heights: Float64Array): Float64Array {
  const kept = new Float64Array(heights.length).fill(Number.NaN);
  for (const [from, below] of runs) kept.set(heights.subarray(from, below), from);
  return kept;
}
