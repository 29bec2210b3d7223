import type { FieldEncoding } from '@belvedere/document';
import { positionsOf, slotsOf, type Axis } from '../axis.ts';

/** What stands on an axis of time where a measure has no value: nought, the last value before, or what lies on the way to the next. */
export type Gaps = NonNullable<FieldEncoding['gaps']>;

/**
 * Fills what is nothing along the axis at `along`, in place, each run within the groups of the other axes; the slots for nothing and for
 * what lies outside stay as they are. Before the first value nothing is carried, and beyond the first and the last nothing is interpolated.
 * @param values one for each group, NaN for nothing, the last axis fastest
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
