import type { FieldEncoding } from '@belvedere/document';
import { positionsOf, slotsOf, type Axis } from '../axis.ts';

/** How to fill missing values on a time axis: with zero, the last value before, or by interpolation. */
export type Gaps = NonNullable<FieldEncoding['gaps']>;

/**
 * Fills missing values along axis number `along`, in place, separately for each group of the other axes. The
 * slots for null and for values off the axis are unchanged. Nothing is carried before the first value.
 * Nothing is interpolated before the first or after the last value.
 * @param values one per group, NaN for null, last axis fastest
 */
export function fillGaps(values: Float64Array, axes: readonly Axis[], along: number, gaps: Gaps): void {
  const axis = axes[along]!;
  const stride = axes.slice(along + 1).reduce((product, inner) => product * slotsOf(inner), 1);
  const span = slotsOf(axis) * stride;
  const positions = positionsOf(axis);
  for (let block = 0; block < values.length; block += span) {
    for (let inner = 0; inner < stride; inner++) {
      const at = (position: number) => block + position * stride + inner;
      let last = -1;
      for (let position = 0; position < positions; position++) {
        if (!Number.isNaN(values[at(position)]!)) {
          if (gaps === 'interpolate' && last >= 0) interpolate(values, at, last, position);
          last = position;
        } else if (gaps === 'zero') values[at(position)] = 0;
        else if (gaps === 'carry' && last >= 0) values[at(position)] = values[at(last)]!;
      }
    }
  }
}

function interpolate(values: Float64Array, at: (position: number) => number, from: number, to: number): void {
  const [first, last] = [values[at(from)]!, values[at(to)]!];
  for (let position = from + 1; position < to; position++)
    values[at(position)] = first + ((last - first) * (position - from)) / (to - from);
}
