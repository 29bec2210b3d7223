import { extentOf } from './guides/value-axis.ts';
import { lineMarks } from './marks/line-path.ts';
import type { Mark, Size } from './scene.ts';

/** A small line without axes: the shape of a time series, and a dot where a time alone has a value. */
export function drawSpark(
  values: ArrayLike<number>,
  size: Size,
  colour: string,
  extent: readonly [number, number] = extentOf(values),
): Mark[] {
  const [low, high] = extent;
  const xs = Float64Array.from(values, (_, i) => 2 + ((size.width - 4) * (i + 0.5)) / values.length);
  const ys = Float64Array.from(
    values,
    value => size.height - 2 - ((value - low) / (high - low || 1)) * (size.height - 4),
  );
  return lineMarks({ xs, columns: undefined }, ys, { stroke: colour, width: 1.5, radius: 1.75 });
}

/**
 * The part of a sparkline with values under a selection, without positions at its ends that have a value only
 * unfiltered (a count is 0 there, a sum is missing). All of it if nothing is left.
 * @param base the unfiltered values
 */
export function selectedSeries(values: Float64Array, base: ArrayLike<number>): Float64Array {
  const isLeft = (value: number, i: number) => (value !== 0 && !Number.isNaN(value)) || !(base[i]! !== 0);
  const from = values.findIndex(isLeft);
  const last = values.findLastIndex(isLeft);
  return last > from ? values.subarray(from, last + 1) : values;
}
