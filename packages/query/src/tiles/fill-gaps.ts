import type { FieldEncoding } from '@belvedere/document';
import { placesOf, slotsOf, type Axis } from '../axis.ts';

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
  const places = placesOf(axis);
  for (let block = 0; block < values.length; block += span) {
    for (let inner = 0; inner < stride; inner++) {
      const at = (place: number) => block + place * stride + inner;
      let last = -1;
      for (let place = 0; place < places; place++) {
        if (!Number.isNaN(values[at(place)]!)) {
          if (gaps === 'interpolate' && last >= 0) interpolate(values, at, last, place);
          last = place;
        } else if (gaps === 'zero') values[at(place)] = 0;
        else if (gaps === 'carry' && last >= 0) values[at(place)] = values[at(last)]!;
      }
    }
  }
}

function interpolate(values: Float64Array, at: (place: number) => number, from: number, to: number): void {
  const [first, last] = [values[at(from)]!, values[at(to)]!];
  for (let place = from + 1; place < to; place++)
    values[at(place)] = first + ((last - first) * (place - from)) / (to - from);
}
