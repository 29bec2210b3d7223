import type { Trend } from '@belvedere/document';
import { positionsOf } from '@belvedere/query';
import type { Chart, ChartInput } from '../chart.ts';
import type { Mark } from '../scene.ts';

/**
 * Adds a trend line to a chart of one series. It follows every frame of a brush.
 */
export function withTrend(chart: Chart, trend: Trend, input: ChartInput): Chart {
  const { x, value, marks } = chart;
  if (!x || value?.along !== 'y' || input.axes.some(axis => axis.channel === 'color')) return chart;
  const positions = Math.min(x.positions, positionsOf(x.axis));
  return {
    ...chart,
    marks: (values, look) => {
      const drawn = marks(values, look);
      if (look.isMuted) return drawn;
      const path = linePathOf(values.subarray(0, positions), trend);
      const xy: number[] = [];
      path.forEach((y, position) =>
        xy.push(x.middle(position), Number.isNaN(y) ? Number.NaN : value.scale.toPixel(y)),
      );
      return [...drawn, { kind: 'line', xy, stroke: input.theme.series[1]!, width: 2 } satisfies Mark];
    },
  };
}

/** Returns one value for each position; NaN for none. */
export function linePathOf(values: ArrayLike<number>, trend: Trend): Float64Array {
  if (typeof trend === 'object') return movingAverage(values, trend.movingAverage);
  return trend === 'linear' ? linear(values) : loess(values);
}

/** Fits a line by least squares. */
function linear(values: ArrayLike<number>): Float64Array {
  const line = weightedLine(values, () => 1);
  return Float64Array.from({ length: values.length }, (_, position) => line(position));
}

/**
 * Fits a line at each position to the nearest half of all positions, weighted by distance.
 * @see Cleveland, “Robust Locally Weighted Regression and Smoothing Scatterplots”, JASA 1979; without the
 * robust passes
 */
function loess(values: ArrayLike<number>): Float64Array {
  const reach = Math.max(2, Math.ceil(values.length * 0.25));
  return Float64Array.from({ length: values.length }, (_, position) => {
    const from = Math.max(0, Math.min(values.length - 2 * reach - 1, position - reach));
    const furthest = Math.max(position - from, Math.min(values.length - 1, from + 2 * reach) - position) + 1;
    return weightedLine(values, at => {
      const distance = Math.abs(at - position) / furthest;
      return distance < 1 && at >= from && at <= from + 2 * reach ? (1 - distance ** 3) ** 3 : 0;
    })(position);
  });
}

function weightedLine(
  values: ArrayLike<number>,
  weightOf: (position: number) => number,
): (position: number) => number {
  let [sum, sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0, 0];
  for (let position = 0; position < values.length; position++) {
    const value = values[position]!;
    const weight = weightOf(position);
    if (Number.isNaN(value) || weight === 0) continue;
    sum += weight;
    sumX += weight * position;
    sumY += weight * value;
    sumXX += weight * position * position;
    sumXY += weight * position * value;
  }
  const spread = sum * sumXX - sumX * sumX;
  if (sum === 0) return () => Number.NaN;
  const slope = Math.abs(spread) < 1e-9 ? 0 : (sum * sumXY - sumX * sumY) / spread;
  return position => sumY / sum + slope * (position - sumX / sum);
}

/** Returns the trailing moving average; NaN before there are enough values. */
function movingAverage(values: ArrayLike<number>, count: number): Float64Array {
  return Float64Array.from({ length: values.length }, (_, position) => {
    if (position < count - 1) return Number.NaN;
    let [sum, known] = [0, 0];
    for (let at = position - count + 1; at <= position; at++) {
      if (Number.isNaN(values[at]!)) continue;
      sum += values[at]!;
      known++;
    }
    return known === 0 ? Number.NaN : sum / known;
  });
}
